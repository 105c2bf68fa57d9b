// How often each machine instruction of a kernel was executed, from how often each PTX instruction was.
//
// What flows into a block of machine code flows out of it, and the entry is executed once by each warp. What ptxas
// neither copies nor moves from one block to another, an access, a barrier or an exchange of lanes, is executed as
// often as the PTX says, all its copies together; where it unrolled a loop there are several (machine_copies.h). What is
// still open is taken from branches and arithmetic that have one copy, which ptxas may have moved: then it is not exact.
#ifndef SIM_MACHINE_COUNTS_H
#define SIM_MACHINE_COUNTS_H

#include "sim/machine/machine_code.h"
#include "sim/machine/machine_costs.h"

// counts[i] is of the function's instruction i; `warps` executed it in all. Returns 0 when there is no memory, or the
// executions do not follow. The caller frees `costs`.
int machine_count(const struct machine_code *code, const struct function *function,
                  const struct ptx_count *counts, double warps, struct machine_counts *result);

#endif
