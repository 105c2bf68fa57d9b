// How long a sector at the edge of a tile waits for the tile beside it, and what copies of such tiles lose by it: tiles of 32
// rows down the columns of a matrix whose rows start anywhere, each by a block, or by a warp of one. How many of these
// sectors DRAM completes meanwhile, lts__t_sectors_data_ecc tells of the same kernels.
#include "micro.h"

enum { HEIGHT = 32, SECTOR_WORDS = 8, WARPS = 8 };
enum { WHOLE = 1251 * SECTOR_WORDS, SHIFTED = WHOLE - 1 }; // words of a row: whole sectors, and not
enum { DOWN = (WHOLE + HEIGHT - 1) / HEIGHT, MOST = 1 << 22 }; // tiles in a column; tiles, or warps

// Tiles by so many threads each, some side by side in a block. Each notes when it stored half of it, unless `when` is NULL.
template <int width, int threads, int tiles_a_block>
__global__ void __launch_bounds__(threads *tiles_a_block)
    copy_tiles(float *out, const float *in, int n, unsigned long long *when)
{
    constexpr int EACH = width * HEIGHT / threads, STEP = threads / width;
    const int me = threadIdx.x % threads, across = (n + width - 1) / width,
              tile = blockIdx.x * tiles_a_block + threadIdx.x / threads,
              in_x = tile % across * width + me % width, in_y = tile / across * HEIGHT + me / width,
              x = tile / DOWN * width + me % width, y = tile % DOWN * HEIGHT + me / width;
    float words[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++)
        words[i] =
            in_x < n && in_y + i * STEP < n ? __ldcg(in + (size_t)(in_y + i * STEP) * n + in_x) : 0;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (x < n && y + i * STEP < n)
            out[(size_t)(y + i * STEP) * n + x] = words[i];
        if (i == EACH / 2 && when && me == 0 && tile < across * DOWN)
            when[tile] = now_ns();
    }
}

// The mean time from a tile to the one beside it.
static double apart_us(const unsigned long long *when, int tiles)
{
    double sum = 0;
    for (int i = 0; i + DOWN < tiles; i++)
        sum += apart_ns(when[i], when[i + DOWN]);
    return sum / (tiles - DOWN) * 1e-3;
}

template <int width, int threads, int tiles_a_block>
static void measure(float *out, const float *in, unsigned long long *when, unsigned long long *host)
{
    for (int n : {WHOLE, SHIFTED}) {
        const int tiles = (n + width - 1) / width * DOWN,
                  blocks = (tiles + tiles_a_block - 1) / tiles_a_block;
        double ms = time_ms([=] {
            copy_tiles<width, threads, tiles_a_block>
                <<<blocks, threads * tiles_a_block>>>(out, in, n, NULL);
        });
        report(4e-6 * n * n / ms, "GB/s", "open_%d_words_%dx%d_threads_%s", width, tiles_a_block,
               threads, n == WHOLE ? "aligned" : "shifted");
        if (n == WHOLE)
            continue;
        copy_tiles<width, threads, tiles_a_block>
            <<<blocks, threads * tiles_a_block>>>(out, in, n, when);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(host, when, tiles * sizeof *when, cudaMemcpyDeviceToHost));
        report(apart_us(host, tiles), "us", "open_%d_words_%dx%d_threads_apart", width,
               tiles_a_block, threads);
    }
}

// Blocks of warps side by side, a sector's words each, that load and then store so many times, and may meet in between. Each
// warp notes when it stored half of it.
template <int stores, bool meet>
__global__ void __launch_bounds__(WARPS *WARP)
    copy_by_warps(float *out, const float *in, int n, unsigned long long *when)
{
    constexpr int WIDTH = WARPS * SECTOR_WORDS, ROWS = WARP / SECTOR_WORDS;
    const int across = (n + WIDTH - 1) / WIDTH, down = (n + ROWS * stores - 1) / (ROWS * stores),
              warp = threadIdx.x / WARP, lane = threadIdx.x % WARP,
              word = warp * SECTOR_WORDS + lane % SECTOR_WORDS, row = lane / SECTOR_WORDS,
              in_x = blockIdx.x % across * WIDTH + word,
              in_y = blockIdx.x / across * ROWS * stores + row,
              x = blockIdx.x / down * WIDTH + word, y = blockIdx.x % down * ROWS * stores + row;
    float words[stores];
#pragma unroll
    for (int i = 0; i < stores; i++)
        words[i] =
            in_x < n && in_y + i * ROWS < n ? __ldcg(in + (size_t)(in_y + i * ROWS) * n + in_x) : 0;
    if (meet)
        __syncthreads();
#pragma unroll
    for (int i = 0; i < stores; i++) {
        if (x < n && y + i * ROWS < n)
            out[(size_t)(y + i * ROWS) * n + x] = words[i];
        if (i == stores / 2 && when && lane == 0)
            when[blockIdx.x * WARPS + warp] = now_ns();
    }
}

// From the first warp of a block to its last one, in the mean, as a share of the time that as many blocks take as run at
// once.
template <int stores, bool meet>
static void measure_warps(float *out, const float *in, unsigned long long *when,
                          unsigned long long *host)
{
    constexpr int WIDTH = WARPS * SECTOR_WORDS, HEIGHT_OF_ALL = WARP / SECTOR_WORDS * stores,
                  THREADS = WARPS * WARP, n = SHIFTED;
    const int blocks = (n + WIDTH - 1) / WIDTH * ((n + HEIGHT_OF_ALL - 1) / HEIGHT_OF_ALL);
    int resident;
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, copy_by_warps<stores, meet>,
                                                        THREADS, 0));
    double ms =
               time_ms([=] { copy_by_warps<stores, meet><<<blocks, THREADS>>>(out, in, n, NULL); }),
           sum = 0;
    copy_by_warps<stores, meet><<<blocks, THREADS>>>(out, in, n, when);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, when, blocks * WARPS * sizeof *when, cudaMemcpyDeviceToHost));
    for (int block = 0; block < blocks; block++) {
        unsigned long long first = host[block * WARPS], last = first;
        for (int warp = 1; warp < WARPS; warp++) {
            first = host[block * WARPS + warp] < first ? host[block * WARPS + warp] : first;
            last = host[block * WARPS + warp] > last ? host[block * WARPS + warp] : last;
        }
        sum += (double)(last - first);
    }
    double life_ns = ms * 1e6 * resident * multiprocessors() / blocks;
    report(sum / blocks / life_ns, "lives", "open_%d_warps_%d_stores%s_apart", (int)WARPS, stores,
           meet ? "_met" : "");
}

template <int width>
static void measure_all(float *out, const float *in, unsigned long long *when,
                        unsigned long long *host)
{
    measure<width, 256, 1>(out, in, when, host);
    measure<width, 128, 1>(out, in, when, host);
    measure<width, WARP, 1>(out, in, when, host);
    measure<width, WARP, 4>(out, in, when, host);
    measure<width, WARP, 8>(out, in, when, host);
}

int main(void)
{
    wake_up();
    const size_t bytes = (size_t)WHOLE * WHOLE * sizeof(float);
    float *in, *out;
    unsigned long long *when, *host;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    CHECK(cudaMalloc(&when, MOST * sizeof *when));
    CHECK(cudaMallocHost(&host, MOST * sizeof *host));
    measure_all<8>(out, in, when, host);
    measure_all<16>(out, in, when, host);
    measure_all<32>(out, in, when, host);
    measure_warps<1, false>(out, in, when, host);
    measure_warps<1, true>(out, in, when, host);
    measure_warps<2, false>(out, in, when, host);
    measure_warps<2, true>(out, in, when, host);
    measure_warps<4, false>(out, in, when, host);
    measure_warps<4, true>(out, in, when, host);
    measure_warps<8, false>(out, in, when, host);
    measure_warps<8, true>(out, in, when, host);
    measure_warps<16, false>(out, in, when, host);
    measure_warps<16, true>(out, in, when, host);
    CHECK(cudaFreeHost(host));
    CHECK(cudaFree(when));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
