#include "context.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

// Linking with the driver's library would keep the program from starting where there is no driver.
bool driver_context(CUcontext *context, char *why, size_t size)
{
    typedef CUresult current_context(CUcontext *);
    void *entry = NULL;
    enum cudaDriverEntryPointQueryResult found;
    cudaError_t error = cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, 12000,
                                                         cudaEnableDefault, &found);
    if (error == cudaSuccess && found == cudaDriverEntryPointSuccess &&
        ((current_context *)entry)(context) == CUDA_SUCCESS && *context)
        return true;
    snprintf(why, size, "the device has no CUDA context to profile (%s)", cudaGetErrorName(error));
    return false;
}
