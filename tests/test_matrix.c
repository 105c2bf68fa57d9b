#include "base/parallel.h"
#include "measure/matrix.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 64, 100, 255, 257, 1000, 1023, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes };

static uint32_t *allocate(size_t words)
{
    uint32_t *memory = malloc(words * sizeof *memory);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static int compare_words(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

SUITE(matrix, .seconds = 60)

TEST(no_value_occurs_twice, .times = SIZES)
{
    size_t n = sizes[_i];
    uint32_t *in = allocate(n * n);
    matrix_fill(in, n);
    qsort(in, n * n, sizeof *in, compare_words);
    for (size_t i = 1; i < n * n; i++)
        ASSERT_QUICK(in[i - 1] != in[i]);
    free(in);
}

TEST(values_are_normal_floats_and_no_poison)
{
    for (size_t i = 0; i < 100000; i++) {
        uint32_t bits = matrix_bits(40000, i % 40000, (i * 7919) % 40000);
        float number;
        memcpy(&number, &bits, sizeof number);
        ASSERT_QUICK(fpclassify(number) == FP_NORMAL);
        ASSERT_QUICK(bits != MATRIX_POISON);
    }
}

// Sizes beyond 2^30 elements: no two rows or columns may agree anywhere. 49981 divides 2^30 - 1.
TEST(rows_and_columns_differ_for_large_n, .times = 8)
{
    static const size_t large[] = {32768, 40000, 49981, 65535, 65536, 100000, 131072, 1048576};
    size_t n = large[_i], places[] = {0, 1, n / 2, n - 1};
    for (size_t k = 1; k < n; k++)
        for (int p = 0; p < 4; p++) {
            ASSERT_QUICK(matrix_bits(n, 0, places[p]) != matrix_bits(n, k, places[p]));
            ASSERT_QUICK(matrix_bits(n, places[p], 0) != matrix_bits(n, places[p], k));
        }
}

TEST(every_value_says_where_it_stands, .times = 7)
{
    static const size_t tried[] = {1, 2, 33, 1024, 8192, 32766, 32767};
    size_t n = tried[_i], found_row, found_col;
    srand(1);
    for (int i = 0; i < 20000; i++) {
        size_t row = (size_t)rand() % n, col = (size_t)rand() % n;
        ASSERT_QUICK(matrix_find(n, matrix_bits(n, row, col), &found_row, &found_col) == ONE_PLACE);
        ASSERT_QUICK(found_row == row && found_col == col);
    }
}

TEST(foreign_values_have_no_place)
{
    size_t row, col;
    ck_assert_int_eq(matrix_find(100, MATRIX_POISON, &row, &col), NO_PLACE);
    ck_assert_int_eq(matrix_find(100, 0, &row, &col), NO_PLACE);
    ck_assert_int_eq(matrix_find(100, matrix_bits(101, 100, 100), &row, &col), NO_PLACE);
    ck_assert_int_eq(matrix_find(40000, 0, &row, &col), NO_PLACE);
    ck_assert_int_eq(matrix_find(40000, matrix_bits(40000, 5, 5), &row, &col), UNKNOWN_PLACE);
}

TEST(transpose_is_right, .times = SIZES)
{
    size_t n = sizes[_i];
    uint32_t *in = allocate(n * n), *out = allocate(n * n);
    matrix_fill(in, n);
    memset(out, 0xFF, n * n * sizeof *out);
    matrix_transpose(out, in, n);
    for (size_t row = 0; row < n; row++)
        for (size_t col = 0; col < n; col++)
            ASSERT_QUICK(out[col * n + row] == in[row * n + col]);
    free(in);
    free(out);
}

static void count_items(void *context, size_t first, size_t last, int worker)
{
    unsigned char *seen = context;
    ck_assert_int_lt(worker, MAX_WORKERS);
    for (size_t i = first; i < last; i++)
        seen[i]++;
}

TEST(parallel_for_does_every_item_once)
{
    for (size_t count = 0; count < 300; count++) {
        unsigned char *seen = calloc(count + 1, 1);
        parallel_for(count, count_items, seen);
        for (size_t i = 0; i < count; i++)
            ASSERT_QUICK(seen[i] == 1);
        ck_assert_uint_eq(seen[count], 0);
        free(seen);
    }
}
