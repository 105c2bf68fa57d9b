#include "sim/exec/alu.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

#include "sim/exec/half.h"
#include "sim/exec/warp.h"

const struct operation *find_operation(const char *name)
{
    const struct operation *const tables[] = {integer_operations, float_operations, bit_operations,
                                              half_operations};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        for (const struct operation *operation = tables[i]; operation->name; operation++)
            if (strcmp(operation->name, name) == 0)
                return operation;
    return NULL;
}

static uint64_t flush(uint64_t bits, unsigned type)
{
    f32 value = f32_from(bits);
    return type == F32 && fpclassify(value) == FP_SUBNORMAL ? f32_bits(copysignf(0, value)) : bits;
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

void execute_careful(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    static const int modes[] = {[NEAREST] = FE_TONEAREST,
                                [TOWARD_ZERO] = FE_TOWARDZERO,
                                [DOWN] = FE_DOWNWARD,
                                [UP] = FE_UPWARD};
    if (in->rounding != NEAREST)
        fesetround(modes[in->rounding]);
    for (int l = 0; l < LANES; l++) {
        if (!(mask & lane_bit[l]))
            continue;
        uint64_t a = operand(warp, in->a, in->width_a, l), b = operand(warp, in->b, in->width_b, l);
        uint64_t c = operand(warp, in->c, in->width_c, l) | operand(warp, in->q, 4, l) << 32;
        if (in->flush) {
            a = flush(a, in->type);
            b = flush(b, in->type);
            c = flush(c, in->type);
        }
        uint64_t d = in->use.scalar(a, b, c);
        if (in->flush)
            d = flush(d, in->type);
        if (in->saturate)
            d = saturate(d, in->type);
        lane_put(lanes_at(warp, in->d), in->width_d, l, d);
    }
    if (in->rounding != NEAREST)
        fesetround(FE_TONEAREST);
}

void execute_predicate_and(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t *d = predicate_at(warp, in->d);
    uint32_t r = *predicate_at(warp, in->a) & *predicate_at(warp, in->b);
    *d = (*d & ~mask) | (r & mask);
}

void execute_predicate_or(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t *d = predicate_at(warp, in->d);
    uint32_t r = *predicate_at(warp, in->a) | *predicate_at(warp, in->b);
    *d = (*d & ~mask) | (r & mask);
}

void execute_predicate_xor(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t *d = predicate_at(warp, in->d);
    uint32_t r = *predicate_at(warp, in->a) ^ *predicate_at(warp, in->b);
    *d = (*d & ~mask) | (r & mask);
}

void execute_predicate_not(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t *d = predicate_at(warp, in->d);
    *d = (*d & ~mask) | (~*predicate_at(warp, in->a) & mask);
}

void execute_predicate_move(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t *d = predicate_at(warp, in->d);
    *d = (*d & ~mask) | (*predicate_at(warp, in->a) & mask);
}

static uint32_t compare(const struct warp *warp, const struct instruction *in)
{
    if (in->source_type == F16) {
        f32 a[LANES], b[LANES];
        for (int l = 0; l < LANES; l++) {
            a[l] = (f32)half_value(lane_get(lanes_at(warp, in->a), 2, l));
            b[l] = (f32)half_value(lane_get(lanes_at(warp, in->b), 2, l));
        }
        return in->use.compare(a, b);
    }
    if (!in->flush)
        return in->use.compare(lanes_at(warp, in->a), lanes_at(warp, in->b));
    f32 a[LANES], b[LANES];
    for (int l = 0; l < LANES; l++) {
        a[l] = f32_from(flush(lane_get(lanes_at(warp, in->a), sizeof *a, l), F32));
        b[l] = f32_from(flush(lane_get(lanes_at(warp, in->b), sizeof *b, l), F32));
    }
    return in->use.compare(a, b);
}

void execute_setp(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t holds = compare(warp, in);
    uint32_t fails = ~holds;
    if (in->bitwise != COMBINE_NONE) {
        uint32_t c = *predicate_at(warp, in->c) ^ (in->negate ? ALL_LANES : 0);
        holds = in->bitwise == COMBINE_AND  ? holds & c
                : in->bitwise == COMBINE_OR ? holds | c
                                            : holds ^ c;
        fails = in->bitwise == COMBINE_AND  ? fails & c
                : in->bitwise == COMBINE_OR ? fails | c
                                            : fails ^ c;
    }
    if (in->d != NO_SLOT) {
        uint32_t *d = predicate_at(warp, in->d);
        *d = (*d & ~mask) | (holds & mask);
    }
    if (in->q != NO_SLOT) {
        uint32_t *q = predicate_at(warp, in->q);
        *q = (*q & ~mask) | (fails & mask);
    }
}

// set: true is all ones, or 1.0 in a float.
void execute_set(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t holds = compare(warp, in);
    if (in->bitwise != COMBINE_NONE) {
        uint32_t c = *predicate_at(warp, in->c) ^ (in->negate ? ALL_LANES : 0);
        holds = in->bitwise == COMBINE_AND  ? holds & c
                : in->bitwise == COMBINE_OR ? holds | c
                                            : holds ^ c;
    }
    for (int l = 0; l < LANES; l++)
        if (mask & lane_bit[l])
            lane_put(lanes_at(warp, in->d), in->width_d, l,
                     holds & lane_bit[l] ? (uint64_t)in->offset : 0);
}

void execute_select(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t chosen = *predicate_at(warp, in->c);
    const void *a = lanes_at(warp, in->a), *b = lanes_at(warp, in->b);
    if (in->width_d == 4) {
        u32 r[LANES];
        for (int l = 0; l < LANES; l++)
            r[l] = chosen & lane_bit[l] ? ((const u32 *)a)[l] : ((const u32 *)b)[l];
        put_u32(lanes_at(warp, in->d), r, mask);
    } else if (in->width_d == 8) {
        u64 r[LANES];
        for (int l = 0; l < LANES; l++)
            r[l] = chosen & lane_bit[l] ? ((const u64 *)a)[l] : ((const u64 *)b)[l];
        put_u64(lanes_at(warp, in->d), r, mask);
    } else {
        u16 r[LANES];
        for (int l = 0; l < LANES; l++)
            r[l] = chosen & lane_bit[l] ? ((const u16 *)a)[l] : ((const u16 *)b)[l];
        put_u16(lanes_at(warp, in->d), r, mask);
    }
}

void execute_move(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const void *a = lanes_at(warp, in->a);
    if (in->width_d == 4) {
        u32 r[LANES];
        memcpy(r, a, sizeof r);
        put_u32(lanes_at(warp, in->d), r, mask);
    } else if (in->width_d == 8) {
        u64 r[LANES];
        memcpy(r, a, sizeof r);
        put_u64(lanes_at(warp, in->d), r, mask);
    } else {
        u16 r[LANES];
        memcpy(r, a, sizeof r);
        put_u16(lanes_at(warp, in->d), r, mask);
    }
}

void execute_pack(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    for (int l = 0; l < LANES; l++) {
        if (!(mask & lane_bit[l]))
            continue;
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
