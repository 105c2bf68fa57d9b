#include "limiter.h"

static const char *const meanings[LIMITERS] = {
    [LIMITER_UNKNOWN] = "Nothing is known of what limits it.",
    [LIMITER_BLOCKS] = "The other SMs have nothing to do, however fast a block is; a grid of more "
                       "blocks, with less "
                       "work in each, would use them.",
    [LIMITER_LATENCY] =
        "No part of the GPU is busy, because warps wait for what they have loaded; more warps at a "
        "time, or more independent loads in each, would fill the wait.",
    [LIMITER_ISSUE] = "The schedulers have more to do than the memory has; fewer instructions an "
                      "element (simpler "
                      "indices, wider accesses) would be faster.",
    [LIMITER_BANK_CONFLICTS] =
        "Lanes of a warp want different words of the same bank, which serves one of them a pass; a "
        "layout that spreads a warp over all 32 banks, such as padded rows, saves the passes.",
    [LIMITER_SHARED] =
        "Nearly all of its passes over shared memory are needed for the bytes; fewer trips through "
        "shared memory, or wider accesses, would be faster.",
    [LIMITER_UNCOALESCED] =
        "A warp's lanes touch more lines of 128 bytes than their bytes fill, and each line is a "
        "pass; neighbouring lanes that touch neighbouring elements need fewer of them.",
    [LIMITER_GLOBAL] = "Its requests are coalesced, and it is busy with them all the same; fewer "
                       "or wider accesses "
                       "to global memory would be faster.",
    [LIMITER_L2] =
        "A kernel that asks the L2 for these sectors needs it for as long, whatever else it does; "
        "fewer sectors would be faster, and sectors that a request writes whole.",
    [LIMITER_DRAM] =
        "A kernel that moves these bytes in this order needs DRAM for as long, whatever else it "
        "does; fewer bytes, or a better order of them, would be faster.",
    [LIMITER_LAUNCH] =
        "Blocks end nearly as fast as the GPU can start new ones; fewer blocks with more work in "
        "each would be faster.",
};

const char *limiter_meaning(enum limiter limiter)
{
    return meanings[limiter];
}
