#include "sim/time/arrivals.h"

#include <math.h>
#include <stdlib.h>

#include "sim/exec/trace.h"
#include "sim/ptx/module.h"
#include "sim/time/reorder.h"

static int is_global(const struct trace_item *item)
{
    return item->lines && !item->in->is_atomic && item->in->space != LOCAL;
}

// The share of the parts that warps store side by side which do not join, of so many requests of each of them.
static double left_apart(double stores, double warps, int have_met)
{
    const double MOST = 0.85, OF_BLOCK = 180, TOGETHER = 2;
    if (have_met)
        return fmin(MOST, 1 - exp(-stores * warps / OF_BLOCK));
    return MOST * (1 - exp(fmin(0, TOGETHER - stores)));
}

double warps_apart(const struct launch *launch)
{
    const struct block_trace *block = &launch->trace->blocks[0];
    const double warps = launch->trace->warps;
    double apart = 0, all = 0;
    for (uint32_t w = 0; w < launch->trace->warps; w++) {
        unsigned stores = 0; // since the last barrier
        int have_met = 0;
        for (uint32_t i = 0; i <= block->warps[w].count; i++) {
            int ends = i == block->warps[w].count;
            const struct trace_item *item = &block->warps[w].items[i];
            if (ends || item->in->op == OP_BARRIER) {
                apart += stores * left_apart(stores, warps, have_met);
                all += stores;
                stores = 0;
                have_met = 1;
            } else if (is_global(item) && !item->in->is_load) {
                stores++;
            }
        }
    }
    return all > 0 ? apart / all : 0;
}

// How much more a warp executed than was traced of it.
static double untraced(const struct warp_trace *warp)
{
    return warp->count ? (double)warp->executed / warp->count : 1;
}

int meets_in_each_round(const struct launch *launch, double rounds)
{
    const struct warp_trace *warp = &launch->trace->blocks[0].warps[0];
    double met = 0;
    for (uint32_t i = 0; i < warp->count; i++)
        met += warp->items[i].in->op == OP_BARRIER;
    return met * untraced(warp) >= rounds;
}

double rounds_of(const struct launch *launch)
{
    const struct warp_trace *warp = &launch->trace->blocks[0].warps[0];
    uint32_t *order = malloc((warp->count + 1) * sizeof *order);
    if (!order)
        return 1;
    double rounds = 1;
    int has_stored = 0;
    reorder(launch, warp, order);
    for (uint32_t i = 0; i < warp->count; i++) {
        const struct trace_item *item = &warp->items[order[i]];
        if (!is_global(item))
            continue;
        rounds += has_stored && item->in->is_load;
        has_stored = !item->in->is_load;
    }
    free(order);
    return rounds * untraced(warp);
}

double launches_apart(double running, double rounds, double waiting, int have_met, double requests)
{
    const double MET = 0.87, UNMET = 0.69, WALK = 230;
    return fmin((have_met ? MET : UNMET) * running * waiting / sqrt(rounds),
                WALK * sqrt(running / requests));
}

int have_own_paces(double l2_busy, double dram_moves, double dram_busy)
{
    const double BUSY = 0.9;
    return l2_busy > dram_moves && fmax(l2_busy, dram_busy) > BUSY;
}

int stores_after_meeting(const struct launch *launch)
{
    const struct warp_trace *warp = &launch->trace->blocks[0].warps[0];
    int have_met = 0;
    for (uint32_t i = 0; i < warp->count; i++) {
        const struct trace_item *item = &warp->items[i];
        have_met |= item->in->op == OP_BARRIER;
        if (have_met && is_global(item) && !item->in->is_load)
            return 1;
    }
    return 0;
}

double warp_launches_apart(double running, double rounds, int meet_in_each, int have_met)
{
    enum { MET = 160, UNMET = 11 };
    return running / (have_met ? MET : UNMET) / (meet_in_each ? rounds : sqrt(rounds));
}

double warps_lose(double apart, double cycles)
{
    enum { SOON = 1430 };
    return apart * (1 - exp(-cycles / SOON));
}
