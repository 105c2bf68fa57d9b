// Accesses by source line on a real GPU: CUPTI patches the kernel's machine code so that it counts at every
// instruction (SASS metrics, cupti_sass_metrics.h), and the code's line information says where each came from.
#include "cupti/cubins.h"
#include "cupti/driver.h"
#include "cupti/errors.h"
#include "cupti/instruments.h"

#include <cuda_runtime_api.h>
#include <cupti_sass_metrics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What is counted at each instruction. The operations' counts are of executions with at least one lane
// that its predicate lets work.
enum {
    EXECUTED,
    OP_GLOBAL,
    OP_GLOBAL_LOAD,
    OP_GLOBAL_STORE,
    OP_SHARED,
    OP_SHARED_LOAD,
    OP_SHARED_STORE,
    SECTORS,
    SECTORS_IDEAL,
    WAVEFRONTS,
    WAVEFRONTS_IDEAL,
    METRIC_COUNT
};

static const char *const names[METRIC_COUNT] = {
    [EXECUTED] = "smsp__sass_inst_executed",
    [OP_GLOBAL] = "smsp__sass_inst_executed_op_global",
    [OP_GLOBAL_LOAD] = "smsp__sass_inst_executed_op_global_ld",
    [OP_GLOBAL_STORE] = "smsp__sass_inst_executed_op_global_st",
    [OP_SHARED] = "smsp__sass_inst_executed_op_shared",
    [OP_SHARED_LOAD] = "smsp__sass_inst_executed_op_shared_ld",
    [OP_SHARED_STORE] = "smsp__sass_inst_executed_op_shared_st",
    [SECTORS] = "smsp__sass_sectors_mem_global",
    [SECTORS_IDEAL] = "smsp__sass_sectors_mem_global_ideal",
    [WAVEFRONTS] = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
    [WAVEFRONTS_IDEAL] = "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
};

struct line_counter {
    const struct cubins *cubins;
    CUcontext context;
    uint32_t device;
    uint64_t ids[METRIC_COUNT]; // CUPTI's, of the names

    // After the launch: one metric of one instruction a record, in any order.
    size_t record_count;
    CUpti_SassMetrics_Data *records;
    CUpti_SassMetrics_InstanceValue *values; // a record points to its one, of the whole GPU
};

// One instruction's counts.
struct instruction {
    const CUpti_SassMetrics_Data *record; // any of its records: which instruction it is
    uint64_t counts[METRIC_COUNT];
};

// The metrics' numbers on this chip.
static bool identify(struct line_counter *counter, char *why, size_t size)
{
    const char *chip = driver_chip((int)counter->device, why, size);
    if (!chip)
        return false;
    for (int i = 0; i < METRIC_COUNT; i++) {
        CUPTI_PARAMS(ask, CUpti_SassMetrics_GetProperties, .pChipName = chip,
                     .pMetricName = names[i]);
        if (!cupti_ok(cuptiSassMetricsGetProperties(&ask), names[i], why, size))
            return false;
        counter->ids[i] = ask.metric.metricId;
    }
    return true;
}

static bool configure(const struct line_counter *counter, char *why, size_t size)
{
    CUpti_SassMetrics_Config configs[METRIC_COUNT];
    for (int i = 0; i < METRIC_COUNT; i++)
        configs[i] = (CUpti_SassMetrics_Config){.metricId = counter->ids[i],
                                                .outputGranularity =
                                                    CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU};
    CUPTI_PARAMS(set, CUpti_SassMetricsSetConfig, .numOfMetricConfig = METRIC_COUNT,
                 .pConfigs = configs, .deviceIndex = counter->device);
    return CUPTI_CALL(why, size, cuptiSassMetricsSetConfig, &set);
}

// Fetches what was counted, which must be done before the metrics are disabled.
static bool flush(struct line_counter *counter, char *why, size_t size)
{
    CUPTI_PARAMS(ask, CUpti_SassMetricsGetDataProperties, .ctx = counter->context);
    if (!CUPTI_CALL(why, size, cuptiSassMetricsGetDataProperties, &ask))
        return false;
    size_t count = ask.numOfPatchedInstructionRecords, instances = ask.numOfInstances;
    if (count == 0)
        return true; // no kernel ran; to flush nothing would be an error
    counter->records = calloc(count + 1, sizeof *counter->records);
    counter->values = calloc(count * instances + 1, sizeof *counter->values);
    if (!counter->records || !counter->values) {
        snprintf(why, size, "the host has no memory for the counts of %zu instructions", count);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        counter->records[i] =
            (CUpti_SassMetrics_Data){.structSize = sizeof *counter->records,
                                     .pInstanceValues = &counter->values[i * instances]};
    CUPTI_PARAMS(flush, CUpti_SassMetricsFlushData, .ctx = counter->context,
                 .numOfPatchedInstructionRecords = count, .numOfInstances = instances,
                 .pMetricsData = counter->records);
    counter->record_count = count;
    return CUPTI_CALL(why, size, cuptiSassMetricsFlushData, &flush);
}

static bool disable(const struct line_counter *counter, char *why, size_t size)
{
    CUPTI_PARAMS(disable, CUpti_SassMetricsDisable, .ctx = counter->context);
    if (!CUPTI_CALL(why, size, cuptiSassMetricsDisable, &disable))
        return false;
    if (disable.numOfDroppedRecords == 0)
        return true;
    snprintf(why, size, "CUPTI dropped %zu of the instructions' counts",
             disable.numOfDroppedRecords);
    return false;
}

// The configuration stays: a process cannot set another after it was taken back (CUPTI 13.0 says that
// memory ran out).
static bool count(struct line_counter *counter, watched_launch *launch, void *context, char *why,
                  size_t size)
{
    CUPTI_PARAMS(enable, CUpti_SassMetricsEnable, .ctx = counter->context, .enableLazyPatching = 1);
    if (!configure(counter, why, size) || !CUPTI_CALL(why, size, cuptiSassMetricsEnable, &enable))
        return false;
    launch(context);
    cudaError_t error = cudaDeviceSynchronize();
    bool good = error == cudaSuccess && flush(counter, why, size);
    if (error != cudaSuccess)
        snprintf(why, size, "the kernel failed: %s", cudaGetErrorString(error));
    return good && disable(counter, why, size);
}

static int compare(const void *a, const void *b)
{
    const CUpti_SassMetrics_Data *x = a, *y = b;
    if (x->cubinCrc != y->cubinCrc)
        return x->cubinCrc < y->cubinCrc ? -1 : 1;
    if (x->functionIndex != y->functionIndex)
        return x->functionIndex < y->functionIndex ? -1 : 1;
    return (x->pcOffset > y->pcOffset) - (x->pcOffset < y->pcOffset);
}

// Adds what one instruction did in one space. Where no operation was counted, it is one that CUPTI
// does not count as such (LDGSTS), and its executions are all there are.
static void add_space(struct source_lines *lines, const char *file, unsigned line,
                      const uint64_t counts[METRIC_COUNT], bool global)
{
    uint64_t operations = counts[global ? OP_GLOBAL : OP_SHARED];
    struct line_access access = {.line = line,
                                 .passes = counts[global ? SECTORS : WAVEFRONTS],
                                 .ideal = counts[global ? SECTORS_IDEAL : WAVEFRONTS_IDEAL],
                                 .executions = operations ? operations : counts[EXECUTED]};
    if (operations == 0 && access.passes == 0)
        return;
    if (counts[global ? OP_GLOBAL_LOAD : OP_SHARED_LOAD])
        access.kind = global ? GLOBAL_LOAD : SHARED_LOAD;
    else if (counts[global ? OP_GLOBAL_STORE : OP_SHARED_STORE])
        access.kind = global ? GLOBAL_STORE : SHARED_STORE;
    else
        access.kind = global ? GLOBAL_OTHER : SHARED_OTHER;
    source_lines_add(lines, file, access);
}

static bool add_instruction(const struct line_counter *counter,
                            const struct instruction *instruction, struct source_lines *lines,
                            char *why, size_t size)
{
    const uint64_t *counts = instruction->counts;
    const CUpti_SassMetrics_Data *record = instruction->record;
    char file[LINE_FILE_SIZE];
    unsigned line;
    if (!(counts[OP_GLOBAL] | counts[OP_SHARED] | counts[SECTORS] | counts[WAVEFRONTS]))
        return true;
    if (!cubins_locate(counter->cubins, record->cubinCrc, record->functionName, record->pcOffset,
                       file, sizeof file, &line, why, size))
        return false;
    add_space(lines, file, line, counts, true);
    add_space(lines, file, line, counts, false);
    return true;
}

// The records come one metric at a time: brings each instruction's together.
static bool add_records(const struct line_counter *counter, struct source_lines *lines, char *why,
                        size_t size)
{
    const CUpti_SassMetrics_Data *records = counter->records;
    if (counter->record_count > 0)
        qsort(counter->records, counter->record_count, sizeof *records, compare);
    for (size_t i = 0; i < counter->record_count;) {
        struct instruction instruction = {.record = &records[i]};
        do {
            for (int m = 0; m < METRIC_COUNT; m++)
                if (records[i].pInstanceValues->metricId == counter->ids[m])
                    instruction.counts[m] += records[i].pInstanceValues->value;
            i++;
        } while (i < counter->record_count && compare(instruction.record, &records[i]) == 0);
        if (!add_instruction(counter, &instruction, lines, why, size))
            return false;
    }
    source_lines_sort(lines);
    return true;
}

static bool measure(void *opened, int ordinal, watched_launch *launch, void *context, void *seen,
                    char *why, size_t why_size)
{
    struct line_counter counter = {.cubins = opened, .device = (uint32_t)ordinal};
    bool good = driver_context(&counter.context, why, why_size) &&
                identify(&counter, why, why_size) &&
                count(&counter, launch, context, why, why_size) &&
                add_records(&counter, seen, why, why_size);
    free(counter.records);
    free(counter.values);
    return good;
}

const struct line_instrument cupti_lines = {
    .open = cubins_open, .measure = measure, .close = cubins_close};
