// The order in which the L2 (l2.h) gets the accesses of a launch. Blocks are taken in the order of their numbers, whatever
// order they ran in, or where warps load again after they have stored, as in the rounds of a loop, in turns of those that
// run at the same time, a round each: so the outcome does not depend on the number of the host's threads.
#ifndef SIM_L2_ORDER_H
#define SIM_L2_ORDER_H

#include "sim/count/l2_log.h"

// Of a launch, what says when its blocks come to their accesses. Of two blocks that begin together one comes to a store
// while `spread` others are launched before the other one does, in the mean, and of two warps of a block `warp_spread`; two
// warps lose `warps_lose` of what two blocks do by a sector that they share, 0 to 1. `running` blocks do so at a time, on so
// many SMs, each at least 1; where no others are launched, those on one SM of five may be faster than the rest (pace_*): a
// round takes them `fast` as long as the mean. L1 still has such a share of what blocks load again, 0 to 1.
struct l2_order {
    double warps_lose, spread, warp_spread, l1_keeps;
    uint64_t running;
    unsigned sms;
    double fast;
};

// An access, and the number of the block that it is of.
struct l2_ordered_access {
    const struct l2_access *access;
    uint64_t block;
};

// Whether the order in which blocks take turns matters: no more are launched than run at a time, and they go through rounds.
int l2_has_pace(const struct l2_accesses *accesses, const struct l2_order *order);

// Whether blocks start in waves, as they go through rounds, and more are launched than run at a time: how far apart blocks come
// then says which of their rounds are in the same turn.
int l2_goes_in_waves(const struct l2_accesses *accesses, const struct l2_order *order);

// All accesses->count of them in that order, which the caller frees, or NULL when no memory is left. They are valid until
// l2_forget().
struct l2_ordered_access *l2_take_turns(struct l2_accesses *accesses, const struct l2_order *order);

// How many blocks have been launched before the access. Of blocks that all run at once, as many count as launched with each
// of their rounds.
double l2_launches_before(const struct l2_accesses *accesses, const struct l2_order *order,
                          const struct l2_ordered_access *ordered);

#endif
