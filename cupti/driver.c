#include "cupti/driver.h"

#include "cupti/errors.h"

#include <cudaTypedefs.h>
#include <cuda_runtime_api.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>
#include <stdio.h>

// The program is not linked with the driver, since it could not start then where there is none.
static PFN_cuCtxGetCurrent_v4000 find_get_current(char *why, size_t size)
{
    enum { CUDA_12_0 = 12000 };
    void *entry = NULL;
    enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
    cudaError_t error = cudaGetDriverEntryPointByVersion("cuCtxGetCurrent", &entry, CUDA_12_0,
                                                         cudaEnableDefault, &found);
    if (error == cudaSuccess && found == cudaDriverEntryPointSuccess && entry)
        return (PFN_cuCtxGetCurrent_v4000)entry;
    snprintf(why, size, "the driver has no cuCtxGetCurrent (%s): update it",
             cudaGetErrorName(error));
    return NULL;
}

bool driver_context(CUcontext *context, char *why, size_t size)
{
    PFN_cuCtxGetCurrent_v4000 get_current = find_get_current(why, size);
    if (!get_current)
        return false;
    CUresult error = get_current(context);
    if (error == CUDA_SUCCESS && *context)
        return true;
    snprintf(why, size, "the device has no CUDA context to profile (%s)",
             cudaGetErrorName((cudaError_t)error));
    return false;
}

const char *driver_chip(int ordinal, char *why, size_t size)
{
    CUpti_Profiler_Initialize_Params init = {.structSize =
                                                 CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    CUPTI_PARAMS(chip, CUpti_Device_GetChipName, .deviceIndex = (size_t)ordinal);
    bool good = CUPTI_CALL(why, size, cuptiProfilerInitialize, &init) &&
                CUPTI_CALL(why, size, cuptiDeviceGetChipName, &chip);
    return good ? chip.pChipName : NULL;
}
