// The transposes that are no step and judge the timing model (the Makefile's SETS) on the simulated device: right results
// at odd and even sizes, and no false alarm.
#include <cuda_runtime_api.h>

#include "sim_steps.h"
#include "suites.h"
#include "transposes.h"

PROGRAM(sim_transposes, .seconds = 60)

// At the last, blocks of a fixed number take more than a tile each.
static const size_t sizes[] = {1, 2, 31, 33, 63, 64, 100, 127, 128, 257, 512, 1540};
enum { SIZES = sizeof sizes / sizeof *sizes };

TEST(all_are_there)
{
    int listed = 0;
    for (int i = 1; i < SETS; i++)
        listed += transposes[i].kernels;
    ck_assert_int_eq(step_count, TRANSPOSES);
    ck_assert_int_eq(step_count, listed);
}

TEST(it_transposes, .times = TRANSPOSES * SIZES)
{
    ck_assert_ptr_nonnull(steps[_i / SIZES]);
    run_step(steps[_i / SIZES], sizes[_i % SIZES]);
}
