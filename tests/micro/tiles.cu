// Blocks store tiles of a matrix whose rows start where sectors do, or anywhere: then two blocks store parts of the sectors
// at their tiles' edges, soon after each other where blocks go along the rows, and later where they go down the columns. How far
// apart two blocks come to such edges.
#include "micro.h"

enum { THREADS = 256, WARPS = THREADS / WARP, HEIGHT = 32, SECTOR_WORDS = 8 };
enum { WHOLE = 1251 * SECTOR_WORDS, SHIFTED = WHOLE - 1 }; // words of a row: whole sectors, and not

// Each warp may note when it has stored half of its words and a row more.
template <int width, bool loads, bool notes>
__global__ void __launch_bounds__(THREADS)
    store_tiles(float *out, const float *in, int n, bool down_columns, unsigned long long *when)
{
    constexpr int EACH = width * HEIGHT / THREADS, STEP = THREADS / width;
    const int across = (n + width - 1) / width, down = (n + HEIGHT - 1) / HEIGHT,
              first = threadIdx.y, tile = blockIdx.x, in_x = tile % across * width + threadIdx.x,
              in_y = tile / across * HEIGHT + first,
              x = (down_columns ? tile / down : tile % across) * width + threadIdx.x,
              y = (down_columns ? tile % down : tile / across) * HEIGHT + first;
    float words[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++)
        words[i] = loads && in_x < n && in_y + i * STEP < n
                       ? __ldcg(in + (size_t)(in_y + i * STEP) * n + in_x)
                       : 1;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
        if (x < n && y + i * STEP < n)
            out[(size_t)(y + i * STEP) * n + x] = words[i];
        const int thread = threadIdx.y * width + threadIdx.x;
        if (notes && i == EACH / 2 && thread % WARP == 0)
            when[tile * WARPS + thread / WARP] = now_ns();
    }
}

// From the last warp of a row of a tile to the first one of the tile on its right, `beside` blocks on (of the last one along a row
// to the first of the next row): the mean time.
static double mean_apart_ns(const unsigned long long *when, int blocks, int beside, int of_row)
{
    double sum = 0;
    long pairs = 0;
    for (int block = 0; block + beside < blocks; block++)
        for (int last = of_row - 1; last < WARPS; last += of_row, pairs++)
            sum += apart_ns(when[block * WARPS + last],
                            when[(block + beside) * WARPS + last + 1 - of_row]);
    return sum / pairs;
}

// In blocks that are launched meanwhile.
template <int width, bool loads>
static void measure_apart(float *out, const float *in, bool down_columns, const char *name)
{
    constexpr int n = SHIFTED, DOWN = (n + HEIGHT - 1) / HEIGHT,
                  TILES = (n + width - 1) / width * DOWN;
    const size_t bytes = (size_t)TILES * WARPS * sizeof(unsigned long long);
    unsigned long long *when, *host = (unsigned long long *)host_memory(bytes);
    CHECK(cudaMalloc(&when, bytes));
    double ms = time_ms([=] {
        store_tiles<width, loads, true>
            <<<TILES, dim3(width, THREADS / width)>>>(out, in, n, down_columns, when);
    });
    CHECK(cudaMemcpy(host, when, bytes, cudaMemcpyDeviceToHost));
    double ns =
        mean_apart_ns(host, TILES, down_columns ? DOWN : 1, width > WARP ? width / WARP : 1);
    report(ns / (ms * 1e6 / TILES), "launches", "%s_apart", name);
    CHECK(cudaFree(when));
    free(host);
}

template <int width, bool loads>
static void measure_order(float *out, const float *in, bool down_columns)
{
    char name[40];
    snprintf(name, sizeof name, "tiles_%s_%s_%d_words", loads ? "copy" : "write",
             down_columns ? "columns" : "rows", width);
    for (int n : {WHOLE, SHIFTED}) {
        int tiles = (n + width - 1) / width * ((n + HEIGHT - 1) / HEIGHT);
        double ms = time_ms([=] {
            store_tiles<width, loads, false>
                <<<tiles, dim3(width, THREADS / width)>>>(out, in, n, down_columns, NULL);
        });
        report(4e-6 * n * n / ms, "GB/s", "%s_%s", name, n == WHOLE ? "aligned" : "shifted");
    }
    if (HAS_CLOCK)
        measure_apart<width, loads>(out, in, down_columns, name);
}

template <int width>
static void measure(float *out, const float *in)
{
    measure_order<width, false>(out, in, false);
    measure_order<width, false>(out, in, true);
    measure_order<width, true>(out, in, false);
    measure_order<width, true>(out, in, true);
}

int main(void)
{
    wake_up();
    const size_t bytes = (size_t)WHOLE * WHOLE * sizeof(float);
    float *in, *out;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    measure<8>(out, in);
    measure<16>(out, in);
    measure<32>(out, in);
    measure<64>(out, in);
    measure<128>(out, in);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
