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
// - a store that changes nothing is no race, and a plain load counts as volatile whose value only starts a
//   compare-and-swap on the same address, or that reads from the L2 (.cg, .cv) what atomics may change there.
// So no program that is ordered by these means is called racy, but a race in the shadow of another
// hand-over is missed, as are all between the blocks of a kernel with fences and atomics.
//
// Where several of the host's threads enter what happens to a word, each changes its state in one step:
// see claims.h.
#ifndef SIM_RACES_H
#define SIM_RACES_H

#include "sim/count/access.h"
#include "sim/state/launch.h"

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
    MIXED_BY_THREAD, // atomics, in order after plain accesses of the same block
    MIXED_BY_WARP,
    MIXED_BY_BLOCK,
    UNTRACKED, // handed from block to block: not checked
    SPLIT,     // of a word: each of its bytes has a state of its own
};

enum {
    OWNER_SHIFT = 27, // the state's place; below it the thread's number modulo 2^27
    MAX_INTERVAL = UINT16_MAX,
};
#define OWNER_MASK (((uint32_t)1 << OWNER_SHIFT) - 1)

static inline uint32_t owner_word(enum owner_state state, uint32_t thread)
{
    return (uint32_t)state << OWNER_SHIFT | (thread & OWNER_MASK);
}

static inline int owner_is_split(uint32_t owner)
{
    return owner >> OWNER_SHIFT == SPLIT;
}

// Whether what two blocks did to the same word or byte is independent: it does not matter in which order
// they did it.
int owners_agree(uint32_t a, uint32_t b);

// What race_check() finds.
struct race {
    int is_race;
    int is_dependent;      // of blocks that run side by side: this one met what another one did
    const char *other_did; // "read", "wrote" or "executed an atomic on"
    int other_is_known;    // `other` is its number, modulo 2^27
    uint32_t other;
    int is_same_block;
};

// Enters the first access to a word, in interval `now`. Returns 0 when there was another one. `is_mine`: no
// other of the host's threads enters anything there.
static inline int race_enter_fresh(int is_mine, uint32_t owner, uint16_t now, size_t word,
                                   const struct shadow *shadow)
{
    uint32_t *place = &shadow->owner[word], untouched = 0;
    if (__atomic_load_n(place, __ATOMIC_RELAXED))
        return 0;
    if (is_mine)
        *place = owner;
    else if (!__atomic_compare_exchange_n(place, &untouched, owner, 0, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED))
        return 0;
    if (now)
        __atomic_store_n(&shadow->interval[word], now, __ATOMIC_RELAXED);
    return 1;
}

// Enters an access to the `bytes` (one bit each) of word `word` of the shadow, by lane `lane` of the
// warp. `same_value`: a store that changes nothing, which no other thread can notice. `is_mine` as above.
struct race race_check(struct warp *warp, int lane, enum access_kind kind, int same_value,
                       int is_mine, size_t word, unsigned bytes, const struct shadow *shadow);

// An atomic or volatile access was made: what it takes over from others, and hands over to them.
void race_hand_over(struct warp *warp, const struct instruction *in);

#endif
