// Lab registers: what is won, and what lost, by giving each thread fewer registers?
#include "lab.h"

enum { LOADS = 64, THREADS = 256, BLOCKS = 4 };

// Copies 64 elements a thread, which holds all of them at once.
__device__ __forceinline__ void copy_many(float *out, const float *in, size_t count)
{
    size_t at = first_element(this_thread(), LOADS);
    if (at < count)
        copy_elements<LOADS>(out, in, at, count);
}

__global__ void __launch_bounds__(THREADS) as_many(float *out, const float *in, size_t count)
{
    copy_many(out, in, count);
}

// As few that an SM has them for so many blocks.
__global__ void __launch_bounds__(THREADS, BLOCKS)
    for_blocks(float *out, const float *in, size_t count)
{
    copy_many(out, in, count);
}

// As nvcc -maxrregcount=MOST does to all kernels of a file. clang has no such thing.
#ifdef __NVCC__
template <int MOST>
__global__ void __maxnreg__(MOST) at_most(float *out, const float *in, size_t count)
{
    copy_many(out, in, count);
}
#else
template <int>
constexpr auto at_most = as_many;
#endif

enum { FEWEST_WORDS = 2 }; // from here on, a kernel is at_most<>

static void launch(float *out, const float *in, size_t n, const int *settings)
{
    typedef void copy(float *, const float *, size_t);
    static copy *const kernels[] = {as_many,     for_blocks,  at_most<64>,
                                    at_most<48>, at_most<32>, at_most<24>};
    copy *kernel = kernels[settings[0]];
    size_t a_block = (size_t)THREADS * LOADS;
    (void)cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, settings[1]);
    kernel<<<(unsigned)((n * n + a_block - 1) / a_block), THREADS>>>(out, in, n * n);
}

static const char *lacks(const int *settings)
{
#ifndef __NVCC__
    if (settings[0] >= FEWEST_WORDS)
        return "compiled by clang, which knows no __maxnreg__: nvcc does";
#endif
    (void)settings;
    return NULL;
}

LAB_BEYOND(
    "The simulated device executes PTX, whose registers have no end: occupancy follows them, "
    "but nothing is spilled, and no time is lost by it.",
    "what is won, and what lost, by giving each thread fewer registers?",
    "local_sectors,theoretical_occupancy,registers,l2_read_sectors,l2_write_sectors", copy_on_cpu,
    bytes_of_copy, lacks,
    {"told", "what the compiler is told", "nothing bounds max64 max48 max32 max24"},
    {"carved", "percent of an SM's shared memory to set aside", "0 100"})
