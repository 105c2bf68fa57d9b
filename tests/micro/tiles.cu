// Blocks store tiles of a matrix whose rows start where sectors do, or anywhere: then two blocks store parts of the sectors
// at their tiles' edges, soon after each other where blocks go along the rows, and later where they go down the columns.
#include "micro.h"

enum { THREADS = 256, HEIGHT = 32, SECTOR_WORDS = 8 };
enum { WHOLE = 1251 * SECTOR_WORDS, SHIFTED = WHOLE - 1 }; // words of a row: whole sectors, and not

template <int width, bool loads>
__global__ void __launch_bounds__(THREADS)
    store_tiles(float *out, const float *in, int n, bool down_columns)
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
    for (int i = 0; i < EACH; i++)
        if (x < n && y + i * STEP < n)
            out[(size_t)(y + i * STEP) * n + x] = words[i];
}

template <int width, bool loads>
static void measure_order(float *out, const float *in, bool down_columns)
{
    for (int n : {WHOLE, SHIFTED}) {
        int tiles = (n + width - 1) / width * ((n + HEIGHT - 1) / HEIGHT);
        double ms = time_ms([=] {
            store_tiles<width, loads>
                <<<tiles, dim3(width, THREADS / width)>>>(out, in, n, down_columns);
        });
        report(4e-6 * n * n / ms, "GB/s", "tiles_%s_%s_%d_words_%s", loads ? "copy" : "write",
               down_columns ? "columns" : "rows", width, n == WHOLE ? "aligned" : "shifted");
    }
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
