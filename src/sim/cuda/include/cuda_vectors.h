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
    struct name##3                                                                                 \
    {                                                                                              \
        T x, y, z;                                                                                 \
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
    static __attribute__((host, device, nodebug)) inline name##3 make_##name##3(T x, T y, T z)     \
    {                                                                                              \
        return name##3 {x, y, z};                                                                  \
    }                                                                                              \
    static                                                                                         \
        __attribute__((host, device, nodebug)) inline name##4 make_##name##4(T x, T y, T z, T w)   \
    {                                                                                              \
        return name##4 {x, y, z, w};                                                               \
    }

DEFINE_VECTORS(signed char, char)
DEFINE_VECTORS(unsigned char, uchar)
DEFINE_VECTORS(short, short)
DEFINE_VECTORS(unsigned short, ushort)
DEFINE_VECTORS(int, int)
DEFINE_VECTORS(float, float)
DEFINE_VECTORS(double, double)

struct __attribute__((aligned(8))) uint2 {
    unsigned x, y;
};
struct __attribute__((aligned(16))) uint4 {
    unsigned x, y, z, w;
};

#undef DEFINE_VECTORS

#endif
