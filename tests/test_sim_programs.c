// Programs that a workshop's attendees may bring: right results, and no false alarm.
#include <check.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/programs.h"
#include "sim/sim.h"

START_TEST(a_correct_program_runs)
{
    int result = program_run((enum program)_i);
    ck_assert_msg(result == 0, "program %d: %d (%s)\n%s", _i, result,
                  cudaGetErrorName((cudaError_t)result), sim_last_report());
}
END_TEST

START_TEST(a_failed_assertion_is_told)
{
    ck_assert_int_eq(program_break_assertion(), cudaErrorAssert);
    const char *report = sim_last_report();
    ck_assert_msg(strstr(report, "values[threadIdx.x] > 0"), "%s", report);
    ck_assert_msg(strstr(report, "programs.cu:"), "%s", report);
    ck_assert_msg(strstr(report, "check_positive"), "%s", report);
}
END_TEST

START_TEST(threads_do_not_matter)
{
    static const unsigned threads[] = {1, 2, 3, 4, 5, 16, 64};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        sim_set_threads(threads[i]);
        int result = program_run((enum program)_i);
        ck_assert_msg(result == 0, "program %d, %u threads: %d\n%s", _i, threads[i], result,
                      sim_last_report());
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sim_programs");
    TCase *tests = tcase_create("correct programs");
    tcase_add_loop_test(tests, a_correct_program_runs, 0, PROGRAMS);
    tcase_add_test(tests, a_failed_assertion_is_told);
    tcase_add_loop_test(tests, threads_do_not_matter, 0, PROGRAMS);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
