#include "measure/diagnose.h"

#include "measure/matrix.h"

#include <stdio.h>
#include <string.h>

enum { QUAD = 4 }; // elements that a 16-byte access moves

void tally_start(struct tally *tally, size_t n, size_t tile)
{
    *tally =
        (struct tally){.n = n, .tile = tile, .min_row = n, .min_col = n, .min_row_in_tile = tile};
}

// Whether an element comes from the right square of the input, at the place it has where squares of `side`
// elements are not turned.
static bool is_unturned(size_t side, size_t row, size_t col, size_t from_row, size_t from_col)
{
    return from_row / side == col / side && from_col / side == row / side &&
           from_row % side == row % side && from_col % side == col % side;
}

// Traits of an element whose value was found in the input at (from_row, from_col). The right
// source of out[row][col] is in[col][row].
static void tally_source(struct tally *tally, size_t row, size_t col, size_t from_row,
                         size_t from_col)
{
    size_t tile = tally->tile;
    if (from_row == row && from_col == col)
        tally->traits[UNTRANSPOSED]++;
    tally->traits[UNTURNED_4X4] += is_unturned(QUAD, row, col, from_row, from_col);
    if (tile > 0) {
        bool right_tile = from_row / tile == col / tile && from_col / tile == row / tile;
        bool moved_quad = from_col == row && from_row % QUAD == col % QUAD;
        bool right_place = from_row % tile == col % tile && from_col % tile == row % tile;
        tally->traits[UNTURNED] += is_unturned(tile, row, col, from_row, from_col);
        tally->traits[MOVED_QUADS] += right_tile && moved_quad;
        tally->traits[WITHIN_TILE] += right_tile;
        tally->traits[RIGHT_IN_TILE] += right_place;
    }

    ptrdiff_t rows = (ptrdiff_t)from_row - (ptrdiff_t)col;
    ptrdiff_t cols = (ptrdiff_t)from_col - (ptrdiff_t)row;
    if (!tally->shift_known) {
        tally->shift_known = true;
        tally->shift_rows = rows;
        tally->shift_cols = cols;
    }
    tally->traits[SHIFTED] += rows == tally->shift_rows && cols == tally->shift_cols;
}

void tally_wrong(struct tally *tally, size_t row, size_t col, uint32_t found)
{
    if (tally->wrong++ == 0) {
        tally->first_row = row;
        tally->first_col = col;
    }
    tally->min_row = row < tally->min_row ? row : tally->min_row;
    tally->max_row = row > tally->max_row ? row : tally->max_row;
    tally->min_col = col < tally->min_col ? col : tally->min_col;
    tally->max_col = col > tally->max_col ? col : tally->max_col;

    if (tally->tile > 0) {
        size_t edge = tally->n - tally->n % tally->tile;
        tally->traits[IN_EDGE_TILES] += row >= edge || col >= edge;
        if (row % tally->tile < tally->min_row_in_tile)
            tally->min_row_in_tile = row % tally->tile;
    }
    if (found == MATRIX_POISON) {
        tally->traits[UNWRITTEN]++;
        return;
    }
    size_t from_row, from_col;
    switch (matrix_find(tally->n, found, &from_row, &from_col)) {
    case NO_PLACE:
        tally->traits[FOREIGN]++;
        break;
    case ONE_PLACE:
        tally_source(tally, row, col, from_row, from_col);
        break;
    case UNKNOWN_PLACE: // the likeliest source can still be tried out
        tally->traits[UNTRANSPOSED] += found == matrix_bits(tally->n, row, col);
        break;
    }
}

void tally_add(struct tally *tally, const struct tally *more)
{
    if (more->wrong == 0)
        return;
    if (tally->wrong == 0) {
        *tally = *more;
        return;
    }
    if (more->first_row < tally->first_row) { // workers own whole rows: no row is in both
        tally->first_row = more->first_row;
        tally->first_col = more->first_col;
    }
    bool same_shift = tally->shift_known && more->shift_known &&
                      tally->shift_rows == more->shift_rows &&
                      tally->shift_cols == more->shift_cols;
    tally->wrong += more->wrong;
    for (int i = 0; i < TRAITS; i++)
        tally->traits[i] += i == SHIFTED && !same_shift ? 0 : more->traits[i];
    tally->min_row = more->min_row < tally->min_row ? more->min_row : tally->min_row;
    tally->max_row = more->max_row > tally->max_row ? more->max_row : tally->max_row;
    tally->min_col = more->min_col < tally->min_col ? more->min_col : tally->min_col;
    tally->max_col = more->max_col > tally->max_col ? more->max_col : tally->max_col;
    if (more->min_row_in_tile < tally->min_row_in_tile)
        tally->min_row_in_tile = more->min_row_in_tile;
}

// Whether the wrong elements are, in every tile, all rows but the first few.
static bool are_later_rows(const struct tally *tally)
{
    size_t right = tally->min_row_in_tile, rows = 0;
    for (size_t row = 0; right > 0 && row < tally->n; row++)
        rows += row % tally->tile >= right;
    return rows > 0 && tally->wrong == rows * tally->n;
}

// Whether the trait is true of at least this share of the wrong elements.
static bool fits(const struct tally *tally, enum trait trait, double share)
{
    return (double)tally->traits[trait] >= share * (double)tally->wrong;
}

static void suggest_unwritten(const struct tally *tally, char *text, size_t size)
{
    if (tally->traits[UNWRITTEN] == tally->n * tally->n)
        snprintf(text, size,
                 "nothing was written: did the kernel start, and is its guard ever true?");
    else if (fits(tally, IN_EDGE_TILES, 1))
        snprintf(text, size,
                 "only the incomplete edge tiles were not written: the grid is rounded down, or "
                 "the guard is too strict");
    else if (are_later_rows(tally))
        snprintf(text, size,
                 "of each tile's %zu rows only the first %zu were written: where a block has fewer "
                 "rows of threads than the tile, each thread must go on to the rows below, in a "
                 "loop of steps of %zu",
                 tally->tile, tally->min_row_in_tile, tally->min_row_in_tile);
    else
        snprintf(text, size,
                 "these elements were never written (rows %zu..%zu, columns %zu..%zu): the grid is "
                 "too small, or the guard is too strict",
                 tally->min_row, tally->max_row, tally->min_col, tally->max_col);
}

// The first description, from the most to the least specific, that is true of this share of the
// wrong elements. False when there is none.
static bool suggest_one_cause(const struct tally *tally, double share, char *text, size_t size)
{
    if (fits(tally, UNWRITTEN, share))
        suggest_unwritten(tally, text, size);
    else if (fits(tally, UNTRANSPOSED, share))
        snprintf(text, size,
                 "not transposed at all: out[row][col] holds in[row][col]; swap row and column in "
                 "one of the two indices");
    else if (fits(tally, UNTURNED, share))
        snprintf(text, size,
                 "the tiles are in their places, but not turned: rows and columns are swapped "
                 "within tiles; read the tile back as tile[threadIdx.x][threadIdx.y]");
    else if (fits(tally, UNTURNED_4X4, share))
        snprintf(text, size,
                 "4 x 4 elements at a time are in their places, but not turned: a thread that "
                 "loads 4 elements from each of 4 rows must make 4 columns of them: "
                 "make_float4(row[0].x, row[1].x, row[2].x, row[3].x) is the first");
    else if (fits(tally, MOVED_QUADS, share))
        snprintf(
            text, size,
            "each value is in its row of the tile, but in groups of 4 that stand in another "
            "order: a swizzle must be the same where the tile is written and where it is read");
    else if (fits(tally, WITHIN_TILE, share))
        snprintf(text, size,
                 "each value is in the right tile, but rows or columns are swapped within tiles: "
                 "look at the tile's indices, and at the barrier between writing and reading it");
    else if (fits(tally, RIGHT_IN_TILE, share))
        snprintf(text, size,
                 "the tiles are turned, but stand in the wrong places: swap blockIdx.x and "
                 "blockIdx.y in the output's index");
    else if (fits(tally, SHIFTED, share))
        snprintf(text, size,
                 "every wrong element holds the value %td rows and %td columns beside its source: "
                 "an index is off by that much",
                 tally->shift_rows, tally->shift_cols);
    else if (fits(tally, IN_EDGE_TILES, share))
        snprintf(text, size,
                 "only the incomplete edge tiles are wrong: look at the guards for n that is no "
                 "multiple of the tile");
    else if (fits(tally, FOREIGN, share))
        snprintf(text, size,
                 "these values are nowhere in the input: memory nobody wrote (shared memory too), "
                 "a data race, or arithmetic on the values");
    else
        return false;
    return true;
}

static void suggest_mixture(const struct tally *tally, char *text, size_t size)
{
    size_t misplaced = tally->wrong - tally->traits[UNWRITTEN] - tally->traits[FOREIGN];
    snprintf(text, size,
             "%zu never written, %zu hold another element's value, %zu hold bits that are not in "
             "the input (rows %zu..%zu, columns %zu..%zu): look for an index that is off, a read "
             "of memory nobody wrote, or a missing __syncthreads()",
             tally->traits[UNWRITTEN], misplaced, tally->traits[FOREIGN], tally->min_row,
             tally->max_row, tally->min_col, tally->max_col);
}

// One cause that explains all is the likeliest; next, one that explains nearly all, for the few
// elements beside it (at the edges, say) often follow from it.
void tally_suggest(const struct tally *tally, char *text, size_t size)
{
    static const char nearly[] = "nearly all of them have this in common: ";
    static const double nearly_all = 0.9;
    if (suggest_one_cause(tally, 1, text, size))
        return;
    size_t used = sizeof nearly - 1;
    if (size > used && suggest_one_cause(tally, nearly_all, text + used, size - used))
        memcpy(text, nearly, used);
    else
        suggest_mixture(tally, text, size);
}
