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

static int loads(const struct trace_item *item)
{
    return is_global(item) && item->in->is_load;
}

static int stores(const struct trace_item *item)
{
    return is_global(item) && !item->in->is_load;
}

// Of a warp's loads before it stores, as PTX has them, the first ones' lines: numbers of so many side by side.
enum { FIRST_LINES = 64 };
static unsigned first_lines(const struct block_trace *block, const struct warp_trace *warp,
                            unsigned side_by_side, uint64_t numbers[FIRST_LINES])
{
    unsigned count = 0;
    for (uint32_t i = 0; i < warp->count && !stores(&warp->items[i]); i++) {
        const struct trace_item *item = &warp->items[i];
        for (unsigned l = 0; loads(item) && l < item->lines && count < FIRST_LINES; l++)
            numbers[count++] = block->lines[item->first_line + l].number / side_by_side;
        if (count == FIRST_LINES)
            break;
    }
    return count;
}

static int is_among(uint64_t number, const uint64_t numbers[], unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (numbers[i] == number)
            return 1;
    return 0;
}

// The share of these lines that the next warp asks for none of; a negative number if the block's warps load nothing first.
static double load_apart(const struct launch *launch, unsigned side_by_side)
{
    const struct block_trace *block = &launch->trace->blocks[0];
    uint64_t lines[FIRST_LINES], next[FIRST_LINES];
    double apart = 0, all = 0;
    for (uint32_t w = 0; w + 1 < launch->trace->warps; w++) {
        unsigned count = first_lines(block, &block->warps[w], side_by_side, lines),
                 others = first_lines(block, &block->warps[w + 1], side_by_side, next);
        for (unsigned i = 0; i < count; i++)
            apart += !is_among(lines[i], next, others);
        all += count;
    }
    return all > 0 ? apart / all : -1;
}

// The share of the parts that warps store side by side which do not join, of so many requests of each of them.
static double left_apart(double requests, double warps, int have_met, double begin_apart)
{
    const double MOST = 0.85, OF_BLOCK = 180, TOGETHER = 2;
    if (have_met)
        return fmin(MOST, 1 - exp(-requests * warps / OF_BLOCK));
    return MOST * (1 - (1 - begin_apart) * exp(fmin(0, TOGETHER - requests)));
}

double warps_apart(const struct launch *launch, double missing)
{
    const struct block_trace *block = &launch->trace->blocks[0];
    const double warps = launch->trace->warps,
                 begin_apart = missing * fmax(0, load_apart(launch, 1));
    double apart = 0, all = 0;
    for (uint32_t w = 0; w < launch->trace->warps; w++) {
        unsigned requests = 0; // that store, since the last barrier
        int have_met = 0;
        for (uint32_t i = 0; i <= block->warps[w].count; i++) {
            int ends = i == block->warps[w].count;
            const struct trace_item *item = &block->warps[w].items[i];
            if (ends || item->in->op == OP_BARRIER) {
                apart += requests * left_apart(requests, warps, have_met, begin_apart);
                all += requests;
                requests = 0;
                have_met = 1;
            } else if (stores(item)) {
                requests++;
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
        rounds += has_stored && loads(item);
        has_stored = stores(item);
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

double paces_apart(double running)
{
    return 0.04 * running;
}

double meetings_apart(double running, double sms, double rounds)
{
    const double OF_ROUND = 0.04, OF_LIFE = 0.01;
    return running * hypot(OF_ROUND * running / sms / sqrt(rounds), OF_LIFE);
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
        if (have_met && stores(item))
            return 1;
    }
    return 0;
}

// How often a warp stores in a round.
static double stores_a_round(const struct launch *launch, double rounds)
{
    const struct warp_trace *warp = &launch->trace->blocks[0].warps[0];
    double all = 0;
    for (uint32_t i = 0; i < warp->count; i++)
        all += stores(&warp->items[i]);
    return all * untraced(warp) / rounds;
}

// How far apart two warps come, of the time until they have stored.
static double share_apart(const struct launch *launch, double rounds, double missing)
{
    const double MET = 1. / 160, UNLOADED = 0.09, MANY = 0.08, FEW = 0.24;
    enum { TOGETHER = 2 }; // lines that DRAM brings
    if (stores_after_meeting(launch))
        return MET;
    double requests = stores_a_round(launch, rounds), apart = load_apart(launch, TOGETHER);
    if (apart < 0)
        return UNLOADED;
    return MANY * (1 - exp(-requests / 8)) + FEW * missing * apart * exp(-requests / 12);
}

double warp_time_apart(const struct launch *launch, double until_stored, double rounds,
                       double missing)
{
    double times = meets_in_each_round(launch, rounds) ? rounds : sqrt(rounds);
    return until_stored * share_apart(launch, rounds, missing) / times;
}

double walk_cycles(const struct sim_timing *t, double rounds, double missing, double dram_queue)
{
    const double MEAN = 2. / 3; // of the root of a time, over all of it
    double of_dram = t->dram_spread + dram_queue / 2, of_l2 = t->l2_spread / 3;
    return MEAN *
           sqrt((rounds - 1) * (missing * of_dram * of_dram + (1 - missing) * of_l2 * of_l2));
}

double warps_lose(double apart, double cycles)
{
    enum { SOON = 1430 };
    return apart * (1 - exp(-cycles / SOON));
}
