// A matrix on the device between guard words, which show what a kernel writes in front of it and behind.
#ifndef GUARDED_MATRIX_H
#define GUARDED_MATRIX_H

#include "facts/failure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { WORD = sizeof(uint32_t) };

// A matrix on the device between its guards: guard | n * n elements | guard, in 32-bit words.
struct guarded {
    uint32_t *memory; // of the device
    size_t guard;     // words of each guard
    size_t words;     // words of all three
};

// Allocates an n x n matrix and its guards on the device; the caller frees `memory`. `what` is its name in the failure.
// On a device that checks every access (platform.h) the guards are empty.
bool guarded_open(struct guarded *matrix, size_t n, const char *what, char failure[FAILURE_SIZE]);

// Whether the guards of the matrix still hold the poison, of which all words were fetched. If not, `complaint` (of `size`
// bytes) says on which side of it the kernel wrote, and how far from it.
bool guarded_verify(const struct guarded *matrix, const uint32_t *fetched, const char *what,
                    char *complaint, size_t size);

#endif
