// Sums with a carry from one instruction to the next: add.cc, addc, sub.cc, subc, mad.cc, madc.
#include "sim/exec/execute.h"
#include "sim/exec/warp.h"

__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

static uint64_t product(uint64_t a, uint64_t b, const struct instruction *in)
{
    u128 whole = (u128)a * b;
    if (type_is_signed(in->type)) {
        s128 sa = in->width_d == 4 ? (s32)a : (s64)a, sb = in->width_d == 4 ? (s32)b : (s64)b;
        whole = (u128)(sa * sb);
    }
    return (uint64_t)(in->carry == CARRY_MAD_HIGH ? whole >> 8 * in->width_d : whole);
}

void execute_carry(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const uint64_t ones = in->width_d == 4 ? UINT32_MAX : UINT64_MAX;
    FOR_LANES(l, mask) {
        uint64_t a = lane_get(lanes_at(warp, in->a), in->width_d, l);
        uint64_t b = lane_get(lanes_at(warp, in->b), in->width_d, l);
        u128 carry = in->takes_carry && warp->carry & lane_bit[l], sum;
        if (in->carry == CARRY_SUB)
            sum = (u128)a - b - carry; // a borrow sets all the bits above
        else if (in->carry == CARRY_ADD)
            sum = (u128)a + b + carry;
        else
            sum = (u128)(product(a, b, in) & ones) +
                  lane_get(lanes_at(warp, in->c), in->width_d, l) + carry;
        lane_put(lanes_at(warp, in->d), in->width_d, l, (uint64_t)sum);
        if (in->sets_carry)
            warp->carry = (warp->carry & ~lane_bit[l]) | (sum > ones ? lane_bit[l] : 0);
    }
}
