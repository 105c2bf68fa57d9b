// What warps wait for on a real GPU: CUPTI's PC sampling. Every so many cycles, each scheduler notes where
// one of its warps is and why it does not issue; the code's line information says where that is.
#include "cupti/cubins.h"
#include "cupti/driver.h"
#include "cupti/errors.h"
#include "cupti/instruments.h"

#include <cuda_runtime_api.h>
#include <cupti_pcsampling.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// Samples are taken every 2^PERIOD cycles of an SM, the kernel is launched until there are ENOUGH of them,
// or for PATIENCE seconds. With 20000 samples, a share of 1 % is known to within 0.1.
enum { PERIOD = 10, ENOUGH = 20000, MAX_REASONS = 128, MAX_PCS = 4096 };
static const double patience = 2;

// What CUPTI writes records into.
struct buffer {
    CUpti_PCSamplingData data;
    CUpti_PCSamplingPCData pcs[MAX_PCS];
    CUpti_PCSamplingStallReason reasons[MAX_PCS][MAX_REASONS];
};

struct stall_sampler {
    const struct cubins *cubins;
    CUcontext context;
    size_t reason_count;
    uint32_t indices[MAX_REASONS];          // CUPTI's numbers
    enum stall_reason reasons[MAX_REASONS]; // and what they stand for
    struct buffer fetched;                  // what a call hands over
    struct buffer left;                     // what was left when sampling ended
    uint64_t taken;                         // samples so far, with those that are lost
};

static bool learn_reasons(struct stall_sampler *sampler, char *why, size_t size)
{
    char names[MAX_REASONS][CUPTI_STALL_REASON_STRING_SIZE], *places[MAX_REASONS];
    CUpti_PCSamplingGetNumStallReasonsParams count = {
        .size = CUpti_PCSamplingGetNumStallReasonsParamsSize,
        .ctx = sampler->context,
        .numStallReasons = &sampler->reason_count};
    if (!CUPTI_CALL(why, size, cuptiPCSamplingGetNumStallReasons, &count))
        return false;
    if (sampler->reason_count > MAX_REASONS) {
        snprintf(why, size, "this GPU has %zu stall reasons, and there is room for %d",
                 sampler->reason_count, MAX_REASONS);
        return false;
    }
    for (int i = 0; i < MAX_REASONS; i++)
        places[i] = names[i];
    CUpti_PCSamplingGetStallReasonsParams ask = {.size = CUpti_PCSamplingGetStallReasonsParamsSize,
                                                 .ctx = sampler->context,
                                                 .numStallReasons = sampler->reason_count,
                                                 .stallReasonIndex = sampler->indices,
                                                 .stallReasons = places};
    if (!CUPTI_CALL(why, size, cuptiPCSamplingGetStallReasons, &ask))
        return false;
    for (size_t i = 0; i < sampler->reason_count; i++)
        sampler->reasons[i] = stall_reason_of(names[i]);
    return true;
}

static void make_ready(struct buffer *buffer)
{
    buffer->data = (CUpti_PCSamplingData){
        .size = sizeof buffer->data, .collectNumPcs = MAX_PCS, .pPcData = buffer->pcs};
    for (int i = 0; i < MAX_PCS; i++)
        buffer->pcs[i] = (CUpti_PCSamplingPCData){.size = sizeof *buffer->pcs,
                                                  .stallReason = buffer->reasons[i]};
}

static bool configure(struct stall_sampler *sampler, char *why, size_t size)
{
    CUpti_PCSamplingConfigurationInfo settings[] = {
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD,
         .attributeData.samplingPeriodData.samplingPeriod = PERIOD},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON,
         .attributeData.stallReasonData = {.stallReasonCount = sampler->reason_count,
                                           .pStallReasonIndex = sampler->indices}},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE,
         .attributeData.collectionModeData.collectionMode =
             CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL,
         .attributeData.enableStartStopControlData.enableStartStopControl = 1},
        {.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER,
         .attributeData.samplingDataBufferData.samplingDataBuffer = &sampler->left.data},
    };
    CUpti_PCSamplingConfigurationInfoParams set = {
        .size = CUpti_PCSamplingConfigurationInfoParamsSize,
        .ctx = sampler->context,
        .numAttributes = sizeof settings / sizeof *settings,
        .pPCSamplingConfigurationInfo = settings};
    make_ready(&sampler->left);
    return CUPTI_CALL(why, size, cuptiPCSamplingSetConfigurationAttribute, &set);
}

static enum stall_reason reason_of(const struct stall_sampler *sampler, uint32_t index)
{
    for (size_t i = 0; i < sampler->reason_count; i++)
        if (sampler->indices[i] == index)
            return sampler->reasons[i];
    return STALL_REASONS;
}

// What `count` samples of an instruction, which is on that line, waited for.
static bool add_cause(const struct stall_sampler *sampler, const CUpti_PCSamplingPCData *pc,
                      enum stall_reason reason, uint32_t count, const char *file, unsigned line,
                      struct stall_samples *samples, char *why, size_t size)
{
    uint32_t crc = (uint32_t)pc->cubinCrc, cause;
    char cause_file[LINE_FILE_SIZE];
    unsigned cause_line;
    if (!cubins_cause(sampler->cubins, crc, pc->functionName, (uint32_t)pc->pcOffset, reason,
                      &cause))
        return true;
    if (!cubins_locate(sampler->cubins, crc, pc->functionName, cause, cause_file, sizeof cause_file,
                       &cause_line, why, size))
        return false;
    stall_samples_add_cause(samples, file, line, reason, cause_file, cause_line, count);
    return true;
}

// The functions' names are CUPTI's to give and ours to free, but records may share them: they stay until
// the process ends, which is soon.
static bool add(struct stall_sampler *sampler, const struct buffer *buffer,
                struct stall_samples *samples, char *why, size_t size)
{
    sampler->taken += buffer->data.totalSamples;
    samples->dropped += buffer->data.droppedSamples;
    for (size_t i = 0; i < buffer->data.totalNumPcs; i++) {
        const CUpti_PCSamplingPCData *pc = &buffer->pcs[i];
        char file[LINE_FILE_SIZE];
        unsigned line;
        if (!cubins_locate(sampler->cubins, (uint32_t)pc->cubinCrc, pc->functionName,
                           (uint32_t)pc->pcOffset, file, sizeof file, &line, why, size))
            return false;
        for (size_t k = 0; k < pc->stallReasonCount; k++) {
            uint32_t count = pc->stallReason[k].samples;
            enum stall_reason reason =
                reason_of(sampler, pc->stallReason[k].pcSamplingStallReasonIndex);
            if (reason == STALL_REASONS || count == 0)
                continue;
            stall_samples_add(samples, file, line, reason, count);
            if (!add_cause(sampler, pc, reason, count, file, line, samples, why, size))
                return false;
        }
    }
    return true;
}

// Fetches what was sampled since the last time.
static bool fetch(struct stall_sampler *sampler, struct stall_samples *samples, char *why,
                  size_t size)
{
    do {
        make_ready(&sampler->fetched);
        CUpti_PCSamplingGetDataParams ask = {.size = CUpti_PCSamplingGetDataParamsSize,
                                             .ctx = sampler->context,
                                             .pcSamplingData = &sampler->fetched.data};
        if (!CUPTI_CALL(why, size, cuptiPCSamplingGetData, &ask) ||
            !add(sampler, &sampler->fetched, samples, why, size))
            return false;
    } while (sampler->fetched.data.remainingNumPcs > 0 && sampler->fetched.data.totalNumPcs > 0);
    return true;
}

// Samples so many launches.
static bool sample(struct stall_sampler *sampler, int launches, watched_launch *launch,
                   void *context, struct stall_samples *samples, char *why, size_t size)
{
    CUpti_PCSamplingStartParams start = {.size = CUpti_PCSamplingStartParamsSize,
                                         .ctx = sampler->context};
    CUpti_PCSamplingStopParams stop = {.size = CUpti_PCSamplingStopParamsSize,
                                       .ctx = sampler->context};
    if (!CUPTI_CALL(why, size, cuptiPCSamplingStart, &start))
        return false;
    for (int i = 0; i < launches; i++)
        launch(context);
    cudaError_t error = cudaDeviceSynchronize();
    samples->launches += launches;
    if (error != cudaSuccess) {
        snprintf(why, size, "the kernel failed: %s", cudaGetErrorString(error));
        return false;
    }
    return CUPTI_CALL(why, size, cuptiPCSamplingStop, &stop) && fetch(sampler, samples, why, size);
}

static double now(void)
{
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Twice as many launches each time, until the samples are enough.
static bool sample_enough(struct stall_sampler *sampler, watched_launch *launch, void *context,
                          struct stall_samples *samples, char *why, size_t size)
{
    double end = now() + patience;
    for (int launches = 1; sampler->taken < ENOUGH && now() < end; launches *= 2)
        if (!sample(sampler, launches, launch, context, samples, why, size))
            return false;
    return true;
}

// The sampler is large, and stays where it is: sampling that failed may go on, and write to it.
static bool measure(void *opened, int ordinal, watched_launch *launch, void *context, void *seen,
                    char *why, size_t why_size)
{
    static struct stall_sampler sampler;
    struct stall_samples *samples = seen;
    (void)ordinal; // the context says which device it is
    sampler.cubins = opened;
    if (!driver_context(&sampler.context, why, why_size))
        return false;
    CUpti_PCSamplingEnableParams enable = {.size = CUpti_PCSamplingEnableParamsSize,
                                           .ctx = sampler.context};
    CUpti_PCSamplingDisableParams disable = {.size = CUpti_PCSamplingDisableParamsSize,
                                             .ctx = sampler.context};
    samples->period = UINT64_C(1) << PERIOD;
    bool good = CUPTI_CALL(why, why_size, cuptiPCSamplingEnable, &enable) &&
                learn_reasons(&sampler, why, why_size) && configure(&sampler, why, why_size) &&
                sample_enough(&sampler, launch, context, samples, why, why_size) &&
                CUPTI_CALL(why, why_size, cuptiPCSamplingDisable, &disable) &&
                add(&sampler, &sampler.left, samples, why, why_size);
    stall_samples_sort(samples);
    return good;
}

const struct line_instrument cupti_stalls = {
    .open = cubins_open, .measure = measure, .close = cubins_close};
