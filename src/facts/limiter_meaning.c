#include "facts/limiter.h"

static const char *const meanings[LIMITERS] = {
    [LIMITER_UNKNOWN] = "Nothing is known of what limits it.",
    [LIMITER_BLOCKS] = "The other SMs have nothing to do, however fast a block is.",
    [LIMITER_LATENCY] = "No part of the GPU is busy, because warps wait for what they have loaded.",
    [LIMITER_ISSUE] = "The schedulers have more to do than the memory has.",
    [LIMITER_BANK_CONFLICTS] = "Lanes of a warp want different words of the same bank, which "
                               "serves one of them a pass.",
    [LIMITER_SHARED] = "Nearly all of its passes over shared memory are needed for the bytes.",
    [LIMITER_UNCOALESCED] = "A warp's lanes touch more lines of 128 bytes than their bytes fill, "
                            "and each line is a pass.",
    [LIMITER_GLOBAL] = "Its requests are coalesced, and it is busy with them all the same.",
    [LIMITER_L2] = "A kernel that asks the L2 for these sectors needs it for as long, whatever "
                   "else it does.",
    [LIMITER_DRAM] = "A kernel that moves these bytes in this order needs DRAM for as long, "
                     "whatever else it does.",
    [LIMITER_LAUNCH] = "Blocks end nearly as fast as the GPU can start new ones.",
    [LIMITER_ARITHMETIC] = "The units that compute have more to do than the memory has.",
    [LIMITER_ATOMICS] = "Threads all over the GPU update the same word, and the L2 does that one "
                        "after the other.",
    [LIMITER_LOCAL] = "It is busy with registers' overflow and with arrays of each thread, which "
                      "the kernel keeps in memory.",
};

const char *limiter_meaning(enum limiter limiter)
{
    return meanings[limiter];
}
