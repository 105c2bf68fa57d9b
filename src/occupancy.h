// How many blocks of a kernel an SM holds at once, and which of its limits binds.
//
// The rules and the allocation units are those of NVIDIA's CUDA Occupancy Calculator: registers are
// allocated to a warp in units, warps in groups of `warp_granularity`, shared memory to a block in
// units and with a reserve for the system.
#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include <stddef.h>

// What one SM has.
struct sm_limits {
    unsigned warps, blocks;    // that it can hold
    unsigned registers;        // 32-bit registers
    unsigned register_unit;    // registers are allocated to a warp in multiples of this
    unsigned warp_granularity; // the warps that registers allow are rounded down to a multiple
    size_t shared_bytes;       // for all its blocks
    size_t shared_unit;        // shared memory is allocated to a block in multiples of this
    size_t shared_reserved;    // bytes a block that the system keeps for itself
};

enum limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMITS };

struct occupancy {
    unsigned blocks;        // resident on an SM; 0 when not even one fits
    unsigned warps;         // resident on an SM
    unsigned bound[LIMITS]; // the blocks that each limit alone would allow
    enum limit limit;       // the one that binds (the first in this order, when several do)
};

// The occupancy of blocks of `threads` threads (1..1024) that use `registers` 32-bit registers a
// thread and `shared_bytes` of shared memory a block, static and dynamic.
struct occupancy occupancy_of(const struct sm_limits *sm, unsigned threads, unsigned registers,
                              size_t shared_bytes);

// "warps", "blocks", "registers" or "shared memory". A static string.
const char *limit_name(enum limit limit);

#endif
