// Divergent control flow: every thread computes what the same function computes on the host.
#include <cuda_runtime_api.h>
#include <stdlib.h>

#include "kernels/flow.h"
#include "ptx_kernel.h"
#include "sim/sim.h"
#include "suites.h"

enum { COUNT = 5000 };

PROGRAM(sim_flow)

TEST(threads_part_and_meet, .times = FLOWS)
{
    static unsigned result[COUNT];
    unsigned *out;
    SUCCEEDS(cudaMalloc((void **)&out, sizeof result));
    sim_counts_reset();
    flow_launch((enum flow)_i, out, COUNT);
    ck_assert_msg(cudaDeviceSynchronize() == cudaSuccess, "%s", sim_last_report());
    SUCCEEDS(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
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

// Half of a warp skips `skipped` instructions; what is counted of that.
static struct sim_counts count_of_skipping(int skipped)
{
    char body[2048] = ".reg .pred %half;\nsetp.lt.u32 %half, %i, 16;\n@%half bra $over;\n";
    for (int i = 0; i < skipped; i++)
        strcat(body, "add.u32 %size, %size, 1;\n");
    strcat(body, "$over:\n");
    struct ptx_kernel *kernel = ptx_kernel("", body);
    sim_counts_reset();
    ck_assert_msg(ptx_launch(kernel, 1, 32, NULL, NULL) == cudaSuccess, "%s", sim_last_report());
    return sim_counts_total();
}

// ptxas predicates the few instructions that a short branch skips.
TEST(short_branches_become_predicates)
{
    struct sim_counts few = count_of_skipping(4), many = count_of_skipping(20);
    ck_assert_uint_eq(few.branches, 0);
    ck_assert_uint_eq(few.divergent_branches, 0);
    ck_assert_uint_eq(many.branches, 1);
    ck_assert_uint_eq(many.divergent_branches, 1);
}
