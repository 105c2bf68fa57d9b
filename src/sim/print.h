// printf() in a kernel.
#ifndef SIM_PRINT_H
#define SIM_PRINT_H

#include "warp.h"

// A call of vprintf(format, values): prints on the host's standard output, lane by lane.
void execute_print(struct warp *warp, const struct instruction *in, uint32_t mask);

#endif
