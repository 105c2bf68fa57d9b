#include "facts/limiter.h"

#include <math.h>
#include <string.h>

const struct resource_row resources[RESOURCES] = {
    [RESOURCE_ISSUE] = {"issue", "issue slots", false},
    [RESOURCE_SHARED] = {"shared_pipe", "load/store unit, shared", false},
    [RESOURCE_GLOBAL] = {"global_pipe", "load/store unit, global", false},
    [RESOURCE_L2] = {"l2", "L2", false},
    [RESOURCE_DRAM] = {"dram", "DRAM", false},
    [RESOURCE_LAUNCH] = {"block_launch", "block launches", false},
    [RESOURCE_ARITHMETIC] = {"arithmetic", "arithmetic units", true},
    [RESOURCE_ATOMICS] = {"atomics", "atomics on the same 256 B", true},
};

const struct limiter_row limiters[LIMITERS] = {
    [LIMITER_UNKNOWN] = {"unknown", "unknown", RESOURCES, "Nothing is known of what limits it."},
    [LIMITER_BLOCKS] = {"blocks", "too few blocks", RESOURCES,
                        "The other SMs have nothing to do, however fast a block is."},
    [LIMITER_LATENCY] =
        {"latency", "latency: too few bytes in flight", RESOURCES,
         "No part of the GPU is busy, because warps wait for what they have loaded."},
    [LIMITER_ISSUE] = {"issue", "instruction issue", RESOURCE_ISSUE,
                       "The schedulers have more to do than the memory has."},
    [LIMITER_BANK_CONFLICTS] =
        {"bank_conflicts", "load/store unit: bank conflicts", RESOURCE_SHARED,
         "Lanes of a warp want different words of the same bank, which serves one of them a pass."},
    [LIMITER_SHARED] = {"shared_memory", "load/store unit: shared memory", RESOURCE_SHARED,
                        "Nearly all of its passes over shared memory are needed for the bytes."},
    [LIMITER_UNCOALESCED] = {"uncoalesced", "load/store unit: uncoalesced", RESOURCE_GLOBAL,
                             "A warp's lanes touch more lines of 128 bytes than their bytes fill, "
                             "and each line is a pass."},
    [LIMITER_GLOBAL] = {"global_memory", "load/store unit: global memory", RESOURCE_GLOBAL,
                        "Its requests are coalesced, and it is busy with them all the same."},
    [LIMITER_L2] = {"l2", "L2 bandwidth", RESOURCE_L2,
                    "A kernel that asks the L2 for these sectors needs it for as long, whatever "
                    "else it does."},
    [LIMITER_DRAM] = {"dram", "DRAM bandwidth", RESOURCE_DRAM,
                      "A kernel that moves these bytes in this order needs DRAM for as long, "
                      "whatever else it does."},
    [LIMITER_LAUNCH] = {"block_launch", "block launches", RESOURCE_LAUNCH,
                        "Blocks end nearly as fast as the GPU can start new ones."},
    [LIMITER_ARITHMETIC] = {"arithmetic", "arithmetic", RESOURCE_ARITHMETIC,
                            "The units that compute have more to do than the memory has."},
    [LIMITER_ATOMICS] = {"atomics", "atomics on the same 256 B", RESOURCE_ATOMICS,
                         "Threads all over the GPU update the same 256 bytes, which one slice of "
                         "the L2 does one after the other."},
    [LIMITER_LOCAL] = {"local_memory", "load/store unit: local memory", RESOURCE_GLOBAL,
                       "It is busy with registers' overflow and with arrays of each thread, which "
                       "the kernel keeps in memory."},
};

enum limiter limiter_find(const char *key)
{
    enum limiter limiter = LIMITERS - 1;
    while (limiter > LIMITER_UNKNOWN && strcmp(key, limiters[limiter].key) != 0)
        limiter--;
    return limiter;
}

// The load/store unit is one, whoever keeps it busy.
static double unit_busy(const struct limits *limits)
{
    return fmin(limits->busy[RESOURCE_SHARED] + limits->busy[RESOURCE_GLOBAL], 100);
}

double limiter_busy(const struct limits *limits)
{
    enum resource resource = limiters[limits->limiter].resource;
    if (resource == RESOURCES)
        return -1;
    if (resource == RESOURCE_SHARED || resource == RESOURCE_GLOBAL)
        return unit_busy(limits);
    return limits->busy[resource];
}

enum limiter find_limiter(const struct limits *limits, double shared_excess, double global_excess)
{
    const double *busy = limits->busy;
    if (limits->busy_sms < LIMITING)
        return LIMITER_BLOCKS;
    double most = unit_busy(limits);
    enum limiter limiter = busy[RESOURCE_SHARED] >= busy[RESOURCE_GLOBAL]
                               ? shared_excess > 0.5 ? LIMITER_BANK_CONFLICTS : LIMITER_SHARED
                           : global_excess > 0.5 ? LIMITER_UNCOALESCED
                                                 : LIMITER_GLOBAL;
    static const enum limiter others[] = {LIMITER_ISSUE,  LIMITER_L2,         LIMITER_DRAM,
                                          LIMITER_LAUNCH, LIMITER_ARITHMETIC, LIMITER_ATOMICS};
    for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
        double share = busy[limiters[others[i]].resource];
        if (share > most) {
            most = share;
            limiter = others[i];
        }
    }
    return most >= LIMITING ? limiter : LIMITER_LATENCY;
}
