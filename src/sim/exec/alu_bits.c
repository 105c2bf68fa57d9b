// Operations on bits, by the definitions of the PTX manual.
#include "sim/exec/alu_define.h"

#define DEFINE_LOGIC(U)                                                                            \
    DEFINE_2(and_##U, U, U, U, a &b)                                                               \
    DEFINE_2(or_##U, U, U, U, a | b)                                                               \
    DEFINE_2(xor_##U, U, U, U, a ^ b)                                                              \
    DEFINE_1(not_##U, U, U, ~a)                                                                    \
    DEFINE_1(cnot_##U, U, U, a == 0)

// A shift by the width or more leaves zeros, or copies of the sign.
#define DEFINE_SHIFTS(U, S, bits)                                                                  \
    DEFINE_2(shl_##U, U, U, u32, b < bits ? (u64)a << (b & 63) : 0)                                \
    DEFINE_2(shr_##U, U, U, u32, b < bits ? a >> (b & (bits - 1)) : 0)                             \
    DEFINE_2(shr_##S, S, S, u32, a >> (b < bits ? b : bits - 1))

DEFINE_LOGIC(u16)
DEFINE_LOGIC(u32)
DEFINE_LOGIC(u64)
DEFINE_SHIFTS(u16, s16, 16)
DEFINE_SHIFTS(u32, s32, 32)
DEFINE_SHIFTS(u64, s64, 64)

static u32 leading_zeros(u64 value)
{
    return value ? (u32)__builtin_clzll(value) : 64;
}

static u64 reversed(u64 value)
{
    u64 result = 0;
    for (int i = 0; i < 64; i++, value >>= 1)
        result = result << 1 | (value & 1);
    return result;
}

// The position of the highest bit that differs from the sign; all ones when there is none.
static u32 highest_bit(u64 value, int is_negative)
{
    value = is_negative ? ~value : value;
    return value ? 63 - leading_zeros(value) : UINT32_MAX;
}

static u32 highest_shift(u32 position, u32 bits)
{
    return position == UINT32_MAX ? position : bits - 1 - position;
}

// `length` bits from `start`, sign-extended by `sign` (all ones or zero) where there are no more.
static u64 extracted(u64 value, u32 start, u32 length, u32 bits, int is_signed)
{
    start &= 255;
    length &= 255;
    u64 result = start < bits ? value >> start : 0;
    u64 kept = length >= 64 ? UINT64_MAX : ((u64)1 << length) - 1;
    u32 last = start + length == 0 ? 0 : start + length - 1;
    last = last < bits - 1 ? last : bits - 1;
    u64 sign = is_signed && length > 0 && (value >> last & 1) ? UINT64_MAX : 0;
    u32 have = start < bits ? bits - start : 0;
    u64 field = have >= 64 ? kept : kept & (((u64)1 << have) - 1);
    return (result & field) | (sign & ~field);
}

static u64 inserted(u64 field, u64 base, u32 start, u32 length, u32 bits)
{
    start &= 255;
    length &= 255;
    if (start >= bits)
        return base;
    u64 kept = (length >= 64 ? UINT64_MAX : ((u64)1 << length) - 1) << start;
    return (base & ~kept) | (field << start & kept);
}

static u32 permuted(u32 a, u32 b, u32 selector)
{
    u64 bytes = (u64)b << 32 | a;
    u32 result = 0;
    for (int i = 0; i < 4; i++) {
        u32 nibble = selector >> 4 * i & 15, byte = (u32)(bytes >> 8 * (nibble & 7)) & 255;
        if (nibble & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * i;
    }
    return result;
}

static u32 funnel_left(u32 a, u32 b, u32 shift)
{
    return (u32)(((u64)b << 32 | a) << shift >> 32);
}

static u32 funnel_right(u32 a, u32 b, u32 shift)
{
    return (u32)(((u64)b << 32 | a) >> shift);
}

DEFINE_1(popc_b32, u32, u32, __builtin_popcount(a))
DEFINE_1(popc_b64, u32, u64, __builtin_popcountll(a))
DEFINE_1(clz_b32, u32, u32, leading_zeros(a) - 32)
DEFINE_1(clz_b64, u32, u64, leading_zeros(a))
DEFINE_1(brev_b32, u32, u32, reversed(a) >> 32)
DEFINE_1(brev_b64, u64, u64, reversed(a))
DEFINE_1(bfind_u32, u32, u32, highest_bit(a, 0))
DEFINE_1(bfind_s32, u32, s32, highest_bit((u64)(s64)a, a < 0))
DEFINE_1(bfind_u64, u32, u64, highest_bit(a, 0))
DEFINE_1(bfind_s64, u32, s64, highest_bit((u64)a, a < 0))
DEFINE_1(bfind_shift_u32, u32, u32, highest_shift(highest_bit(a, 0), 32))
DEFINE_1(bfind_shift_s32, u32, s32, highest_shift(highest_bit((u64)(s64)a, a < 0), 32))
DEFINE_1(bfind_shift_u64, u32, u64, highest_shift(highest_bit(a, 0), 64))
DEFINE_1(bfind_shift_s64, u32, s64, highest_shift(highest_bit((u64)a, a < 0), 64))
DEFINE_3(bfe_u32, u32, u32, u32, u32, extracted(a, b, c, 32, 0))
DEFINE_3(bfe_s32, u32, u32, u32, u32, extracted(a, b, c, 32, 1))
DEFINE_3(bfe_u64, u64, u64, u32, u32, extracted(a, b, c, 64, 0))
DEFINE_3(bfe_s64, u64, u64, u32, u32, extracted(a, b, c, 64, 1))
DEFINE_3(prmt_b32, u32, u32, u32, u32, permuted(a, b, c))
DEFINE_3(shf_l_wrap, u32, u32, u32, u32, funnel_left(a, b, c & 31))
DEFINE_3(shf_r_wrap, u32, u32, u32, u32, funnel_right(a, b, c & 31))
DEFINE_3(shf_l_clamp, u32, u32, u32, u32, funnel_left(a, b, c < 32 ? c : 32))
DEFINE_3(shf_r_clamp, u32, u32, u32, u32, funnel_right(a, b, c < 32 ? c : 32))

static uint64_t bfi_b32_scalar(uint64_t field, uint64_t base, uint64_t place)
{
    return (u32)inserted((u32)field, (u32)base, (u32)place, (u32)(place >> 32), 32);
}

static uint64_t bfi_b64_scalar(uint64_t field, uint64_t base, uint64_t place)
{
    return inserted(field, base, (u32)place, (u32)(place >> 32), 64);
}

// Bit i of the table is the result for the operands' bits i = 4a + 2b + c.
void execute_logic3(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const u32 *a = lanes_at(warp, in->a), *b = lanes_at(warp, in->b), *c = lanes_at(warp, in->c);
    u32 r[LANES];
    for (int l = 0; l < LANES; l++) {
        r[l] = 0;
        for (unsigned i = 0; i < 8; i++)
            if (in->offset >> i & 1)
                r[l] |= (i & 4 ? a[l] : ~a[l]) & (i & 2 ? b[l] : ~b[l]) & (i & 1 ? c[l] : ~c[l]);
    }
    put_u32(lanes_at(warp, in->d), r, mask);
}

#define LOGIC_ROWS(text, U)                                                                        \
    ROW_2("and." text, and_##U, U, U, U), ROW_2("or." text, or_##U, U, U, U),                      \
        ROW_2("xor." text, xor_##U, U, U, U), ROW_1("not." text, not_##U, U, U),                   \
        ROW_1("cnot." text, cnot_##U, U, U), ROW_2("shl." text, shl_##U, U, U, u32),               \
        ROW_2("shr." text, shr_##U, U, U, u32)

const struct operation bit_operations[] = {
    LOGIC_ROWS("b16", u16),
    LOGIC_ROWS("b32", u32),
    LOGIC_ROWS("b64", u64),
    ROW_2("shr.s16", shr_s16, s16, s16, u32),
    ROW_2("shr.s32", shr_s32, s32, s32, u32),
    ROW_2("shr.s64", shr_s64, s64, s64, u32),
    ROW_1("popc.b32", popc_b32, u32, u32),
    ROW_1("popc.b64", popc_b64, u32, u64),
    ROW_1("clz.b32", clz_b32, u32, u32),
    ROW_1("clz.b64", clz_b64, u32, u64),
    ROW_1("brev.b32", brev_b32, u32, u32),
    ROW_1("brev.b64", brev_b64, u64, u64),
    ROW_1("bfind.u32", bfind_u32, u32, u32),
    ROW_1("bfind.s32", bfind_s32, u32, s32),
    ROW_1("bfind.u64", bfind_u64, u32, u64),
    ROW_1("bfind.s64", bfind_s64, u32, s64),
    ROW_1("bfind.shiftamt.u32", bfind_shift_u32, u32, u32),
    ROW_1("bfind.shiftamt.s32", bfind_shift_s32, u32, s32),
    ROW_1("bfind.shiftamt.u64", bfind_shift_u64, u32, u64),
    ROW_1("bfind.shiftamt.s64", bfind_shift_s64, u32, s64),
    ROW_3("bfe.u32", bfe_u32, u32, u32, u32, u32),
    ROW_3("bfe.s32", bfe_s32, u32, u32, u32, u32),
    ROW_3("bfe.u64", bfe_u64, u64, u64, u32, u32),
    ROW_3("bfe.s64", bfe_s64, u64, u64, u32, u32),
    ROW_3("prmt.b32", prmt_b32, u32, u32, u32, u32),
    ROW_3("shf.l.wrap.b32", shf_l_wrap, u32, u32, u32, u32),
    ROW_3("shf.r.wrap.b32", shf_r_wrap, u32, u32, u32, u32),
    ROW_3("shf.l.clamp.b32", shf_l_clamp, u32, u32, u32, u32),
    ROW_3("shf.r.clamp.b32", shf_r_clamp, u32, u32, u32, u32),
    {"bfi.b32", NULL, bfi_b32_scalar, {4, 4, 4, 4}},
    {"bfi.b64", NULL, bfi_b64_scalar, {8, 8, 8, 4}},
    {NULL, NULL, NULL, {0}},
};
