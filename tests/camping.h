// What tests/camping.c launches: a transpose in tiles, as steps 6 and 7 have it, or one half of it, on matrices
// of any pitch and in three orders of blocks.
#ifndef CAMPING_H
#define CAMPING_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SIDE = 64 }; // of a tile, in words

// Two matrices of n x n words on the device, `pitch` words from a row to the next. SIDE divides n, which is
// less than 65536, and 4 the pitch.
struct matrices {
    uint32_t *in, *out;
    size_t n, pitch;
};

enum half { BOTH, READS, WRITES };

// Blocks that follow each other take tiles along the rows of `in`, as in step 6, down its columns, as in
// step 7, or down a diagonal. In `out` the first two are the other way round.
enum order { ACROSS, DOWN, DIAGONAL };

// Each of these starts a kernel on the default stream; errors stay with the CUDA runtime.

// Fills `in`: the word in row r and column c is r n + c.
void camping_fill(const struct matrices *matrices);

// Moves `blocks` tiles, from the one with number `first` in the order. WRITES alone writes what the transpose
// of such an `in` is. READS alone adds all that it reads to *sum, on the device, if `adds`; else it only reads.
void camping_move(const struct matrices *matrices, enum half half, enum order order, unsigned first,
                  unsigned blocks, uint32_t *sum, int adds);

// Adds to *wrong, on the device, how many words of `out` are not the transpose's, or not 0xffffffff behind
// the end of a row.
void camping_check(const struct matrices *matrices, uint32_t *wrong);

#ifdef __cplusplus
}
#endif

#endif
