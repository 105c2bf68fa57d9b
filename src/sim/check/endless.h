// Loops that never end.
//
// A loop is endless when the block gets nowhere: no warp ends, and no instruction reaches a global
// address beyond those that it had in this block. So one thread may walk all of memory, and a loop
// that goes round in it is found soon. The warps' instructions count together, because they take
// turns.
#ifndef SIM_ENDLESS_H
#define SIM_ENDLESS_H

#include "sim/state/launch.h"

// The warp reaches a global address by an instruction: whether that is beyond those that its block reached by it before,
// which are in `reach`.
void endless_note(struct warp *warp, const struct instruction *in, struct reach *reach,
                  uint64_t address);

// Ends the launch with a fault, by the warp at that instruction, when its block has used up what it may execute idly.
void endless_check(struct warp *warp, const struct instruction *at);

#endif
