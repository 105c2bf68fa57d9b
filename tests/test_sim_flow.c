// Divergent control flow: every thread computes what the same function computes on the host.
#include <cuda_runtime_api.h>

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
    if (_i != LOCAL_TABLE) // whose threads part where some of them end
        ck_assert_uint_gt(counts.divergent_branches, 0);
    // Each warp stores once: its threads meet again before they do.
    ck_assert_uint_eq(counts.store_requests, (COUNT + 31) / 32);
    if (_i == LOCAL_TABLE)
        ck_assert_uint_gt(counts.local_sectors, 0);
}

// Half of a warp skips the instruction, that many times; what is counted of that. Another one follows, or none.
static struct sim_counts count_of_skipping(const char *instruction, int times, const char *next)
{
    char body[2048] = ".reg .pred %half;\nsetp.lt.u32 %half, %i, 16;\n@%half bra $over;\n";
    for (int i = 0; i < times; i++)
        strcat(body, instruction);
    strcat(strcat(body, "$over:\n"), next);
    struct ptx_kernel *kernel = ptx_kernel(".shared .b8 tile[4];", body);
    void *out;
    sim_set(SIM_CHECKS, 0); // nobody wrote what is loaded
    SUCCEEDS(cudaMalloc(&out, 4));
    sim_counts_reset();
    ck_assert_msg(ptx_launch(kernel, 1, 32, out, out) == cudaSuccess, "%s", sim_last_report());
    sim_set(SIM_CHECKS, 1);
    SUCCEEDS(cudaFree(out));
    return sim_counts_total();
}

static const char sum[] = "add.u32 %size, %size, 1;\n";

// ptxas predicates the few instructions that a short branch skips.
TEST(short_branches_become_predicates)
{
    struct sim_counts few = count_of_skipping(sum, 4, sum), many = count_of_skipping(sum, 20, sum);
    ck_assert_uint_eq(few.branches, 0);
    ck_assert_uint_eq(few.divergent_branches, 0);
    ck_assert_uint_eq(many.branches, 1);
    ck_assert_uint_eq(many.divergent_branches, 1);
}

// But not where these copy from shared to global memory, and it takes two more for the lanes to meet. A branch to the
// end is none.
TEST(copies_out_of_shared_memory_stay_branches)
{
    static const char load[] = "ld.shared.u32 %size, [tile]; add.u32 %size, %size, 1;\n",
                      copy[] = "ld.shared.u32 %size, [tile]; st.global.u32 [%out], %size;\n";
    struct sim_counts loads = count_of_skipping(load, 1, sum),
                      copies = count_of_skipping(copy, 1, sum),
                      last = count_of_skipping(copy, 1, "");
    ck_assert_uint_eq(loads.branches, 0);
    ck_assert_uint_eq(copies.branches, 1);
    ck_assert_uint_eq(copies.divergent_branches, 1);
    ck_assert_uint_eq(copies.instructions, loads.instructions + 2);
    ck_assert_uint_eq(last.branches, 0);
    ck_assert_uint_eq(last.divergent_branches, 0);
}
