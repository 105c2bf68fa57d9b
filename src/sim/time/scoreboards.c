#include "sim/time/scoreboards.h"

#include <math.h>

static const struct scoreboards *scoreboards_of(const struct launch *launch,
                                                const struct instruction *in)
{
    static const struct scoreboards none;
    uint32_t number;
    return launch->code && is_of_kernel(launch, in, &number) ? &launch->code->scoreboards[number]
                                                             : &none;
}

void scoreboards_count(struct warp_scoreboards *all, const struct launch *launch,
                       const struct instruction *in, enum stall_reason reason)
{
    const struct scoreboards *of = scoreboards_of(launch, in);
    for (unsigned k = 0; k < SCOREBOARDS; k++) {
        struct scoreboard *board = &all->boards[k];
        unsigned times = (of->result >> k & 1u) + (of->operands >> k & 1u);
        if (!times)
            continue;
        board->count += times;
        board->latest = in;
        board->reason = reason;
    }
}

static void discount(struct scoreboard *board, double done)
{
    board->count--;
    board->done = fmax(board->done, done);
}

void scoreboards_discount(struct warp_scoreboards *all, const struct launch *launch,
                          const struct instruction *in, double now, double done)
{
    const struct scoreboards *of = scoreboards_of(launch, in);
    for (unsigned k = 0; k < SCOREBOARDS; k++) {
        if (of->operands >> k & 1)
            discount(&all->boards[k], now);
        if (of->result >> k & 1)
            discount(&all->boards[k], done);
    }
}

void scoreboards_await(struct warp_scoreboards *all, const struct launch *launch,
                       const struct instruction *in)
{
    all->awaited = scoreboards_of(launch, in)->after;
}

double scoreboards_done(const struct warp_scoreboards *all, const struct launch *launch,
                        const struct instruction *in, const struct scoreboard **longest)
{
    unsigned awaited = all->awaited | scoreboards_of(launch, in)->before;
    double done = 0;
    *longest = NULL;
    for (unsigned k = 0; k < SCOREBOARDS; k++) {
        const struct scoreboard *board = &all->boards[k];
        double until = board->count ? INFINITY : board->done;
        if (!(awaited >> k & 1) || until <= done)
            continue;
        done = until;
        *longest = board;
    }
    return done;
}
