// The order in which a warp issues its instructions.
//
// PTX is in the order of the source. ptxas knows that loads take long, and moves them up. Where the machine code is
// there, and has each access of a stretch of code without a barrier once, they are issued as it has them. Else they are in
// the order that ptxas would give them:
// all loads whose addresses are known come before the first
// instruction that waits for one of them. Short forward branches do not end a stretch (ptxas makes
// predicates of them, but not around what goes from shared to global memory), the rounds of a loop
// do (where it pays, they were unrolled in the PTX). A load does not pass a store that may change
// what it reads, nor a store a load or store of the same memory. Found by comparing PTX with the machine code of kernels.
#ifndef SIM_REORDER_H
#define SIM_REORDER_H

#include "sim/exec/trace.h"
#include "sim/state/launch.h"

// Fills order[0 .. trace->count - 1] with the places of the trace's items, in the order of issue.
void reorder(const struct launch *launch, const struct warp_trace *trace, uint32_t *order);

#endif
