// Moves between registers, and what chooses among them.
#include "sim/exec/execute.h"
#include "sim/exec/warp.h"

static void move_lanes(void *d, const void *a, unsigned width, uint32_t mask)
{
    if (d == a)
        return;
    if (width == 4)
        put_u32(d, a, mask);
    else if (width == 8)
        put_u64(d, a, mask);
    else
        put_u16(d, a, mask);
}

void execute_move(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    move_lanes(lanes_at(warp, in->d), lanes_at(warp, in->a), in->width_d, mask);
}

void execute_select(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t chosen = *predicate_at(warp, in->c);
    void *d = lanes_at(warp, in->d);
    move_lanes(d, lanes_at(warp, in->a), in->width_d, mask & chosen);
    move_lanes(d, lanes_at(warp, in->b), in->width_d, mask & ~chosen);
}

void execute_clock(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    FOR_LANES(l, mask)
        lane_put(lanes_at(warp, in->d), in->width_d, l, warp->executed);
}

void execute_pack(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    FOR_LANES(l, mask) {
        uint64_t bits = 0;
        for (unsigned i = 0; i < in->vector; i++)
            bits |= lane_get(lanes_at(warp, in->v[i]), in->width_a, l) << 8 * in->width_a * i;
        lane_put(lanes_at(warp, in->d), in->width_d, l, bits);
    }
}

void execute_unpack(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint64_t bits[LANES]; // the source may be one of the destinations
    for (int l = 0; l < LANES; l++)
        bits[l] = lane_get(lanes_at(warp, in->a), in->width_a, l);
    for (unsigned i = 0; i < in->vector; i++)
        for (int l = 0; l < LANES; l++)
            if (mask & lane_bit[l] && in->v[i] != NO_SLOT)
                lane_put(lanes_at(warp, in->v[i]), in->width_d, l, bits[l] >> 8 * in->width_d * i);
}
