// What the CUDA runtime has no name for: functions of the driver, with which the program is not linked, since
// it could not start then where there is no driver.
#ifndef DRIVER_H
#define DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

// Finds one by its name in cuda.h, as CUDA 12.0 has it, and sets *function, a pointer of its type (those of
// cudaTypedefs.h). False with the reason in `why`.
bool driver_function(const char *name, void *function, char *why, size_t size);

// The context of the runtime's current device, which CUPTI asks for. False with the reason in `why` when
// there is none.
bool driver_context(CUcontext *context, char *why, size_t size);

#endif
