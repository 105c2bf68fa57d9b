#include "measure/matrix.h"

#include "base/parallel.h"

// Values lie in 0x20000000 .. 0x5FFFFFFF: 2^30 patterns between 1.1e-19 and 3.7e19, all normal.
static const uint32_t base = UINT32_C(0x20000000);
static const uint32_t mask = (UINT32_C(1) << 30) - 1;

// An odd factor maps the 2^30 values one to one onto themselves; this one (2^32 over the golden
// ratio: multiplicative hashing, Knuth, TAOCP 6.4) spreads neighbours over the whole range.
static const uint32_t factor = UINT32_C(2654435769);
static const uint32_t inverse = UINT32_C(340573321); // factor * inverse = 1 modulo 2^32

// The largest n whose elements get numbers below 2^30, each its own.
static const size_t unique_n = 32767;

// Elements are numbered row by row with an odd pitch: a multiple of an odd number below 2^30 is no
// multiple of 2^30, so no two rows get the same numbers, whatever n is.
static size_t pitch(size_t n)
{
    return n | 1;
}

uint32_t matrix_bits(size_t n, size_t row, size_t col)
{
    return base + (((uint32_t)(row * pitch(n) + col) * factor) & mask);
}

enum place matrix_find(size_t n, uint32_t bits, size_t *row, size_t *col)
{
    if (bits - base > mask)
        return NO_PLACE;
    if (n > unique_n)
        return UNKNOWN_PLACE;
    size_t number = ((bits - base) * inverse) & mask;
    size_t found_row = number / pitch(n), found_col = number % pitch(n);
    if (found_row >= n || found_col >= n)
        return NO_PLACE;
    *row = found_row;
    *col = found_col;
    return ONE_PLACE;
}

struct job {
    uint32_t *out;
    const uint32_t *in;
    size_t n;
};

static void fill_rows(void *context, size_t first, size_t last, int worker)
{
    (void)worker;
    const struct job *job = context;
    for (size_t row = first; row < last; row++)
        for (size_t col = 0; col < job->n; col++)
            job->out[row * job->n + col] = matrix_bits(job->n, row, col);
}

void matrix_fill(uint32_t *in, size_t n)
{
    struct job job = {.out = in, .n = n};
    parallel_for(n, fill_rows, &job);
}

enum { BLOCK = 32 };

static size_t block_end(size_t start, size_t n)
{
    return n - start < BLOCK ? n : start + BLOCK;
}

// Turns the block around in a buffer of its own, so that both matrices are walked along rows: with
// n a power of two, a column's elements would all compete for the same few lines of the cache.
static void transpose_block(const struct job *job, size_t row0, size_t col0)
{
    uint32_t block[BLOCK][BLOCK];
    size_t n = job->n, row1 = block_end(row0, n), col1 = block_end(col0, n);
    for (size_t row = row0; row < row1; row++)
        for (size_t col = col0; col < col1; col++)
            block[col - col0][row - row0] = job->in[row * n + col];
    for (size_t col = col0; col < col1; col++)
        for (size_t row = row0; row < row1; row++)
            job->out[col * n + row] = block[col - col0][row - row0];
}

static void transpose_block_rows(void *context, size_t first, size_t last, int worker)
{
    (void)worker;
    const struct job *job = context;
    for (size_t block_row = first; block_row < last; block_row++)
        for (size_t col0 = 0; col0 < job->n; col0 += BLOCK)
            transpose_block(job, block_row * BLOCK, col0);
}

void matrix_transpose(uint32_t *out, const uint32_t *in, size_t n)
{
    struct job job = {.out = out, .in = in, .n = n};
    parallel_for((n + BLOCK - 1) / BLOCK, transpose_block_rows, &job);
}
