// What goes wrong in a kernel, told in compute-sanitizer's manner.
#ifndef SIM_FAULT_H
#define SIM_FAULT_H

#include "sim/count/access.h"
#include "sim/state/launch.h"

// Stops the block: the message says `what` went wrong at instruction `in` for the warp's lane.
__attribute__((format(printf, 5, 6))) void fault_raise(struct warp *warp,
                                                       const struct instruction *in, int lane,
                                                       enum fault_kind kind, const char *what, ...);

// The same about an access to `address`: with the size, the space and the nearest allocation.
// `detail`, or NULL, is a line of its own; what is misaligned has one that says what it needs. A
// read of shared memory that nobody wrote waits for the block's end: when another thread writes
// there without a barrier between, it is a race.
void fault_access(struct warp *warp, const struct instruction *in, int lane, enum fault_kind kind,
                  uint64_t address, unsigned size, enum space space, const char *detail);

// The block's end: raises what waits for it.
void fault_settle(struct block *block);

// "block (1,2,0) thread (3,0,0)" of a thread, by its number in the launch.
void thread_text(const struct launch *launch, uint64_t thread, char *text, size_t size);

#endif
