// What is said of a race: who the other thread is, at which line it may have been, and what may be behind it.
#ifndef SIM_RACE_REPORT_H
#define SIM_RACE_REPORT_H

#include "sim/state/launch.h"

struct race;

// Raises the fault of a lane's access to `size` bytes at a device address, or an offset in shared memory.
void race_report(struct warp *warp, const struct instruction *in, int lane, enum space space,
                 uint64_t address, unsigned size, const struct race *race);

#endif
