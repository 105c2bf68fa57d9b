// A block of threads while it runs, and the launch it belongs to.
#ifndef SIM_BLOCK_H
#define SIM_BLOCK_H

#include <pthread.h>
#include <stdatomic.h>

#include "sim/count/l2.h"
#include "sim/exec/device_memory.h"
#include "sim/exec/trace.h"
#include "sim/exec/warp.h"
#include "sim/ptx/module.h"
#include "sim/sim.h"

// What is counted about one instruction. A generic address may be in any space, and a copy touches
// two, so each space has its own.
struct counters {
    uint64_t executed; // by warps
    uint64_t requests; // on global memory: executions with at least one active lane
    uint64_t sectors;  //
    uint64_t bytes;    // distinct ones
    uint64_t tags;     //
    uint64_t ideal_sectors;
    uint64_t shared_requests, wavefronts, shared_bytes;
    uint64_t ideal_wavefronts;
    uint64_t local_sectors;
    uint64_t divergent; // of a branch: executions whose lanes went different ways
    struct reach {      // the global addresses that block `number - 1` took it to
        uint64_t number, lowest, highest;
    } reach;
};

enum fault_kind {
    FAULT_OUT_OF_BOUNDS,
    FAULT_FREED,
    FAULT_MISALIGNED,
    FAULT_UNWRITTEN,
    FAULT_RACE,
    FAULT_BARRIER,
    FAULT_ENDLESS,
    FAULT_TRAP,
    FAULT_ASSERT,
    FAULT_DEADLOCK,
    FAULT_LANES, // of a warp: named by an instruction, but not there; or there, but not named
    FAULT_STACK,
};

enum { FAULT_TEXT_SIZE = 1280 };

// The first thing that went wrong in a launch: first by block number.
struct fault {
    int happened;
    uint64_t block;
    enum fault_kind kind;
    char text[FAULT_TEXT_SIZE];
};

struct launch {
    const struct module *module;
    const struct function *kernel;
    uint32_t grid[3], threads[3];
    uint64_t block_count;
    uint32_t threads_per_block, warps_per_block;
    uint64_t dynamic_shared, shared_size; // bytes a block
    const unsigned char *params;          // the kernel's parameters, in device memory
    uint64_t budget;                      // warp instructions a block may execute idly
    uint64_t number;                      // launches before this one
    unsigned multiprocessors;
    int has_kepler_banks; // compute capability 3.x
    uint64_t local_bytes; // a thread
    uint64_t frame_bytes; // a warp
    int checks;
    int is_shared_out;    // its blocks are checked and run on several workers: see claims.h
    struct trace *trace;  // of some of its blocks, for the timing model; or NULL
    struct l2 *l2;        // that its accesses go through; or NULL
    sim_watcher *watcher; // that is shown its accesses; or NULL
    void *watcher_context;

    _Atomic uint64_t next_block;
    _Atomic uint64_t failed_block; // the lowest block that failed; UINT64_MAX when none did
    _Atomic int is_dependent;      // two blocks met, or may have: the workers' order shows
    pthread_mutex_t lock;          // of what follows
    struct fault fault;
    struct counters *counters; // one for each of the module's instructions
};

struct block {
    struct launch *launch;
    uint64_t number;
    uint16_t worker; // the number of the host's thread that runs it, from 1
    uint32_t index[3];
    struct warp *warps;
    unsigned running; // warps that have not ended
    uint64_t idle;    // warp instructions since a warp ended or an access reached further
    uint64_t polls;   // atomic and volatile accesses to global memory in that time
    int failed;
    struct counters *counters;   // of this block's worker
    struct block_trace *trace;   // or NULL
    struct l2_log l2_log;        // of this and earlier blocks of the worker's chunk
    unsigned char *shared;       // shared_size bytes
    struct shadow shared_shadow; // a word for every 4 bytes of it
    struct fault waiting; // a read of shared memory that nobody wrote yet: see fault_access()
};

// Whether the block's outcome matters still: no block before it failed.
static inline int launch_wants(const struct launch *launch, uint64_t block)
{
    return block <= atomic_load_explicit(&launch->failed_block, memory_order_relaxed) &&
           !atomic_load_explicit(&launch->is_dependent, memory_order_relaxed);
}

// Runs block `number` with the warps, memory and counters that the worker has put in `block`.
void block_run(struct block *block, uint64_t number);

// Fills a function's constants for a warp, at its registers: all of them, or those that change
// from block to block.
void fill_constants(struct warp *warp, const struct function *function);
void fill_block_constants(struct warp *warp, const struct function *function);

// Runs a whole launch over `threads` of the host's threads. The launch's fault says how it went, unless
// it is_dependent: then it has to be run again, with one thread. Returns 0 when the host has no memory
// for it.
int launch_run(struct launch *launch, unsigned threads);

#endif
