// cvt: between any two number types, as the PTX manual defines it.
#include <math.h>

#include "sim/exec/execute.h"
#include "sim/exec/half.h"
#include "sim/exec/warp.h"

static uint64_t extend(uint64_t bits, unsigned type)
{
    unsigned size = 8 * type_size(type);
    if (size == 64)
        return bits;
    bits &= ((uint64_t)1 << size) - 1;
    if (type_is_signed(type) && bits >> (size - 1))
        bits |= ~(((uint64_t)1 << size) - 1);
    return bits;
}

static f64 rounded(f64 value, unsigned rounding)
{
    switch (rounding) {
    case TOWARD_ZERO:
        return trunc(value);
    case DOWN:
        return floor(value);
    case UP:
        return ceil(value);
    default: // to even: rint() in C's default mode
        return rint(value);
    }
}

// Out of range saturates, and NaN gives 0, whether .sat is written or not.
static uint64_t float_to_integer(f64 value, const struct instruction *in)
{
    if (isnan(value))
        return 0;
    value = rounded(value, in->rounding);
    unsigned bits = 8 * type_size(in->type);
    if (type_is_signed(in->type)) {
        f64 limit = ldexp(1, (int)bits - 1);
        int64_t top = (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
        return value >= limit   ? (uint64_t)top
               : value < -limit ? (uint64_t)(-top - 1)
                                : (uint64_t)(int64_t)value;
    }
    uint64_t top = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return value >= ldexp(1, (int)bits) ? top : value <= 0 ? 0 : (uint64_t)value;
}

static uint64_t integer_to_float(uint64_t bits, const struct instruction *in)
{
    int is_negative = type_is_signed(in->source_type) && (int64_t)bits < 0;
    if (in->type == F32)
        return f32_bits(is_negative ? (f32)(int64_t)bits : (f32)bits);
    f64 value = is_negative ? (f64)(int64_t)bits : (f64)bits;
    // What a double does not hold exactly is infinite as a half.
    return in->type == F64 ? f64_bits(value) : half_bits(value, in->rounding);
}

static uint64_t saturate_integer(uint64_t bits, const struct instruction *in)
{
    unsigned size = 8 * type_size(in->type);
    int is_negative = type_is_signed(in->source_type) && (int64_t)bits < 0;
    if (type_is_signed(in->type)) {
        int64_t top = (int64_t)(((uint64_t)1 << (size - 1)) - 1);
        if (is_negative)
            return (int64_t)bits < -top - 1 ? (uint64_t)(-top - 1) : bits;
        return bits > (uint64_t)top ? (uint64_t)top : bits;
    }
    uint64_t top = size == 64 ? UINT64_MAX : ((uint64_t)1 << size) - 1;
    return is_negative ? 0 : bits > top ? top : bits;
}

static f64 clamp(f64 value)
{
    return value > 0 ? value < 1 ? value : 1 : 0;
}

static uint64_t float_to_float(f64 value, const struct instruction *in)
{
    if (in->integral) // an integral rounding: .rni, .rzi, .rmi, .rpi
        value = rounded(value, in->rounding);
    if (in->saturate)
        value = clamp(value);
    if (in->type == F64)
        return f64_bits(value);
    if (in->type == F16)
        return half_bits(value, in->integral ? NEAREST : in->rounding);
    f32 narrow = (f32)value;
    if (in->flush && fpclassify(narrow) == FP_SUBNORMAL)
        narrow = copysignf(0, narrow);
    return f32_bits(narrow);
}

static uint64_t convert_value(uint64_t bits, const struct instruction *in)
{
    if (type_is_float(in->source_type)) {
        f64 value = in->source_type == F32   ? (f64)f32_from(bits)
                    : in->source_type == F16 ? half_value(bits)
                                             : f64_from(bits);
        if (in->flush && in->source_type == F32 && fpclassify(f32_from(bits)) == FP_SUBNORMAL)
            value = copysign(0, value);
        return type_is_float(in->type) ? float_to_float(value, in) : float_to_integer(value, in);
    }
    bits = extend(bits, in->source_type);
    if (type_is_float(in->type))
        return integer_to_float(bits, in);
    if (in->saturate)
        bits = saturate_integer(bits, in);
    return extend(bits, in->type);
}

// The host's own conversions to f32 and f64 round as it is told to.
void execute_convert(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    int is_directed =
        in->rounding != NEAREST && !in->integral && (in->type == F32 || in->type == F64);
    if (is_directed)
        round_to(in->rounding);
    FOR_LANES(l, mask)
        lane_put(lanes_at(warp, in->d), in->width_d, l,
                 convert_value(lane_get(lanes_at(warp, in->a), in->width_a, l), in));
    if (is_directed)
        round_to(NEAREST);
}

void execute_widen_u32(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const u32 *a = lanes_at(warp, in->a);
    u64 r[LANES];
    for (int l = 0; l < LANES; l++)
        r[l] = a[l];
    put_u64(lanes_at(warp, in->d), r, mask);
}

void execute_widen_s32(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const s32 *a = lanes_at(warp, in->a);
    s64 r[LANES];
    for (int l = 0; l < LANES; l++)
        r[l] = a[l];
    put_s64(lanes_at(warp, in->d), r, mask);
}

void execute_narrow_64(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const u64 *a = lanes_at(warp, in->a);
    u32 r[LANES];
    for (int l = 0; l < LANES; l++)
        r[l] = (u32)a[l];
    put_u32(lanes_at(warp, in->d), r, mask);
}
