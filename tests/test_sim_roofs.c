// The kernels that measure a GPU's roofs, on the simulated device: each moves what it is said to, and nothing else.
#include <cuda_runtime_api.h>

#include "measure/roof_kernels.h"
#include "sim/sim.h"
#include "suites.h"

enum { QUAD = 16, MOST = 5000 };

static const struct roof_kernels *kernels;

void roof_kernels_register(const struct roof_kernels *all)
{
    kernels = all;
}

static char *in, *out, here[MOST * QUAD], there[MOST * QUAD];

static void set_up(void)
{
    for (size_t i = 0; i < sizeof here; i++)
        here[i] = (char)(i * 2654435761u >> 13);
    SUCCEEDS(cudaMalloc((void **)&in, sizeof here));
    SUCCEEDS(cudaMalloc((void **)&out, sizeof here));
    SUCCEEDS(cudaMemcpy(in, here, sizeof here, cudaMemcpyHostToDevice));
    SUCCEEDS(cudaMemset(out, 0x55, sizeof here));
    sim_counts_reset();
}

static struct sim_counts counts_of(roof_launch *launch, size_t quads)
{
    launch(out, in, quads);
    ck_assert_msg(cudaDeviceSynchronize() == cudaSuccess, "%s", sim_last_report());
    SUCCEEDS(cudaMemcpy(there, out, sizeof there, cudaMemcpyDeviceToHost));
    return sim_counts_total();
}

// Nothing behind the last quad was written to.
static void assert_ends(size_t quads)
{
    for (size_t i = quads * QUAD; i < sizeof there; i++)
        if (there[i] != 0x55)
            ck_abort_msg("byte %zu of %zu quads", i, quads);
}

static const size_t sizes[] = {1, 31, 1023, 1024, 1025, 4999};
enum { SIZES = sizeof sizes / sizeof *sizes };

PROGRAM(sim_roofs, .seconds = 60, .set_up = set_up)

TEST(a_copy_copies, .times = SIZES)
{
    size_t quads = sizes[_i];
    struct sim_counts counts = counts_of(kernels->copy, quads);
    ck_assert_mem_eq(there, here, quads * QUAD);
    assert_ends(quads);
    ck_assert_uint_eq(counts.load_bytes, quads * QUAD);
    ck_assert_uint_eq(counts.store_bytes, quads * QUAD);
    ck_assert_uint_eq(counts.load_sectors, (quads + 1) / 2);
}

TEST(a_read_reads_all_and_writes_nothing, .times = SIZES)
{
    size_t quads = sizes[_i];
    struct sim_counts counts = counts_of(kernels->read, quads);
    assert_ends(0);
    ck_assert_uint_eq(counts.load_bytes, quads * QUAD);
    ck_assert_uint_eq(counts.store_requests, 0);
}

TEST(a_write_writes_all_and_reads_nothing, .times = SIZES)
{
    size_t quads = sizes[_i];
    struct sim_counts counts = counts_of(kernels->write, quads);
    assert_ends(quads);
    ck_assert_uint_eq(counts.store_bytes, quads * QUAD);
    ck_assert_uint_eq(counts.load_requests, 0);
}
