// float4 and its relatives, with the alignment that makes them one access. Clang would copy 16 bytes as two
// times 8, and by members at times as four times 4: they are assigned as a vector, by the line that assigns
// them (nodebug).
#ifndef CUDA_VECTORS_H
#define CUDA_VECTORS_H

#define DEFINE_VECTORS(T, name)                                                                    \
    struct name##1                                                                                 \
    {                                                                                              \
        T x;                                                                                       \
    };                                                                                             \
    struct __attribute__((aligned(2 * sizeof(T)))) name##2                                         \
    {                                                                                              \
        T x, y;                                                                                    \
    };                                                                                             \
    struct __attribute__((aligned(sizeof(T) > 4 ? 16 : 4 * sizeof(T)))) name##4                    \
    {                                                                                              \
        T x, y, z, w;                                                                              \
        __attribute__((host, device, nodebug)) name##4 &operator=(const name##4 & v)               \
        {                                                                                          \
            typedef T all                                                                          \
                __attribute__((ext_vector_type(4), aligned(__alignof(name##4)), may_alias));       \
            *(all *)this = *(const all *)&v;                                                       \
            return *this;                                                                          \
        }                                                                                          \
    };                                                                                             \
    static __attribute__((host, device, nodebug)) inline name##2 make_##name##2(T x, T y)          \
    {                                                                                              \
        return name##2 {x, y};                                                                     \
    }                                                                                              \
    static                                                                                         \
        __attribute__((host, device, nodebug)) inline name##4 make_##name##4(T x, T y, T z, T w)   \
    {                                                                                              \
        return name##4 {x, y, z, w};                                                               \
    }

#define DEFINE_MAKE_3(T, name)                                                                     \
    static __attribute__((host, device, nodebug)) inline name##3 make_##name##3(T x, T y, T z)     \
    {                                                                                              \
        return name##3 {x, y, z};                                                                  \
    }

#define DEFINE_ALL_VECTORS(T, name)                                                                \
    DEFINE_VECTORS(T, name)                                                                        \
    struct name##3                                                                                 \
    {                                                                                              \
        T x, y, z;                                                                                 \
    };                                                                                             \
    DEFINE_MAKE_3(T, name)

DEFINE_ALL_VECTORS(signed char, char)
DEFINE_ALL_VECTORS(unsigned char, uchar)
DEFINE_ALL_VECTORS(short, short)
DEFINE_ALL_VECTORS(unsigned short, ushort)
DEFINE_ALL_VECTORS(int, int)
DEFINE_ALL_VECTORS(long long, longlong)
DEFINE_ALL_VECTORS(unsigned long long, ulonglong)
DEFINE_ALL_VECTORS(float, float)
DEFINE_ALL_VECTORS(double, double)

DEFINE_VECTORS(unsigned, uint) // cuda_runtime_api.h has uint3
DEFINE_MAKE_3(unsigned, uint)

#undef DEFINE_VECTORS
#undef DEFINE_MAKE_3
#undef DEFINE_ALL_VECTORS

#endif
