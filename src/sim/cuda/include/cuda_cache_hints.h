// Loads and stores of global memory that say how the caches are to treat them: __ldg, __ldca, __ldcg, __ldcs,
// __ldlu, __ldcv; __stwb, __stcg, __stcs, __stwt. By PTX, for the types that CUDA has them for.
#ifndef CUDA_CACHE_HINTS_H
#define CUDA_CACHE_HINTS_H

// nodebug: what is inlined belongs to the line that calls it.
#define DEVICE_FUNCTION                                                                            \
    static __attribute__((device)) inline __attribute__((always_inline, nodebug))

// A register holds 16 bits or more: R is its type, `c` asm's letter for it. CLOBBER: what the compiler must
// not carry over the load.
#define DEFINE_LOAD(name, hint, T, R, c, type, CLOBBER)                                            \
    DEVICE_FUNCTION T name(const T *at)                                                            \
    {                                                                                              \
        R x;                                                                                       \
        asm volatile("ld.global." hint "." type " %0, [%1];" : "=" c(x) : "l"(at)CLOBBER);         \
        return (T)x;                                                                               \
    }
#define DEFINE_LOAD_2(name, hint, V, T, R, c, type, CLOBBER)                                       \
    DEVICE_FUNCTION V name(const V *at)                                                            \
    {                                                                                              \
        R x, y;                                                                                    \
        asm volatile("ld.global." hint ".v2." type " {%0, %1}, [%2];"                              \
                     : "=" c(x), "=" c(y)                                                          \
                     : "l"(at)CLOBBER);                                                            \
        return V{(T)x, (T)y};                                                                      \
    }
#define DEFINE_LOAD_4(name, hint, V, T, R, c, type, CLOBBER)                                       \
    DEVICE_FUNCTION V name(const V *at)                                                            \
    {                                                                                              \
        R x, y, z, w;                                                                              \
        asm volatile("ld.global." hint ".v4." type " {%0, %1, %2, %3}, [%4];"                      \
                     : "=" c(x), "=" c(y), "=" c(z), "=" c(w)                                      \
                     : "l"(at)CLOBBER);                                                            \
        return V{(T)x, (T)y, (T)z, (T)w};                                                          \
    }

#define DEFINE_STORE(name, hint, T, R, c, type, CLOBBER)                                           \
    DEVICE_FUNCTION void name(T *at, T value)                                                      \
    {                                                                                              \
        asm volatile("st.global." hint "." type " [%0], %1;" ::"l"(at), c((R)value) CLOBBER);      \
    }
#define DEFINE_STORE_2(name, hint, V, T, R, c, type, CLOBBER)                                      \
    DEVICE_FUNCTION void name(V *at, V value)                                                      \
    {                                                                                              \
        asm volatile("st.global." hint ".v2." type " [%0], {%1, %2};" ::"l"(at), c((R)value.x),    \
                     c((R)value.y) CLOBBER);                                                       \
    }
#define DEFINE_STORE_4(name, hint, V, T, R, c, type, CLOBBER)                                      \
    DEVICE_FUNCTION void name(V *at, V value)                                                      \
    {                                                                                              \
        asm volatile("st.global." hint ".v4." type " [%0], {%1, %2, %3, %4};" ::"l"(at),           \
                     c((R)value.x), c((R)value.y), c((R)value.z), c((R)value.w) CLOBBER);          \
    }

// One function for all types; DEFINE is DEFINE_LOAD or DEFINE_STORE.
// clang-format off
#define DEFINE_FOR_ALL(DEFINE, name, hint, CLOBBER) \
    DEFINE(name, hint, char, int, "r", "s8", CLOBBER) \
    DEFINE(name, hint, signed char, int, "r", "s8", CLOBBER) \
    DEFINE(name, hint, unsigned char, unsigned, "r", "u8", CLOBBER) \
    DEFINE(name, hint, short, short, "h", "s16", CLOBBER) \
    DEFINE(name, hint, unsigned short, unsigned short, "h", "u16", CLOBBER) \
    DEFINE(name, hint, int, int, "r", "s32", CLOBBER) \
    DEFINE(name, hint, unsigned, unsigned, "r", "u32", CLOBBER) \
    DEFINE(name, hint, long, long, "l", "s64", CLOBBER) \
    DEFINE(name, hint, unsigned long, unsigned long, "l", "u64", CLOBBER) \
    DEFINE(name, hint, long long, long long, "l", "s64", CLOBBER) \
    DEFINE(name, hint, unsigned long long, unsigned long long, "l", "u64", CLOBBER) \
    DEFINE(name, hint, float, float, "f", "f32", CLOBBER) \
    DEFINE(name, hint, double, double, "d", "f64", CLOBBER) \
    DEFINE##_2(name, hint, char2, signed char, int, "r", "s8", CLOBBER) \
    DEFINE##_2(name, hint, uchar2, unsigned char, unsigned, "r", "u8", CLOBBER) \
    DEFINE##_2(name, hint, short2, short, short, "h", "s16", CLOBBER) \
    DEFINE##_2(name, hint, ushort2, unsigned short, unsigned short, "h", "u16", CLOBBER) \
    DEFINE##_2(name, hint, int2, int, int, "r", "s32", CLOBBER) \
    DEFINE##_2(name, hint, uint2, unsigned, unsigned, "r", "u32", CLOBBER) \
    DEFINE##_2(name, hint, longlong2, long long, long long, "l", "s64", CLOBBER) \
    DEFINE##_2(name, hint, ulonglong2, unsigned long long, unsigned long long, "l", "u64", CLOBBER) \
    DEFINE##_2(name, hint, float2, float, float, "f", "f32", CLOBBER) \
    DEFINE##_2(name, hint, double2, double, double, "d", "f64", CLOBBER) \
    DEFINE##_4(name, hint, char4, signed char, int, "r", "s8", CLOBBER) \
    DEFINE##_4(name, hint, uchar4, unsigned char, unsigned, "r", "u8", CLOBBER) \
    DEFINE##_4(name, hint, short4, short, short, "h", "s16", CLOBBER) \
    DEFINE##_4(name, hint, ushort4, unsigned short, unsigned short, "h", "u16", CLOBBER) \
    DEFINE##_4(name, hint, int4, int, int, "r", "s32", CLOBBER) \
    DEFINE##_4(name, hint, uint4, unsigned, unsigned, "r", "u32", CLOBBER) \
    DEFINE##_4(name, hint, float4, float, float, "f", "f32", CLOBBER)
// clang-format on

#define NOTHING
#define MEMORY : "memory"

DEFINE_FOR_ALL(DEFINE_LOAD, __ldg, "nc", NOTHING)
DEFINE_FOR_ALL(DEFINE_LOAD, __ldca, "ca", NOTHING)
DEFINE_FOR_ALL(DEFINE_LOAD, __ldcg, "cg", NOTHING)
DEFINE_FOR_ALL(DEFINE_LOAD, __ldcs, "cs", NOTHING)
DEFINE_FOR_ALL(DEFINE_LOAD, __ldlu, "lu", MEMORY)
DEFINE_FOR_ALL(DEFINE_LOAD, __ldcv, "cv", MEMORY)
DEFINE_FOR_ALL(DEFINE_STORE, __stwb, "wb", MEMORY)
DEFINE_FOR_ALL(DEFINE_STORE, __stcg, "cg", MEMORY)
DEFINE_FOR_ALL(DEFINE_STORE, __stcs, "cs", MEMORY)
DEFINE_FOR_ALL(DEFINE_STORE, __stwt, "wt", MEMORY)

#undef NOTHING
#undef MEMORY
#undef DEFINE_FOR_ALL
#undef DEFINE_LOAD
#undef DEFINE_LOAD_2
#undef DEFINE_LOAD_4
#undef DEFINE_STORE
#undef DEFINE_STORE_2
#undef DEFINE_STORE_4
#undef DEVICE_FUNCTION

#endif
