// How many machine instructions a PTX instruction becomes on compute capability 9.0.
//
// The hardware counts machine instructions, which ptxas makes of PTX by its own lights. This is an
// estimate from what the machine has: 32-bit registers, so that 64-bit sums, shifts and comparisons
// take two instructions and 64-bit products three; a wide product that adds a 64-bit sum for free
// (IMAD.WIDE), a shift and add (LEA); parameters and block sizes that are loaded from constant
// memory, once each; a comparison that takes another predicate along; and loops of one block that
// ptxas unrolls four times, so that their counting is shared by four rounds. The rules were read off
// disassembled kernels, the lesson's steps among them, so that agreement on those proves little.
#ifndef SIM_COST_ESTIMATE_H
#define SIM_COST_ESTIMATE_H

#include "sim/ptx/instruction.h"

// Costs are in quarters of an instruction: the unrolled loops' shares.
enum { COST_UNIT = 4 };

#endif
