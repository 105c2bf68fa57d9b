// A warp's scoreboards: ptxas has each access counted by some of six until its operands are read, or its result is there,
// and instructions wait for some to be at zero (machine_code.h). Who waits for one waits for all that it counts, also for
// what it does not need itself. Nobody counts where there is no machine code, nor accesses that it has more than once, nor
// those of functions.
#ifndef SIM_SCOREBOARDS_H
#define SIM_SCOREBOARDS_H

#include "facts/stall_reasons.h"
#include "sim/machine/machine_code.h"
#include "sim/state/launch.h"

struct scoreboard {
    unsigned count;
    double done;                      // when the last one that was served was, or will be
    const struct instruction *latest; // that it counted
    enum stall_reason reason;         // of who waits for it
};

struct warp_scoreboards {
    struct scoreboard boards[SCOREBOARDS];
    uint8_t awaited; // a bit for each of them that the warp waits for before it goes on
};

// They count an access of the warp that the load/store unit takes on.
void scoreboards_count(struct warp_scoreboards *all, const struct launch *launch,
                       const struct instruction *in, enum stall_reason reason);

// It is served at `now`: then its operands are read, and its result is there at `done`.
void scoreboards_discount(struct warp_scoreboards *all, const struct launch *launch,
                          const struct instruction *in, double now, double done);

// The warp has issued the access, and waits for what comes after it in its block of machine code.
void scoreboards_await(struct warp_scoreboards *all, const struct launch *launch,
                       const struct instruction *in);

// When all that they count is done, of those that the warp waits for before the instruction; INFINITY: not known yet.
// *longest becomes the one of them that it waits for longest, or NULL.
double scoreboards_done(const struct warp_scoreboards *all, const struct launch *launch,
                        const struct instruction *in, const struct scoreboard **longest);

#endif
