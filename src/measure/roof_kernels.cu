// What measures roofs: 16 bytes an access, those of a warp side by side, and four on their way at once in each thread.
#include "roof_kernels.h"

enum { THREADS = 256, AT_ONCE = 4, A_BLOCK = THREADS * AT_ONCE };

static __device__ size_t place_of(int k)
{
    return (size_t)blockIdx.x * A_BLOCK + k * THREADS + threadIdx.x;
}

__global__ void roof_copy(uint4 *out, const uint4 *in, size_t quads)
{
    uint4 moved[AT_ONCE];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        if (place_of(k) < quads)
            moved[k] = in[place_of(k)];
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        if (place_of(k) < quads)
            out[place_of(k)] = moved[k];
}

// What is read must be of use, or the compiler leaves it out: of 2^32 threads about one writes.
__global__ void roof_read(unsigned *out, const uint4 *in, size_t quads)
{
    uint4 seen[AT_ONCE];
    unsigned all = 0;
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++) {
        seen[k] = make_uint4(0, 0, 0, 0);
        if (place_of(k) < quads)
            seen[k] = in[place_of(k)];
    }
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        all = 31 * (31 * (31 * (31 * all + seen[k].x) + seen[k].y) + seen[k].z) + seen[k].w;
    if (all == 0x9e3779b9)
        *out = all;
}

__global__ void roof_write(uint4 *out, size_t quads)
{
#pragma unroll
    for (int k = 0; k < AT_ONCE; k++)
        if (place_of(k) < quads)
            out[place_of(k)] = make_uint4(blockIdx.x, threadIdx.x, k, 1);
}

static unsigned blocks_for(size_t quads)
{
    return (unsigned)((quads + A_BLOCK - 1) / A_BLOCK);
}

static void launch_copy(void *out, const void *in, size_t quads)
{
    roof_copy<<<blocks_for(quads), THREADS>>>((uint4 *)out, (const uint4 *)in, quads);
}

static void launch_read(void *out, const void *in, size_t quads)
{
    roof_read<<<blocks_for(quads), THREADS>>>((unsigned *)out, (const uint4 *)in, quads);
}

static void launch_write(void *out, const void *in, size_t quads)
{
    (void)in;
    roof_write<<<blocks_for(quads), THREADS>>>((uint4 *)out, quads);
}

static const struct roof_kernels kernels = {launch_copy, launch_read, launch_write};

__attribute__((constructor)) static void register_kernels(void)
{
    roof_kernels_register(&kernels);
}
