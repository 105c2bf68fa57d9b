// A timing simulation of one SM and the blocks it runs, from their traces.
//
// Four schedulers issue the instructions of their warps in order; a warp waits for its operands and for what its
// scoreboards count (scoreboards.h), for units and banks of registers that its scheduler's others keep busy, where there
// is machine code (machine_units.h), for room in the load/store unit (load_store_unit.h), at barriers. A warp that ends
// waits until the unit is done with its requests: with a store, when the L2 has taken what may not be on its way. An
// empty SM gets its blocks nearly at once (start_filling_* in the microbenchmarks); of their ends the GPU is told one
// after the other (start_wait_*), and the block that takes the place of one starts a while later. What is behind the
// unit is in hierarchy.h.
//
// Who asks gets the cycles of its warps by what they wait for, as Nsight Compute's warp states have it (waits.h).
//
// It is the model of Accel-Sim (Khairy et al., 2020) with all but one SM folded into its share of
// the memory system, as interval models do (Huang et al., "GPUMech", 2014).
#ifndef SIM_MULTIPROCESSOR_H
#define SIM_MULTIPROCESSOR_H

#include "sim/time/hierarchy.h"
#include "sim/time/steady_part.h"
#include "sim/time/waits.h"

struct sm_work {
    struct memory_share memory;
    const struct launch *launch;
    const struct trace *trace;
    double blocks;        // that the SM runs, on average over the busy ones
    struct sm_done done;  // what they do; 0: not known
    unsigned resident;    // blocks at a time
    uint32_t frame_slots; // registers of a warp, in slots
    struct waits *waits;  // gets what its warps wait for besides what it has; NULL: nobody asks
};

struct sm_outcome {
    double cycles;              // from the first block's launch to the last one's end
    double active;              // share of the time in which any warp runs, 0..1
    double active_warps;        // on average over that time, as sm__warps_active counts them
    double busy[SIM_RESOURCES]; // shares of the time, 0..1; DRAM's is set by who asks sm_simulate()
    double until_stored;        // cycles until a block's warp issues its last store, in the mean
    double dram_held_up;        // in which DRAM moves nothing; likewise, as it was before sm_last()
    struct l2_requests requests; // of the blocks that were traced
};

// Makes it last so many cycles at least; all parts of the GPU are busy for as much less of the time.
void sm_last(struct sm_outcome *sm, double cycles);

// Makes it so many cycles longer, in which it goes on like another one.
void sm_go_on(struct sm_outcome *sm, const struct sm_outcome *like, double cycles);

// Makes it at least as long as a part of the GPU is busy with it, in cycles; the others are busy for as much less.
void sm_hold(struct sm_outcome *sm, enum sim_resource part, double busy);

// Why there is no outcome where memory ran out.
extern const char sm_no_memory[];

// Returns NULL, or why there is no outcome: a static string.
const char *sm_simulate(const struct sm_work *work, struct sm_outcome *outcome);

#endif
