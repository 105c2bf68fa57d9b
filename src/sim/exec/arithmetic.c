// The operations of sim/ptx/arithmetic.h: for each a function of one lane, and one of all lanes at once.
#include <fenv.h>
#include <math.h>

#include "sim/exec/execute.h"
#include "sim/exec/half.h"
#include "sim/exec/warp.h"

__extension__ typedef __int128 s128;
__extension__ typedef unsigned __int128 u128;

static s32 clamp_s32(s64 value)
{
    return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (s32)value;
}

// The low 24 bits, of which the highest is the sign.
static s32 low_24(s32 value)
{
    return (s32)((u32)value << 8) >> 8;
}

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

// Where the n-th bit is set from `base` on, upwards or, where n is negative, down; 0: whether it is there itself.
static u32 nth_bit(u32 mask, u32 base, s32 n)
{
    s32 left = n < 0 ? -(n + 1) : n > 0 ? n - 1 : 0;
    for (u32 at = base; at < 32; at += n < 0 ? (u32)-1 : 1) {
        if (mask >> at & 1 && left-- == 0)
            return at;
        if (n == 0)
            break;
    }
    return UINT32_MAX;
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

// A result that is not a number has one pattern: which of IEEE's many, and with which sign, differs
// between the host's processors. Single precision has that of CUDA's devices (PTX ISA, "Floating Point
// Instructions").
static inline f32 canonical_f32(f32 value)
{
    return isnan(value) ? f32_from(0x7fffffff) : value;
}

static inline f64 canonical_f64(f64 value)
{
    return isnan(value) ? f64_from(UINT64_C(0xfff8000000000000)) : value;
}

// One NaN loses against a number, and -0 is below +0.
#define DEFINE_ORDER(T)                                                                            \
    static T lesser_##T(T a, T b)                                                                  \
    {                                                                                              \
        if (a == b)                                                                                \
            return signbit(a) ? a : b;                                                             \
        return isnan(a) || b < a ? b : a;                                                          \
    }                                                                                              \
    static T greater_##T(T a, T b)                                                                 \
    {                                                                                              \
        if (a == b)                                                                                \
            return signbit(a) ? b : a;                                                             \
        return isnan(a) || b > a ? b : a;                                                          \
    }
DEFINE_ORDER(f32)
DEFINE_ORDER(f64)

#define ROW_1(kind, text, name, TD, TA, value)                                                     \
    static inline TD name##_of(TA a)                                                               \
    {                                                                                              \
        return (TD)(value);                                                                        \
    }                                                                                              \
    static void name##_lanes(struct warp *warp, const struct instruction *in, uint32_t mask)       \
    {                                                                                              \
        const TA *a = lanes_at(warp, in->a);                                                       \
        TD r[LANES];                                                                               \
        for (int l = 0; l < LANES; l++)                                                            \
            r[l] = name##_of(a[l]);                                                                \
        put_##TD(lanes_at(warp, in->d), r, mask);                                                  \
    }                                                                                              \
    static uint64_t name##_scalar(uint64_t a, uint64_t b, uint64_t c)                              \
    {                                                                                              \
        (void)b, (void)c;                                                                          \
        return TD##_bits(name##_of(TA##_from(a)));                                                 \
    }

#define ROW_2(kind, text, name, TD, TA, TB, value)                                                 \
    static inline TD name##_of(TA a, TB b)                                                         \
    {                                                                                              \
        (void)a;                                                                                   \
        return (TD)(value);                                                                        \
    }                                                                                              \
    static void name##_lanes(struct warp *warp, const struct instruction *in, uint32_t mask)       \
    {                                                                                              \
        const TA *a = lanes_at(warp, in->a);                                                       \
        const TB *b = lanes_at(warp, in->b);                                                       \
        TD r[LANES];                                                                               \
        for (int l = 0; l < LANES; l++)                                                            \
            r[l] = name##_of(a[l], b[l]);                                                          \
        put_##TD(lanes_at(warp, in->d), r, mask);                                                  \
    }                                                                                              \
    static uint64_t name##_scalar(uint64_t a, uint64_t b, uint64_t c)                              \
    {                                                                                              \
        (void)c;                                                                                   \
        return TD##_bits(name##_of(TA##_from(a), TB##_from(b)));                                   \
    }

#define ROW_3(kind, text, name, TD, TA, TB, TC, value)                                             \
    static inline TD name##_of(TA a, TB b, TC c)                                                   \
    {                                                                                              \
        return (TD)(value);                                                                        \
    }                                                                                              \
    static void name##_lanes(struct warp *warp, const struct instruction *in, uint32_t mask)       \
    {                                                                                              \
        const TA *a = lanes_at(warp, in->a);                                                       \
        const TB *b = lanes_at(warp, in->b);                                                       \
        const TC *c = lanes_at(warp, in->c);                                                       \
        TD r[LANES];                                                                               \
        for (int l = 0; l < LANES; l++)                                                            \
            r[l] = name##_of(a[l], b[l], c[l]);                                                    \
        put_##TD(lanes_at(warp, in->d), r, mask);                                                  \
    }                                                                                              \
    static uint64_t name##_scalar(uint64_t a, uint64_t b, uint64_t c)                              \
    {                                                                                              \
        return TD##_bits(name##_of(TA##_from(a), TB##_from(b), TC##_from(c)));                     \
    }

// c and e are 32 bits each: both are in the scalar's last operand. There is no form of all lanes.
#define ROW_4(kind, text, name, TD, TA, TB, TC, TE, value)                                         \
    static uint64_t name##_scalar(uint64_t a, uint64_t b, uint64_t c_and_e)                        \
    {                                                                                              \
        u32 c = (u32)c_and_e, e = (u32)(c_and_e >> 32);                                            \
        return TD##_bits((TD)(value));                                                             \
    }
#include "sim/ptx/arithmetic.h"

// In the order of `operations`.
static const struct {
    execute_fn *lanes;
    scalar_fn *scalar;
} functions[] = {
    {NULL, NULL},
#define ROW_1(kind, text, name, TD, TA, value) {name##_lanes, name##_scalar},
#define ROW_2(kind, text, name, TD, TA, TB, value) {name##_lanes, name##_scalar},
#define ROW_3(kind, text, name, TD, TA, TB, TC, value) {name##_lanes, name##_scalar},
#define ROW_4(kind, text, name, TD, TA, TB, TC, TE, value) {NULL, name##_scalar},
#include "sim/ptx/arithmetic.h"
};

scalar_fn *scalar_of(const struct instruction *in)
{
    return functions[in->operation].scalar;
}

void execute_arithmetic(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    functions[in->operation].lanes(warp, in, mask);
}

uint64_t flushed(uint64_t bits)
{
    f32 value = f32_from(bits);
    return fpclassify(value) == FP_SUBNORMAL ? f32_bits(copysignf(0, value)) : bits;
}

// .sat: to 0..1, and NaN to 0.
static uint64_t saturate(uint64_t bits, unsigned type)
{
    if (type == F32) {
        f32 value = f32_from(bits);
        return f32_bits(value > 0 ? value < 1 ? value : 1 : 0);
    }
    if (type == F16)
        return half_saturate(bits);
    if (type == F16X2)
        return half_saturate(bits & 0xffff) | half_saturate(bits >> 16) << 16;
    f64 value = f64_from(bits);
    return f64_bits(value > 0 ? value < 1 ? value : 1 : 0);
}

static uint64_t operand(const struct warp *warp, slot at, unsigned width, int l)
{
    return at == NO_SLOT ? 0 : lane_get(lanes_at(warp, at), width, l);
}

void round_to(enum rounding rounding)
{
    static const int modes[] = {[NEAREST] = FE_TONEAREST,
                                [TOWARD_ZERO] = FE_TOWARDZERO,
                                [DOWN] = FE_DOWNWARD,
                                [UP] = FE_UPWARD};
    fesetround(modes[rounding]);
}

void execute_careful(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    scalar_fn *scalar = scalar_of(in);
    if (in->rounding != NEAREST)
        round_to(in->rounding);
    FOR_LANES(l, mask) {
        uint64_t a = operand(warp, in->a, in->width_a, l), b = operand(warp, in->b, in->width_b, l);
        uint64_t c = operand(warp, in->c, in->width_c, l) | operand(warp, in->e, 4, l) << 32;
        uint64_t d =
            in->flush ? flushed(scalar(flushed(a), flushed(b), flushed(c))) : scalar(a, b, c);
        if (in->saturate)
            d = saturate(d, in->type);
        lane_put(lanes_at(warp, in->d), in->width_d, l, d);
    }
    if (in->rounding != NEAREST)
        round_to(NEAREST);
}

// Bit i of the table is the result for the operands' bits i = 4a + 2b + c.
void execute_logic3(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const u32 *a = lanes_at(warp, in->a), *b = lanes_at(warp, in->b), *c = lanes_at(warp, in->c);
    u32 r[LANES];
    for (int l = 0; l < LANES; l++) {
        r[l] = 0;
        for (unsigned i = 0; i < 8; i++)
            if (in->truth_table >> i & 1)
                r[l] |= (i & 4 ? a[l] : ~a[l]) & (i & 2 ? b[l] : ~b[l]) & (i & 1 ? c[l] : ~c[l]);
    }
    put_u32(lanes_at(warp, in->d), r, mask);
}
