// Runs all suites, or the one that CK_RUN_SUITE names. Tests that need a GPU are skipped, counted and named where
// there is none.
#define _GNU_SOURCE // setenv
#include "suites.h"
#include "support.h"
#include "verbs/options.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static const char *without_gpu(void)
{
    int raw = system("./run --gpu 1 -n 1 --no-profile >/dev/null 2>&1");
    bool has_gpu =
        WIFEXITED(raw) && (WEXITSTATUS(raw) == EXIT_GOOD || WEXITSTATUS(raw) == EXIT_WRONG);
    return has_gpu ? NULL : "no GPU can be used here";
}

static const char *without_gnuplot(void)
{
    return system("gnuplot --version >/dev/null 2>&1") == 0 ? NULL : "gnuplot is not installed";
}

#ifndef WITH_CUPTI
static const char *without_cupti(void)
{
    return "this machine has no CUDA toolkit with CUPTI";
}
#endif

// A suite; or tests that cannot be run everywhere, and why not here (NULL: they can), or a suite that is not built.
static const struct entry {
    const char *name;
    Suite *(*make)(void);
    const TTest *const *(*tests)(int *count);
    const char *(*why_not)(void);
    bool uses_gpu; // where there is one
} entries[] = {
#define SUITE(name)                                                                                \
    {                                                                                              \
#name, suite_##name, NULL, NULL, false                                                     \
    }
    SUITE(matrix),
    SUITE(range),
    SUITE(verify),
    SUITE(profile),
    SUITE(limiter),
    SUITE(occupancy),
    SUITE(occupancy_verb),
    SUITE(style),
    SUITE(report),
    SUITE(json),
    SUITE(record),
    SUITE(compare),
    SUITE(explain),
    SUITE(validate),
    SUITE(sweep),
    SUITE(supervise),
    SUITE(cli),
    SUITE(log),
    SUITE(micro),
    SUITE(hotspots),
    SUITE(exercises),
    SUITE(typed_exercises),
    SUITE(stalls),
    SUITE(advice),
    SUITE(docs),
    SUITE(trace),
    SUITE(options),
    SUITE(build),
#ifdef WITH_CUPTI
    SUITE(cupti),
    SUITE(cli_gpu),
#else
    {"cupti", NULL, NULL, without_cupti, false},
    {"cli_gpu", NULL, NULL, without_cupti, false},
#endif
    {"commands", suite_commands, NULL, NULL, true},
    {"gpu", NULL, gpu_tests, without_gpu, true},
    {"plots", NULL, plot_tests, without_gnuplot, false},
};
enum { ENTRIES = sizeof entries / sizeof *entries };

static Suite *suite_of(const char *name, const TTest *const *tests, int count)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 300);
    for (int i = 0; i < count; i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite;
}

// Adds the entry's tests, or where they cannot be run names them. Returns how many are skipped.
static int add_or_skip(SRunner *runner, const struct entry *entry)
{
    if (entry->make) {
        srunner_add_suite(runner, entry->make());
        return 0;
    }
    const char *why = entry->why_not();
    if (!entry->tests) {
        printf("Skipped 1 suite, %s, because %s\n", entry->name, why);
        return 1;
    }
    int count;
    const TTest *const *tests = entry->tests(&count);
    if (!why) {
        srunner_add_suite(runner, suite_of(entry->name, tests, count));
        return 0;
    }
    printf("Skipped %d tests of %s, because %s:", count, entry->name, why);
    for (int i = 0; i < count; i++)
        printf(" %s", tests[i]->name);
    putchar('\n');
    return count;
}

// For tests/run_suites.sh: a suite a line, and which of them must not run beside others.
static void list_suites(void)
{
    bool has_gpu = !without_gpu();
    for (int i = 0; i < ENTRIES; i++)
        printf("%s%s\n", entries[i].name, entries[i].uses_gpu && has_gpu ? " alone" : "");
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_suites();
        return EXIT_SUCCESS;
    }
    // What is printed is held against UTF-8, whatever the user's locale is; tests of another say so.
    if (setenv("LC_ALL", "C.UTF-8", 1) != 0 || !setlocale(LC_CTYPE, ""))
        printf("There is no locale C.UTF-8 here: what is compared with UTF-8 will fail\n");
    check_set_max_msg_size(
        1 << 20); // whole pages: Check ends a test that says more, without a word
    // A make that a test types builds as this program was built, whatever make it runs under.
    unsetenv("MAKEFLAGS");
    unsetenv("MAKELEVEL");
    setenv("GNUMAKEFLAGS", MAKE_SETTINGS, 1);
    const char *only = getenv("CK_RUN_SUITE");
    SRunner *runner = srunner_create(NULL);
    int skipped = 0;
    for (int i = 0; i < ENTRIES; i++)
        if (!only || strcmp(only, entries[i].name) == 0)
            skipped += add_or_skip(runner, &entries[i]);
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    printf("%d passed, %d failed, %d skipped\n", run - failed, failed, skipped);
    return failed == 0 && run + skipped > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
