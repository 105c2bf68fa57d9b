#include "recorded.h"

#include "base/compute_capability.h"

#include <stdio.h>
#include <string.h>

static void fill_device(const struct record *record, const struct sm_limits *sm,
                        struct device *device)
{
    *device = (struct device){.simulated = record->simulated,
                              .cc_major = record->cc_major,
                              .cc_minor = record->cc_minor,
                              .sms = record->sms,
                              .dram_peak_gbs = record->dram_peak_gbs,
                              .l2_bytes = record->l2_bytes,
                              .sm = *sm};
    memcpy(device->name, record->device, sizeof device->name);
}

static void fill_result(const struct record_step *step, const struct sm_limits *sm,
                        struct result *result)
{
    unsigned threads = step->block[0] * step->block[1] * step->block[2];
    *result = (struct result){.step = (int)step->number,
                              .n = step->n,
                              .outcome = VERIFIED,
                              .launch.count = 1,
                              .registers = (int)step->values[REGISTERS].number,
                              .shared_bytes = (size_t)step->values[SHARED_BYTES].number,
                              .time_ms = step->values[TIME_MS],
                              .bandwidth_gbs = step->values[BANDWIDTH_GBS]};
    memcpy(result->launch.grid, step->grid, sizeof step->grid);
    memcpy(result->launch.block, step->block, sizeof step->block);
    memcpy(result->profile.metrics, &step->values[FIRST_METRIC], sizeof result->profile.metrics);
    memcpy(result->profile.counts, &step->values[FIRST_COUNT], sizeof result->profile.counts);
    result->profile.limits = step->limits;
    result->timing.median_ms = step->values[TIME_MS].number;
    result->occupancy =
        occupancy_of(sm, threads, (unsigned)result->registers, result->shared_bytes);
}

bool recorded_run(const struct record *record, struct run_data *run, char why[RECORD_WHY_SIZE])
{
    const struct compute_capability *cc =
        compute_capability_find(record->cc_major, record->cc_minor);
    if (!cc || record->sms == 0 || record->copy_gbs == 0) {
        snprintf(why, RECORD_WHY_SIZE, "the run %.60s does not say what its device has",
                 record->label);
        return false;
    }
    *run = (struct run_data){.readiness = BASELINES_READY, .n = record->n, .count = record->count};
    fill_device(record, &cc->sm, &run->device);
    run->cpu.median_ms = record->cpu_ms;
    run->copy.median_ms = bandwidth_gbs(record->n, 1) / record->copy_gbs;
    for (int i = 0; i < record->count; i++) {
        const struct record_step *step = &record->steps[i];
        if (!step->launched || step->rightness != RIGHT || !step_find((int)step->number)) {
            snprintf(why, RECORD_WHY_SIZE,
                     "step %g of %.60s is not in this program, or not known to be right",
                     step->number, record->label);
            return false;
        }
        fill_result(step, &cc->sm, &run->results[i]);
    }
    return true;
}

void put_origin(FILE *out, const struct record *record, size_t n, const char *to_root)
{
    fprintf(out, "%s %s, n = %zu", record->simulated ? "Modelled:" : "Measured:", record->device,
            n);
    if (*record->source)
        fprintf(out, ", by %s", record->kit);
    fprintf(out, " ([`docs/runs/%s.json`](%sdocs/runs/%s.json)).", record->label, to_root,
            record->label);
}
