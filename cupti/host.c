#include "cupti/host.h"

#include "cupti/errors.h"

#include <cupti_profiler_host.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host {
    CUpti_Profiler_Host_Object *object;
    const char *chip;
    const uint8_t *availability;
    uint8_t *config;
    size_t config_size;
};

const char *const *host_chips(size_t *count)
{
    CUpti_Profiler_Host_GetSupportedChips_Params chips = {
        .structSize = CUpti_Profiler_Host_GetSupportedChips_Params_STRUCT_SIZE};
    *count = 0;
    if (cuptiProfilerHostGetSupportedChips(&chips) != CUPTI_SUCCESS)
        return NULL;
    *count = chips.numChips;
    return chips.ppChipNames;
}

static CUptiResult open_object(const char *chip, const uint8_t *availability,
                               CUpti_Profiler_Host_Object **object)
{
    CUPTI_PARAMS(init, CUpti_Profiler_Host_Initialize,
                 .profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER, .pChipName = chip,
                 .pCounterAvailabilityImage = availability);
    CUptiResult error = cuptiProfilerHostInitialize(&init);
    *object = init.pHostObject;
    return error;
}

static void close_object(CUpti_Profiler_Host_Object *object)
{
    CUPTI_PARAMS(deinit, CUpti_Profiler_Host_Deinitialize, .pHostObject = object);
    (void)cuptiProfilerHostDeinitialize(&deinit); // nothing could be done about a failure
}

struct host *host_open(const char *chip, const uint8_t *availability, char *why, size_t size)
{
    struct host *host = calloc(1, sizeof *host);
    if (!host) {
        snprintf(why, size, "the host has no memory for CUPTI's description of the chip");
        return NULL;
    }
    host->chip = chip;
    host->availability = availability;
    if (!cupti_ok(open_object(chip, availability, &host->object), "cuptiProfilerHostInitialize",
                  why, size)) {
        free(host);
        return NULL;
    }
    return host;
}

static CUptiResult add_metrics(CUpti_Profiler_Host_Object *object, const char **names, size_t count)
{
    CUPTI_PARAMS(add, CUpti_Profiler_Host_ConfigAddMetrics, .pHostObject = object,
                 .ppMetricNames = names, .numMetrics = count);
    return cuptiProfilerHostConfigAddMetrics(&add);
}

// One bad name spoils the object that it is added to, so each is tried on an object of its own.
bool host_has(struct host *host, const char *name)
{
    CUPTI_PARAMS(properties, CUpti_Profiler_Host_GetMetricProperties, .pHostObject = host->object,
                 .pMetricName = name);
    if (cuptiProfilerHostGetMetricProperties(&properties) != CUPTI_SUCCESS)
        return false;

    CUpti_Profiler_Host_Object *trial;
    if (open_object(host->chip, host->availability, &trial) != CUPTI_SUCCESS)
        return false;
    bool has = add_metrics(trial, &name, 1) == CUPTI_SUCCESS;
    close_object(trial);
    return has;
}

static bool make_config(struct host *host, char *why, size_t size)
{
    CUPTI_PARAMS(ask, CUpti_Profiler_Host_GetConfigImageSize, .pHostObject = host->object);
    if (!CUPTI_CALL(why, size, cuptiProfilerHostGetConfigImageSize, &ask))
        return false;
    host->config_size = ask.configImageSize;
    host->config = calloc(1, host->config_size);
    if (!host->config) {
        snprintf(why, size, "the host has no memory for the counters' configuration");
        return false;
    }
    CUPTI_PARAMS(get, CUpti_Profiler_Host_GetConfigImage, .pHostObject = host->object,
                 .configImageSize = host->config_size, .pConfigImage = host->config);
    return CUPTI_CALL(why, size, cuptiProfilerHostGetConfigImage, &get);
}

bool host_schedule(struct host *host, const char **names, size_t count, size_t *passes, char *why,
                   size_t size)
{
    if (!cupti_ok(add_metrics(host->object, names, count), "cuptiProfilerHostConfigAddMetrics", why,
                  size) ||
        !make_config(host, why, size))
        return false;
    CUPTI_PARAMS(ask, CUpti_Profiler_Host_GetNumOfPasses, .configImageSize = host->config_size,
                 .pConfigImage = host->config);
    if (!CUPTI_CALL(why, size, cuptiProfilerHostGetNumOfPasses, &ask))
        return false;
    *passes = ask.numOfPasses;
    return true;
}

const uint8_t *host_config(const struct host *host, size_t *size)
{
    *size = host->config_size;
    return host->config;
}

bool host_evaluate(struct host *host, const uint8_t *image, size_t image_size, const char **names,
                   size_t count, double *values, char *why, size_t size)
{
    CUPTI_PARAMS(evaluate, CUpti_Profiler_Host_EvaluateToGpuValues, .pHostObject = host->object,
                 .pCounterDataImage = image, .counterDataImageSize = image_size, .rangeIndex = 0,
                 .ppMetricNames = names, .numMetrics = count, .pMetricValues = values);
    return CUPTI_CALL(why, size, cuptiProfilerHostEvaluateToGpuValues, &evaluate);
}

void host_close(struct host *host)
{
    if (!host)
        return;
    close_object(host->object);
    free(host->config);
    free(host);
}
