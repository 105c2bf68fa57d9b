#include "cupti/sass.h"

#include "cupti/driver.h"
#include "cupti/errors.h"

#include <cuda_runtime_api.h>
#include <cupti_target.h>
#include <stdio.h>
#include <stdlib.h>

// The metrics' numbers on this chip.
static bool identify(struct sass *sass, char *why, size_t size)
{
    CUpti_Profiler_Initialize_Params init = {.structSize =
                                                 CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    CUpti_Device_GetChipName_Params chip = {
        .structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE, .deviceIndex = sass->device};
    if (!cupti_ok(cuptiProfilerInitialize(&init), "cuptiProfilerInitialize", why, size) ||
        !cupti_ok(cuptiDeviceGetChipName(&chip), "cuptiDeviceGetChipName", why, size))
        return false;
    for (int i = 0; i < sass->count; i++) {
        CUpti_SassMetrics_GetProperties_Params ask = {
            .structSize = CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE,
            .pChipName = chip.pChipName,
            .pMetricName = sass->names[i]};
        if (!cupti_ok(cuptiSassMetricsGetProperties(&ask), sass->names[i], why, size))
            return false;
        sass->ids[i] = ask.metric.metricId;
    }
    return true;
}

static bool configure(const struct sass *sass, char *why, size_t size)
{
    CUpti_SassMetrics_Config configs[MAX_SASS_METRICS];
    for (int i = 0; i < sass->count; i++)
        configs[i] = (CUpti_SassMetrics_Config){.metricId = sass->ids[i],
                                                .outputGranularity =
                                                    CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
    CUpti_SassMetricsSetConfig_Params set = {.structSize =
                                                 CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE,
                                             .numOfMetricConfig = (size_t)sass->count,
                                             .pConfigs = configs,
                                             .deviceIndex = sass->device};
    return cupti_ok(cuptiSassMetricsSetConfig(&set), "cuptiSassMetricsSetConfig", why, size);
}

// Fetches what was counted, which must be done before the metrics are disabled.
static bool flush(struct sass *sass, char *why, size_t size)
{
    CUpti_SassMetricsGetDataProperties_Params ask = {
        .structSize = CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE, .ctx = sass->context};
    if (!cupti_ok(cuptiSassMetricsGetDataProperties(&ask), "cuptiSassMetricsGetDataProperties", why,
                  size))
        return false;
    size_t count = ask.numOfPatchedInstructionRecords, instances = ask.numOfInstances;
    if (count == 0)
        return true; // no kernel ran; to flush nothing would be an error
    sass->records = calloc(count + 1, sizeof *sass->records);
    sass->values = calloc(count * instances + 1, sizeof *sass->values);
    if (!sass->records || !sass->values) {
        snprintf(why, size, "the host has no memory for the counts of %zu instructions", count);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        sass->records[i] = (CUpti_SassMetrics_Data){
            .structSize = sizeof *sass->records, .pInstanceValues = &sass->values[i * instances]};
    CUpti_SassMetricsFlushData_Params flush = {.structSize =
                                                   CUpti_SassMetricsFlushData_Params_STRUCT_SIZE,
                                               .ctx = sass->context,
                                               .numOfPatchedInstructionRecords = count,
                                               .numOfInstances = instances,
                                               .pMetricsData = sass->records};
    sass->record_count = count;
    return cupti_ok(cuptiSassMetricsFlushData(&flush), "cuptiSassMetricsFlushData", why, size);
}

static bool disable(const struct sass *sass, char *why, size_t size)
{
    CUpti_SassMetricsDisable_Params disable = {
        .structSize = CUpti_SassMetricsDisable_Params_STRUCT_SIZE, .ctx = sass->context};
    if (!cupti_ok(cuptiSassMetricsDisable(&disable), "cuptiSassMetricsDisable", why, size))
        return false;
    if (disable.numOfDroppedRecords == 0)
        return true;
    snprintf(why, size, "CUPTI dropped %zu of the instructions' counts",
             disable.numOfDroppedRecords);
    return false;
}

// The configuration stays: a process cannot set another after it was taken back (CUPTI 13.0 says that
// memory ran out).
static bool count(struct sass *sass, watched_launch *launch, void *context, char *why, size_t size)
{
    CUpti_SassMetricsEnable_Params enable = {.structSize =
                                                 CUpti_SassMetricsEnable_Params_STRUCT_SIZE,
                                             .ctx = sass->context,
                                             .enableLazyPatching = 1};
    if (!configure(sass, why, size) ||
        !cupti_ok(cuptiSassMetricsEnable(&enable), "cuptiSassMetricsEnable", why, size))
        return false;
    launch(context);
    cudaError_t error = cudaDeviceSynchronize();
    bool good = error == cudaSuccess && flush(sass, why, size);
    if (error != cudaSuccess)
        snprintf(why, size, "the kernel failed: %s", cudaGetErrorString(error));
    return good && disable(sass, why, size);
}

bool sass_measure(struct sass *sass, int ordinal, watched_launch *launch, void *context, char *why,
                  size_t size)
{
    sass->device = (uint32_t)ordinal;
    return driver_context(&sass->context, why, size) && identify(sass, why, size) &&
           count(sass, launch, context, why, size);
}

void sass_free(struct sass *sass)
{
    free(sass->records);
    free(sass->values);
    sass->records = NULL;
    sass->values = NULL;
    sass->record_count = 0;
}
