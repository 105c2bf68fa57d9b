// Which branches of PTX are none in machine code: as disassembled kernels have it.
#ifndef SIM_PREDICATED_BRANCHES_H
#define SIM_PREDICATED_BRANCHES_H

#include "sim/ptx/instruction.h"

// Whether ptxas makes no branch of it but predicates the few instructions that it jumps over. It does not where these
// store to global memory what they load from shared.
int becomes_predicate(const struct instruction *in);

// Whether it ends the lanes that take it: a branch to the function's end.
int becomes_exit(const struct instruction *in);

// "@p bra A; bra B; A:", as clang writes it, is "@!p bra B".
int jumps_over_jump(const struct instruction *in);

#endif
