// Who stores the two parts of a sector where the rows of a matrix start anywhere: two warps of a block side by side, which
// begin together and fall apart the more they store, or less if they meet at a barrier first; or one warp by stores that
// follow each other, or that others lie between.
#include "micro.h"

enum { THREADS = 256, WARPS = THREADS / WARP, SECTOR_WORDS = 8 };
enum { WHOLE = 1251 * SECTOR_WORDS, SHIFTED = WHOLE - 1 }; // words of a row: whole sectors, and not

// Measures what launch(tiles, n, down_columns) stores, in tiles of that size; `who` and `what` are in its name.
template <int width, int height, typename Launch>
static void measure_tiles(Launch launch, const char *who, const char *what)
{
    for (bool down_columns : {false, true})
        for (int n : {WHOLE, SHIFTED}) {
            int tiles = (n + width - 1) / width * ((n + height - 1) / height);
            double ms = time_ms([=] { launch(tiles, n, down_columns); });
            report(4e-6 * n * n / ms, "GB/s", "sharers_%s_%s_%s_%s", who,
                   down_columns ? "columns" : "rows", what, n == WHOLE ? "aligned" : "shifted");
        }
}

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
    char what[32];
    snprintf(what, sizeof what, "%d_lanes_%d_stores", lanes, stores);
    measure_tiles<lanes * WARPS, WARP / lanes * stores>(
        [=](int tiles, int n, bool down_columns) {
            store_shared<lanes, stores, side_by_side><<<tiles, THREADS>>>(out, n, down_columns);
        },
        side_by_side ? "warps" : "one_warp", what);
}

// A warp goes along `apart` rows at once, a store to each in turns: so many stores lie between the two parts of a sector, and
// each warp has CHUNKS times as many.
enum { CHUNKS = 8 };
template <int lanes, int apart>
__global__ void __launch_bounds__(THREADS) store_apart(float *out, int n, bool down_columns)
{
    constexpr int WIDTH = lanes * CHUNKS, ROWS = WARP / lanes, HEIGHT = ROWS * apart * WARPS;
    const int across = (n + WIDTH - 1) / WIDTH, down = (n + HEIGHT - 1) / HEIGHT,
              warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, tile = blockIdx.x,
              left = (down_columns ? tile / down : tile % across) * WIDTH + lane % lanes,
              top = (down_columns ? tile % down : tile / across) * HEIGHT + lane / lanes;
#pragma unroll
    for (int chunk = 0; chunk < CHUNKS; chunk++)
#pragma unroll
        for (int i = 0; i < apart; i++) {
            int x = left + chunk * lanes, y = top + (warp * apart + i) * ROWS;
            if (x < n && y < n)
                out[(size_t)y * n + x] = 1;
        }
}

template <int lanes, int apart>
static void measure_apart(float *out)
{
    char who[32], what[32];
    snprintf(who, sizeof who, "apart_%d", apart);
    snprintf(what, sizeof what, "%d_lanes", lanes);
    measure_tiles<lanes * CHUNKS, WARP / lanes * apart * WARPS>(
        [=](int tiles, int n, bool down_columns) {
            store_apart<lanes, apart><<<tiles, THREADS>>>(out, n, down_columns);
        },
        who, what);
}

template <int lanes>
static void measure_all_apart(float *out)
{
    measure_apart<lanes, 1>(out);
    measure_apart<lanes, 2>(out);
    measure_apart<lanes, 4>(out);
    measure_apart<lanes, 8>(out);
}

// As warps side by side above, but they meet at a barrier first: at once, or when each has loaded what another one stores.
template <int lanes, int stores, bool loads>
__global__ void __launch_bounds__(THREADS)
    store_met(float *out, const float *in, int n, bool down_columns)
{
    constexpr int WIDTH = lanes * WARPS, ROWS = WARP / lanes, HEIGHT = ROWS * stores;
    __shared__ float words[stores][THREADS];
    const int across = (n + WIDTH - 1) / WIDTH, down = (n + HEIGHT - 1) / HEIGHT,
              warp = threadIdx.x / WARP, lane = threadIdx.x % WARP, tile = blockIdx.x,
              left = (down_columns ? tile / down : tile % across) * WIDTH + lane % lanes,
              top = (down_columns ? tile % down : tile / across) * HEIGHT + lane / lanes,
              other = (threadIdx.x + WARP) % THREADS;
#pragma unroll
    for (int i = 0; loads && i < stores; i++)
        words[i][threadIdx.x] = __ldcg(in + ((size_t)tile * stores + i) * THREADS + threadIdx.x);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < stores; i++) {
        int x = left + warp * lanes, y = top + i * ROWS;
        if (x < n && y < n)
            out[(size_t)y * n + x] = loads ? words[i][other] : 1;
    }
}

template <int lanes, int stores, bool loads>
static void measure_met(float *out, const float *in)
{
    char what[32];
    snprintf(what, sizeof what, "%d_lanes_%d_stores", lanes, stores);
    measure_tiles<lanes * WARPS, WARP / lanes * stores>(
        [=](int tiles, int n, bool down_columns) {
            store_met<lanes, stores, loads><<<tiles, THREADS>>>(out, in, n, down_columns);
        },
        loads ? "met_loading" : "met", what);
}

template <bool loads>
static void measure_all_met(float *out, const float *in)
{
    measure_met<16, 8, loads>(out, in);
    measure_met<32, 4, loads>(out, in);
    measure_met<32, 8, loads>(out, in);
    measure_met<32, 16, loads>(out, in);
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
    const size_t bytes = (size_t)WHOLE * WHOLE * sizeof(float),
                 room = bytes / 8; // for tiles beyond the edges
    float *in, *out;
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMalloc(&in, bytes + room));
    CHECK(cudaMemset(in, 0, bytes + room));
    measure_all<8>(out);
    measure_all<16>(out);
    measure_all<32>(out);
    measure_all_apart<8>(out);
    measure_all_apart<16>(out);
    measure_all_apart<32>(out);
    measure_all_met<false>(out, in);
    measure_all_met<true>(out, in);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
