// Floating point in round-to-nearest; execute_careful() sets other roundings around the scalar
// forms. The .approx operations are computed as exactly as C's library does.
#include <math.h>

#include "sim/exec/alu_define.h"

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
static f32 lesser_f32(f32 a, f32 b)
{
    if (a == b)
        return signbit(a) ? a : b;
    return isnan(a) || b < a ? b : a;
}

static f32 greater_f32(f32 a, f32 b)
{
    if (a == b)
        return signbit(a) ? b : a;
    return isnan(a) || b > a ? b : a;
}

static f64 lesser_f64(f64 a, f64 b)
{
    if (a == b)
        return signbit(a) ? a : b;
    return isnan(a) || b < a ? b : a;
}

static f64 greater_f64(f64 a, f64 b)
{
    if (a == b)
        return signbit(a) ? b : a;
    return isnan(a) || b > a ? b : a;
}

#define DEFINE_FLOAT(T, fma, sqrt, fabs, copysign)                                                 \
    DEFINE_2(add_##T, T, T, T, canonical_##T(a + b))                                               \
    DEFINE_2(sub_##T, T, T, T, canonical_##T(a - b))                                               \
    DEFINE_2(mul_##T, T, T, T, canonical_##T(a *b))                                                \
    DEFINE_2(div_##T, T, T, T, canonical_##T(a / b))                                               \
    DEFINE_3(fma_##T, T, T, T, T, canonical_##T(fma(a, b, c)))                                     \
    DEFINE_2(min_##T, T, T, T, canonical_##T(lesser_##T(a, b)))                                    \
    DEFINE_2(max_##T, T, T, T, canonical_##T(greater_##T(a, b)))                                   \
    DEFINE_1(neg_##T, T, T, -a)                                                                    \
    DEFINE_1(abs_##T, T, T, fabs(a))                                                               \
    DEFINE_1(sqrt_##T, T, T, canonical_##T(sqrt(a)))                                               \
    DEFINE_1(rsqrt_##T, T, T, canonical_##T(1 / sqrt(a)))                                          \
    DEFINE_1(rcp_##T, T, T, canonical_##T(1 / a))                                                  \
    DEFINE_2(copysign_##T, T, T, T, copysign(b, a))

DEFINE_FLOAT(f32, fmaf, sqrtf, fabsf, copysignf)
DEFINE_FLOAT(f64, fma, sqrt, fabs, copysign)
DEFINE_1(ex2_f32, f32, f32, canonical_f32(exp2f(a)))
DEFINE_1(lg2_f32, f32, f32, canonical_f32(log2f(a)))
DEFINE_1(sin_f32, f32, f32, canonical_f32(sinf(a)))
DEFINE_1(cos_f32, f32, f32, canonical_f32(cosf(a)))
DEFINE_1(tanh_f32, f32, f32, canonical_f32(tanhf(a)))

#define FLOAT_ROWS(text, T)                                                                        \
    ROW_2("add." text, add_##T, T, T, T), ROW_2("sub." text, sub_##T, T, T, T),                    \
        ROW_2("mul." text, mul_##T, T, T, T), ROW_2("div." text, div_##T, T, T, T),                \
        ROW_3("fma." text, fma_##T, T, T, T, T), ROW_3("mad." text, fma_##T, T, T, T, T),          \
        ROW_2("min." text, min_##T, T, T, T), ROW_2("max." text, max_##T, T, T, T),                \
        ROW_1("neg." text, neg_##T, T, T), ROW_1("abs." text, abs_##T, T, T),                      \
        ROW_1("sqrt." text, sqrt_##T, T, T), ROW_1("rsqrt." text, rsqrt_##T, T, T),                \
        ROW_1("rcp." text, rcp_##T, T, T), ROW_2("copysign." text, copysign_##T, T, T, T)

const struct operation float_operations[] = {
    FLOAT_ROWS("f32", f32),
    FLOAT_ROWS("f64", f64),
    ROW_1("ex2.f32", ex2_f32, f32, f32),
    ROW_1("lg2.f32", lg2_f32, f32, f32),
    ROW_1("sin.f32", sin_f32, f32, f32),
    ROW_1("cos.f32", cos_f32, f32, f32),
    ROW_1("tanh.f32", tanh_f32, f32, f32),
    {NULL, NULL, NULL, {0}},
};
