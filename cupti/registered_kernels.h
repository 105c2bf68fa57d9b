// The code that the program holds for its kernels, by their host stubs. The linker sends what the compiler's
// objects tell the CUDA runtime before main() through here (--wrap).
#ifndef REGISTERED_KERNELS_H
#define REGISTERED_KERNELS_H

#include <stdbool.h>

struct registered_kernel {
    const char *name; // in the PTX
    const void *code; // its fat binary (fatbin.h)
    // A __device__, __constant__ or __managed__ variable of that; NULL when it has none.
    const char *variable;
};

// Finds the kernel whose host stub cudaLaunchKernel() takes. False when nobody registered it. What is found
// lives as long as the program.
bool registered_kernels_find(const void *stub, struct registered_kernel *found);

#endif
