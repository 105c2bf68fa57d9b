// What stores of parts of sectors cost, alone and beside loads: blocks that go down the rows of a matrix store tiles so many words
// wide, the words of a warp in rows below each other, one or four words a thread, and load as much from elsewhere, or nothing.
// Rows start where sectors do, or 7 of 8 of them within one ("shifted"), or so those of a matrix that is 10007 words wide.
#include "micro.h"

enum { THREADS = 256, FEWEST = 2048, MOST = 8192, LONGER = 7, LONG = 10007 };

template <int words, int stores, bool loading>
__global__ void __launch_bounds__(THREADS)
    store_strips(float *matrix, const float *from, size_t row_words)
{
    const size_t below = THREADS / words;
    const size_t row = blockIdx.x * below * stores + threadIdx.x / words;
    float *at = matrix + row * row_words + blockIdx.y * words + threadIdx.x % words;
    from += ((size_t)blockIdx.y * gridDim.x + blockIdx.x) * THREADS * stores + threadIdx.x;
    float loaded[stores];
#pragma unroll
    for (int i = 0; i < stores; i++)
        loaded[i] = loading ? from[i * THREADS] : 0;
#pragma unroll
    for (int i = 0; i < stores; i++)
        at[i * below * row_words] = loaded[i];
}

template <int words, int stores, bool loading>
static void measure(float *matrix, const float *from, int rows, int row_words, const char *how)
{
    const dim3 blocks(rows / (THREADS / words * stores), rows / words);
    double ms = time_ms([=] {
        store_strips<words, stores, loading><<<blocks, THREADS>>>(matrix, from, row_words);
    });
    double sectors = (double)rows * rows * sizeof *matrix / SECTOR_BYTES;
    report(cycles_in(ms) * multiprocessors() / sectors, "cycles/sector",
           "strips_%d_words_%d_stores%s_%d_rows%s", words, stores, loading ? "_loading" : "", rows,
           how);
}

template <int words>
static void measure_rows(float *matrix, const float *from, int rows, int row_words, const char *how)
{
    measure<words, 1, false>(matrix, from, rows, row_words, how);
    measure<words, 1, true>(matrix, from, rows, row_words, how);
    measure<words, 4, false>(matrix, from, rows, row_words, how);
    measure<words, 4, true>(matrix, from, rows, row_words, how);
}

template <int words>
static void measure_all(float *matrix, const float *from)
{
    for (int rows = FEWEST; rows <= MOST; rows *= 2) {
        measure_rows<words>(matrix, from, rows, rows, "");
        measure_rows<words>(matrix, from, rows, rows + LONGER, "_shifted");
    }
    measure_rows<words>(matrix, from, MOST, LONG, "_of_10007");
}

int main(void)
{
    wake_up();
    float *matrix, *from;
    CHECK(cudaMalloc(&matrix, (size_t)MOST * LONG * sizeof *matrix));
    CHECK(cudaMalloc(&from, (size_t)MOST * MOST * sizeof *from));
    measure_all<1>(matrix, from);
    measure_all<2>(matrix, from);
    measure_all<4>(matrix, from);
    measure_all<8>(matrix, from);
    measure_all<16>(matrix, from);
    measure_all<32>(matrix, from);
    CHECK(cudaFree(matrix));
    CHECK(cudaFree(from));
    return 0;
}
