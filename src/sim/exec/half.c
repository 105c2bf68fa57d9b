#include "sim/exec/half.h"

#include <math.h>

#include "sim/exec/alu.h"
#include "sim/exec/lanes.h"

enum {
    SIGN = 0x8000,
    INFINITE = 0x7c00,
    NOT_A_NUMBER = 0x7fff, // the one that arithmetic gives
    LARGEST = 0x7bff,      // 65504
    HIDDEN = 1 << 10,      // the bit that normal numbers do not store
    LEAST_EXPONENT = -24,  // of the last place of subnormal numbers
};

double half_value(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & (HIDDEN - 1));
    double value = exponent == 31  ? (fraction ? NAN : INFINITY)
                   : exponent == 0 ? ldexp(fraction, LEAST_EXPONENT)
                                   : ldexp(fraction + HIDDEN, exponent - 1 + LEAST_EXPONENT);
    return bits & SIGN ? -value : value;
}

static double to_whole(double value, enum rounding rounding, int is_negative)
{
    if (rounding == NEAREST)
        return rint(value);
    return rounding == (is_negative ? DOWN : UP) ? ceil(value) : floor(value);
}

uint64_t half_bits(double value, enum rounding rounding)
{
    int is_negative = signbit(value) != 0, exponent;
    uint64_t sign = is_negative ? SIGN : 0;
    if (isnan(value))
        return NOT_A_NUMBER;
    if (isinf(value) || value == 0)
        return sign | (value == 0 ? 0 : INFINITE);
    frexp(value, &exponent);
    int last = exponent - 11 < LEAST_EXPONENT ? LEAST_EXPONENT : exponent - 11; // the last place
    double whole = to_whole(ldexp(fabs(value), -last), rounding, is_negative);
    if (whole == 2 * HIDDEN) {
        whole = HIDDEN;
        last++;
    }
    if (ldexp(whole, last) > 65504) {
        int stays = rounding != NEAREST && rounding != (is_negative ? DOWN : UP);
        return sign | (stays ? LARGEST : INFINITE);
    }
    if (whole < HIDDEN)
        return sign | (uint64_t)whole;
    return sign | ((uint64_t)(last - LEAST_EXPONENT + 1) << 10) | ((uint64_t)whole - HIDDEN);
}

uint64_t half_saturate(uint64_t bits)
{
    double value = half_value(bits);
    return half_bits(value > 0 ? value < 1 ? value : 1 : 0, NEAREST);
}

static double lesser(double a, double b)
{
    if (a == b)
        return signbit(a) ? a : b;
    return isnan(a) || b < a ? b : a;
}

static double greater(double a, double b)
{
    if (a == b)
        return signbit(a) ? b : a;
    return isnan(a) || b > a ? b : a;
}

#define LOW(x) ((x)&0xffff)
#define HIGH(x) ((x) >> 16 & 0xffff)

// name_f16, and name_f16x2 on both halves of a word.
#define DEFINE_HALF(name, expression)                                                              \
    static uint64_t name##_f16(uint64_t p, uint64_t q, uint64_t r)                                 \
    {                                                                                              \
        double a = half_value(p), b = half_value(q), c = half_value(r);                            \
        (void)a, (void)b, (void)c;                                                                 \
        return (expression);                                                                       \
    }                                                                                              \
    static uint64_t name##_f16x2(uint64_t p, uint64_t q, uint64_t r)                               \
    {                                                                                              \
        return name##_f16(LOW(p), LOW(q), LOW(r)) | name##_f16(HIGH(p), HIGH(q), HIGH(r)) << 16;   \
    }

DEFINE_HALF(add, half_bits(a + b, NEAREST))
DEFINE_HALF(sub, half_bits(a - b, NEAREST))
DEFINE_HALF(mul, half_bits(a *b, NEAREST))
// The product has 22 bits, so that a double's rounding of the sum cannot make a tie of none.
DEFINE_HALF(fma, half_bits(a *b + c, NEAREST))
DEFINE_HALF(min, half_bits(lesser(a, b), NEAREST))
DEFINE_HALF(max, half_bits(greater(a, b), NEAREST))
DEFINE_HALF(neg, LOW(p ^ SIGN))
DEFINE_HALF(abs, LOW(p & ~(uint64_t)SIGN))

const struct operation half_operations[] = {
    {"add.f16", NULL, add_f16, {2, 2, 2}},
    {"add.f16x2", NULL, add_f16x2, {4, 4, 4}},
    {"sub.f16", NULL, sub_f16, {2, 2, 2}},
    {"sub.f16x2", NULL, sub_f16x2, {4, 4, 4}},
    {"mul.f16", NULL, mul_f16, {2, 2, 2}},
    {"mul.f16x2", NULL, mul_f16x2, {4, 4, 4}},
    {"fma.f16", NULL, fma_f16, {2, 2, 2, 2}},
    {"fma.f16x2", NULL, fma_f16x2, {4, 4, 4, 4}},
    {"min.f16", NULL, min_f16, {2, 2, 2}},
    {"min.f16x2", NULL, min_f16x2, {4, 4, 4}},
    {"max.f16", NULL, max_f16, {2, 2, 2}},
    {"max.f16x2", NULL, max_f16x2, {4, 4, 4}},
    {"neg.f16", NULL, neg_f16, {2, 2}},
    {"neg.f16x2", NULL, neg_f16x2, {4, 4}},
    {"abs.f16", NULL, abs_f16, {2, 2}},
    {"abs.f16x2", NULL, abs_f16x2, {4, 4}},
    {NULL, NULL, NULL, {0}},
};
