// Asynchronous copies of 4 bytes put each element where it belongs in the turned tile. A block has four tiles below
// each other on the way, each in a group of its own, and writes each as soon as it is there.
#include "step.h"

enum { SIDE = 32, ROWS = 8, DEEP = 4 };

static __device__ void copy_word(float *to, const float *from)
{
    size_t address; // within shared memory
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(address) : "l"(to));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)address), "l"(from)
                 : "memory");
}

// Until all but the last `LATER` groups have arrived.
template <int LATER>
static __device__ void await_group()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(LATER) : "memory");
    __syncthreads();
}

static __device__ void write_tile(float *out, float (*turned)[SIDE + 1], int left, int top, int n)
{
    const int x = top + threadIdx.x;
    for (int row = threadIdx.y; row < SIDE; row += ROWS)
        if (x < n && left + row < n)
            out[(size_t)(left + row) * n + x] = turned[row][threadIdx.x];
}

__global__ void __launch_bounds__(SIDE *ROWS)
    transpose_async_words(float *__restrict__ out, const float *__restrict__ in, int n)
{
    __shared__ float turned[DEEP][SIDE][SIDE + 1];

    const int left = blockIdx.x * SIDE, top = blockIdx.y * SIDE * DEEP;
    const int x = left + threadIdx.x;
    for (int tile = 0; tile < DEEP; tile++) {
        for (int row = threadIdx.y; row < SIDE; row += ROWS) {
            int y = top + tile * SIDE + row;
            if (x < n && y < n)
                copy_word(&turned[tile][threadIdx.x][row], &in[(size_t)y * n + x]);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    }

    await_group<3>();
    write_tile(out, turned[0], left, top, n);
    await_group<2>();
    write_tile(out, turned[1], left, top + SIDE, n);
    await_group<1>();
    write_tile(out, turned[2], left, top + 2 * SIDE, n);
    await_group<0>();
    write_tile(out, turned[3], left, top + 3 * SIDE, n);
}

static void launch(float *out, const float *in, size_t n)
{
    dim3 grid((n + SIDE - 1) / SIDE, (n + SIDE * DEEP - 1) / (SIDE * DEEP));
    transpose_async_words<<<grid, dim3(SIDE, ROWS)>>>(out, in, n);
}

STEP(36, OPTIMISE, "4 tiles of async words, 32 x 8", "copies of 4 bytes land turned around")
