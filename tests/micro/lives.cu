// How unlike the lives of blocks are, until they store, by what a block copies and whether its warps meet before they store: tiles
// down the columns of a matrix whose rows start anywhere. Blocks that began together would come to their stores as far apart, if
// what runs at once is no more alike than any two. How many sectors at the tiles' edges DRAM completes meanwhile,
// lts__t_sectors_data_ecc tells of the same kernels.
#include "micro.h"

enum { N = 10007, MOST_BLOCKS = 1 << 19 };
// Each life is compared with so many others, each so many blocks on.
enum { OTHERS = 8, FAR = 7919 };

// When a tile's block began, and when its first warp had issued half of its stores and one more; of one, that one.
struct times {
    unsigned long long began, stored;
};

// Each block notes its times, unless `times` is NULL.
template <int width, int height, int threads, bool meets, int rounds>
__global__ void __launch_bounds__(threads)
    copy_tiles(float *out, const float *in, int down, struct times *times)
{
    extern __shared__ float tile[];
    constexpr int EACH = width * height / threads, STEP = threads / width,
                  IN_FLIGHT = EACH / rounds;
    const int column = threadIdx.x % width, row = threadIdx.x / width,
              x = blockIdx.x / down * width + column, y = blockIdx.x % down * height + row;
    if (times && threadIdx.x == 0)
        times[blockIdx.x].began = now_ns();
    float words[EACH];
    bool is_late = false; // never: all words are 0, but who asks for more has to know
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        words[i] = x < N && y + i * STEP < N
                       ? __ldcg(in + (size_t)(y + i * STEP) * N + x + (rounds > 1 && is_late))
                       : 0;
        if ((i + 1) % IN_FLIGHT == 0)
#pragma unroll
            for (int j = i + 1 - IN_FLIGHT; j <= i; j++)
                is_late |= words[j] != 0;
    }
    if (meets)
        pass_on<EACH>(tile, words);
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (x < N && y + i * STEP < N)
            out[(size_t)(y + i * STEP) * N + x] = words[i];
        if (i == EACH / 2 && times && threadIdx.x == 0)
            times[blockIdx.x].stored = now_ns();
    }
}

static unsigned long long life_ns(const struct times *times)
{
    return times->stored - times->began;
}

// How unlike the lives of two blocks are, in the mean, in blocks that are launched meanwhile, every `launch_ns`: of those
// after the first that run at once.
static double unlike(const struct times *times, int blocks, int running, double launch_ns)
{
    const int count = blocks - running;
    double sum = 0;
    times += running;
    for (int i = 0; i < count; i++)
        for (int j = 1; j <= OTHERS; j++)
            sum += apart_ns(life_ns(&times[i]), life_ns(&times[(i + j * FAR) % count]));
    return sum / OTHERS / count / launch_ns;
}

// Blocks copy so many words a row, from side by side to below each other: each thread some, on its way down the rows.
enum { THREADS = 256 };
template <int words, int each>
__global__ void __launch_bounds__(THREADS)
    copy_strips(float *out, const float *in, int down, struct times *times)
{
    constexpr int STEP = THREADS / words;
    const int x = blockIdx.x / down * words + threadIdx.x % words,
              y = blockIdx.x % down * STEP * each + threadIdx.x / words;
    const size_t from = (size_t)blockIdx.x * THREADS * each + threadIdx.x;
    if (times && threadIdx.x == 0)
        times[blockIdx.x].began = now_ns();
    float word[each];
#pragma unroll
    for (int i = 0; i < each; i++)
        word[i] = from + i * THREADS < (size_t)N * N ? __ldcg(in + from + i * THREADS) : 0;
#pragma unroll
    for (int i = 0; i < each; i++) {
        if (x < N && y + i * STEP < N)
            out[(size_t)(y + i * STEP) * N + x] = word[i];
        if (i == each / 2 && times && threadIdx.x == 0)
            times[blockIdx.x].stored = now_ns();
    }
}

template <typename Kernel>
static void measure(float *out, const float *in, struct times *times, struct times *host,
                    Kernel kernel, int width, int height, int threads, unsigned shared,
                    const char *name)
{
    const int down = (N + height - 1) / height, blocks = (N + width - 1) / width * down;
    int resident;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
    const int running = resident * multiprocessors();
    double ms = time_ms([=] { kernel<<<blocks, threads, shared>>>(out, in, down, NULL); });
    report(4e-6 * N * N / ms, "GB/s", "%s", name);
    if (!HAS_CLOCK)
        return;
    kernel<<<blocks, threads, shared>>>(out, in, down, times);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, times, blocks * sizeof *times, cudaMemcpyDeviceToHost));
    report(running, "blocks", "%s_running", name);
    report(unlike(host, blocks, running, ms * 1e6 / blocks), "launches", "%s_unlike", name);
}

template <int width, int height, int threads, bool meets, int rounds>
static void measure_tiles(float *out, const float *in, struct times *times, struct times *host)
{
    char name[80], more[24] = "";
    if (rounds > 1)
        snprintf(more, sizeof more, "_%d_rounds", rounds);
    snprintf(name, sizeof name, "lives_%dx%d_words_%d_threads%s%s", width, height, threads,
             meets ? "_met" : "", more);
    measure(out, in, times, host, copy_tiles<width, height, threads, meets, rounds>, width, height,
            threads, meets ? width * height * sizeof *in : 0, name);
}

template <int words, int each>
static void measure_strips(float *out, const float *in, struct times *times, struct times *host)
{
    char name[80];
    snprintf(name, sizeof name, "lives_strips_%d_words_%d_stores", words, each);
    measure(out, in, times, host, copy_strips<words, each>, words, THREADS / words * each, THREADS,
            0, name);
}

template <int width, int height, int threads>
static void measure_both(float *out, const float *in, struct times *times, struct times *host)
{
    measure_tiles<width, height, threads, false, 1>(out, in, times, host);
    measure_tiles<width, height, threads, true, 1>(out, in, times, host);
}

template <int width, int height, int threads>
static void measure_rounds(float *out, const float *in, struct times *times, struct times *host)
{
    measure_tiles<width, height, threads, false, 2>(out, in, times, host);
    measure_tiles<width, height, threads, false, 4>(out, in, times, host);
}

template <int words>
static void measure_all_strips(float *out, const float *in, struct times *times, struct times *host)
{
    measure_strips<words, 1>(out, in, times, host);
    measure_strips<words, 4>(out, in, times, host);
    measure_strips<words, 16>(out, in, times, host);
}

int main(void)
{
    wake_up();
    float *in, *out;
    struct times *times, *host;
    const size_t bytes = (size_t)N * N * sizeof *in;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    CHECK(cudaMalloc(&times, MOST_BLOCKS * sizeof *times));
    CHECK(cudaMallocHost(&host, MOST_BLOCKS * sizeof *host));
    measure_both<16, 16, 256>(out, in, times, host);
    measure_both<16, 64, 256>(out, in, times, host);
    measure_both<32, 32, 32>(out, in, times, host);
    measure_both<32, 32, 64>(out, in, times, host);
    measure_both<32, 32, 128>(out, in, times, host);
    measure_both<32, 32, 256>(out, in, times, host);
    measure_both<32, 32, 1024>(out, in, times, host);
    measure_both<32, 64, 256>(out, in, times, host);
    measure_both<32, 128, 256>(out, in, times, host);
    measure_both<64, 32, 128>(out, in, times, host);
    measure_both<64, 32, 256>(out, in, times, host);
    measure_both<64, 64, 128>(out, in, times, host);
    measure_both<64, 64, 256>(out, in, times, host);
    measure_both<64, 64, 1024>(out, in, times, host);
    measure_both<128, 32, 256>(out, in, times, host);
    measure_both<256, 64, 512>(out, in, times, host);
    measure_rounds<32, 32, 32>(out, in, times, host);
    measure_tiles<32, 32, 32, false, 8>(out, in, times, host);
    measure_rounds<32, 32, 128>(out, in, times, host);
    measure_rounds<32, 32, 256>(out, in, times, host);
    measure_rounds<32, 128, 256>(out, in, times, host);
    measure_rounds<64, 64, 128>(out, in, times, host);
    measure_all_strips<1>(out, in, times, host);
    measure_all_strips<2>(out, in, times, host);
    measure_all_strips<4>(out, in, times, host);
    measure_all_strips<8>(out, in, times, host);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(times));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
