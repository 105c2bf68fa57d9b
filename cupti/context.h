// The driver's context of the runtime's current device, which CUPTI asks for.
#ifndef CONTEXT_H
#define CONTEXT_H

#include <cuda.h>
#include <stdbool.h>
#include <stddef.h>

// False with the reason in `why` when there is none.
bool driver_context(CUcontext *context, char *why, size_t size);

#endif
