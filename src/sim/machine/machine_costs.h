// What executions of machine code take, by the PTX instructions that it was made of.
#ifndef SIM_MACHINE_COSTS_H
#define SIM_MACHINE_COSTS_H

#include "sim/machine/machine_code.h"

// Of a PTX instruction: executions by warps; and of a branch, those in which a lane took it, and those in which only
// some did.
struct ptx_count {
    uint64_t executed, taken, divergent;
};

// What an execution of a PTX instruction takes: machine instructions; of these, branches ahead that are taken, and that
// are not, branches back, and meetings; turns of each unit. And cycles of its warp: those that ptxas puts between
// instructions, and those for which it waits for units' results (machine_units.h). They are 0 where there is no machine
// code.
struct machine_cost {
    double instructions, taken, passed, back, meetings, of_unit[MACHINE_UNITS];
    double stalls, waits;
};

struct machine_counts {
    int is_exact;
    double instructions, branches;
    struct machine_cost *costs; // by PTX instruction of the function
};

// How often all warps executed each block of the code, and ended it by its branch.
struct machine_executions {
    const struct machine_code *code;
    const double *blocks, *taken;
    double warps;
};

// Gives each of `length` PTX instructions the executions of what it became, and in loops of what stands behind that and
// became of none of the loop's. result->costs has room for all, of nothing.
void machine_costs_sum(const struct machine_executions *executions, const struct ptx_count *counts,
                       uint32_t length, struct machine_counts *result);

#endif
