// A launch while it runs: its blocks, their warps, and what is counted of its instructions and goes wrong.
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include <pthread.h>
#include <stdatomic.h>

#include "sim/count/l2_log.h"
#include "sim/machine/machine_counts.h"
#include "sim/ptx/cost_estimate.h"
#include "sim/ptx/lanes.h"
#include "sim/ptx/module.h"
#include "sim/sim.h"
#include "sim/state/device_memory.h"

// What is counted about one instruction. A generic address may be in any space, and a copy touches
// two, so each space has its own.
struct instruction_counters {
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
    uint64_t taken;     // of a branch: executions in which a lane took it
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
    uint64_t carveout;                    // bytes of an SM that are set aside as shared memory
    const unsigned char *params;          // the kernel's parameters, in device memory
    uint64_t budget;                      // warp instructions a block may execute idly
    uint64_t number;                      // launches before this one
    unsigned multiprocessors;
    int has_kepler_banks; // compute capability 3.x
    uint64_t local_bytes; // a thread
    uint64_t frame_bytes; // a warp
    int checks;
    int is_shared_out;   // its blocks are checked and run on several workers: see claims.h
    struct trace *trace; // of some of its blocks, for the timing model; or NULL
    struct l2 *l2;       // that its accesses go through; or NULL
    struct l2_accesses *l2_accesses; // of this L2, where they are noted; or NULL
    sim_watcher *watcher;            // that is shown its accesses; or NULL
    void *watcher_context;

    _Atomic uint64_t next_block;
    _Atomic uint64_t failed_block; // the lowest block that failed; UINT64_MAX when none did
    _Atomic int is_dependent;      // two blocks met, or may have: the workers' order shows
    pthread_mutex_t lock;          // of what follows
    struct fault fault;
    struct instruction_counters *counters; // one for each of the module's instructions
    struct machine_counts machine;         // after it ran; without `costs` where they do not follow
    const struct machine_code *code;       // the kernel's; or NULL
};

// Whether the instruction is the kernel's: not of a function that it calls. *number becomes its number there.
static inline int is_of_kernel(const struct launch *launch, const struct instruction *in,
                               uint32_t *number)
{
    *number = in->index - launch->kernel->code->index;
    return *number < launch->kernel->length;
}

// What an execution of the PTX instruction takes: of the machine code, or as estimated.
static inline struct machine_cost machine_cost_of(const struct launch *launch,
                                                  const struct instruction *in)
{
    uint32_t number;
    if (launch->machine.costs && is_of_kernel(launch, in, &number))
        return launch->machine.costs[number];
    struct machine_cost cost = {.instructions = (double)in->machine_cost / COST_UNIT};
    const struct instruction_counters *counts = &launch->counters[in->index];
    double taken =
        counts->executed ? cost.instructions * (double)counts->taken / (double)counts->executed : 0;
    if (in->op == OP_BRANCH && in->target <= in) {
        cost.back = cost.instructions;
    } else if (in->op == OP_BRANCH) {
        cost.taken = taken;
        cost.passed = cost.instructions - taken;
    }
    return cost;
}

struct block {
    struct launch *launch;
    uint64_t number;
    uint16_t worker; // the number of the host's thread that runs it, from 1
    uint32_t index[3];
    struct warp *warps;
    unsigned running;  // warps that have not ended
    uint64_t idle;     // warp instructions since a warp ended or an access reached further
    uint64_t polls;    // atomic and volatile accesses to global memory in that time
    uint64_t barriers; // that were complete in that time
    int failed;
    struct instruction_counters *counters; // of this block's worker
    struct block_trace *trace;             // or NULL
    struct l2_log l2_log;                  // of this and earlier blocks of the worker's chunk
    unsigned char *shared;                 // shared_size bytes
    struct shadow shared_shadow;           // a word for every 4 bytes of it
    struct fault waiting; // a read of shared memory that nobody wrote yet: see fault_access()
};

enum warp_state {
    WARP_READY,
    WARP_AT_BARRIER,
    WARP_DONE,
};

// A set of lanes that will go on at `next` until they reach `reconverge` (NULL: the end of the
// function).
struct path {
    const struct instruction *next, *reconverge;
    uint32_t mask;
    int waits; // at `next`, for lanes of other paths
};

// A function's activation.
struct frame {
    const struct function *function;
    const struct call *call; // that started it, or NULL for the kernel
    uint64_t local_base;     // of each thread's local memory
    size_t depth;            // of the path stack when it started
};

enum { MAX_PATHS = 512, MAX_FRAMES = 64 };

// 32 threads in lockstep, with the stack that brings diverged threads together again.
struct warp {
    struct path now; // what is executed
    char *registers; // the running function's frame: constants and registers
    struct block *block;
    enum warp_state state;
    unsigned number;                 // in the block
    uint32_t population;             // lanes that hold a thread
    uint32_t live;                   // of these, the lanes that have not exited
    uint32_t carry;                  // each lane's carry flag
    uint64_t executed;               // warp instructions: what %clock counts
    struct warp_trace *trace;        // or NULL
    struct poison *poison;           // of its values: see poison.h; or NULL
    int is_watched;                  // each instruction is shown to the trace, or to poison_step()
    uint32_t barrier;                // the barrier it waits at
    uint32_t barrier_threads;        // how many threads that barrier wants; 0: the whole block
    const struct instruction *waits; // its barrier instruction
    uint32_t votes, voters;          // of bar.red: lanes whose predicate holds, of those that came

    // Order: every __syncthreads(), __syncwarp() and memory fence starts a new interval, and these
    // are the ones that the last of each started. An access in an earlier interval than
    // released_interval was before a fence that was before an atomic or volatile write; the warp
    // has acquired when it made an atomic or volatile access since its last barrier. See races.h.
    uint32_t interval, barrier_interval, sync_interval, fence_interval, released_interval;
    int has_acquired;

    struct path paths[MAX_PATHS];
    size_t depth;
    struct frame frames[MAX_FRAMES];
    size_t frame_count;
    char *local;         // [lane][local_bytes]
    char *frames_memory; // all activations' registers
    size_t frames_left;  // bytes
};

static inline void *lanes_at(const struct warp *warp, slot at)
{
    return warp->registers + at;
}

static inline uint32_t *predicate_at(const struct warp *warp, slot at)
{
    return (uint32_t *)(void *)(warp->registers + at);
}

// Writes the lanes of a predicate that are set in `mask`.
static inline void put_predicate(const struct warp *warp, slot at, uint32_t bits, uint32_t mask)
{
    uint32_t *d = predicate_at(warp, at);
    *d = (*d & ~mask) | (bits & mask);
}

// The host's memory is kept in order: a fence matters to the checks alone.
static inline void warp_fence(struct warp *warp)
{
    warp->fence_interval = ++warp->interval;
}

#endif
