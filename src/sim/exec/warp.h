// Running a warp.
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include "sim/state/launch.h"

// Makes the warp start `function`, the block's kernel, with `population` threads. The constants
// that are the same for every block must be in its frame already: see fill_constants().
void warp_start(struct warp *warp, const struct function *function, uint32_t population);

// Executes until the warp waits, ends, has used up `quantum` instructions or the block fails.
void warp_run(struct warp *warp, uint64_t quantum);

// Whether the lanes that the instruction names (in->members) execute it together. Lanes on another path go
// on first: they may exit, or come here too; then this is 0, and the warp executes the instruction again
// later. 0 also after a fault: of a lane that the mask does not name, or of one that does not come.
int warp_meet(struct warp *warp, const struct instruction *in, uint32_t mask);

// constants.c: fills a function's constants for a warp, at its registers: all of them, or those that change
// from block to block.
void fill_constants(struct warp *warp, const struct function *function);
void fill_block_constants(struct warp *warp, const struct function *function);

#endif
