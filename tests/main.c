// Runs all suites, or the one that CK_RUN_SUITE names. Tests that need a GPU are skipped, counted and named where
// there is none.
#define _GNU_SOURCE // setenv
#include "suites.h"
#include "support.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static struct {
    const struct test_entry *suite;
    Suite *(*make)(const char *name, int *skipped);
} suites[64];
static int suite_count;

void suite_register(const struct test_entry *suite, Suite *(*make)(const char *name, int *skipped))
{
    suites[suite_count].suite = suite;
    suites[suite_count++].make = make;
}

// Suites that this machine has not what to build with.
#ifdef WITH_CUPTI
enum { NOT_BUILT = 0 };
static const char *const not_built[] = {NULL};
#else
static const char *const not_built[] = {"cupti", "cli_gpu"};
enum { NOT_BUILT = sizeof not_built / sizeof *not_built };
#endif

// For tests/run_suites.sh: a suite a line, and which of them must not run beside others.
static void list_suites(void)
{
    bool has_gpu = !without_gpu();
    for (int i = 0; i < suite_count; i++)
        printf("%s%s\n", suites[i].suite->suite,
               suites[i].suite->uses_gpu && has_gpu ? " alone" : "");
    for (int i = 0; i < NOT_BUILT; i++)
        printf("%s\n", not_built[i]);
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
    unsetenv("COLUMNS"); // pages are as wide as they are meant to be
    setenv("GNUMAKEFLAGS", MAKE_SETTINGS, 1);
    const char *only = getenv("CK_RUN_SUITE");
    SRunner *runner = srunner_create(NULL);
    int skipped = 0;
    for (int i = 0; i < suite_count; i++)
        if (!only || strcmp(only, suites[i].suite->suite) == 0)
            srunner_add_suite(runner, suites[i].make(suites[i].suite->suite, &skipped));
    for (int i = 0; i < NOT_BUILT; i++)
        if (!only || strcmp(only, not_built[i]) == 0) {
            printf("Skipped 1 suite, %s, because this machine has no CUDA toolkit with CUPTI\n",
                   not_built[i]);
            skipped++;
        }
    srunner_run_all(runner, CK_ENV);
    int run = srunner_ntests_run(runner), failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    printf("%d passed, %d failed, %d skipped\n", run - failed, failed, skipped);
    return failed == 0 && run + skipped > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
