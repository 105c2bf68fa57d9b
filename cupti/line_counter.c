// Accesses by source line on a real GPU: CUPTI instruments the kernel's machine code (SASS metrics),
// counts at every instruction, and the code's line information says where each came from.
#include "cupti/cubins.h"
#include "cupti/instruments.h"
#include "cupti/sass.h"

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
    struct cubins *cubins;
    struct sass sass; // after the launch: one metric of one instruction a record
};

_Static_assert((int)METRIC_COUNT <= (int)MAX_SASS_METRICS, "sass.h has no place for the metrics");

// One instruction's counts.
struct instruction {
    const CUpti_SassMetrics_Data *record; // any of its records: which instruction it is
    uint64_t counts[METRIC_COUNT];
};

static void *open_counter(char *why, size_t why_size)
{
    struct line_counter *counter = calloc(1, sizeof *counter);
    if (!counter) {
        snprintf(why, why_size, "the host has no memory for the counts");
        return NULL;
    }
    counter->cubins = cubins_open(why, why_size);
    if (!counter->cubins) {
        free(counter);
        return NULL;
    }
    return counter;
}

static void close_counter(void *opened)
{
    struct line_counter *counter = opened;
    if (!counter)
        return;
    cubins_close(counter->cubins);
    sass_free(&counter->sass);
    free(counter);
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
static bool add_records(struct line_counter *counter, struct source_lines *lines, char *why,
                        size_t size)
{
    const struct sass *sass = &counter->sass;
    const CUpti_SassMetrics_Data *records = sass->records;
    if (sass->record_count > 0)
        qsort(sass->records, sass->record_count, sizeof *records, compare);
    for (size_t i = 0; i < sass->record_count;) {
        struct instruction instruction = {.record = &records[i]};
        do {
            for (int m = 0; m < METRIC_COUNT; m++)
                if (records[i].pInstanceValues->metricId == sass->ids[m])
                    instruction.counts[m] += records[i].pInstanceValues->value;
            i++;
        } while (i < sass->record_count && compare(instruction.record, &records[i]) == 0);
        if (!add_instruction(counter, &instruction, lines, why, size))
            return false;
    }
    source_lines_sort(lines);
    return true;
}

static bool measure(void *opened, int ordinal, watched_launch *launch, void *context, void *seen,
                    char *why, size_t why_size)
{
    struct line_counter *counter = opened;
    counter->sass = (struct sass){.count = METRIC_COUNT, .names = names};
    return sass_measure(&counter->sass, ordinal, launch, context, why, why_size) &&
           add_records(counter, seen, why, why_size);
}

const struct line_instrument cupti_lines = {
    .open = open_counter, .measure = measure, .close = close_counter};
