// Sectors whose two parts two warps of one block store: tiles of whole lines, a row of which so many warps store side by side, each
// 32 words that begin within a sector, so that the last one goes on at the row's beginning and nobody else stores to it. What that
// costs beside words that begin where lines do, and how far apart two such warps come to it. How many of these sectors DRAM
// completes meanwhile, and how often two parts join on their way out of an SM, counters tell of the same kernels
// (docs/runs/own-sectors.csv).
#include "micro.h"

// Words: of a row, and from its tile's first one to the first warp's.
enum { N = 79 * 128, SHIFT = 3 };

// Tiles along the rows or down the columns. Each warp notes when it has stored half of its words and a row more, unless `when` is
// NULL.
template <int width, int threads, int stores, bool loads, bool meets>
__global__ void __launch_bounds__(threads)
    store_tiles(float *out, const float *in, bool down_columns, int shift, unsigned long long *when)
{
    extern __shared__ float tile[];
    constexpr int STEP = threads / width, HEIGHT = STEP * stores, ACROSS = (N + width - 1) / width,
                  DOWN = N / HEIGHT;
    const int column = threadIdx.x % width, row = threadIdx.x / width,
              in_x = blockIdx.x % ACROSS * width + column,
              in_y = blockIdx.x / ACROSS * HEIGHT + row,
              x = (down_columns ? blockIdx.x / DOWN : blockIdx.x % ACROSS) * width +
                  (column + shift) % width,
              y = (down_columns ? blockIdx.x % DOWN : blockIdx.x / ACROSS) * HEIGHT + row;
    float words[stores];
#pragma unroll
    for (int i = 0; i < stores; i++)
        words[i] = loads && in_x < N ? __ldcg(in + (size_t)(in_y + i * STEP) * N + in_x) : 1;
    if (meets)
        pass_on<stores>(tile, words);
#pragma unroll
    for (int i = 0; i < stores; i++) {
        if (x < N)
            out[(size_t)(y + i * STEP) * N + x] = words[i];
        if (i == stores / 2 && when && threadIdx.x % WARP == 0)
            when[(blockIdx.x * threads + threadIdx.x) / WARP] = now_ns();
    }
}

// From a warp to the one beside it in its row, the last one of which is beside the first: the mean time, be they beyond the matrix,
// as half of those of the last tiles of 256 words are.
static double mean_apart_ns(const unsigned long long *when, int warps, int of_row)
{
    double sum = 0;
    for (int i = 0; i < warps; i++)
        sum += apart_ns(when[i], when[i / of_row * of_row + (i + 1) % of_row]);
    return sum / warps;
}

template <int width, int threads, int stores, bool loads, bool meets>
static void measure_order(float *out, const float *in, unsigned long long *when,
                          unsigned long long *host, bool down_columns)
{
    constexpr int HEIGHT = threads / width * stores,
                  BLOCKS = (N + width - 1) / width * (N / HEIGHT),
                  WARPS = BLOCKS * (threads / WARP);
    const unsigned shared = meets ? threads * stores * sizeof *in : 0;
    auto kernel = store_tiles<width, threads, stores, loads, meets>;
    int resident;
    char name[80];
    snprintf(name, sizeof name, "own_%dx%d_words_%d_threads_%s_%s", width, HEIGHT, threads,
             !loads  ? "write"
             : meets ? "met"
                     : "copy",
             down_columns ? "columns" : "rows");
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
    double ms = 0;
    for (int shift : {0, (int)SHIFT}) {
        ms = time_ms(
            [=] { kernel<<<BLOCKS, threads, shared>>>(out, in, down_columns, shift, NULL); });
        report(4e-6 * N * N / ms, "GB/s", "%s_%s", name, shift ? "shifted" : "aligned");
    }
    if (!HAS_CLOCK)
        return;
    kernel<<<BLOCKS, threads, shared>>>(out, in, down_columns, SHIFT, when);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, when, WARPS * sizeof *when, cudaMemcpyDeviceToHost));
    double life_ns = ms * 1e6 * resident * multiprocessors() / BLOCKS;
    report(resident, "blocks", "%s_resident", name);
    report(mean_apart_ns(host, WARPS, width / WARP) / life_ns, "lives", "%s_apart", name);
}

template <int width, int threads, int stores, bool loads, bool meets>
static void measure(float *out, const float *in, unsigned long long *when, unsigned long long *host)
{
    measure_order<width, threads, stores, loads, meets>(out, in, when, host, false);
    measure_order<width, threads, stores, loads, meets>(out, in, when, host, true);
}

// As words that are made up, as a copy, and as one that is passed on through shared memory.
template <int width, int threads, int stores>
static void measure_all(float *out, const float *in, unsigned long long *when,
                        unsigned long long *host)
{
    measure<width, threads, stores, false, false>(out, in, when, host);
    measure<width, threads, stores, true, false>(out, in, when, host);
    measure<width, threads, stores, true, true>(out, in, when, host);
}

int main(void)
{
    wake_up();
    float *in, *out;
    unsigned long long *when, *host;
    const size_t bytes = (size_t)N * N * sizeof *in, most = (size_t)N * N / WARP * sizeof *when;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    CHECK(cudaMalloc(&when, most));
    CHECK(cudaMallocHost(&host, most));
    measure_all<64, 256, 4>(out, in, when, host);
    measure_all<64, 256, 8>(out, in, when, host);
    measure_all<64, 256, 16>(out, in, when, host);
    measure_all<128, 128, 8>(out, in, when, host);
    measure_all<128, 128, 32>(out, in, when, host);
    measure_all<128, 256, 4>(out, in, when, host);
    measure_all<128, 256, 16>(out, in, when, host);
    measure_all<256, 256, 8>(out, in, when, host);
    measure_all<256, 256, 32>(out, in, when, host);
    measure_all<128, 1024, 4>(out, in, when, host);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(when));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
