// printf() in a kernel.
#ifndef SIM_PRINT_H
#define SIM_PRINT_H

#include "sim/exec/warp.h"

// A call of vprintf(format, values): prints on the host's standard output, lane by lane.
// The call of __assertfail(): a fault of the first lane that makes it.
void execute_assert(struct warp *warp, const struct instruction *in, uint32_t mask);

void execute_print(struct warp *warp, const struct instruction *in, uint32_t mask);

#endif
