// The log of a launch's accesses to global and local memory: those that go through the simulated L2 (l2.h), to lines in
// one of DRAM's pages in many. Of so many that lie side by side it is any one, as if by chance, so that memory smaller than
// these may have none. (Sampling of sets: Puzak, "Analysis of cache replacement algorithms", 1985.) Each of the host's threads
// notes what the blocks that it runs access, and hands that over. Where that comes to too much, one page in twice as many is
// kept, and so on: which these are in the end does not depend on the threads.
#ifndef SIM_L2_LOG_H
#define SIM_L2_LOG_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/count/access.h"

enum { L2_LOG_WARPS = 32 }; // of a block, at most

// A warp's access to a line.
struct l2_access {
    struct line_use use;
    uint32_t instruction; // its index
    uint16_t begun;       // blocks since the access before it
    uint16_t round;       // how often the warp has loaded after it had stored
    uint16_t store;       // how many of the warp's stores it comes after
    uint16_t number;      // how many of its block's of the kind, loads or stores; modulo 2^16
    uint8_t is_store;
    uint8_t is_reload; // of sectors that its block has loaded before; see l2_find_reloads()
    uint8_t warp;
};

// What a run of blocks accesses, one block after the other; all 0 at first.
struct l2_log {
    struct l2_access *items;
    size_t count, capacity;
    uint32_t begun;  // blocks since the last item
    uint16_t rounds; // the most of a warp
    struct {
        uint16_t round; // of the present block's warp
        uint16_t stores;
        uint8_t has_stored;
    } warps[L2_LOG_WARPS];
    uint32_t loads, stores; // of the present block, with those that are not sampled
    int is_broken;          // no memory was left
};

// The log of a run of blocks from number `first` on.
struct l2_run {
    struct l2_log log;
    uint64_t first;
};

// The accesses of a launch. The L2 owns them, and sets what says which are noted.
struct l2_accesses {
    uint64_t origin;              // the host's address at which device memory begins
    unsigned log2_most;           // one page in 2^this is noted at first,
    _Atomic unsigned log2_sample; // and in 2^this by now
    uint64_t block_count;         // of the launch
    pthread_mutex_t lock;         // of what follows
    struct l2_run *runs;
    size_t run_count, run_capacity;
    uint64_t count;  // of all runs
    uint32_t rounds; // of the warp that has most
    int is_broken;   // no memory was left
};

// Starts a launch of that many blocks, without the accesses of the one before.
void l2_begin_log(struct l2_accesses *accesses, uint64_t block_count);

// The accesses that follow are another block's.
void l2_begin_block(struct l2_log *log);

// Notes an access by a warp of the block, if one of its lines is sampled. Without memory for it the log is broken.
void l2_note(struct l2_accesses *accesses, struct l2_log *log, const struct access *access,
             unsigned warp, uint32_t instruction, int is_store);

// Hands over the log of a run of blocks from number `first` on, and leaves an empty one. May be
// called by several of the host's threads at once. Accesses that are broken stay so until the next launch.
void l2_commit(struct l2_accesses *accesses, struct l2_log *log, uint64_t first);

// Finds which loads of the runs are reloads: at least those of a block that has come to few lines since.
void l2_find_reloads(struct l2_accesses *accesses);

// Gives back the logs of all runs.
void l2_forget(struct l2_accesses *accesses);

#endif
