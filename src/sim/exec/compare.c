// Comparisons, and the predicates that they make: 32 bits, one a lane.
#include "sim/exec/execute.h"
#include "sim/exec/half.h"
#include "sim/exec/warp.h"

// The lanes in which a relation holds between two operand vectors.
typedef uint32_t compare_fn(const void *a, const void *b);

#define DEFINE_COMPARE(T, name, expression)                                                        \
    static uint32_t name##_##T(const void *pa, const void *pb)                                     \
    {                                                                                              \
        const T *va = pa, *vb = pb;                                                                \
        uint32_t holds = 0;                                                                        \
        for (int l = 0; l < LANES; l++) {                                                          \
            T a = va[l], b = vb[l];                                                                \
            holds |= (expression) ? lane_bit[l] : 0;                                               \
        }                                                                                          \
        return holds;                                                                              \
    }

#define DEFINE_ORDERED(T)                                                                          \
    DEFINE_COMPARE(T, eq, a == b)                                                                  \
    DEFINE_COMPARE(T, lt, a < b)                                                                   \
    DEFINE_COMPARE(T, le, a <= b)                                                                  \
    DEFINE_COMPARE(T, gt, a > b)                                                                   \
    DEFINE_COMPARE(T, ge, a >= b)

// A float's ne is false for NaN; the forms with u are true for it.
#define DEFINE_UNORDERED(T)                                                                        \
    DEFINE_COMPARE(T, ne, a<b || a> b)                                                             \
    DEFINE_COMPARE(T, equ, !(a < b || a > b))                                                      \
    DEFINE_COMPARE(T, neu, a != b)                                                                 \
    DEFINE_COMPARE(T, ltu, !(a >= b))                                                              \
    DEFINE_COMPARE(T, leu, !(a > b))                                                               \
    DEFINE_COMPARE(T, gtu, !(a <= b))                                                              \
    DEFINE_COMPARE(T, geu, !(a < b))                                                               \
    DEFINE_COMPARE(T, num, a == a && b == b)                                                       \
    DEFINE_COMPARE(T, nan, a != a || b != b)

#define DEFINE_INTEGER(T)                                                                          \
    DEFINE_ORDERED(T)                                                                              \
    DEFINE_COMPARE(T, ne, a != b)

DEFINE_INTEGER(u16)
DEFINE_INTEGER(s16)
DEFINE_INTEGER(u32)
DEFINE_INTEGER(s32)
DEFINE_INTEGER(u64)
DEFINE_INTEGER(s64)
DEFINE_ORDERED(f32)
DEFINE_ORDERED(f64)
DEFINE_UNORDERED(f32)
DEFINE_UNORDERED(f64)

#define INTEGERS(name)                                                                             \
    [B16] = name##_u16, [U16] = name##_u16, [S16] = name##_s16, [B32] = name##_u32,                \
    [U32] = name##_u32, [S32] = name##_s32, [B64] = name##_u64, [U64] = name##_u64,                \
    [S64] = name##_s64
#define FLOATS(name) [F16] = name##_f32, [F32] = name##_f32, [F64] = name##_f64

static compare_fn *const comparisons[][NO_TYPE] = {
    [EQ] = {INTEGERS(eq), FLOATS(eq)},
    [NE] = {INTEGERS(ne), FLOATS(ne)},
    [LT] = {INTEGERS(lt), FLOATS(lt)},
    [LE] = {INTEGERS(le), FLOATS(le)},
    [GT] = {INTEGERS(gt), FLOATS(gt)},
    [GE] = {INTEGERS(ge), FLOATS(ge)},
    [EQU] = {FLOATS(equ)},
    [NEU] = {FLOATS(neu)},
    [LTU] = {FLOATS(ltu)},
    [LEU] = {FLOATS(leu)},
    [GTU] = {FLOATS(gtu)},
    [GEU] = {FLOATS(geu)},
    [NUMBERS] = {FLOATS(num)},
    [ANY_NAN] = {FLOATS(nan)},
};

// An operand as it is compared: halves as f32, and with .ftz zeros for what is too small.
static void widen(const struct instruction *in, const void *from, f32 *to)
{
    for (int l = 0; l < LANES; l++)
        to[l] = in->source_type == F16 ? (f32)half_value(lane_get(from, 2, l))
                                       : f32_from(flushed(lane_get(from, 4, l)));
}

static uint32_t compare(const struct warp *warp, const struct instruction *in)
{
    compare_fn *holds = comparisons[in->relation][in->source_type];
    const void *a = lanes_at(warp, in->a), *b = lanes_at(warp, in->b);
    f32 wide_a[LANES], wide_b[LANES];
    if (in->source_type != F16 && !in->flush)
        return holds(a, b);
    widen(in, a, wide_a);
    widen(in, b, wide_b);
    return holds(wide_a, wide_b);
}

static uint32_t combined(enum combine how, uint32_t a, uint32_t b)
{
    return how == COMBINE_AND ? a & b : how == COMBINE_OR ? a | b : how == COMBINE_XOR ? a ^ b : a;
}

// The predicate that a comparison is combined with.
static uint32_t other_predicate(const struct warp *warp, const struct instruction *in)
{
    if (in->combine == COMBINE_NONE)
        return 0;
    return *predicate_at(warp, in->c) ^ (in->negate ? ALL_LANES : 0);
}

void execute_setp(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t holds = compare(warp, in), other = other_predicate(warp, in);
    if (in->d != NO_SLOT)
        put_predicate(warp, in->d, combined(in->combine, holds, other), mask);
    if (in->q != NO_SLOT)
        put_predicate(warp, in->q, combined(in->combine, ~holds, other), mask);
}

// set: true is all ones, or 1.0 in a float.
void execute_set(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t holds = combined(in->combine, compare(warp, in), other_predicate(warp, in));
    FOR_LANES(l, mask)
        lane_put(lanes_at(warp, in->d), in->width_d, l, holds & lane_bit[l] ? in->holds : 0);
}

void execute_predicate(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t a = *predicate_at(warp, in->a) ^ (in->negate ? ALL_LANES : 0);
    uint32_t b = in->combine == COMBINE_NONE ? 0 : *predicate_at(warp, in->b);
    put_predicate(warp, in->d, combined(in->combine, a, b), mask);
}
