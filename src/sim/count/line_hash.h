// How numbers of lines, and of groups of lines, are spread: as if by chance, and the same in every run.
#ifndef SIM_LINE_HASH_H
#define SIM_LINE_HASH_H

#include <stdint.h>

// Knuth's multiplicative hash: neighbours and powers of two spread alike, best in the high bits.
static inline uint64_t line_hash(uint64_t number)
{
    return number * UINT64_C(0x9E3779B97F4A7C15);
}

// What SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014) returns in that state: each
// bit depends on all of the number's.
static inline uint64_t mixed_bits(uint64_t number)
{
    uint64_t bits = number + UINT64_C(0x9E3779B97F4A7C15);
    bits = (bits ^ bits >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    bits = (bits ^ bits >> 27) * UINT64_C(0x94D049BB133111EB);
    return bits ^ bits >> 31;
}

// A number, 0 to 1, that looks like none of those for other numbers.
static inline double chance(uint64_t number)
{
    return ((double)(mixed_bits(number) >> 11) + 0.5) * 0x1p-53;
}

// On which side of its pair a number is counted, 0 or 1, of groups of 2^level numbers in pairs: one group of each pair is on
// one side, as if a coin were tossed.
static inline unsigned side_of_pair(uint64_t number, unsigned level)
{
    return (unsigned)(number >> level ^ mixed_bits(number >> level >> 1) >> level) & 1;
}

#endif
