#include "facts/memory_ways.h"

#include <stdio.h>
#include <string.h>

enum { SECTOR_BYTES = 32 };

const struct memory_unit_row memory_units[MEMORY_UNITS] = {
    [UNIT_KERNEL] = {"kernel", "Kernel", METRICS, METRICS},
    [UNIT_L1] = {"l1", "L1 and shared memory", L1_HIT_RATE, L1_UTILIZATION},
    [UNIT_L2] = {"l2", "L2", L2_HIT_RATE, L2_UTILIZATION},
    [UNIT_DRAM] = {"dram", "DRAM", METRICS, DRAM_UTILIZATION},
};

const struct memory_way_row memory_ways[MEMORY_WAYS] = {
    [WAY_LOADS] = {"loads", "global loads", UNIT_L1, UP, false, GLOBAL_LOAD_REQUESTS,
                   GLOBAL_LOAD_SECTORS, METRICS, "sectors", SECTOR_BYTES},
    [WAY_STORES] = {"stores", "global stores", UNIT_L1, DOWN, false, GLOBAL_STORE_REQUESTS,
                    GLOBAL_STORE_SECTORS, METRICS, "sectors", SECTOR_BYTES},
    [WAY_LOCAL] = {"local", "local memory", UNIT_L1, BOTH, true, METRICS, LOCAL_SECTORS, METRICS,
                   "sectors", SECTOR_BYTES},
    [WAY_SHARED] = {"shared", "shared memory", UNIT_L1, BOTH, false, SHARED_REQUESTS,
                    SHARED_WAVEFRONTS, SHARED_DATA_BYTES, "wavefronts", 0},
    [WAY_L2_READS] = {"l2_reads", "reads", UNIT_L2, UP, false, L2_READ_REQUESTS, L2_READ_SECTORS,
                      METRICS, "sectors", SECTOR_BYTES},
    [WAY_L2_WRITES] = {"l2_writes", "writes", UNIT_L2, DOWN, false, L2_WRITE_REQUESTS,
                       L2_WRITE_SECTORS, METRICS, "sectors", SECTOR_BYTES},
    [WAY_DRAM_READS] = {"dram_reads", "reads", UNIT_DRAM, UP, false, METRICS, METRICS,
                        DRAM_READ_BYTES, "", 0},
    [WAY_DRAM_WRITES] = {"dram_writes", "writes", UNIT_DRAM, DOWN, false, METRICS, METRICS,
                         DRAM_WRITE_BYTES, "", 0},
};

bool memory_has_way(const struct step_result *step, enum memory_way way)
{
    return !memory_ways[way].if_used || step->values[memory_ways[way].pieces].number > 0;
}

struct value memory_value(const struct step_result *step, enum metric metric)
{
    return metric < METRICS ? step->values[metric] : (struct value){0};
}

struct value memory_bytes(const struct step_result *step, enum memory_way way)
{
    const struct memory_way_row *row = &memory_ways[way];
    if (row->piece_bytes == 0)
        return step->values[row->bytes];
    struct value bytes = step->values[row->pieces];
    bytes.number *= row->piece_bytes;
    return bytes;
}

struct value memory_gbs(const struct step_result *step, enum memory_unit unit)
{
    const struct value *time = &step->values[TIME_MS];
    if (!value_known(time) || time->number <= 0)
        return value_known(time) ? value_unavailable("it took no time") : *time;
    struct value all = value_of(0, time->provenance);
    for (enum memory_way i = 0; i < MEMORY_WAYS; i++) {
        if (memory_ways[i].lower != unit || memory_ways[i].direction == BOTH)
            continue;
        struct value bytes = memory_bytes(step, i);
        if (!value_known(&bytes))
            return bytes;
        all.number += bytes.number / (time->number * 1e6);
        all.provenance = weaker(all.provenance, bytes.provenance);
    }
    return all;
}

// The figures that are not known, in the chart's order.
static int list_unknown(const struct step_result *step, enum metric unknown[])
{
    enum metric figures[3 * MEMORY_WAYS + 2 * MEMORY_UNITS];
    int count = 0, unknown_count = 0;
    for (enum memory_unit unit = 0; unit < MEMORY_UNITS; unit++) {
        for (enum memory_way i = 0; i < MEMORY_WAYS; i++)
            if (memory_ways[i].lower == unit && memory_has_way(step, i)) {
                figures[count++] = memory_ways[i].requests;
                figures[count++] = memory_ways[i].pieces;
                figures[count++] = memory_ways[i].bytes;
            }
        figures[count++] = memory_units[unit].hit_rate;
        figures[count++] = memory_units[unit].utilization;
    }
    for (int i = 0; i < count; i++)
        if (figures[i] < METRICS && !value_known(&step->values[figures[i]]))
            unknown[unknown_count++] = figures[i];
    return unknown_count;
}

void memory_reasons(const struct step_result *step, memory_teller *tell, void *context)
{
    enum metric unknown[3 * MEMORY_WAYS + 2 * MEMORY_UNITS];
    int count = list_unknown(step, unknown);
    for (int i = 0; i < count; i++) {
        const char *why = step->values[unknown[i]].why;
        int before = 0, behind = 0;
        for (int k = 0; k < count; k++) {
            bool same = k != i && strcmp(step->values[unknown[k]].why, why) == 0;
            before += same && k < i;
            behind += same && k > i;
        }
        char what[64], more[24] = "";
        if (behind > 0)
            snprintf(more, sizeof more, " and %d more", behind);
        snprintf(what, sizeof what, "%s%s", metric_table[unknown[i]].key, more);
        if (before == 0)
            tell(context, what, why);
    }
}
