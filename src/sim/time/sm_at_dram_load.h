// One SM at the load of DRAM that it leads to: requests wait for DRAM the longer the more of the time it is busy, and it is
// less busy the longer they wait.
#ifndef SIM_SM_AT_DRAM_LOAD_H
#define SIM_SM_AT_DRAM_LOAD_H

#include "sim/time/multiprocessor.h"

// Bytes that DRAM reads to complete sectors that were stored in part, and that it writes: of those of which others store the
// rest, and of those to which a warp comes back as many as were traced. What of these leaves the L2 in part is among its reads
// already; and they are written once more where the rest comes before they leave, as it makes them dirty again.
struct completed {
    double read, written;
};

struct completed completed_bytes(const struct l2_requests *traced, const struct sm_work *work);

// The share of the time for which the SM keeps the L2 busy, or the way there, without what takes longer as loads miss it beside
// stores of parts (l2_missed_sector).
double l2_busy_with_hits(const struct sm_outcome *sm, const struct memory_share *memory);

// Simulates work->trace of work->launch at the load where both agree. work->memory says what the L2 made of the launch, and
// gets the rest; what joins on its way out of the SM is taken from `l2`, which is work->memory.l2. Returns as sm_simulate()
// does.
const char *sm_simulate_at_dram_load(struct sm_work *work, struct l2_outcome *l2,
                                     struct sm_outcome *sm);

#endif
