// The blocks that each SM ran on a real GPU. CUPTI's counters say how many there were on the busiest and
// on the idlest SM, not on each. Instrumented kernels (SASS metrics) count by SM: as every warp executes
// the kernel's first instruction once, its executions on an SM are the warps that ran there.
#include "block_counter.h"

#include "sass.h"

#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const executed[] = {"smsp__sass_inst_executed"};

// Adds up by instance what the kernel's first instruction counted. False when there is none.
static bool add_warps(const struct sass *sass, const char *kernel, uint64_t *warps)
{
    bool found = false;
    for (size_t i = 0; i < sass->record_count; i++) {
        const CUpti_SassMetrics_Data *record = &sass->records[i];
        if (record->pcOffset != 0 || !record->functionName ||
            strcmp(record->functionName, kernel) != 0)
            continue;
        for (size_t k = 0; k < sass->instances; k++)
            warps[k] += record->pInstanceValues[k].value;
        found = true;
    }
    return found;
}

// A chip may have more SMs than this GPU uses: they ran nothing, and are left out.
static size_t drop_unused(uint64_t *warps, size_t instances, size_t sms)
{
    size_t kept = 0, spare = instances > sms ? instances - sms : 0;
    for (size_t k = 0; k < instances; k++) {
        if (warps[k] == 0 && spare > 0)
            spare--;
        else
            warps[kept++] = warps[k];
    }
    return kept;
}

// From warps to blocks, which must be those of the launch.
static bool divide(const uint64_t *warps, size_t sms, const struct launch_record *launched,
                   struct sm_blocks *blocks)
{
    const unsigned *grid = launched->grid, *block = launched->block;
    uint64_t of_block = ((uint64_t)block[0] * block[1] * block[2] + 31) / 32;
    uint64_t expected = (uint64_t)grid[0] * grid[1] * grid[2] * of_block, sum = 0;
    bool whole = true;
    for (size_t sm = 0; sm < sms; sm++) {
        blocks->blocks[sm] = warps[sm] / of_block;
        whole = whole && warps[sm] % of_block == 0;
        sum += warps[sm];
    }
    if (whole && sum == expected)
        return true;
    snprintf(blocks->why, sizeof blocks->why,
             "%" PRIu64 " warps were counted, which are not the launch's %" PRIu64
             " in whole blocks",
             sum, expected);
    return false;
}

static bool count(const struct sass *sass, int sms, const struct launch_record *launched,
                  struct sm_blocks *blocks)
{
    uint64_t warps[2 * MAX_SMS] = {0};
    const char *kernel = NULL;
    cudaError_t error = cudaFuncGetName(&kernel, launched->kernel);
    if (error != cudaSuccess || !kernel) {
        snprintf(blocks->why, sizeof blocks->why, "cudaFuncGetName of the kernel: %s",
                 cudaGetErrorString(error));
        return false;
    }
    if (sass->instances > 2 * MAX_SMS || !add_warps(sass, kernel, warps)) {
        snprintf(blocks->why, sizeof blocks->why,
                 "CUPTI gave no count of the kernel's first instruction (%zu records of %zu SMs)",
                 sass->record_count, sass->instances);
        return false;
    }
    size_t found = drop_unused(warps, sass->instances, (size_t)sms);
    if (found != (size_t)sms || sms > MAX_SMS) {
        snprintf(blocks->why, sizeof blocks->why, "CUPTI counted on %zu SMs, and the device has %d",
                 found, sms);
        return false;
    }
    blocks->sms = sms;
    return divide(warps, found, launched, blocks);
}

void block_counter_measure(int ordinal, int sms, const struct launch_record *launched,
                           profiler_launch *launch, void *context, struct sm_blocks *blocks)
{
    struct sass sass = {
        .count = 1, .names = executed, .granularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_SM};
    *blocks = (struct sm_blocks){.provenance = UNAVAILABLE};
    if (sass_measure(&sass, ordinal, launch, context, blocks->why, sizeof blocks->why) &&
        count(&sass, sms, launched, blocks))
        blocks->provenance = MEASURED;
    sass_free(&sass);
}
