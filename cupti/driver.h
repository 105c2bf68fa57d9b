// The driver's context and the chip's name, which the CUDA runtime does not tell.
#ifndef DRIVER_H
#define DRIVER_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

// The context of the runtime's current device, which CUPTI asks for. False with the reason in `why` when
// there is none.
bool driver_context(CUcontext *context, char *why, size_t size);

// What CUPTI calls the chip of CUDA device `ordinal`, "GH100": a string of CUPTI's. Starts CUPTI's profiler. NULL with
// the reason in `why`.
const char *driver_chip(int ordinal, char *why, size_t size);

#endif
