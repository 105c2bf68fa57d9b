// Divergent control flow: every thread computes what the same function computes on the host.
#include <check.h>
#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "../src/sim/sim.h"
#include "kernels/flow.h"

enum { COUNT = 5000 };

START_TEST(threads_part_and_meet)
{
    static unsigned result[COUNT];
    unsigned *out;
    ck_assert_int_eq(cudaMalloc((void **)&out, sizeof result), cudaSuccess);
    sim_counts_reset();
    flow_launch((enum flow)_i, out, COUNT);
    ck_assert_msg(cudaDeviceSynchronize() == cudaSuccess, "%s", sim_last_report());
    ck_assert_int_eq(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost), cudaSuccess);
    for (unsigned i = 0; i < COUNT; i++)
        ck_assert_msg(result[i] == flow_on_host((enum flow)_i, i), "flow %d of %u is %u", _i, i,
                      result[i]);
    struct sim_counts counts = sim_counts_total();
    ck_assert_uint_gt(counts.divergent_branches, 0);
    // Each warp stores once: its threads meet again before they do.
    ck_assert_uint_eq(counts.store_requests, (COUNT + 31) / 32);
    if (_i == LOCAL_TABLE)
        ck_assert_uint_gt(counts.local_sectors, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sim_flow");
    TCase *tests = tcase_create("against the host");
    tcase_add_loop_test(tests, threads_part_and_meet, 0, FLOWS);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
