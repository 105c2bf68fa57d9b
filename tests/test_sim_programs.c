// Programs that a workshop's attendees may bring: right results, and no false alarm.
#include <cuda_runtime_api.h>
#include <string.h>

#include "kernels/programs.h"
#include "sim/sim.h"

#include "suites.h"

PROGRAM(sim_programs)

TEST(a_correct_program_runs, .times = PROGRAMS)
{
    int result = program_run(_i);
    ck_assert_msg(result == 0, "program %d: %d (%s)\n%s", _i, result,
                  cudaGetErrorName((cudaError_t)result), sim_last_report());
}

TEST(a_failed_assertion_is_told)
{
    ck_assert_int_eq(program_break_assertion(), cudaErrorAssert);
    const char *report = sim_last_report();
    ck_assert_msg(strstr(report, "values[threadIdx.x] > 0"), "%s", report);
    ck_assert_msg(strstr(report, "programs.cu:"), "%s", report);
    ck_assert_msg(strstr(report, "check_positive"), "%s", report);
}

TEST(threads_do_not_matter, .times = PROGRAMS)
{
    static const unsigned threads[] = {1, 2, 3, 4, 5, 16, 64};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        sim_set(SIM_THREADS, threads[i]);
        int result = program_run(_i);
        ck_assert_msg(result == 0, "program %d, %u threads: %d\n%s", _i, threads[i], result,
                      sim_last_report());
    }
}
