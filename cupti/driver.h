// The driver's context, which the CUDA runtime has no name for.
#ifndef DRIVER_H
#define DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

// The context of the runtime's current device, which CUPTI asks for. False with the reason in `why` when
// there is none.
bool driver_context(CUcontext *context, char *why, size_t size);

#endif
