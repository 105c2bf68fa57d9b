#include "sim/exec/half.h"

#include <math.h>

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
