// Undefined values: what a lane gets from a shuffle that reads another lane which is not in its mask, has
// exited or was never launched (PTX ISA, shfl.sync: the result is unpredictable).
//
// To read one is no mistake as such: in the usual reduction over some lanes of a warp, the upper ones read
// beyond them, and nobody wants what they get. So a lane's registers carry a mark, from one to the next, and
// what is told is the use: a store, an atomic, an address. What is computed under a branch that depends on
// such a value is as undefined, for who goes another way too; a choice that does not fall on it (selp; and, or with a predicate that
// decides alone; zero times it) is not. The marks go through local memory too, byte by byte, and with the
// parameters and results of calls, which lie there. compute-sanitizer has no such check.
#ifndef SIM_POISON_H
#define SIM_POISON_H

#include "sim/state/launch.h"

// The shuffle that a lane's undefined value is from.
struct poison_origin {
    const struct instruction *in;
    int reader, from;    // lanes
    uint32_t named;      // by the reader
    const char *absence; // what is wrong with `from`
};

// Of a warp in a kernel with shuffles, while the checks are on.
struct poison {
    size_t marked;                      // how many of `lanes` are not 0
    uint32_t carry;                     // lanes whose carry flag is
    uint32_t strayed;                   // lanes that took a branch by such a value,
    const struct instruction *rejoin;   // and where they are with the others again,
    size_t rejoin_frame;                // in which function's activation
    struct poison_origin origin[LANES]; // of each lane's latest
    uint32_t lanes[];                   // of each slot of the frames, and each byte of local memory
};

// Bytes that a warp's struct poison takes.
size_t poison_size(uint64_t frame_bytes, uint64_t local_bytes);

// Nothing is undefined: before a block's first instruction.
void poison_clear(struct warp *warp);

// A shuffle is about to give each lane l in `mask` the value of lane from[l].
void poison_shuffle(struct warp *warp, const struct instruction *in, uint32_t mask,
                    const int from[LANES]);

// The warp is about to execute `in`, and something that it has is undefined. Raises a fault where the
// instruction uses that.
void poison_step(struct warp *warp, const struct instruction *in);

#endif
