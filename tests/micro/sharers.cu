// Who stores the two parts of a sector where the rows of a matrix start anywhere: two warps of a block side by side, which
// begin together and fall apart the more they store, or one warp by stores that follow each other.
#include "micro.h"

enum { THREADS = 256, WARPS = THREADS / WARP, SECTOR_WORDS = 8 };
enum { WHOLE = 1251 * SECTOR_WORDS, SHIFTED = WHOLE - 1 }; // words of a row: whole sectors, and not

// A warp stores `lanes` words of some rows at once, so many times. Blocks have tiles of WARPS x `lanes` words: either their
// warps are side by side and go down the tile, or each has rows of its own and goes along them.
template <int lanes, int stores, bool side_by_side>
__global__ void __launch_bounds__(THREADS) store_shared(float *out, int n, bool down_columns)
{
    constexpr int WIDTH = lanes * WARPS, ROWS = WARP / lanes, HEIGHT = ROWS * stores;
    const int across = (n + WIDTH - 1) / WIDTH, down = (n + HEIGHT - 1) / HEIGHT,
              warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, tile = blockIdx.x,
              left = (down_columns ? tile / down : tile % across) * WIDTH + lane % lanes,
              top = (down_columns ? tile % down : tile / across) * HEIGHT + lane / lanes;
#pragma unroll
    for (int i = 0; i < stores; i++) {
        int x = left + (side_by_side ? warp : i % WARPS) * lanes,
            y = top + (side_by_side ? i : warp * (stores / WARPS) + i / WARPS) * ROWS;
        if (x < n && y < n)
            out[(size_t)y * n + x] = 1;
    }
}

template <int lanes, int stores, bool side_by_side>
static void measure(float *out)
{
    constexpr int WIDTH = lanes * WARPS, HEIGHT = WARP / lanes * stores;
    for (bool down_columns : {false, true})
        for (int n : {WHOLE, SHIFTED}) {
            int tiles = (n + WIDTH - 1) / WIDTH * ((n + HEIGHT - 1) / HEIGHT);
            double ms = time_ms([=] {
                store_shared<lanes, stores, side_by_side><<<tiles, THREADS>>>(out, n, down_columns);
            });
            report(4e-6 * n * n / ms, "GB/s", "sharers_%s_%s_%d_lanes_%d_stores_%s",
                   side_by_side ? "warps" : "one_warp", down_columns ? "columns" : "rows", lanes,
                   stores, n == WHOLE ? "aligned" : "shifted");
        }
}

template <int lanes>
static void measure_all(float *out)
{
    measure<lanes, 1, true>(out);
    measure<lanes, 2, true>(out);
    measure<lanes, 4, true>(out);
    measure<lanes, 8, true>(out);
    measure<lanes, 16, true>(out);
    measure<lanes, 16, false>(out);
}

int main(void)
{
    wake_up();
    float *out;
    CHECK(cudaMalloc(&out, (size_t)WHOLE * WHOLE * sizeof(float)));
    measure_all<8>(out);
    measure_all<16>(out);
    measure_all<32>(out);
    CHECK(cudaFree(out));
    return 0;
}
