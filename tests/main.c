// Runs all suites. Tests that need a GPU are skipped, counted and named where there is none.
#define _POSIX_C_SOURCE 200809L // setenv
#include "suites.h"
#include "support.h"
#include "verbs/options.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

// CUPTI and the CUDA runtime keep some memory to the end on purpose.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:libcupti\nleak:libcuda\nleak:libnvperf\n";
}

const char *__lsan_default_options(void);
const char *__lsan_default_options(void)
{
    return "print_suppressions=0";
}

// CUDA's driver maps memory where AddressSanitizer keeps a gap that nobody may touch.
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "protect_shadow_gap=0";
}

static const char MESSAGES[] = "build/check/messages.txt";

static int has_gpu(void)
{
    int raw = system("./run --gpu 1 -n 1 --no-profile >/dev/null 2>&1");
    return WIFEXITED(raw) && (WEXITSTATUS(raw) == EXIT_GOOD || WEXITSTATUS(raw) == EXIT_WRONG);
}

static int has_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0;
}

// Adds the tests, or where they cannot be run names them. Returns how many are skipped.
static int add_or_skip(SRunner *runner, const char *name, const TTest *const *tests, int count,
                       const char *why)
{
    if (why) {
        printf("Skipped, because %s:\n", why);
        for (int i = 0; i < count; i++)
            printf("  %s\n", tests[i]->name);
        return count;
    }
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 300);
    for (int i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    srunner_add_suite(runner, suite);
    return 0;
}

int main(void)
{
    // What is printed is held against UTF-8, whatever the user's locale is; tests of another say so.
    if (setenv("LC_ALL", "C.UTF-8", 1) != 0 || !setlocale(LC_CTYPE, ""))
        printf("There is no locale C.UTF-8 here: what is compared with UTF-8 will fail\n");
    check_set_max_msg_size(
        1 << 20); // whole pages: Check ends a test that says more, without a word
    SRunner *runner = srunner_create(suite_options());
    Suite *(*const suites[])(void) = {
        suite_matrix,    suite_range,     suite_verify,         suite_profile,
        suite_limiter,   suite_occupancy, suite_occupancy_verb, suite_style,
        suite_report,    suite_json,      suite_record,         suite_compare,
        suite_explain,   suite_validate,  suite_sweep,          suite_supervise,
        suite_cli,       suite_log,       suite_micro,          suite_hotspots,
        suite_exercises, suite_stalls,    suite_advice,         suite_docs,
        suite_trace,
#ifdef WITH_CUPTI
        suite_cupti,     suite_build,     suite_cli_gpu,
#endif
    };
    for (size_t i = 0; i < sizeof suites / sizeof *suites; i++)
        srunner_add_suite(runner, suites[i]());

    int gpu_count, skipped = 0;
    const TTest *const *tests = gpu_tests(&gpu_count);
#ifndef WITH_CUPTI
    printf("Skipped, because this machine has no CUDA toolkit with CUPTI: suites cupti, cli_gpu "
           "and build\n");
    skipped += 3;
#endif
    skipped +=
        add_or_skip(runner, "gpu", tests, gpu_count, has_gpu() ? NULL : "no GPU can be used here");
    int plot_count;
    tests = plot_tests(&plot_count);
    skipped += add_or_skip(runner, "plots", tests, plot_count,
                           has_gnuplot() ? NULL : "gnuplot is not installed");
    // Messages that tests provoke would bury the results.
    if (!freopen(MESSAGES, "w", stderr))
        printf("%s cannot be written: messages follow on standard error\n", MESSAGES);
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    if (failed > 0)
        printf("Messages on standard error are in %s\n", MESSAGES);
    printf("%d passed, %d failed, %d skipped\n", run - failed, failed, skipped);
    return failed == 0 && run > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
