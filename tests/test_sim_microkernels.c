// The simulated device's counts against a GPU's hardware counters, exactly.
#include <cuda_runtime_api.h>

#include "microkernels_h200.h"
#include "sim/sim.h"
#include "suites.h"

enum { FLOATS = 1 << 20 };

static struct sim_counts count(const struct measured *row)
{
    float *in, *out;
    // One of them reads what nobody wrote, on purpose.
    SUCCEEDS(cudaDeviceReset());
    sim_set(SIM_CHECKS, row->kernel != S_STSTRIDE);
    SUCCEEDS(cudaMalloc((void **)&in, FLOATS * sizeof *in));
    SUCCEEDS(cudaMalloc((void **)&out, FLOATS * sizeof *out));
    SUCCEEDS(cudaMemset(in, 0, FLOATS * sizeof *in));
    sim_counts_reset();
    microkernel_launch(row->kernel, out, in, row->argument);
    ck_assert_msg(cudaDeviceSynchronize() == cudaSuccess, "%s %d: %s", row->name, row->argument,
                  sim_last_report());
    SUCCEEDS(cudaFree(in));
    SUCCEEDS(cudaFree(out));
    return sim_counts_total();
}

#define SAME(counted, field)                                                                       \
    ck_assert_msg((counted).field == row->field,                                                   \
                  "%s %d: " #field " is %llu, the H200 counted %llu", row->name, row->argument,    \
                  (unsigned long long)(counted).field, (unsigned long long)row->field)

PROGRAM(sim_microkernels)

TEST(counts_equal_the_hardware, .times = sizeof measured / sizeof *measured)
{
    const struct measured *row = &measured[_i];
    struct sim_counts c = count(row);
    SAME(c, load_requests);
    SAME(c, load_sectors);
    SAME(c, load_bytes);
    SAME(c, store_requests);
    SAME(c, store_sectors);
    SAME(c, store_bytes);
    SAME(c, tags);
    SAME(c, shared_requests);
    SAME(c, shared_wavefronts);
    SAME(c, shared_bytes);
    SAME(c, local_sectors);
}
