// Which blocks an SM gets once there is no room for more: how many of those have one of the NEAR blocks that come next on their
// own SM. Blocks that go down a column each, of which neighbours ask for the same sectors, and blocks that copy their part.
#include "micro.h"

#include <vector>

enum { NEAR = 8 };

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

// A block for each of n words, all n times.
template <typename Kernel>
static void measure(const char *name, Kernel kernel, size_t n, int threads)
{
    float *in, *out;
    unsigned *sms;
    int resident;
    std::vector<unsigned> host(n);
    CHECK(cudaMalloc(&in, n * n * sizeof *in));
    CHECK(cudaMalloc(&out, n * n * sizeof *out));
    CHECK(cudaMalloc(&sms, n * sizeof *sms));
    CHECK(cudaMemset(in, 0, n * n * sizeof *in));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, 0));
    const size_t first = (size_t)resident * multiprocessors();
    double share = median([&] {
        kernel<<<n, threads>>>(out, in, n, sms);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host.data(), sms, n * sizeof *sms, cudaMemcpyDeviceToHost));
        size_t with = 0;
        for (size_t b = first; b + NEAR < n; b++) {
            bool has = false;
            for (size_t next = b + 1; next <= b + NEAR; next++)
                has |= host[next] == host[b];
            with += has;
        }
        return (double)with / (n - NEAR - first);
    });
    report(share, "of blocks", "neighbours_%s_%zu_%d_threads", name, n, threads);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    CHECK(cudaFree(sms));
}

int main(void)
{
    wake_up();
    for (size_t n = 4096; n <= 16384; n *= 2)
        for (int threads = 128; threads <= 1024; threads *= 2) {
            measure("columns", columns, n, threads);
            measure("parts", parts, n, threads);
        }
    return 0;
}
