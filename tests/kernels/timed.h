// Kernels for the timing model, for C and CUDA C.
#ifndef TIMED_H
#define TIMED_H

enum timed {
    TIMED_EMPTY,
    TIMED_CHAIN,        // `rounds` loads, each of the address that the one before gave
    TIMED_CHAIN_BEHIND, // the same past L1
    TIMED_READ,         // a stream of 16 bytes a thread: read, written or copied
    TIMED_WRITE,        //
    TIMED_COPY,         //
    TIMED_L2,           // `rounds` loads of 4 KiB that the block has for itself, past L1
    TIMED_BANKS,        // `rounds` shared loads, whose lanes' words are `stride` apart
    TIMED_BARRIERS,     // `rounds` barriers
    TIMED_LOOP,         // `rounds` of a load and arithmetic
    TIMED_SCATTER,      // `rounds` stores to a line a lane
    TIMED_UNFINISHED, // `rounds` of storing to a half of a sector in each of `stride` lines a lane, and to its other half
    TIMED_EARLY_EXIT,   // some threads and warps return before a barrier
    TIMED_ATOMICS,      // on global and shared memory
    TIMED_CALLS,        // functions that call functions
    TIMED_LOCAL,        // an array in local memory
    TIMED_LARGE_SHARED, // 40 KiB of shared memory a block
    TIMED_UNEVEN,       // warps with different numbers of barriers and loops
    TIMED_TILES,        // a tile of 32 x 32 words a warp, of rows of `rounds` words
    TIMED_PART_IDLE, // a stream of 16 bytes a thread that blocks from `rounds` on add to, `stride` of them
    TIMED_PRODUCTS, // `rounds` of products of 64 bits, in four chains
    TIMED_THREE,    // `rounds` of arithmetic by two units in turns, each time of three registers
    TIMED_GENERIC,  // addresses that are shared or global as it turns out
    TIMED_KERNELS
};

#ifdef __cplusplus
extern "C"
#endif
    // Launches a kernel; `memory` holds at least 16 bytes a thread, and 1 MiB. What it reads there is
    // 0, but for the chains, which read addresses.
    void
    timed_launch(enum timed kernel, unsigned blocks, unsigned threads, void *memory, int rounds,
                 int stride);

#endif
