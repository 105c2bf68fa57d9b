#include "advice/findings.h"

#include "base/compute_capability.h"

#include <math.h>

// Of a GPU whose compute capability is not known: no SM since 2.0 has held more (compute_capability.c).
enum { MOST_WARPS = 64 };

double found(const struct findings *findings, enum metric metric)
{
    const struct value *value = &findings->metrics[metric];
    return value_known(value) ? value->number : -1;
}

double share_of_copy(const struct findings *findings)
{
    if (!value_known(&findings->time_ms) || !value_known(&findings->roof_ms) ||
        !findings->roof_is_copys)
        return -1;
    return 100 * findings->roof_ms.number / findings->time_ms.number;
}

static void find_traffic(struct findings *findings)
{
    static const enum count needed[] = {
        GLOBAL_LOAD_REQUESTS,  GLOBAL_LOAD_SECTORS,  GLOBAL_LOAD_DATA_BYTES,
        GLOBAL_STORE_REQUESTS, GLOBAL_STORE_SECTORS, GLOBAL_STORE_DATA_BYTES,
        GLOBAL_TAGS,           SHARED_REQUESTS,      SHARED_WAVEFRONTS,
        SHARED_DATA_BYTES};
    const struct value *c = findings->counts;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (!value_known(&c[needed[i]]))
            return;
    double loads = c[GLOBAL_LOAD_REQUESTS].number, stores = c[GLOBAL_STORE_REQUESTS].number;
    double loaded = c[GLOBAL_LOAD_DATA_BYTES].number, stored = c[GLOBAL_STORE_DATA_BYTES].number;
    bool asked_for = (loads > 0 || c[GLOBAL_LOAD_SECTORS].number == 0) &&
                     (stores > 0 || c[GLOBAL_STORE_SECTORS].number == 0) &&
                     (c[SHARED_REQUESTS].number > 0 || c[SHARED_WAVEFRONTS].number == 0);
    if (!asked_for) // by no request: such a file is not the kit's
        return;
    findings->traffic = (struct traffic){
        .known = true,
        .tags = c[GLOBAL_TAGS].number,
        .least_tags = least_passes(loads + stores, loaded + stored),
        .wavefronts = c[SHARED_WAVEFRONTS].number,
        .least_wavefronts = least_passes(c[SHARED_REQUESTS].number, c[SHARED_DATA_BYTES].number),
        .sectors = {c[GLOBAL_LOAD_SECTORS].number, c[GLOBAL_STORE_SECTORS].number},
        .least_sectors = {fmax(loads, loaded / 32), fmax(stores, stored / 32)},
        .requests = {loads, stores},
    };
}

static struct value known_time(const struct value *time_ms)
{
    return value_known(time_ms) && time_ms->number <= 0 ? value_unavailable("it took no time")
                                                        : *time_ms;
}

// Of several launches, the others are taken to be as large.
static void find_launch(struct findings *findings, const unsigned grid[3], const unsigned block[3],
                        double launches)
{
    findings->blocks = (double)grid[0] * grid[1] * grid[2];
    findings->block_threads = (double)block[0] * block[1] * block[2];
    findings->threads = findings->blocks * findings->block_threads;
    findings->launched = findings->threads > 0; // a grid that cannot be has none
    if (findings->launched)
        findings->elements_per_thread = findings->elements / findings->threads / fmax(launches, 1);
}

// Where no copy was timed, DRAM's peak, as the step's own metrics have it.
static double peak_gbs(const struct findings *findings)
{
    double used = found(findings, DRAM_THROUGHPUT_GBS), share = found(findings, DRAM_UTILIZATION);
    return used > 0 && share > 0 ? 100 * used / share : 0;
}

static void find_roof(struct findings *findings, double copy_gbs, bool simulated)
{
    double gbs = copy_gbs > 0 ? copy_gbs : peak_gbs(findings);
    findings->roof_is_copys = copy_gbs > 0;
    if (gbs > 0 && (copy_gbs > 0 || !findings->fits_in_l2))
        findings->roof_ms =
            value_of(2 * 4 * findings->elements / gbs * 1e-6, simulated ? MODELLED : MEASURED);
    else
        findings->roof_ms = value_unavailable("the device's own copy was not timed");
}

struct findings findings_of_result(const struct run_data *run, const struct result *result)
{
    const struct device *device = &run->device;
    struct findings findings = {
        .n = result->n,
        .elements = (double)result->n * (double)result->n,
        .sms = device->sms,
        .capacity = (double)device->sms * device->sm.warps * WARP_SIZE,
        .fits_in_l2 = device_fits_in_l2(device, result->n),
        .registers = result->registers,
        .shared_bytes = result->shared_bytes,
        .limit = result->occupancy.limit,
        .time_ms = known_time(&result->time_ms),
        .metrics = result->profile.metrics,
        .counts = result->profile.counts,
        .limits = result->profile.limits,
    };
    find_launch(&findings, result->launch.grid, result->launch.block, result->launch.count);
    find_traffic(&findings);
    find_roof(&findings, bandwidth_gbs(run->n, run->copy.median_ms), device->simulated);
    return findings;
}

struct findings findings_of_record(const struct record *record, const struct record_step *step)
{
    const struct value *values = step->values;
    const struct compute_capability *cc =
        record->cc_major > 0 ? compute_capability_nearest(record->cc_major, record->cc_minor)
                             : NULL;
    double elements = (double)step->n * (double)step->n;
    struct findings findings = {
        .n = step->n,
        .elements = elements,
        .sms = record->sms,
        .capacity = (double)record->sms * (cc ? cc->sm.warps : MOST_WARPS) * WARP_SIZE,
        .fits_in_l2 = 2 * 4 * elements <= record->l2_bytes,
        .registers = (int)values[REGISTERS].number,
        .shared_bytes = (size_t)values[SHARED_BYTES].number,
        .time_ms = known_time(&values[TIME_MS]),
        .metrics = &values[FIRST_METRIC],
        .counts = &values[FIRST_COUNT],
        .limits = step->limits,
    };
    find_launch(&findings, step->grid, step->block, step->launches);
    if (cc && findings.launched && findings.registers > 0)
        findings.limit = occupancy_of(&cc->sm, (unsigned)findings.block_threads,
                                      (unsigned)findings.registers, findings.shared_bytes)
                             .limit;
    find_traffic(&findings);
    find_roof(&findings, record->copy_gbs, record->simulated);
    return findings;
}
