#include "advice/findings.h"

#include "facts/matrix_size.h"

#include <math.h>

// Of a GPU whose compute capability is not known: no SM since 2.0 has held more (compute_capability.c).
enum { MOST_WARPS = 64 };

double found(const struct findings *findings, enum metric metric)
{
    const struct value *value = &findings->values[metric];
    return value_known(value) ? value->number : -1;
}

static void find_traffic(struct findings *findings)
{
    static const enum metric needed[] = {
        GLOBAL_LOAD_REQUESTS,  GLOBAL_LOAD_SECTORS,  GLOBAL_LOAD_DATA_BYTES,
        GLOBAL_STORE_REQUESTS, GLOBAL_STORE_SECTORS, GLOBAL_STORE_DATA_BYTES,
        GLOBAL_TAGS,           SHARED_REQUESTS,      SHARED_WAVEFRONTS,
        SHARED_DATA_BYTES};
    const struct value *c = findings->values;
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
static void find_launch(struct findings *findings, const struct step_result *step)
{
    const unsigned *grid = step->grid, *block = step->block;
    findings->blocks = (double)grid[0] * grid[1] * grid[2];
    findings->block_threads = (double)block[0] * block[1] * block[2];
    findings->threads = findings->blocks * findings->block_threads;
    findings->launched = findings->threads > 0; // a grid that cannot be has none
    if (findings->launched)
        findings->elements_per_thread =
            findings->elements / findings->threads / fmax(step->launches, 1);
}

// Where no copy was timed, DRAM's peak, as the step's own metrics have it.
static double peak_gbs(const struct findings *findings)
{
    double used = found(findings, DRAM_THROUGHPUT_GBS), share = found(findings, DRAM_UTILIZATION);
    return used > 0 && share > 0 ? 100 * used / share : 0;
}

static void find_roof(struct findings *findings, const struct run *run)
{
    bool timed = value_known(&run->copy_gbs);
    double gbs = timed ? run->copy_gbs.number : peak_gbs(findings);
    findings->roof_is_copys = timed;
    if (gbs > 0 && (timed || !findings->fits_in_l2))
        findings->roof_ms = value_of(findings->useful_bytes / gbs * 1e-6,
                                     run->device.simulated ? MODELLED : MEASURED);
    else
        findings->roof_ms = value_unavailable("the device's own copy was not timed");
}

struct findings findings_of(const struct run *run, const struct step_result *step)
{
    const struct device *device = &run->device;
    struct value share = share_of_copy(run, step);
    unsigned warps = device->sm.warps > 0 ? device->sm.warps : MOST_WARPS;
    struct findings findings = {
        .n = step->n,
        .elements = (double)step->n * (double)step->n,
        .useful_bytes = useful_bytes(step),
        .sms = device->sms,
        .capacity = (double)device->sms * warps * WARP_SIZE,
        .fits_in_l2 = matrix_size_fits_in_l2(device, step->n),
        .registers = (int)step->values[REGISTERS].number,
        .shared_bytes = (size_t)step->values[SHARED_BYTES].number,
        .limit = step->occupancy_limit,
        .time_ms = known_time(&step->values[TIME_MS]),
        .share_of_copy = share.number > 0 ? share.number : -1,
        .values = step->values,
        .limits = step->limits,
    };
    find_launch(&findings, step);
    find_traffic(&findings);
    find_roof(&findings, run);
    return findings;
}
