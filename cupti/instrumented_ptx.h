// A kernel that also counts: PTX with a few instructions more, which note on which SM each block runs.
#ifndef INSTRUMENTED_PTX_H
#define INSTRUMENTED_PTX_H

#include <stddef.h>

// The module's variable that counts: an array of 64-bit numbers, a block's at the place of its SM's number
// (%smid).
#define BLOCKS_OF_SM "apodkit_blocks_of_sm"

// Copies the module's `size` bytes of PTX, with an array of `sms` places and a `kernel` (its name in the PTX)
// each of whose blocks adds 1 at its own, by its first thread and before anything else. Blocks on SMs of
// higher numbers are not counted. Returns text that ends with a NUL and is the caller's to free, or NULL with
// the reason in `why`. Never reads beyond `size`.
char *instrumented_ptx(const char *ptx, size_t size, const char *kernel, int sms, char *why,
                       size_t why_size);

#endif
