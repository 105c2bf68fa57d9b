// How many blocks of a kernel an SM holds at once, and which of its limits binds.
//
// The rules are those of NVIDIA's CUDA Occupancy Calculator, and from compute capability 3.0 on
// those of the toolkit's cuda_occupancy.h: registers are allocated to a warp in units, the warps
// that they allow are rounded down to a multiple of `warp_granularity` (an SM keeps its registers in
// that many parts), shared memory is allocated to a block in units and with a reserve for the system.
// Left out is what a kernel of CUDA C seldom has: more than two named barriers a block.
#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include <stddef.h>

// The same on every compute capability since 2.0.
enum {
    WARP_SIZE = 32,
    MAX_BLOCK_THREADS = 1024,
    DEFAULT_SHARED_PER_BLOCK = 48 << 10, // bytes that a block can have without opting in to more
};

// What one SM has.
struct sm_limits {
    unsigned warps, blocks;        // that it can hold
    unsigned registers;            // 32-bit registers
    unsigned registers_per_block;  // that one block can have of them
    unsigned registers_per_thread; // that the machine code can name
    unsigned register_unit;        // registers are allocated to a warp in multiples of this
    unsigned warp_granularity;     // the warps that registers allow are rounded down to a multiple
    unsigned launch_granularity;   // the warps of a block are rounded up so for registers_per_block
    size_t shared_bytes;           // for all its blocks: the carve-out from what L1 and it share
    size_t shared_per_block;       // that one block can have when its kernel opts in
    size_t shared_unit;            // shared memory is allocated to a block in multiples of this
    size_t shared_reserved;        // bytes a block that the system keeps for itself
};

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, LIMITS };

struct occupancy {
    unsigned blocks;            // resident on an SM; 0 when not even one fits
    unsigned warps;             // resident on an SM
    unsigned bound[LIMITS];     // the blocks that each limit alone would allow
    enum occupancy_limit limit; // the one that binds (the first in this order, when several do)
    // Allocated to one block, with what rounding up adds.
    unsigned block_warps, block_registers;
    size_t block_shared;
};

// The occupancy of blocks of `threads` threads (1 or more) that use `registers` 32-bit registers a
// thread and `shared_bytes` of shared memory a block, static and dynamic. What does not use a
// resource at all is bounded by the SM's blocks there.
struct occupancy occupancy_of(const struct sm_limits *sm, unsigned threads, unsigned registers,
                              size_t shared_bytes);

// "warps", "blocks", "registers" or "shared memory". A static string.
const char *occupancy_limit_name(enum occupancy_limit limit);

// Resident warps over the most that an SM holds, in percent.
double occupancy_percent(const struct sm_limits *sm, const struct occupancy *occupancy);

#endif
