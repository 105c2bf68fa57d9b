// How often each machine instruction of a kernel was executed, from how often each PTX instruction was.
//
// What flows into a block of machine code flows out of it, and the entry is executed once by each warp. What ptxas
// neither copies nor moves from one block to another, an access, a barrier or an exchange of lanes, is executed as
// often as the PTX says, all its copies together: where it unrolled a loop there are several. Of a loop that runs n
// times and has copies of k rounds, of fewer rounds and of one, those of most rounds run as often as there are so many
// rounds left. What is still open is taken from branches and arithmetic that have one copy, which ptxas may have moved:
// then it is not exact.
#ifndef SIM_MACHINE_COUNTS_H
#define SIM_MACHINE_COUNTS_H

#include "sim/machine/machine_code.h"
#include "sim/machine/machine_units.h"

// Of a PTX instruction: executions by warps; and of a branch, those in which a lane took it, and those in which only
// some did.
struct ptx_count {
    uint64_t executed, taken, divergent;
};

// What an execution of a PTX instruction takes: machine instructions; of these, branches ahead that are taken, and that are
// not, branches back, meetings, and those of each unit. And cycles of its warp: those that ptxas puts between instructions,
// and those for which it waits for units' results (machine_units.h). They are 0 where there is no machine code.
struct machine_cost {
    double instructions, taken, passed, back, meetings, of_unit[MACHINE_UNITS];
    double stalls, waits;
};

struct machine_counts {
    int is_exact;
    double instructions, branches;
    struct machine_cost *costs; // by PTX instruction of the function
};

// counts[i] is of the function's instruction i; `warps` executed it in all. Returns 0 when there is no memory, or the
// executions do not follow. The caller frees `costs`.
int machine_count(const struct machine_code *code, const struct function *function,
                  const struct ptx_count *counts, double warps, struct machine_counts *result);

#endif
