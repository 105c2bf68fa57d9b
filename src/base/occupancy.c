#include "base/occupancy.h"

static size_t round_up(size_t value, size_t unit)
{
    return (value + unit - 1) / unit * unit;
}

static unsigned by_registers(const struct sm_limits *sm, unsigned warps, unsigned registers,
                             size_t per_warp)
{
    if (per_warp == 0)
        return sm->blocks;
    // A launch is refused as if every part of an SM had to give registers to as many warps.
    if (registers > sm->registers_per_thread ||
        per_warp * round_up(warps, sm->launch_granularity) > sm->registers_per_block)
        return 0;
    size_t fitting = sm->registers / per_warp;
    return (unsigned)(fitting / sm->warp_granularity * sm->warp_granularity / warps);
}

static unsigned by_shared(const struct sm_limits *sm, size_t shared_bytes, size_t allocated)
{
    if (shared_bytes > sm->shared_per_block)
        return 0;
    return allocated == 0 ? sm->blocks : (unsigned)(sm->shared_bytes / allocated);
}

struct occupancy occupancy_of(const struct sm_limits *sm, unsigned threads, unsigned registers,
                              size_t shared_bytes)
{
    unsigned warps = (threads + WARP_SIZE - 1) / WARP_SIZE;
    size_t shared = round_up(shared_bytes + sm->shared_reserved, sm->shared_unit);
    size_t per_warp = round_up((size_t)registers * WARP_SIZE, sm->register_unit);
    struct occupancy result = {
        .bound = {[LIMIT_WARPS] = threads > MAX_BLOCK_THREADS ? 0 : sm->warps / warps,
                  [LIMIT_BLOCKS] = sm->blocks,
                  [LIMIT_REGISTERS] = by_registers(sm, warps, registers, per_warp),
                  [LIMIT_SHARED] = by_shared(sm, shared_bytes, shared)},
        .block_warps = warps,
        .block_registers = (unsigned)per_warp * warps,
        .block_shared = shared,
    };
    for (enum occupancy_limit limit = 0; limit < LIMITS; limit++)
        if (result.bound[limit] < result.bound[result.limit])
            result.limit = limit;
    result.blocks = result.bound[result.limit];
    result.warps = result.blocks * warps;
    return result;
}

const char *occupancy_limit_name(enum occupancy_limit limit)
{
    static const char *const names[LIMITS] = {"warps", "blocks", "registers", "shared memory"};
    return names[limit];
}

double occupancy_percent(const struct sm_limits *sm, const struct occupancy *occupancy)
{
    return 100.0 * occupancy->warps / sm->warps;
}
