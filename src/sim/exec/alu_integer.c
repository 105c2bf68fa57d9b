// Integer arithmetic. Signed overflow wraps, so sums and products are computed unsigned; the
// products of 16-bit operands are computed in 32 bits because C would promote them to int.
#include "sim/exec/alu_define.h"

// What division by zero gives is unspecified in PTX: all ones, as on NVIDIA's hardware.
#define DEFINE_DIVISION(U, S)                                                                      \
    DEFINE_2(div_##U, U, U, U, b == 0 ? (U)-1 : a / b)                                             \
    DEFINE_2(rem_##U, U, U, U, b == 0 ? a : a % b)                                                 \
    DEFINE_2(div_##S, S, S, S, b == 0 ? -1 : b == -1 ? (S)(0 - (U)a) : a / b)                      \
    DEFINE_2(rem_##S, S, S, S, b == 0 ? a : b == -1 ? 0 : a % b)

#define DEFINE_ORDER(T)                                                                            \
    DEFINE_2(min_##T, T, T, T, a < b ? a : b)                                                      \
    DEFINE_2(max_##T, T, T, T, a > b ? a : b)

#define DEFINE_SUMS(U, WIDE)                                                                       \
    DEFINE_2(add_##U, U, U, U, (WIDE)a + b)                                                        \
    DEFINE_2(sub_##U, U, U, U, (WIDE)a - b)                                                        \
    DEFINE_2(mul_##U, U, U, U, (WIDE)a *b)                                                         \
    DEFINE_3(mad_##U, U, U, U, U, (WIDE)a *b + c)

// The upper half of a product, and the whole of it: T's values in the type W twice as wide.
#define DEFINE_PRODUCTS(T, W, UW, bits)                                                            \
    DEFINE_2(mul_hi_##T, T, T, T, (UW)((W)a * (W)b) >> bits)                                       \
    DEFINE_3(mad_hi_##T, T, T, T, T, (UW)((UW)((W)a * (W)b) >> bits) + (UW)c)

#define DEFINE_WIDE(T, W, UW)                                                                      \
    DEFINE_2(mul_wide_##T, W, T, T, (W)a *(W)b)                                                    \
    DEFINE_3(mad_wide_##T, W, T, T, W, (UW)((W)a * (W)b) + (UW)c)

#define DEFINE_SIGNS(S, U)                                                                         \
    DEFINE_1(neg_##S, U, U, 0 - a)                                                                 \
    DEFINE_1(abs_##S, S, S, a < 0 ? (S)(0 - (U)a) : a)

__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

DEFINE_SUMS(u16, u32)
DEFINE_SUMS(u32, u32)
DEFINE_SUMS(u64, u64)
DEFINE_DIVISION(u16, s16)
DEFINE_DIVISION(u32, s32)
DEFINE_DIVISION(u64, s64)
DEFINE_ORDER(u16)
DEFINE_ORDER(s16)
DEFINE_ORDER(u32)
DEFINE_ORDER(s32)
DEFINE_ORDER(u64)
DEFINE_ORDER(s64)
DEFINE_PRODUCTS(u16, u32, u32, 16)
DEFINE_PRODUCTS(s16, s32, u32, 16)
DEFINE_PRODUCTS(u32, u64, u64, 32)
DEFINE_PRODUCTS(s32, s64, u64, 32)
DEFINE_PRODUCTS(u64, u128, u128, 64)
DEFINE_PRODUCTS(s64, s128, u128, 64)
DEFINE_WIDE(u16, u32, u32)
DEFINE_WIDE(s16, s32, u32)
DEFINE_WIDE(u32, u64, u64)
DEFINE_WIDE(s32, s64, u64)
DEFINE_SIGNS(s16, u16)
DEFINE_SIGNS(s32, u32)
DEFINE_SIGNS(s64, u64)

static s32 clamp_s32(s64 value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (s32)value;
}

DEFINE_2(add_sat, s32, s32, s32, clamp_s32((s64)a + b))
DEFINE_2(sub_sat, s32, s32, s32, clamp_s32((s64)a - b))
DEFINE_3(mad_hi_sat, s32, s32, s32, s32, clamp_s32((((s64)a * b) >> 32) + c))
DEFINE_2(mul24_u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff))
DEFINE_2(mul24_s32, s32, s32, s32, (s64)((s32)((u32)a << 8) >> 8) * ((s32)((u32)b << 8) >> 8))
DEFINE_3(mad24_u32, u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff) + c)
DEFINE_3(mad24_s32, s32, s32, s32, s32, (u64)mul24_s32_of(a, b) + (u64)c)
DEFINE_3(sad_u32, u32, u32, u32, u32, (a < b ? b - a : a - b) + c)
DEFINE_3(sad_s32, s32, s32, s32, u32, (a < b ? (u32)b - (u32)a : (u32)a - (u32)b) + c)

const struct operation integer_operations[] = {
    ROW_2("add.b16", add_u16, u16, u16, u16),
    ROW_2("sub.b16", sub_u16, u16, u16, u16),
    ROW_2("mul.b16", mul_u16, u16, u16, u16),
    ROW_3("mad.b16", mad_u16, u16, u16, u16, u16),
    ROW_2("add.b32", add_u32, u32, u32, u32),
    ROW_2("sub.b32", sub_u32, u32, u32, u32),
    ROW_2("mul.b32", mul_u32, u32, u32, u32),
    ROW_3("mad.b32", mad_u32, u32, u32, u32, u32),
    ROW_2("add.b64", add_u64, u64, u64, u64),
    ROW_2("sub.b64", sub_u64, u64, u64, u64),
    ROW_2("mul.b64", mul_u64, u64, u64, u64),
    ROW_3("mad.b64", mad_u64, u64, u64, u64, u64),
    ROW_2("div.u16", div_u16, u16, u16, u16),
    ROW_2("rem.u16", rem_u16, u16, u16, u16),
    ROW_2("min.u16", min_u16, u16, u16, u16),
    ROW_2("max.u16", max_u16, u16, u16, u16),
    ROW_2("mul.hi.u16", mul_hi_u16, u16, u16, u16),
    ROW_3("mad.hi.u16", mad_hi_u16, u16, u16, u16, u16),
    ROW_2("div.s16", div_s16, s16, s16, s16),
    ROW_2("rem.s16", rem_s16, s16, s16, s16),
    ROW_2("min.s16", min_s16, s16, s16, s16),
    ROW_2("max.s16", max_s16, s16, s16, s16),
    ROW_2("mul.hi.s16", mul_hi_s16, s16, s16, s16),
    ROW_3("mad.hi.s16", mad_hi_s16, s16, s16, s16, s16),
    ROW_2("div.u32", div_u32, u32, u32, u32),
    ROW_2("rem.u32", rem_u32, u32, u32, u32),
    ROW_2("min.u32", min_u32, u32, u32, u32),
    ROW_2("max.u32", max_u32, u32, u32, u32),
    ROW_2("mul.hi.u32", mul_hi_u32, u32, u32, u32),
    ROW_3("mad.hi.u32", mad_hi_u32, u32, u32, u32, u32),
    ROW_2("div.s32", div_s32, s32, s32, s32),
    ROW_2("rem.s32", rem_s32, s32, s32, s32),
    ROW_2("min.s32", min_s32, s32, s32, s32),
    ROW_2("max.s32", max_s32, s32, s32, s32),
    ROW_2("mul.hi.s32", mul_hi_s32, s32, s32, s32),
    ROW_3("mad.hi.s32", mad_hi_s32, s32, s32, s32, s32),
    ROW_2("div.u64", div_u64, u64, u64, u64),
    ROW_2("rem.u64", rem_u64, u64, u64, u64),
    ROW_2("min.u64", min_u64, u64, u64, u64),
    ROW_2("max.u64", max_u64, u64, u64, u64),
    ROW_2("mul.hi.u64", mul_hi_u64, u64, u64, u64),
    ROW_3("mad.hi.u64", mad_hi_u64, u64, u64, u64, u64),
    ROW_2("div.s64", div_s64, s64, s64, s64),
    ROW_2("rem.s64", rem_s64, s64, s64, s64),
    ROW_2("min.s64", min_s64, s64, s64, s64),
    ROW_2("max.s64", max_s64, s64, s64, s64),
    ROW_2("mul.hi.s64", mul_hi_s64, s64, s64, s64),
    ROW_3("mad.hi.s64", mad_hi_s64, s64, s64, s64, s64),
    ROW_2("mul.wide.u16", mul_wide_u16, u32, u16, u16),
    ROW_3("mad.wide.u16", mad_wide_u16, u32, u16, u16, u32),
    ROW_2("mul.wide.s16", mul_wide_s16, s32, s16, s16),
    ROW_3("mad.wide.s16", mad_wide_s16, s32, s16, s16, s32),
    ROW_2("mul.wide.u32", mul_wide_u32, u64, u32, u32),
    ROW_3("mad.wide.u32", mad_wide_u32, u64, u32, u32, u64),
    ROW_2("mul.wide.s32", mul_wide_s32, s64, s32, s32),
    ROW_3("mad.wide.s32", mad_wide_s32, s64, s32, s32, s64),
    ROW_1("neg.s16", neg_s16, s16, s16),
    ROW_1("abs.s16", abs_s16, s16, s16),
    ROW_1("neg.s32", neg_s32, s32, s32),
    ROW_1("abs.s32", abs_s32, s32, s32),
    ROW_1("neg.s64", neg_s64, s64, s64),
    ROW_1("abs.s64", abs_s64, s64, s64),
    ROW_2("add.sat.s32", add_sat, s32, s32, s32),
    ROW_2("sub.sat.s32", sub_sat, s32, s32, s32),
    ROW_3("mad.hi.sat.s32", mad_hi_sat, s32, s32, s32, s32),
    ROW_2("mul24.u32", mul24_u32, u32, u32, u32),
    ROW_2("mul24.s32", mul24_s32, s32, s32, s32),
    ROW_3("mad24.u32", mad24_u32, u32, u32, u32, u32),
    ROW_3("mad24.s32", mad24_s32, s32, s32, s32, s32),
    ROW_3("sad.u32", sad_u32, u32, u32, u32, u32),
    ROW_3("sad.s32", sad_s32, s32, s32, s32, u32),
    {NULL, NULL, NULL, {0}},
};
