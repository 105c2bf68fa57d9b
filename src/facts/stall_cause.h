// What an instruction of machine code waits for, for compute capability 7.0 and newer.
//
// An instruction has 16 bytes there. One that takes long sets one of six scoreboards until its result is there, or
// until it has read its operands, and who needs them waits for a mask of scoreboards. NVIDIA's documentation does not
// say where these bits are; Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking" (2018), does.
#ifndef STALL_CAUSE_H
#define STALL_CAUSE_H

#include "facts/stall_reasons.h"

#include <stddef.h>

// The place in `code`, of `size` bytes, of what the instruction at `pc` waits for when it does so for that reason: the
// nearest one before it that sets a scoreboard that it waits for, is a barrier, or is a store; in a loop that may be
// the last one after it. `size` where there is none, and for reasons that no single instruction causes.
size_t stall_cause(const unsigned char *code, size_t size, size_t pc, enum stall_reason reason);

#endif
