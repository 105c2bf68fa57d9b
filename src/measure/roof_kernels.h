// The kernels that measure roofs, in C and in CUDA C. A program has them when their object file is linked: those for GPUs
// have, the simulated device models its own copy alone.
#ifndef ROOF_KERNELS_H
#define ROOF_KERNELS_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Starts the kernel on the default stream, over `quads` times 16 bytes, 1 at least, at device addresses that 16 divides.
typedef void roof_launch(void *out, const void *in, size_t quads);

struct roof_kernels {
    roof_launch *copy, *read, *write;
};

// Before main() runs; `kernels` must live as long as the program.
void roof_kernels_register(const struct roof_kernels *kernels);

#ifdef __cplusplus
}
#endif

#endif
