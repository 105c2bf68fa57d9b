// Wrong results of every kind, planted on the host: each must be caught, and named for what it is.
#include "measure/diagnose.h"
#include "measure/matrix.h"
#include "measure/verify.h"
#include "suites.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { TILE = 32 };

// A right result, to be spoiled.
struct plot {
    size_t n;
    uint32_t *in, *expected, *out;
};

static struct plot plot_open(size_t n)
{
    size_t bytes = n * n * sizeof(uint32_t);
    struct plot plot = {
        .n = n, .in = malloc(bytes), .expected = malloc(bytes), .out = malloc(bytes)};
    ck_assert(plot.in && plot.expected && plot.out);
    matrix_fill(plot.in, n);
    matrix_transpose(plot.expected, plot.in, n);
    memcpy(plot.out, plot.expected, bytes);
    return plot;
}

static void plot_close(struct plot *plot)
{
    free(plot->in);
    free(plot->expected);
    free(plot->out);
}

static uint32_t *at(struct plot *plot, size_t row, size_t col)
{
    return &plot->out[row * plot->n + col];
}

// Verifies the spoiled result: it must be wrong in `wrong` elements, the first at (row, col), and
// the suggestion must contain `hint`. Closes the plot.
static void expect(struct plot *plot, size_t tile, size_t wrong, size_t row, size_t col,
                   const char *hint)
{
    struct mismatch mismatch;
    ck_assert(!verify_transpose(plot->out, plot->expected, plot->n, tile, &mismatch));
    assert_contains(mismatch.suggestion, hint);
    ck_assert_uint_eq(mismatch.wrong, wrong);
    ck_assert_uint_eq(mismatch.row, row);
    ck_assert_uint_eq(mismatch.col, col);
    ck_assert_uint_eq(mismatch.expected, plot->expected[row * plot->n + col]);
    ck_assert_uint_eq(mismatch.found, *at(plot, row, col));
    plot_close(plot);
}

SUITE(verify)

TEST(right_results_pass, .times = 6)
{
    static const size_t sizes[] = {1, 2, 31, 33, 100, 1000};
    struct plot plot = plot_open(sizes[_i]);
    struct mismatch mismatch;
    ck_assert(verify_transpose(plot.out, plot.expected, plot.n, TILE, &mismatch));
    plot_close(&plot);
}

TEST(nothing_written)
{
    struct plot plot = plot_open(100);
    memset(plot.out, 0xFF, 100 * 100 * sizeof *plot.out);
    expect(&plot, TILE, 100 * 100, 0, 0, "nothing was written");
}

TEST(not_transposed)
{
    struct plot plot = plot_open(100);
    memcpy(plot.out, plot.in, 100 * 100 * sizeof *plot.out);
    expect(&plot, TILE, 100 * 99, 0, 1, "not transposed at all");
}

// Beyond n = 32767 a value may stand in several places; the likeliest source is tried out.
TEST(not_transposed_at_a_size_where_values_repeat)
{
    struct tally tally;
    char text[SUGGESTION_SIZE];
    tally_start(&tally, 40000, TILE);
    tally_wrong(&tally, 5, 39000, matrix_bits(40000, 5, 39000));
    tally_suggest(&tally, text, sizeof text);
    assert_contains(text, "not transposed at all");
    tally_wrong(&tally, 6, 39000, matrix_bits(40000, 77, 78));
    tally_suggest(&tally, text, sizeof text);
    assert_contains(text, "0 never written, 2 hold another element's value, 0 hold bits");
}

TEST(tiles_not_turned)
{
    struct plot plot = plot_open(96);
    for (size_t row = 0; row < 96; row++)
        for (size_t col = 0; col < 96; col++) {
            size_t from_row = col / TILE * TILE + row % TILE;
            size_t from_col = row / TILE * TILE + col % TILE;
            *at(&plot, row, col) = plot.in[from_row * 96 + from_col];
        }
    expect(&plot, TILE, 96 * 96 - 9 * TILE, 0, 1, "not turned");
}

TEST(tiles_in_the_wrong_places)
{
    struct plot plot = plot_open(96);
    for (size_t row = 0; row < 96; row++)
        for (size_t col = 0; col < 96; col++) {
            size_t from_row = row / TILE * TILE + col % TILE;
            size_t from_col = col / TILE * TILE + row % TILE;
            *at(&plot, row, col) = plot.in[from_row * 96 + from_col];
        }
    expect(&plot, TILE, 6 * TILE * TILE, 0, TILE, "stand in the wrong places");
}

TEST(rows_swapped_within_tiles)
{
    struct plot plot = plot_open(96);
    for (size_t row = 0; row < 96; row++)
        memcpy(at(&plot, row, 0), &plot.expected[(row ^ 1) * 96], 96 * sizeof *plot.out);
    expect(&plot, TILE, 96 * 96, 0, 0, "swapped within tiles");
}

// A thread stores the 4 x 4 elements that it loaded as they are.
TEST(squares_of_a_thread_not_turned)
{
    struct plot plot = plot_open(96);
    for (size_t row = 0; row < 96; row++)
        for (size_t col = 0; col < 96; col++)
            *at(&plot, row, col) = plot.in[(col / 4 * 4 + row % 4) * 96 + row / 4 * 4 + col % 4];
    expect(&plot, TILE, 96 * 96 * 3 / 4, 0, 1, "4 x 4 elements at a time");
}

// The tile's rows are swizzled by quads, and read as if they were not. By single elements, or out of the
// tile, it is something else.
TEST(quads_moved_within_rows_of_tiles)
{
    static const struct {
        size_t flipped, wrong, row;
        const char *hint;
    } swizzles[] = {{4, 96 * 96 * 7 / 8, 4, "in groups of 4 that stand in another order"},
                    {1, 96 * 96 * 7 / 8, 4, "swapped within tiles"}};
    for (int i = 0; i < 2; i++) {
        struct plot plot = plot_open(96);
        for (size_t row = 0; row < 96; row++)
            for (size_t col = 0; col < 96; col++)
                *at(&plot, row, col) =
                    plot.expected[row * 96 + (col ^ (row / 4 % 8 * swizzles[i].flipped))];
        expect(&plot, TILE, swizzles[i].wrong, swizzles[i].row, 0, swizzles[i].hint);
    }
}

// A block of fewer rows of threads than its tile has, and no loop over the rest.
TEST(later_rows_of_tiles_missing)
{
    struct plot plot = plot_open(100);
    for (size_t row = 0; row < 100; row++)
        if (row % TILE >= 4)
            memset(at(&plot, row, 0), 0xFF, 100 * sizeof *plot.out);
    size_t wrong = 0;
    for (size_t row = 0; row < 100; row++)
        wrong += row % TILE >= 4 ? 100 : 0;
    expect(&plot, TILE, wrong, 4, 0, "rows only the first 4 were written");
    plot = plot_open(100); // one element more was written: it is something else
    for (size_t row = 0; row < 100; row++)
        if (row % TILE >= 4)
            memset(at(&plot, row, 0), 0xFF, (row == 95 ? 99 : 100) * sizeof *plot.out);
    expect(&plot, TILE, wrong - 1, 4, 0, "the grid is too small");
}

TEST(edge_tiles_missing)
{
    struct plot plot = plot_open(100);
    for (size_t row = 0; row < 100; row++)
        for (size_t col = 0; col < 100; col++)
            if (row >= 96 || col >= 96)
                *at(&plot, row, col) = MATRIX_POISON;
    expect(&plot, TILE, 100 * 100 - 96 * 96, 0, 96, "only the incomplete edge tiles were not");
}

TEST(edge_tiles_wrong)
{
    struct plot plot = plot_open(100);
    for (size_t row = 96; row < 100; row++)
        for (size_t col = 0; col < 100; col++)
            *at(&plot, row, col) = matrix_bits(100, (row * 7 + col) % 100, (col * 3) % 100);
    *at(&plot, 96, 0) = plot.in[50]; // whatever the formula gave there, this is wrong
    struct mismatch mismatch;
    ck_assert(!verify_transpose(plot.out, plot.expected, 100, TILE, &mismatch));
    assert_contains(mismatch.suggestion, "only the incomplete edge tiles are wrong");
    plot_close(&plot);
}

TEST(some_rows_missing)
{
    struct plot plot = plot_open(96);
    memset(at(&plot, 64, 0), 0xFF, 32 * 96 * sizeof *plot.out);
    expect(&plot, TILE, 32 * 96, 64, 0, "never written (rows 64..95, columns 0..95)");
}

TEST(index_off_by_one)
{
    struct plot plot = plot_open(64);
    for (size_t row = 0; row < 64; row++)
        for (size_t col = 0; col + 1 < 64; col++)
            *at(&plot, row, col) = plot.expected[row * 64 + col + 1];
    expect(&plot, 0, 64 * 63, 0, 0, "1 rows and 0 columns beside its source");
}

TEST(values_from_nowhere)
{
    struct plot plot = plot_open(64);
    for (size_t col = 0; col < 64; col++)
        *at(&plot, 10, col) = 0;
    expect(&plot, TILE, 64, 10, 0, "nowhere in the input");
}

// Read back unturned, incomplete tiles give memory that nobody wrote: the cause is still the same.
TEST(tiles_not_turned_with_edges)
{
    struct plot plot = plot_open(1000);
    size_t n = 1000;
    for (size_t row = 0; row < n; row++)
        for (size_t col = 0; col < n; col++) {
            size_t from_row = col / TILE * TILE + row % TILE;
            size_t from_col = row / TILE * TILE + col % TILE;
            *at(&plot, row, col) =
                from_row < n && from_col < n ? plot.in[from_row * n + from_col] : 0;
        }
    struct mismatch mismatch;
    ck_assert(!verify_transpose(plot.out, plot.expected, n, TILE, &mismatch));
    assert_contains(mismatch.suggestion,
                    "nearly all of them have this in common: the tiles are in");
    plot_close(&plot);
}

TEST(a_mixture)
{
    struct plot plot = plot_open(96);
    *at(&plot, 1, 2) = MATRIX_POISON;
    *at(&plot, 40, 50) = 0;
    *at(&plot, 90, 3) = plot.in[17];
    expect(
        &plot, TILE, 3, 1, 2,
        "1 never written, 1 hold another element's value, 1 hold bits that are not in the input");
}

TEST(a_single_swapped_pair_is_caught)
{
    srand(7);
    for (int i = 0; i < 200; i++) {
        struct plot plot = plot_open(40);
        size_t a = (size_t)rand() % 1600, b = (size_t)rand() % 1600;
        uint32_t kept = plot.out[a];
        plot.out[a] = plot.out[b];
        plot.out[b] = kept;
        struct mismatch mismatch;
        bool right = verify_transpose(plot.out, plot.expected, 40, TILE, &mismatch);
        ck_assert_int_eq(right, a == b);
        if (!right)
            ck_assert_uint_eq(mismatch.wrong, 2);
        plot_close(&plot);
    }
}

// A NaN compares unequal to itself and 0.0 equal to -0.0: bits do neither.
TEST(one_wrong_bit_is_caught)
{
    for (int bit = 0; bit < 32; bit++) {
        struct plot plot = plot_open(33);
        *at(&plot, 32, 31) ^= UINT32_C(1) << bit;
        struct mismatch mismatch;
        ck_assert(!verify_transpose(plot.out, plot.expected, 33, TILE, &mismatch));
        ck_assert_uint_eq(mismatch.wrong, 1);
        plot_close(&plot);
    }
}

TEST(touched_poison_is_caught)
{
    enum { WORDS = 5000 };
    uint32_t words[WORDS];
    size_t first;
    memset(words, 0xFF, sizeof words);
    ck_assert(verify_poison(words, WORDS, &first));
    static const size_t places[] = {4999, 4321, 1, 0}; // from the last to the first
    for (size_t i = 0; i < 4; i++) {
        words[places[i]] = 0;
        ck_assert(!verify_poison(words, WORDS, &first));
        ck_assert_uint_eq(first, places[i]);
    }
}

TEST(changed_input_is_caught)
{
    struct plot plot = plot_open(77);
    size_t first;
    ck_assert(verify_input(plot.in, 77, &first));
    plot.in[5000] ^= 1;
    plot.in[1234] ^= 1;
    ck_assert(!verify_input(plot.in, 77, &first));
    ck_assert_uint_eq(first, 1234);
    plot_close(&plot);
}
