// Finds what a compiler embedded in an object file: PTX text, and machine code beside it. A fat binary says
// its own size; `size` here is what can be read at `data`, as much or more (loaded_segment.h), and nothing beyond
// it is read, nor beyond what the fat binary says.
#ifndef FATBIN_H
#define FATBIN_H

#include <stddef.h>

enum {
    FATBIN_WRAPPER_MAGIC = 0x466243B1,
    ANY_ARCH = 0xffff // newer than any GPU
};

// The wrapper that __cudaRegisterFatBinary() gets.
struct fatbin_wrapper {
    unsigned magic; // FATBIN_WRAPPER_MAGIC
    unsigned version;
    const void *data;
    void *unused;
};

// The PTX in a fat binary: of several versions the one for the highest architecture that is no newer than
// `arch` (10 x major + minor, or ANY_ARCH). Returns the text's first byte and sets *ptx_size; the
// text is part of `data` and not terminated. Returns NULL with the reason and the remedy in `why`
// when there is none.
const char *fatbin_find_ptx(const void *data, size_t size, unsigned arch, size_t *ptx_size,
                            char *why, size_t why_size);

// Registers a thread of the kernel, as machine code in a fat binary says them: the code that a GPU of
// compute capability `arch` (10 x major + minor) would load, one of its major version and no newer,
// and then *is_its_own is 1; or without such code that of the nearest architecture. Returns 0 when
// there is no machine code that can be read: none at all, or compressed.
int fatbin_find_registers(const void *data, size_t size, unsigned arch, const char *kernel,
                          int *is_its_own);

// The machine code (a cubin, *cubin_size bytes) that a GPU of compute capability `arch` would load for the kernel;
// NULL when there is none that can be read.
const unsigned char *fatbin_find_cubin(const void *data, size_t size, unsigned arch,
                                       const char *kernel, size_t *cubin_size);

#endif
