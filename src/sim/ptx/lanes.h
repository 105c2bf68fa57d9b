// Vectors of 32 lanes: how an instruction reads and writes a warp's registers.
//
// A register's 32 values lie side by side, so a loop over the lanes compiles to vector
// instructions. A register's bytes may be read as another type (mov.b32 %r1, %f1), hence may_alias.
#ifndef SIM_LANES_H
#define SIM_LANES_H

#include <stdint.h>
#include <string.h>

enum { LANES = 32 };
#define ALL_LANES UINT32_MAX

typedef uint8_t __attribute__((may_alias)) u8;
typedef uint16_t __attribute__((may_alias)) u16;
typedef uint32_t __attribute__((may_alias)) u32;
typedef uint64_t __attribute__((may_alias)) u64;
typedef int8_t __attribute__((may_alias)) s8;
typedef int16_t __attribute__((may_alias)) s16;
typedef int32_t __attribute__((may_alias)) s32;
typedef int64_t __attribute__((may_alias)) s64;
typedef float __attribute__((may_alias)) f32;
typedef double __attribute__((may_alias)) f64;

// Lane l's bit: a table, because SSE2 has no shift by a different count in each lane.
#define B(l) (uint32_t)1 << (l)
static const uint32_t lane_bit[LANES] = {B(0),  B(1),  B(2),  B(3),  B(4),  B(5),  B(6),  B(7),
                                         B(8),  B(9),  B(10), B(11), B(12), B(13), B(14), B(15),
                                         B(16), B(17), B(18), B(19), B(20), B(21), B(22), B(23),
                                         B(24), B(25), B(26), B(27), B(28), B(29), B(30), B(31)};
#undef B

// The lanes of a mask, each as l.
#define FOR_LANES(l, mask)                                                                         \
    for (int l = 0; l < LANES; l++)                                                                \
        if ((mask)&lane_bit[l])

// Writes `r` to the lanes of `d` that are set in `mask`. The loop without branches vectorises.
#define DEFINE_PUT(T)                                                                              \
    static inline void put_##T(void *d, const T *r, uint32_t mask)                                 \
    {                                                                                              \
        if (mask == ALL_LANES) {                                                                   \
            memcpy(d, r, LANES * sizeof(T));                                                       \
            return;                                                                                \
        }                                                                                          \
        T *to = (T *)d;                                                                            \
        for (int l = 0; l < LANES; l++)                                                            \
            to[l] = mask & lane_bit[l] ? r[l] : to[l];                                             \
    }
DEFINE_PUT(u16)
DEFINE_PUT(u32)
DEFINE_PUT(u64)
DEFINE_PUT(s16)
DEFINE_PUT(s32)
DEFINE_PUT(s64)
DEFINE_PUT(f32)
DEFINE_PUT(f64)
#undef DEFINE_PUT

// A value in the low bits of 64, and back.
#define DEFINE_BITS(T)                                                                             \
    static inline T T##_from(uint64_t bits)                                                        \
    {                                                                                              \
        T value;                                                                                   \
        memcpy(&value, &bits, sizeof value);                                                       \
        return value;                                                                              \
    }                                                                                              \
    static inline uint64_t T##_bits(T value)                                                       \
    {                                                                                              \
        uint64_t bits = 0;                                                                         \
        memcpy(&bits, &value, sizeof value);                                                       \
        return bits;                                                                               \
    }
DEFINE_BITS(u8)
DEFINE_BITS(u16)
DEFINE_BITS(u32)
DEFINE_BITS(u64)
DEFINE_BITS(s8)
DEFINE_BITS(s16)
DEFINE_BITS(s32)
DEFINE_BITS(s64)
DEFINE_BITS(f32)
DEFINE_BITS(f64)
#undef DEFINE_BITS

// Lane l of a vector whose lanes are `width` bytes (1, 2, 4 or 8) wide, zero-extended.
static inline uint64_t lane_get(const void *vector, unsigned width, int l)
{
    uint64_t bits = 0;
    memcpy(&bits, (const char *)vector + (size_t)l * width, width);
    return bits;
}

static inline void lane_put(void *vector, unsigned width, int l, uint64_t bits)
{
    memcpy((char *)vector + (size_t)l * width, &bits, width);
}

#endif
