// Finds the PTX text that a compiler embedded in an object file.
#ifndef SIM_FATBIN_H
#define SIM_FATBIN_H

#include <stddef.h>

// The wrapper that __cudaRegisterFatBinary() gets.
struct fatbin_wrapper {
    unsigned magic; // 0x466243B1
    unsigned version;
    const void *data;
    void *unused;
};

// The PTX in `size` bytes at `data`: a fat binary of nvcc's, or PTX text itself, as clang embeds
// it. Of several PTX versions it takes the one for the highest architecture. Returns the text's
// first byte and sets *ptx_size; the text is part of `data` and not terminated. Returns NULL with
// the reason and the remedy in `why` when there is none. Never reads beyond `size`.
const char *fatbin_find_ptx(const void *data, size_t size, size_t *ptx_size, char *why,
                            size_t why_size);

// The bytes at a wrapper's `data`, by their own account: a fat binary's header says its size, a
// text ends with a NUL.
size_t fatbin_size(const void *data);

#endif
