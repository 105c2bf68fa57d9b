// Lab occupancy: what limits the warps on an SM, and does the speed follow them?
#include "lab.h"

enum { LOADS = 4 };
static const int quarter = 25; // percent

// Copies four elements a thread. Nobody uses the shared memory: it takes room.
__global__ void occupancy(float *out, const float *in, size_t count)
{
    size_t at = first_element(this_thread(), LOADS);
    if (at < count)
        copy_elements<LOADS>(out, in, at, count);
}

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    size_t a_block = (size_t)settings[0] * LOADS, bytes = (size_t)settings[1] << 10;
    unsigned blocks = (unsigned)((n * n + a_block - 1) / a_block);
    (void)cudaFuncSetAttribute(occupancy, cudaFuncAttributePreferredSharedMemoryCarveout,
                               settings[2] ? quarter : cudaSharedmemCarveoutDefault);
    occupancy<<<blocks, (unsigned)settings[0], bytes>>>(out, in, n * n);
}

LAB("what limits the warps on an SM, and does the speed follow them?",
    "theoretical_occupancy,achieved_occupancy", copy_on_cpu, bytes_of_copy, NULL,
    {"threads", "threads a block", "32 64 128 256 512 1024"},
    {"shared", "KiB of shared memory a block", "0 8 16 32 48"},
    {"carved", "how much of an SM is to be shared memory", "any quarter"})
