// What it costs that rows begin within sectors, of what is loaded and of what is stored: tiles that blocks copy, each from the tile
// that comes next along the rows or down the columns to the one that does, likewise, in rows of whole sectors or of a word less.
// And what it costs that rows of whole lines begin within 256 bytes, as every other one does where rows have an odd number of them.
#include "micro.h"

enum { THREADS = 256, HEIGHT = 32 };
enum { N = 10007, WHOLE = 10008 };              // words: of a row, without its end, and with it
enum { ODD_LINES = 10016, EVEN_LINES = 10048 }; // of rows that are 313 and 314 lines long

template <int width, bool down>
static __device__ inline int2 tile_of(int block)
{
    constexpr int ACROSS = (N + width - 1) / width, DOWN = (N + HEIGHT - 1) / HEIGHT;
    return make_int2((down ? block / DOWN : block % ACROSS) * width,
                     (down ? block % DOWN : block / ACROSS) * HEIGHT);
}

// From rows `from` words apart to rows `to` words apart.
template <int width, bool load_down, bool store_down>
__global__ void __launch_bounds__(THREADS) copy_tiles(float *out, const float *in, int from, int to)
{
    constexpr int EACH = width * HEIGHT / THREADS, STEP = THREADS / width;
    const int column = threadIdx.x % width, row = threadIdx.x / width;
    int2 at = tile_of<width, load_down>(blockIdx.x);
    float words[EACH];
#pragma unroll
    for (int i = 0, x = at.x + column, y = at.y + row; i < EACH; i++, y += STEP)
        words[i] = x < N && y < N ? __ldcg(in + (size_t)y * from + x) : 0;
    at = tile_of<width, store_down>(blockIdx.x);
#pragma unroll
    for (int i = 0, x = at.x + column, y = at.y + row; i < EACH; i++, y += STEP)
        if (x < N && y < N)
            out[(size_t)y * to + x] = words[i];
}

template <int width, bool load_down, bool store_down>
static double copied_gbs(float *out, const float *in, int from, int to)
{
    const int blocks = (N + width - 1) / width * ((N + HEIGHT - 1) / HEIGHT);
    double ms = time_ms(
        [=] { copy_tiles<width, load_down, store_down><<<blocks, THREADS>>>(out, in, from, to); });
    return 4e-6 * N * N / ms;
}

template <int width, bool load_down, bool store_down>
static void measure(float *out, const float *in)
{
    for (int to : {WHOLE, N})
        for (int from : {WHOLE, N})
            report(copied_gbs<width, load_down, store_down>(out, in, from, to), "GB/s",
                   "shifts_%d_words_load_%s_%s_store_%s_%s", width, load_down ? "down" : "along",
                   from == N ? "shifted" : "aligned", store_down ? "down" : "along",
                   to == N ? "shifted" : "aligned");
}

// Tiles as wide as what DRAM moves at once.
template <bool load_down, bool store_down>
static void measure_lines(float *out, const float *in)
{
    for (int to : {EVEN_LINES, ODD_LINES})
        for (int from : {EVEN_LINES, ODD_LINES})
            report(copied_gbs<64, load_down, store_down>(out, in, from, to), "GB/s",
                   "shifts_64_words_load_%s_%s_lines_store_%s_%s_lines",
                   load_down ? "down" : "along", from == ODD_LINES ? "odd" : "even",
                   store_down ? "down" : "along", to == ODD_LINES ? "odd" : "even");
}

template <int width>
static void measure_all(float *out, const float *in)
{
    measure<width, false, true>(out, in);
    measure<width, true, true>(out, in);
    measure<width, true, false>(out, in);
}

int main(void)
{
    wake_up();
    const size_t bytes = (size_t)EVEN_LINES * N * sizeof(float);
    float *in, *out;
    CHECK(cudaMalloc(&in, bytes));
    CHECK(cudaMalloc(&out, bytes));
    CHECK(cudaMemset(in, 0, bytes));
    measure_all<32>(out, in);
    measure_all<64>(out, in);
    measure_all<128>(out, in);
    measure_lines<false, true>(out, in);
    measure_lines<true, true>(out, in);
    measure_lines<true, false>(out, in);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return 0;
}
