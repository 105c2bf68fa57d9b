// Who touched a word: enough to tell two accesses without order, in 32 bits and an interval.
//
// The word holds a state and the number of the last thread that touched it. Blocks of one launch
// are never ordered, unless they hand data over with memory fences; threads of one block are
// ordered by barriers. The host's threads read and write these words without a lock: a race is
// missed only when both accesses happen in the same few nanoseconds.
#ifndef SIM_RACES_H
#define SIM_RACES_H

#include "checks.h"

enum owner_state {
    UNTOUCHED,
    READ_BY_THREAD,
    READ_BY_WARP,
    READ_BY_BLOCK,
    READ_BY_BLOCKS,
    WRITTEN,
    WRITTEN_READ_BY_THREAD, // after the write, in order
    WRITTEN_READ_BY_WARP,
    WRITTEN_READ_BY_BLOCK,
    ATOMIC,
    ATOMIC_BY_BLOCKS,
    UNTRACKED, // parts of the word belong to different threads: not checked
};

enum {
    OWNER_SHIFT = 28, // the state's place; below it the thread's number modulo 2^28
    MAX_INTERVAL = UINT16_MAX,
};
#define OWNER_MASK (((uint32_t)1 << OWNER_SHIFT) - 1)

static inline uint32_t owner_word(enum owner_state state, uint32_t thread)
{
    return (uint32_t)state << OWNER_SHIFT | (thread & OWNER_MASK);
}

// What race_check() finds.
struct race {
    int is_race;
    int other_wrote;    // the other access was a write (or an atomic)
    int other_is_known; // `other` is a thread; else only its block is known
    uint32_t other;     // number of the other thread, modulo 2^28
};

// Enters an access to one word by lane `lane` of the warp. `is_whole`: to all 4 bytes;
// `same_value`: a store that changes nothing, which no other thread can notice.
struct race race_check(struct warp *warp, int lane, enum access_kind kind, int is_whole,
                       int same_value, uint32_t *owner, uint16_t *interval);

#endif
