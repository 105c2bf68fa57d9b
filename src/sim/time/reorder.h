// The order in which a warp issues its instructions.
//
// PTX is in the order of the source; ptxas knows that loads take long, and moves them up. In a stretch of code without
// a barrier of which the machine code has each access once, all is issued as it stands there. Else it is issued as ptxas
// would have it: all loads whose addresses are known come before the first instruction that waits for one of them, and
// a load does not pass a store that may change what it reads, nor a store a load or store of the same memory.
//
// Where several rounds of a loop mix in one block of the machine code, because ptxas unrolled it, so many are issued
// together, as long as there are as many left: each instruction where its copy of that round stands.
//
// Short forward branches do not end a stretch (ptxas makes predicates of them, but not around what goes from shared to
// global memory), the rounds of a loop do (where it pays, they were unrolled in the PTX). Found by comparing PTX with
// the machine code of kernels.
#ifndef SIM_REORDER_H
#define SIM_REORDER_H

#include "sim/exec/trace.h"
#include "sim/state/launch.h"

// Fills order[0 .. trace->count - 1] with the places of the trace's items, in the order of issue.
void reorder(const struct launch *launch, const struct warp_trace *trace, uint32_t *order);

#endif
