// Blocks that run side by side, on several of the host's threads (workers): who keeps the shadow of what,
// and whether the blocks are independent, so that their order does not matter.
//
// The worker that touches a line of 128 bytes first claims it: it alone enters its accesses in the line's
// shadow, which takes neither locks nor atomics. What the other workers do to the line they enter in a second
// shadow, device_memory.others, each word's state in one step. When all blocks have run, the two are compared.
//
// Blocks are independent as long as no two of them touch the same byte, unless all only read it or all use
// atomics whose order does not matter. Otherwise the launch begins anew with one worker, with
// memory as it was: so what it comes to, and what is reported of it, is the same for any number of
// workers, down to the last bit.
#ifndef SIM_CLAIMS_H
#define SIM_CLAIMS_H

#include "sim/count/access.h"
#include "sim/state/launch.h"

// The lanes of a global access whose lines' shadow the block's worker keeps; lines that nobody claimed,
// it claims. Of a launch with one worker all.
uint32_t claim_lines(const struct warp *warp, const struct access *access);

// The block met what another one did: it stops, and the launch has to begin anew.
void claims_give_up(struct block *block);

// Whether, after a launch, the two shadows agree that the blocks were independent.
int claims_agree(void);

#endif
