// What the wrong elements of a transpose have in common, and which mistake that suggests.
//
// Every value of the input says where it stands (matrix_find), so each wrong element of the output
// tells where its value was taken from. Tallies are kept one a worker and added up.
#ifndef DIAGNOSE_H
#define DIAGNOSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How many of the wrong elements ...
enum trait {
    UNWRITTEN,     // still hold the poison
    FOREIGN,       // hold bits that are nowhere in the input
    UNTRANSPOSED,  // hold in[row][col]: a copy, no transpose
    UNTURNED_4X4,  // come from the right 4 x 4 elements, at the place of such that were not turned
    UNTURNED,      // come from the right tile, at the place of a tile that was not turned
    MOVED_QUADS,   // come from the right row and tile, as many quads of 4 elements aside
    WITHIN_TILE,   // come from the right tile, but another place in it
    RIGHT_IN_TILE, // come from another tile, but the right place in it
    IN_EDGE_TILES, // stand in, or should come from, the incomplete tiles of the last row and column
    SHIFTED,       // come from as far beside their source as the first wrong element
    TRAITS
};

struct tally {
    size_t n, tile;
    size_t wrong;
    size_t traits[TRAITS];
    size_t first_row, first_col;               // the first wrong element, row-major
    size_t min_row, max_row, min_col, max_col; // the box around all wrong elements
    size_t min_row_in_tile;                    // the least row % tile of them
    bool shift_known;                          // of the first element with a known source:
    ptrdiff_t shift_rows, shift_cols;          // source minus the right source
};

// An empty tally for an n x n output. `tile`: the side of the kernel's tiles, 0 for none.
void tally_start(struct tally *tally, size_t n, size_t tile);

// Counts one wrong element of the output: its place and the bits that it holds.
void tally_wrong(struct tally *tally, size_t row, size_t col, uint32_t found);

// Adds `more`, a tally of the same output, to `tally`.
void tally_add(struct tally *tally, const struct tally *more);

// Writes what the pattern suggests, in one sentence, cut to fit `size` bytes.
void tally_suggest(const struct tally *tally, char *text, size_t size);

#endif
