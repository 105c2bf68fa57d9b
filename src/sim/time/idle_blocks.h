// Blocks that ask nothing of memory, as those beyond the edges of a matrix whose grid is larger. They start while what others
// ask for is done; but where a part of the launch has few others, or none, it takes as long as the GPU takes to start them.
#ifndef SIM_IDLE_BLOCKS_H
#define SIM_IDLE_BLOCKS_H

#include "sim/time/multiprocessor.h"

// Those that have no others beside them, and the instructions that their warps execute.
struct idle_blocks {
    double blocks, executed;
};

// Of a launch of so many blocks of which that many run at a time, and which is cut into parts of as many, or a few more: all
// blocks of the parts in which none asks for anything. None where all blocks of an SM are traced, or nothing is asked for.
struct idle_blocks idle_alone(const struct trace *trace, double blocks, double running);

// Adds to an SM's time, in which all is done that is asked for, that in which blocks only start: in each part of the launch,
// what they take to start beyond its share of the former. Blocks start as fast as in a simulation of an SM that has no others.
// Nothing is added where none that idles was traced. Returns as sm_simulate() does.
const char *idle_add_starts(const struct sm_work *work, double blocks, double running,
                            struct sm_outcome *sm);

#endif
