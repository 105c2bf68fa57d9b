#include "sim/count/l2_order.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_TURNS = 1 << 22 }; // that are told apart

static int compare_runs(const void *a, const void *b)
{
    const struct l2_run *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

// How far somebody came who goes through all accesses of the log, in the order of their blocks.
struct cursor {
    size_t run, item;
    struct l2_ordered_access now;
};

// Goes to the next one. Returns 0 after the last.
static int next_access(const struct l2_accesses *accesses, struct cursor *at)
{
    while (at->run < accesses->run_count && at->item == accesses->runs[at->run].log.count) {
        at->run++;
        at->item = 0;
    }
    if (at->run == accesses->run_count)
        return 0;
    const struct l2_run *run = &accesses->runs[at->run];
    if (at->item == 0)
        at->now.block = run->first - 1; // which the first item's block begins behind
    at->now.access = &run->log.items[at->item++];
    at->now.block += at->now.access->begun;
    return 1;
}

int l2_has_pace(const struct l2_accesses *accesses, const struct l2_order *order)
{
    return accesses->rounds > 1 && accesses->block_count <= order->running;
}

int l2_goes_in_waves(const struct l2_accesses *accesses, const struct l2_order *order)
{
    return accesses->rounds > 1 && accesses->block_count > order->running;
}

// How many blocks have been launched when this one starts, as if they always started one after the other. Where blocks go through
// rounds those that run first start at once, and as long as their lives are alike, so do those that follow them, and so on: the
// times of each wave are spread as far as its blocks have come apart.
static double start_of(const struct l2_accesses *accesses, const struct l2_order *order,
                       uint64_t block)
{
    const double FIRST_TO_LAST = 5; // of some hundreds, in mean distances of two
    if (accesses->rounds <= 1)
        return (double)block;
    double running = (double)order->running, wave = (double)(block / order->running),
           apart = fmin(1, FIRST_TO_LAST * order->spread / running * sqrt(wave));
    return running * wave + apart * (double)(block % order->running);
}

// The round of all blocks in which a block's one falls. They start in waves; or all at once, and go at the paces of their SMs.
static double round_of_all(const struct l2_accesses *accesses, const struct l2_order *order,
                           uint64_t block, uint32_t round)
{
    enum { ONE_IN = 5 }; // SMs that are faster
    if (!l2_has_pace(accesses, order))
        return start_of(accesses, order, block) * accesses->rounds / (double)order->running + round;
    double slow = (ONE_IN - order->fast) / (ONE_IN - 1);
    return round * (block % order->sms % ONE_IN == 0 ? order->fast : slow);
}

// The number of an access's turn: of its round, or of some rounds if there are more than `rounds` can be told apart.
static size_t turn_of(const struct l2_accesses *accesses, const struct l2_order *order,
                      const struct l2_ordered_access *ordered, double rounds)
{
    double turn = round_of_all(accesses, order, ordered->block, ordered->access->round);
    return (size_t)(rounds < MOST_TURNS ? turn : turn / rounds * MOST_TURNS);
}

// By their turns, and in a turn by their blocks.
struct l2_ordered_access *l2_take_turns(struct l2_accesses *accesses, const struct l2_order *order)
{
    const double rounds =
        round_of_all(accesses, order, accesses->block_count, 2 * accesses->rounds);
    const size_t turns = (size_t)fmin(rounds, MOST_TURNS) + 1;
    struct l2_ordered_access *ordered = malloc((accesses->count + 1) * sizeof *ordered);
    size_t *begins = calloc(turns + 1, sizeof *begins);
    if (!ordered || !begins) {
        free(ordered);
        free(begins);
        return NULL;
    }
    if (accesses->run_count)
        qsort(accesses->runs, accesses->run_count, sizeof *accesses->runs, compare_runs);
    for (struct cursor at = {0}; next_access(accesses, &at);)
        begins[turn_of(accesses, order, &at.now, rounds) + 1]++;
    for (size_t t = 0; t < turns; t++)
        begins[t + 1] += begins[t];
    for (struct cursor at = {0}; next_access(accesses, &at);)
        ordered[begins[turn_of(accesses, order, &at.now, rounds)]++] = at.now;
    free(begins);
    return ordered;
}

double l2_launches_before(const struct l2_accesses *accesses, const struct l2_order *order,
                          const struct l2_ordered_access *ordered)
{
    if (!l2_has_pace(accesses, order))
        return start_of(accesses, order, ordered->block);
    return round_of_all(accesses, order, ordered->block, ordered->access->round) *
           (double)accesses->block_count / accesses->rounds;
}
