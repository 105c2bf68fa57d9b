// Matrices on the host: the input that every step reads, and the CPU's transpose of it.
//
// Matrices are square, n x n, row-major. Elements are handled as the 32 bits of a float, because
// results are compared bit for bit. Memory belongs to the caller.
#ifndef MATRIX_H
#define MATRIX_H

#include <stddef.h>
#include <stdint.h>

// The bits of an element that nobody has written: a NaN, and no element of any input.
#define MATRIX_POISON UINT32_C(0xFFFFFFFF)

// The bits of the input's element at (row, col). Every value is a positive normal float, no row or
// column has an element in common with another at the same place, and for n <= 32767 no value
// occurs twice: an element that is swapped, stale or missing always shows.
uint32_t matrix_bits(size_t n, size_t row, size_t col);

// The inverse: where in the input these bits stand. (row, col) is set only for ONE_PLACE.
enum place {
    NO_PLACE,      // nowhere
    ONE_PLACE,     // at (row, col) alone
    UNKNOWN_PLACE, // n > 32767: perhaps somewhere, perhaps in several places
};
enum place matrix_find(size_t n, uint32_t bits, size_t *row, size_t *col);

// Fills the input: in[row * n + col] = matrix_bits(n, row, col), on all cores.
void matrix_fill(uint32_t *in, size_t n);

// out[c * n + r] = in[r * n + c] for all r, c < n, in blocks, on all cores. They must not overlap.
void matrix_transpose(uint32_t *out, const uint32_t *in, size_t n);

#endif
