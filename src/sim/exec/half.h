// Numbers of 16 bits (IEEE 754 binary16), by way of doubles, which hold them exactly.
#ifndef SIM_HALF_H
#define SIM_HALF_H

#include "sim/ptx/instruction.h"

double half_value(uint64_t bits);

// The half nearest to the value, or the next in the rounding's direction.
uint64_t half_bits(double value, enum rounding rounding);

// To 0..1, and NaN to 0.
uint64_t half_saturate(uint64_t bits);

#endif
