// What the labs share: most of them copy the matrix, and ask the device what it has.
#include "step.h"

#include <string.h>

enum { LANES = 32 };

static inline void copy_on_cpu(float *out, const float *in, size_t n)
{
    memcpy(out, in, n * n * sizeof *out);
}

static inline double bytes_of_copy(size_t n)
{
    return 2.0 * (double)n * (double)n * sizeof(float);
}

// This thread's number in the grid.
__device__ inline size_t this_thread()
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

// Copies LOADS elements a lane from element `at` on, LANES apart, so that a load of the warp is one line: all loads
// are on their way before the first store needs one. At the end of the matrix, one after the other.
template <int LOADS>
__device__ inline void copy_elements(float *out, const float *in, size_t at, size_t count)
{
    if (at + (LOADS - 1) * LANES >= count) {
        for (int k = 0; k < LOADS && at + k * LANES < count; k++)
            out[at + k * LANES] = in[at + k * LANES];
        return;
    }
    float value[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        value[k] = in[at + k * LANES];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        out[at + k * LANES] = value[k];
}

// Where a thread begins whose warp has the elements from warp * LANES * `each` on.
__device__ inline size_t first_element(size_t thread, int each)
{
    return thread / LANES * LANES * each + thread % LANES;
}

static inline int device_has(cudaDeviceAttr what)
{
    int device = 0, value = 0;
    (void)cudaGetDevice(&device);
    (void)cudaDeviceGetAttribute(&value, what, device);
    return value;
}

// A launch that puts so many warps on each SM, in blocks of 16 at most.
struct spread {
    unsigned grid, block;
};

static inline spread spread_warps(int warps)
{
    int a_block = warps < 16 ? warps : 16;
    return {(unsigned)(device_has(cudaDevAttrMultiProcessorCount) * (warps / a_block)),
            (unsigned)a_block * LANES};
}

static inline const char *lacks_warps(int warps)
{
    return warps * LANES <= device_has(cudaDevAttrMaxThreadsPerMultiProcessor)
               ? NULL
               : "an SM of this device does not hold so many warps";
}
