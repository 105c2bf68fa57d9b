#include <math.h>
#include <string.h>

#include "sim/exec/alu.h"
#include "sim/exec/lanes.h"

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

struct relation {
    const char *name;
    compare_fn *u16, *s16, *u32, *s32, *u64, *s64, *f32, *f64;
};

#define ALL(name)                                                                                  \
    name##_u16, name##_s16, name##_u32, name##_s32, name##_u64, name##_s64, name##_f32, name##_f64
#define UNSIGNED(name) name##_u16, NULL, name##_u32, NULL, name##_u64, NULL, NULL, NULL
#define FLOATS(name) NULL, NULL, NULL, NULL, NULL, NULL, name##_f32, name##_f64

static const struct relation relations[] = {
    {"eq", ALL(eq)},      {"ne", ALL(ne)},      {"lt", ALL(lt)},      {"le", ALL(le)},
    {"gt", ALL(gt)},      {"ge", ALL(ge)},      {"lo", UNSIGNED(lt)}, {"ls", UNSIGNED(le)},
    {"hi", UNSIGNED(gt)}, {"hs", UNSIGNED(ge)}, {"equ", FLOATS(equ)}, {"neu", FLOATS(neu)},
    {"ltu", FLOATS(ltu)}, {"leu", FLOATS(leu)}, {"gtu", FLOATS(gtu)}, {"geu", FLOATS(geu)},
    {"num", FLOATS(num)}, {"nan", FLOATS(nan)},
};

compare_fn *find_comparison(const char *name, enum type type)
{
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        const struct relation *r = &relations[i];
        if (strcmp(r->name, name) != 0)
            continue;
        switch (type) {
        case B16:
        case U16:
            return r->u16;
        case S16:
            return r->s16;
        case B32:
        case U32:
            return r->u32;
        case S32:
            return r->s32;
        case B64:
        case U64:
            return r->u64;
        case S64:
            return r->s64;
        case F16: // their values are compared as f32
        case F32:
            return r->f32;
        case F64:
            return r->f64;
        default:
            return NULL;
        }
    }
    return NULL;
}
