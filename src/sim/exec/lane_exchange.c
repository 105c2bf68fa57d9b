// Instructions by which the lanes of a warp read each other's registers.
#include "sim/check/poison.h"
#include "sim/exec/execute.h"
#include "sim/exec/warp.h"

// Where a lane reads, by the PTX manual's pseudocode for shfl. Returns 0 when out of its segment.
static int source_lane(enum shuffle mode, int lane, uint32_t b, uint32_t c, int *from)
{
    int segment = (int)(c >> 8 & 31), clamp = (int)(c & 31), distance = (int)(b & 31);
    int max = (lane & segment) | (clamp & ~segment), min = lane & segment, in_range = 0;
    switch (mode) {
    case SHUFFLE_UP:
        *from = lane - distance;
        in_range = *from >= max;
        break;
    case SHUFFLE_DOWN:
        *from = lane + distance;
        in_range = *from <= max;
        break;
    case SHUFFLE_BUTTERFLY:
        *from = lane ^ distance;
        in_range = *from <= max;
        break;
    case SHUFFLE_INDEX:
        *from = min | (distance & ~segment & 31);
        in_range = *from <= max;
        break;
    }
    if (!in_range)
        *from = lane;
    return in_range;
}

static void put_same(const struct warp *warp, slot at, uint32_t value, uint32_t mask)
{
    u32 r[LANES];
    for (int l = 0; l < LANES; l++)
        r[l] = value;
    put_u32(lanes_at(warp, at), r, mask);
}

void execute_shuffle(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    if (!warp_meet(warp, in, mask))
        return;
    const u32 *a = lanes_at(warp, in->a), *b = lanes_at(warp, in->b), *c = lanes_at(warp, in->c);
    u32 r[LANES];
    int from[LANES];
    uint32_t valid = 0;
    for (int l = 0; l < LANES; l++) {
        if (source_lane(in->shuffle, l, b[l], c[l], &from[l]))
            valid |= lane_bit[l];
        r[l] = a[from[l]];
    }
    if (warp->poison)
        poison_shuffle(warp, in, mask, from);
    put_u32(lanes_at(warp, in->d), r, mask);
    if (in->q != NO_SLOT)
        put_predicate(warp, in->q, valid, mask);
}

// The lanes that take part together with the first of *left, which they leave: those that name the same
// lanes. Groups that name their own may come to an instruction at the same time.
static uint32_t take_group(const struct warp *warp, const struct instruction *in, uint32_t *left)
{
    uint32_t group = *left;
    if (in->members != NO_SLOT) {
        const u32 *members = lanes_at(warp, in->members);
        u32 named = members[__builtin_ctz(*left)];
        for (int l = 0; l < LANES; l++)
            group &= members[l] == named ? ALL_LANES : ~lane_bit[l];
    }
    *left &= ~group;
    return group;
}

void execute_vote(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    if (!warp_meet(warp, in, mask))
        return;
    uint32_t holding = *predicate_at(warp, in->a) ^ (in->negate ? ALL_LANES : 0);
    for (uint32_t left = mask; left;) {
        uint32_t group = take_group(warp, in, &left), votes = holding & group;
        if (in->vote == VOTE_BALLOT) {
            put_same(warp, in->d, votes, group);
            continue;
        }
        int holds = in->vote == VOTE_ALL   ? votes == group
                    : in->vote == VOTE_ANY ? votes != 0
                                           : votes == group || votes == 0;
        put_predicate(warp, in->d, holds ? group : 0, group);
    }
}

// Each member's lanes with its value; of match.all, all members or none.
static void match_group(struct warp *warp, const struct instruction *in, uint32_t group)
{
    uint32_t all = 0;
    u32 r[LANES] = {0};
    for (int l = 0; l < LANES; l++) {
        uint64_t value = lane_get(lanes_at(warp, in->a), in->width_a, l);
        for (int k = 0; k < LANES && group & lane_bit[l]; k++)
            if (group & lane_bit[k] && lane_get(lanes_at(warp, in->a), in->width_a, k) == value)
                r[l] |= lane_bit[k];
        if (in->match == MATCH_ALL && r[l] != group)
            r[l] = 0;
        all |= r[l] ? lane_bit[l] : 0;
    }
    if (in->d != NO_SLOT)
        put_u32(lanes_at(warp, in->d), r, group);
    if (in->q != NO_SLOT)
        put_predicate(warp, in->q, all, group);
}

void execute_match(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    if (!warp_meet(warp, in, mask))
        return;
    for (uint32_t left = mask; left;)
        match_group(warp, in, take_group(warp, in, &left));
}

void execute_reduce(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    if (!warp_meet(warp, in, mask))
        return;
    scalar_fn *combine = scalar_of(in);
    for (uint32_t left = mask; left;) {
        uint32_t group = take_group(warp, in, &left);
        const u32 *a = lanes_at(warp, in->a);
        int first = __builtin_ctz(group);
        uint64_t result = a[first];
        for (int l = first + 1; l < LANES; l++)
            if (group & lane_bit[l])
                result = combine(result, a[l], 0);
        put_same(warp, in->d, (uint32_t)result, group);
    }
}

void execute_active_mask(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    put_same(warp, in->d, mask, mask);
}
