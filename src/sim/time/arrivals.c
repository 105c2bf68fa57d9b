#include "sim/time/arrivals.h"

#include <math.h>
#include <stdlib.h>

#include "sim/count/l2_order.h"
#include "sim/exec/trace.h"
#include "sim/ptx/module.h"
#include "sim/time/reorder.h"

static int is_global(const struct trace_item *item)
{
    return item->lines && !item->in->is_atomic && item->in->space != LOCAL;
}

double warps_apart(const struct launch *launch)
{
    const struct block_trace *block = &launch->trace->blocks[0];
    double apart = 0, all = 0;
    for (uint32_t w = 0; w < launch->trace->warps; w++) {
        unsigned stores = 0; // since the last barrier
        int have_met = 0;
        for (uint32_t i = 0; i <= block->warps[w].count; i++) {
            int ends = i == block->warps[w].count;
            const struct trace_item *item = &block->warps[w].items[i];
            if (ends || item->in->op == OP_BARRIER) {
                apart += stores * l2_warps_apart(stores, have_met);
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

double launches_apart(double running, double rounds, double waiting, double requests)
{
    const double WALK = 230;
    return fmin(running * waiting / sqrt(rounds), WALK * sqrt(running / requests));
}

int have_own_paces(double l2_busy, double dram_moves, double dram_busy)
{
    const double BUSY = 0.9;
    return l2_busy > dram_moves && fmax(l2_busy, dram_busy) > BUSY;
}

double stores_after_meeting(const struct launch *launch)
{
    const struct warp_trace *warp = &launch->trace->blocks[0].warps[0];
    double most = 0, stores = 0;
    int have_met = 0;
    for (uint32_t i = 0; i < warp->count; i++) {
        const struct trace_item *item = &warp->items[i];
        int is_barrier = item->in->op == OP_BARRIER;
        have_met |= is_barrier;
        stores = is_barrier ? 0 : stores + (have_met && is_global(item) && !item->in->is_load);
        most = fmax(most, stores);
    }
    return most;
}

double warp_launches_apart(double running, double rounds, int meet_in_each, double stores)
{
    enum { WARPS_SHARE = 13, FEW_STORES = 5 };
    return running / WARPS_SHARE / (meet_in_each ? rounds : sqrt(rounds)) /
           fmax(1, stores / FEW_STORES);
}
