// A warp: 32 threads in lockstep, with the stack that brings diverged threads together again.
#ifndef SIM_WARP_H
#define SIM_WARP_H

#include "sim/ptx/lanes.h"
#include "sim/ptx/module.h"

struct block;

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

// Makes the warp start `function`, the block's kernel, with `population` threads. The constants
// that are the same for every block must be in its frame already: see fill_constants().
void warp_start(struct warp *warp, const struct function *function, uint32_t population);

// Executes until the warp waits, ends, has used up `quantum` instructions or the block fails.
void warp_run(struct warp *warp, uint64_t quantum);

// Whether the lanes that the instruction names (in->members) execute it together. Lanes on another path go
// on first: they may exit, or come here too; then this is 0, and the warp executes the instruction again
// later. 0 also after a fault: of a lane that the mask does not name, or of one that does not come.
int warp_meet(struct warp *warp, const struct instruction *in, uint32_t mask);

#endif
