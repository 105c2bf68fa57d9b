// Who touched a word: enough to tell two accesses without order, in 32 bits and an interval.
//
// The word holds a state and the number of the last thread that touched it. Two accesses of
// different threads, one of them at least a write, are a race unless both are atomic (or volatile:
// the program orders these itself) or one comes before the other:
// - in one warp by __syncwarp(), in one block by __syncthreads();
// - in one block by a hand-over, as locks and flags make it: the earlier thread's warp executed a
//   memory fence and then an atomic or volatile write, and the later one's an atomic or volatile
//   access since its last barrier. Which address they use is not looked at;
// - between blocks, in a kernel that has memory fences and atomics, always;
// - a store that changes nothing is no race, and a plain load whose value only starts a
//   compare-and-swap on the same address counts as volatile.
// So no program that is ordered by these means is called racy, but a race in the shadow of another
// hand-over is missed, as are all between the blocks of a kernel with fences and atomics.
//
// The host's threads read and write these words without a lock: a race is missed also when both
// accesses happen in the same few nanoseconds.
#ifndef SIM_RACES_H
#define SIM_RACES_H

#include "sim/check/checks.h"

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
    ATOMIC_BY_THREAD,
    ATOMIC_BY_WARP,
    ATOMIC_BY_BLOCK,
    ATOMIC_BY_BLOCKS,
    UNTRACKED, // handed from block to block: not checked
    SPLIT,     // of a word: each of its bytes has a state of its own
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
    const char *other_did; // "read", "wrote" or "executed an atomic on"
    int other_is_known;    // `other` is its number, modulo 2^28
    uint32_t other;
    int is_same_block;
};

// Enters an access to the `bytes` (one bit each) of word `word` of the shadow, by lane `lane` of the
// warp. `same_value`: a store that changes nothing, which no other thread can notice.
struct race race_check(struct warp *warp, int lane, enum access_kind kind, int same_value,
                       const struct shadow *shadow, size_t word, unsigned bytes);

// An atomic or volatile access was made: what it takes over from others, and hands over to them.
void race_hand_over(struct warp *warp, const struct instruction *in);

#endif
