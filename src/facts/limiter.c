#include "facts/limiter.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *key, *name;
} resources[RESOURCES] = {
    [RESOURCE_ISSUE] = {"issue", "issue slots"},
    [RESOURCE_SHARED] = {"shared_pipe", "load/store unit, shared"},
    [RESOURCE_GLOBAL] = {"global_pipe", "load/store unit, global"},
    [RESOURCE_L2] = {"l2", "L2"},
    [RESOURCE_DRAM] = {"dram", "DRAM"},
    [RESOURCE_LAUNCH] = {"block_launch", "block launches"},
    [RESOURCE_ARITHMETIC] = {"arithmetic", "arithmetic units"},
    [RESOURCE_ATOMICS] = {"atomics", "atomics on one word"},
};

static const struct {
    const char *key, *name;
    enum resource resource;
} limiters[LIMITERS] = {
    [LIMITER_UNKNOWN] = {"unknown", "unknown", RESOURCES},
    [LIMITER_BLOCKS] = {"blocks", "too few blocks", RESOURCES},
    [LIMITER_LATENCY] = {"latency", "latency: too few bytes in flight", RESOURCES},
    [LIMITER_ISSUE] = {"issue", "instruction issue", RESOURCE_ISSUE},
    [LIMITER_BANK_CONFLICTS] = {"bank_conflicts", "load/store unit: bank conflicts",
                                RESOURCE_SHARED},
    [LIMITER_SHARED] = {"shared_memory", "load/store unit: shared memory", RESOURCE_SHARED},
    [LIMITER_UNCOALESCED] = {"uncoalesced", "load/store unit: uncoalesced", RESOURCE_GLOBAL},
    [LIMITER_GLOBAL] = {"global_memory", "load/store unit: global memory", RESOURCE_GLOBAL},
    [LIMITER_L2] = {"l2", "L2 bandwidth", RESOURCE_L2},
    [LIMITER_DRAM] = {"dram", "DRAM bandwidth", RESOURCE_DRAM},
    [LIMITER_LAUNCH] = {"block_launch", "block launches", RESOURCE_LAUNCH},
    [LIMITER_ARITHMETIC] = {"arithmetic", "arithmetic", RESOURCE_ARITHMETIC},
    [LIMITER_ATOMICS] = {"atomics", "atomics on the same word", RESOURCE_ATOMICS},
    [LIMITER_LOCAL] = {"local_memory", "load/store unit: local memory", RESOURCE_GLOBAL},
};

bool resource_is_later(enum resource resource)
{
    return resource == RESOURCE_ARITHMETIC || resource == RESOURCE_ATOMICS;
}

const char *resource_key(enum resource resource)
{
    return resources[resource].key;
}

const char *resource_name(enum resource resource)
{
    return resources[resource].name;
}

const char *limiter_key(enum limiter limiter)
{
    return limiters[limiter].key;
}

enum limiter limiter_find(const char *key)
{
    enum limiter limiter = LIMITERS - 1;
    while (limiter > LIMITER_UNKNOWN && strcmp(key, limiters[limiter].key) != 0)
        limiter--;
    return limiter;
}

const char *limiter_name(enum limiter limiter)
{
    return limiters[limiter].name;
}

enum resource limiter_resource(enum limiter limiter)
{
    return limiters[limiter].resource;
}

// The load/store unit is one, whoever keeps it busy.
static double unit_busy(const struct limits *limits)
{
    return fmin(limits->busy[RESOURCE_SHARED] + limits->busy[RESOURCE_GLOBAL], 100);
}

double limiter_busy(const struct limits *limits)
{
    enum resource resource = limiter_resource(limits->limiter);
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
