// Defines operations from one expression: the value, the loop over the lanes, the single lane.
#ifndef SIM_ALU_DEFINE_H
#define SIM_ALU_DEFINE_H

#include "sim/exec/alu.h"
#include "sim/exec/warp.h"

#define DEFINE_1(name, TD, TA, expression)                                                         \
    static inline TD name##_of(TA a)                                                               \
    {                                                                                              \
        return (TD)(expression);                                                                   \
    }                                                                                              \
    static void name##_lanes(struct warp *warp, const struct instruction *in, uint32_t mask)       \
    {                                                                                              \
        const TA *a = lanes_at(warp, in->a);                                                       \
        TD r[LANES];                                                                               \
        for (int l = 0; l < LANES; l++)                                                            \
            r[l] = name##_of(a[l]);                                                                \
        put_##TD(lanes_at(warp, in->d), r, mask);                                                  \
    }                                                                                              \
    static uint64_t name##_scalar(uint64_t a, uint64_t b, uint64_t c)                              \
    {                                                                                              \
        (void)b, (void)c;                                                                          \
        return TD##_bits(name##_of(TA##_from(a)));                                                 \
    }

#define DEFINE_2(name, TD, TA, TB, expression)                                                     \
    static inline TD name##_of(TA a, TB b)                                                         \
    {                                                                                              \
        return (TD)(expression);                                                                   \
    }                                                                                              \
    static void name##_lanes(struct warp *warp, const struct instruction *in, uint32_t mask)       \
    {                                                                                              \
        const TA *a = lanes_at(warp, in->a);                                                       \
        const TB *b = lanes_at(warp, in->b);                                                       \
        TD r[LANES];                                                                               \
        for (int l = 0; l < LANES; l++)                                                            \
            r[l] = name##_of(a[l], b[l]);                                                          \
        put_##TD(lanes_at(warp, in->d), r, mask);                                                  \
    }                                                                                              \
    static uint64_t name##_scalar(uint64_t a, uint64_t b, uint64_t c)                              \
    {                                                                                              \
        (void)c;                                                                                   \
        return TD##_bits(name##_of(TA##_from(a), TB##_from(b)));                                   \
    }

#define DEFINE_3(name, TD, TA, TB, TC, expression)                                                 \
    static inline TD name##_of(TA a, TB b, TC c)                                                   \
    {                                                                                              \
        return (TD)(expression);                                                                   \
    }                                                                                              \
    static void name##_lanes(struct warp *warp, const struct instruction *in, uint32_t mask)       \
    {                                                                                              \
        const TA *a = lanes_at(warp, in->a);                                                       \
        const TB *b = lanes_at(warp, in->b);                                                       \
        const TC *c = lanes_at(warp, in->c);                                                       \
        TD r[LANES];                                                                               \
        for (int l = 0; l < LANES; l++)                                                            \
            r[l] = name##_of(a[l], b[l], c[l]);                                                    \
        put_##TD(lanes_at(warp, in->d), r, mask);                                                  \
    }                                                                                              \
    static uint64_t name##_scalar(uint64_t a, uint64_t b, uint64_t c)                              \
    {                                                                                              \
        return TD##_bits(name##_of(TA##_from(a), TB##_from(b), TC##_from(c)));                     \
    }

// Rows of a table of operations.
#define ROW_1(text, name, TD, TA)                                                                  \
    {                                                                                              \
        text, name##_lanes, name##_scalar,                                                         \
        {                                                                                          \
            sizeof(TD), sizeof(TA)                                                                 \
        }                                                                                          \
    }
#define ROW_2(text, name, TD, TA, TB)                                                              \
    {                                                                                              \
        text, name##_lanes, name##_scalar,                                                         \
        {                                                                                          \
            sizeof(TD), sizeof(TA), sizeof(TB)                                                     \
        }                                                                                          \
    }
#define ROW_3(text, name, TD, TA, TB, TC)                                                          \
    {                                                                                              \
        text, name##_lanes, name##_scalar,                                                         \
        {                                                                                          \
            sizeof(TD), sizeof(TA), sizeof(TB), sizeof(TC)                                         \
        }                                                                                          \
    }

#endif
