// Is a result right, bit for bit, and if not: what does the pattern of wrong elements suggest?
#ifndef VERIFY_H
#define VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUGGESTION_SIZE = 400 };

// What is wrong with a result.
struct mismatch {
    size_t wrong;             // how many elements
    size_t row, col;          // of the first one, in row-major order
    uint32_t expected, found; // its bits
    char suggestion[SUGGESTION_SIZE];
};

// Compares the n x n result with the transpose of matrix_fill()'s input, on all cores. `tile` is
// the side of the square tiles that the kernel works in, in elements, or 0 when it works in none:
// it only helps to name the mistake. True when every bit is right; else fills `mismatch`.
bool verify_transpose(const uint32_t *out, const uint32_t *expected, size_t n, size_t tile,
                      struct mismatch *mismatch);

// The same with what another work than the transpose makes of the input, as floats that differ by `tolerance` times the
// expected one at most; 0: bit for bit. Poison is expected where nothing is to be written.
bool verify_workload(const uint32_t *out, const uint32_t *expected, size_t n, double tolerance,
                     struct mismatch *mismatch);

// Whether `count` words all still hold the poison. If not, `first` is the first that does not.
bool verify_poison(const uint32_t *words, size_t count, size_t *first);

// Whether the n x n words are still matrix_fill()'s, on all cores. If not, `first` is the index of
// the first that is not.
bool verify_input(const uint32_t *in, size_t n, size_t *first);

#endif
