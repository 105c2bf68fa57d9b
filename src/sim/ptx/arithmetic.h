// What is computed from registers alone, a row an operation. To add one takes nothing but a row:
//
//     ROW_n(kind, spelling, name, TD, TA, ..., value)
//         kind: what the estimates of machine code tell apart: enum arithmetic
//         spelling: "add.b32": s32 and u32 are b32 where the sign makes no difference
//         name: the function's in C
//         TD, TA, ...: the types of the result and of its n operands a, b, c
//         value: the result, in C
//
// Included by operations.c, which makes the table of it that decoding searches, and by
// sim/exec/arithmetic.c, which makes the functions. Signed overflow wraps, so sums and products are
// computed unsigned; the products of 16-bit operands are computed in 32 bits because C would promote them
// to int.

// ---- Integers ----
#define SUMS(B, U, WIDE)                                                                           \
    ROW_2(ADD, "add." #B, add_##U, U, U, U, (WIDE)a + b)                                           \
    ROW_2(SUB, "sub." #B, sub_##U, U, U, U, (WIDE)a - b)                                           \
    ROW_2(MUL, "mul." #B, mul_##U, U, U, U, (WIDE)a *b)                                            \
    ROW_3(MAD, "mad." #B, mad_##U, U, U, U, U, (WIDE)a *b + c)

// What division by zero gives is unspecified in PTX: all ones, as on NVIDIA's hardware.
#define DIVISIONS(U, S)                                                                            \
    ROW_2(DIVIDE, "div." #U, div_##U, U, U, U, b == 0 ? (U)-1 : a / b)                             \
    ROW_2(DIVIDE, "rem." #U, rem_##U, U, U, U, b == 0 ? a : a % b)                                 \
    ROW_2(DIVIDE, "div." #S, div_##S, S, S, S, b == 0 ? -1 : b == -1 ? (S)(0 - (U)a) : a / b)      \
    ROW_2(DIVIDE, "rem." #S, rem_##S, S, S, S, b == 0 ? a : b == -1 ? 0 : a % b)

// The lesser and the greater, and the upper half of a product: T's values in the type W twice as wide.
#define ORDERED(T, W, UW, bits)                                                                    \
    ROW_2(OTHER, "min." #T, min_##T, T, T, T, a < b ? a : b)                                       \
    ROW_2(OTHER, "max." #T, max_##T, T, T, T, a > b ? a : b)                                       \
    ROW_2(MUL, "mul.hi." #T, mul_hi_##T, T, T, T, (UW)((W)a * (W)b) >> bits)                       \
    ROW_3(MAD, "mad.hi." #T, mad_hi_##T, T, T, T, T, (UW)((UW)((W)a * (W)b) >> bits) + (UW)c)

#define WIDE_PRODUCTS(T, W, UW)                                                                    \
    ROW_2(MUL_WIDE, "mul.wide." #T, mul_wide_##T, W, T, T, (W)a *(W)b)                             \
    ROW_3(MAD_WIDE, "mad.wide." #T, mad_wide_##T, W, T, T, W, (UW)((W)a * (W)b) + (UW)c)

#define SIGNS(S, U)                                                                                \
    ROW_1(OTHER, "neg." #S, neg_##S, U, U, 0 - a)                                                  \
    ROW_1(OTHER, "abs." #S, abs_##S, S, S, a < 0 ? (S)(0 - (U)a) : a)

SUMS(b16, u16, u32)
SUMS(b32, u32, u32)
SUMS(b64, u64, u64)
DIVISIONS(u16, s16)
DIVISIONS(u32, s32)
DIVISIONS(u64, s64)
ORDERED(u16, u32, u32, 16)
ORDERED(s16, s32, u32, 16)
ORDERED(u32, u64, u64, 32)
ORDERED(s32, s64, u64, 32)
ORDERED(u64, u128, u128, 64)
ORDERED(s64, s128, u128, 64)
WIDE_PRODUCTS(u16, u32, u32)
WIDE_PRODUCTS(s16, s32, u32)
WIDE_PRODUCTS(u32, u64, u64)
WIDE_PRODUCTS(s32, s64, u64)
SIGNS(s16, u16)
SIGNS(s32, u32)
SIGNS(s64, u64)
ROW_2(ADD, "add.sat.s32", add_sat, s32, s32, s32, clamp_s32((s64)a + b))
ROW_2(SUB, "sub.sat.s32", sub_sat, s32, s32, s32, clamp_s32((s64)a - b))
ROW_3(MAD, "mad.hi.sat.s32", mad_hi_sat, s32, s32, s32, s32, clamp_s32((((s64)a * b) >> 32) + c))
ROW_2(OTHER, "mul24.u32", mul24_u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff))
ROW_2(OTHER, "mul24.s32", mul24_s32, s32, s32, s32, (s64)low_24(a) * low_24(b))
ROW_3(OTHER, "mad24.u32", mad24_u32, u32, u32, u32, u32, (a & 0xffffff) * (b & 0xffffff) + c)
ROW_3(OTHER, "mad24.s32", mad24_s32, s32, s32, s32, s32, (u64)mul24_s32_of(a, b) + (u64)c)
ROW_3(OTHER, "sad.u32", sad_u32, u32, u32, u32, u32, (a < b ? b - a : a - b) + c)
ROW_3(OTHER, "sad.s32", sad_s32, s32, s32, s32, u32,
      (a < b ? (u32)b - (u32)a : (u32)a - (u32)b) + c)

// ---- Bits, by the definitions of the PTX manual: a shift by the width or more leaves zeros, or signs ----
#define LOGIC(B, U, S, bits)                                                                       \
    ROW_2(OTHER, "and." #B, and_##U, U, U, U, a &b)                                                \
    ROW_2(OTHER, "or." #B, or_##U, U, U, U, a | b)                                                 \
    ROW_2(OTHER, "xor." #B, xor_##U, U, U, U, a ^ b)                                               \
    ROW_1(OTHER, "not." #B, not_##U, U, U, ~a)                                                     \
    ROW_1(OTHER, "cnot." #B, cnot_##U, U, U, a == 0)                                               \
    ROW_2(SHIFT_LEFT, "shl." #B, shl_##U, U, U, u32, b < bits ? (u64)a << (b & 63) : 0)            \
    ROW_2(OTHER, "shr." #B, shr_##U, U, U, u32, b < bits ? a >> (b & (bits - 1)) : 0)              \
    ROW_2(OTHER, "shr." #S, shr_##S, S, S, u32, a >> (b < bits ? b : bits - 1))

#define HIGHEST_BIT(T, W, bits, is_negative)                                                       \
    ROW_1(OTHER, "bfind." #T, bfind_##T, u32, T, highest_bit((u64)(W)a, is_negative))              \
    ROW_1(OTHER, "bfind.shiftamt." #T, bfind_shift_##T, u32, T,                                    \
          highest_shift(bfind_##T##_of(a), bits))

LOGIC(b16, u16, s16, 16)
LOGIC(b32, u32, s32, 32)
LOGIC(b64, u64, s64, 64)
HIGHEST_BIT(u32, u64, 32, 0)
HIGHEST_BIT(s32, s64, 32, a < 0)
HIGHEST_BIT(u64, u64, 64, 0)
HIGHEST_BIT(s64, s64, 64, a < 0)
ROW_1(OTHER, "popc.b32", popc_b32, u32, u32, __builtin_popcount(a))
ROW_1(OTHER, "popc.b64", popc_b64, u32, u64, __builtin_popcountll(a))
ROW_1(OTHER, "clz.b32", clz_b32, u32, u32, leading_zeros(a) - 32)
ROW_1(OTHER, "clz.b64", clz_b64, u32, u64, leading_zeros(a))
ROW_1(OTHER, "brev.b32", brev_b32, u32, u32, reversed(a) >> 32)
ROW_1(OTHER, "brev.b64", brev_b64, u64, u64, reversed(a))
ROW_3(OTHER, "bfe.u32", bfe_u32, u32, u32, u32, u32, extracted(a, b, c, 32, 0))
ROW_3(OTHER, "bfe.s32", bfe_s32, u32, u32, u32, u32, extracted(a, b, c, 32, 1))
ROW_3(OTHER, "bfe.u64", bfe_u64, u64, u64, u32, u32, extracted(a, b, c, 64, 0))
ROW_3(OTHER, "bfe.s64", bfe_s64, u64, u64, u32, u32, extracted(a, b, c, 64, 1))
ROW_4(OTHER, "bfi.b32", bfi_b32, u32, u32, u32, u32, u32, inserted(a, b, c, e, 32))
ROW_4(OTHER, "bfi.b64", bfi_b64, u64, u64, u64, u32, u32, inserted(a, b, c, e, 64))
ROW_3(OTHER, "fns.b32", fns_b32, u32, u32, u32, s32, nth_bit(a, b, c))
ROW_3(OTHER, "prmt.b32", prmt_b32, u32, u32, u32, u32, permuted(a, b, c))
ROW_2(OTHER, "bmsk.clamp.b32", bmsk_clamp, u32, u32, u32,
      a < 32 ? (((u64)1 << (b < 32 ? b : 32)) - 1) << (a & 31) : 0)
ROW_2(OTHER, "bmsk.wrap.b32", bmsk_wrap, u32, u32, u32, (((u64)1 << (b & 31)) - 1) << (a & 31))
ROW_3(OTHER, "shf.l.wrap.b32", shf_l_wrap, u32, u32, u32, u32, funnel_left(a, b, c & 31))
ROW_3(OTHER, "shf.r.wrap.b32", shf_r_wrap, u32, u32, u32, u32, funnel_right(a, b, c & 31))
ROW_3(OTHER, "shf.l.clamp.b32", shf_l_clamp, u32, u32, u32, u32, funnel_left(a, b, c < 32 ? c : 32))
ROW_3(OTHER, "shf.r.clamp.b32", shf_r_clamp, u32, u32, u32, u32,
      funnel_right(a, b, c < 32 ? c : 32))

// ---- Floating point, rounded to nearest: execute_careful() sets other roundings around it. The .approx
// operations are computed as exactly as C's library does ----
#define FLOATS(T, fma, sqrt, fabs, copysign)                                                       \
    ROW_2(ADD, "add." #T, add_##T, T, T, T, canonical_##T(a + b))                                  \
    ROW_2(SUB, "sub." #T, sub_##T, T, T, T, canonical_##T(a - b))                                  \
    ROW_2(MUL, "mul." #T, mul_##T, T, T, T, canonical_##T(a *b))                                   \
    ROW_2(DIVIDE, "div." #T, div_##T, T, T, T, canonical_##T(a / b))                               \
    ROW_3(OTHER, "fma." #T, fma_##T, T, T, T, T, canonical_##T(fma(a, b, c)))                      \
    ROW_3(MAD, "mad." #T, mad_##T, T, T, T, T, canonical_##T(fma(a, b, c)))                        \
    ROW_2(OTHER, "min." #T, min_##T, T, T, T, canonical_##T(lesser_##T(a, b)))                     \
    ROW_2(OTHER, "max." #T, max_##T, T, T, T, canonical_##T(greater_##T(a, b)))                    \
    ROW_1(OTHER, "neg." #T, neg_##T, T, T, -a)                                                     \
    ROW_1(OTHER, "abs." #T, abs_##T, T, T, fabs(a))                                                \
    ROW_1(ROOT, "sqrt." #T, sqrt_##T, T, T, canonical_##T(sqrt(a)))                                \
    ROW_1(ROOT, "rsqrt." #T, rsqrt_##T, T, T, canonical_##T(1 / sqrt(a)))                          \
    ROW_1(ROOT, "rcp." #T, rcp_##T, T, T, canonical_##T(1 / a))                                    \
    ROW_2(OTHER, "copysign." #T, copysign_##T, T, T, T, copysign(b, a))

FLOATS(f32, fmaf, sqrtf, fabsf, copysignf)
FLOATS(f64, fma, sqrt, fabs, copysign)
ROW_1(OTHER, "ex2.f32", ex2_f32, f32, f32, canonical_f32(exp2f(a)))
ROW_1(OTHER, "lg2.f32", lg2_f32, f32, f32, canonical_f32(log2f(a)))
ROW_1(OTHER, "sin.f32", sin_f32, f32, f32, canonical_f32(sinf(a)))
ROW_1(OTHER, "cos.f32", cos_f32, f32, f32, canonical_f32(cosf(a)))
ROW_1(OTHER, "tanh.f32", tanh_f32, f32, f32, canonical_f32(tanhf(a)))

// Halves, by way of doubles, and both halves of a word. An fma's product has 22 bits, so that a double's
// rounding of the sum cannot make a tie of none.
#define HALVES_1(name, value)                                                                      \
    ROW_1(OTHER, #name ".f16", name##_f16, u16, u16, value)                                        \
    ROW_1(OTHER, #name ".f16x2", name##_f16x2, u32, u32,                                           \
          name##_f16_of((u16)a) | (u32)name##_f16_of(a >> 16) << 16)

#define HALVES_2(name, value)                                                                      \
    ROW_2(OTHER, #name ".f16", name##_f16, u16, u16, u16, half_bits(value, NEAREST))               \
    ROW_2(OTHER, #name ".f16x2", name##_f16x2, u32, u32, u32,                                      \
          name##_f16_of((u16)a, (u16)b) | (u32)name##_f16_of(a >> 16, b >> 16) << 16)

HALVES_2(add, half_value(a) + half_value(b))
HALVES_2(sub, half_value(a) - half_value(b))
HALVES_2(mul, half_value(a) * half_value(b))
HALVES_2(min, lesser_f64(half_value(a), half_value(b)))
HALVES_2(max, greater_f64(half_value(a), half_value(b)))
HALVES_1(neg, a ^ 0x8000)
HALVES_1(abs, a & 0x7fff)
ROW_3(OTHER, "fma.f16", fma_f16, u16, u16, u16, u16,
      half_bits(half_value(a) * half_value(b) + half_value(c), NEAREST))
ROW_3(OTHER, "fma.f16x2", fma_f16x2, u32, u32, u32, u32,
      fma_f16_of((u16)a, (u16)b, (u16)c) | (u32)fma_f16_of(a >> 16, b >> 16, c >> 16) << 16)

// ---- Of atomics alone: a is the value in memory ----
ROW_2(OTHER, "atom.exch.b32", exchange_u32, u32, u32, u32, b)
ROW_2(OTHER, "atom.exch.b64", exchange_u64, u64, u64, u64, b)
ROW_3(OTHER, "atom.cas.b32", swap_u32, u32, u32, u32, u32, a == b ? c : a)
ROW_3(OTHER, "atom.cas.b64", swap_u64, u64, u64, u64, u64, a == b ? c : a)
ROW_2(OTHER, "atom.inc.b32", increment_u32, u32, u32, u32, a >= b ? 0 : a + 1)
ROW_2(OTHER, "atom.dec.b32", decrement_u32, u32, u32, u32, a == 0 || a > b ? b : a - 1)

#undef ROW_1
#undef ROW_2
#undef ROW_3
#undef ROW_4
