#include "cupti/driver.h"

#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

bool driver_function(const char *name, void *function, char *why, size_t size)
{
    enum { CUDA_12_0 = 12000 };
    void *entry = NULL;
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    cudaError_t error =
        cudaGetDriverEntryPointByVersion(name, &entry, CUDA_12_0, cudaEnableDefault, &found);
    if (error == cudaSuccess && found == cudaDriverEntryPointSuccess && entry) {
        memcpy(function, &entry, sizeof entry);
        return true;
    }
    snprintf(why, size, "the driver has no %s (%s): update it", name, cudaGetErrorName(error));
    return false;
}

bool driver_context(CUcontext *context, char *why, size_t size)
{
    PFN_cuCtxGetCurrent_v4000 get_current;
    if (!driver_function("cuCtxGetCurrent", &get_current, why, size))
        return false;
    CUresult error = get_current(context);
    if (error == CUDA_SUCCESS && *context)
        return true;
    snprintf(why, size, "the device has no CUDA context to profile (%s)",
             cudaGetErrorName((cudaError_t)error));
    return false;
}
