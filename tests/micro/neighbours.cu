// Which blocks an SM gets once there is no room for more: how many of those have the next one, or one of the NEAR blocks that come
// next, on their own SM. Blocks that go down a column each, of which neighbours ask for the same sectors, blocks that copy their
// part, blocks that pass on a tile, and blocks that move an element a thread.
#include "micro.h"

#include <vector>

enum { NEAR = 8, SIDE = 32 };

__device__ static void note_multiprocessor(unsigned *sms)
{
    if (threadIdx.x == 0)
        asm volatile("mov.u32 %0, %%smid;" : "=r"(sms[blockIdx.x]));
}

__global__ void columns(float *out, const float *in, size_t n, unsigned *sms)
{
    note_multiprocessor(sms);
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = __ldg(in + i * n + blockIdx.x);
}

__global__ void parts(float *out, const float *in, size_t n, unsigned *sms)
{
    note_multiprocessor(sms);
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        out[blockIdx.x * n + i] = in[blockIdx.x * n + i];
}

// A tile a block.
template <int threads>
__global__ void tiles(float *out, const float *in, size_t n, unsigned *sms)
{
    __shared__ float tile[SIDE][SIDE + 1];
    constexpr int rows = threads / SIDE;
    const size_t across = n / SIDE, x = blockIdx.x % across * SIDE, y = blockIdx.x / across * SIDE;
    const int column = threadIdx.x % SIDE, row = threadIdx.x / SIDE;
    note_multiprocessor(sms);
#pragma unroll
    for (int i = 0; i < SIDE; i += rows)
        tile[row + i][column] = in[(y + row + i) * n + x + column];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < SIDE; i += rows)
        out[(x + row + i) * n + y + column] = tile[column][row + i];
}

// A part of a tile a block, as wide, and as high as it has warps.
template <int threads>
__global__ void elements(float *out, const float *in, size_t n, unsigned *sms)
{
    const size_t across = n / SIDE, x = blockIdx.x % across * SIDE + threadIdx.x % SIDE,
                 y = blockIdx.x / across * (threads / SIDE) + threadIdx.x / SIDE;
    note_multiprocessor(sms);
    out[x * n + y] = in[y * n + x];
}

// The share of the blocks from `first` on that have one of so many that come next on their SM.
static double share_with_next(const std::vector<unsigned> &sms, size_t first, size_t near)
{
    size_t with = 0;
    for (size_t b = first; b + near < sms.size(); b++) {
        bool has = false;
        for (size_t next = b + 1; next <= b + near; next++)
            has |= sms[next] == sms[b];
        with += has;
    }
    return (double)with / (double)(sms.size() - near - first);
}

// Of n x n words, by so many blocks.
template <typename Kernel>
static void measure(const char *name, Kernel kernel, size_t n, int threads, size_t blocks)
{
    float *in, *out;
    unsigned *sms;
    int resident;
    std::vector<unsigned> host(blocks);
    CHECK(cudaMalloc(&in, n * n * sizeof *in));
    CHECK(cudaMalloc(&out, n * n * sizeof *out));
    CHECK(cudaMalloc(&sms, blocks * sizeof *sms));
    CHECK(cudaMemset(in, 0, n * n * sizeof *in));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    const size_t first = (size_t)resident * multiprocessors();
    for (size_t near : {(size_t)1, (size_t)NEAR}) {
        double share = median([&] {
            kernel<<<(unsigned)blocks, threads>>>(out, in, n, sms);
            CHECK(cudaGetLastError());
            CHECK(cudaMemcpy(host.data(), sms, blocks * sizeof *sms, cudaMemcpyDeviceToHost));
            return share_with_next(host, first, near);
        });
        report(share, "of blocks", "neighbours_%s_%zu_%d_threads%s", name, n, threads,
               near == 1 ? "_next" : "");
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sms));
}

template <int threads>
static void measure_all(size_t n)
{
    measure("columns", columns, n, threads, n);
    measure("parts", parts, n, threads, n);
    measure("tiles", tiles<threads>, n, threads, n * n / (SIDE * SIDE));
    measure("elements", elements<threads>, n, threads, n * n / threads);
}

int main(void)
{
    wake_up();
    for (size_t n = 4096; n <= 16384; n *= 2) {
        measure_all<128>(n);
        measure_all<256>(n);
        measure_all<512>(n);
        measure_all<1024>(n);
    }
    return 0;
}
