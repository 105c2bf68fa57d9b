// Functions that kernels call: barriers, exchanges between lanes, atomics and mathematics, by
// clang's builtins and PTX.
#ifndef CUDA_DEVICE_FUNCTIONS_H
#define CUDA_DEVICE_FUNCTIONS_H

// nodebug: what is inlined belongs to the line that calls it.
#define DEVICE_FUNCTION                                                                            \
    static __attribute__((device)) inline __attribute__((always_inline, nodebug))

// Clang's builtin lets the optimiser carry reads of a __shared__ variable over the barrier (its
// alias analysis takes no intrinsic to write a variable whose address is not taken): an asm that
// clobbers memory does not.
DEVICE_FUNCTION void sim_syncthreads()
{
    asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() sim_syncthreads()

// Barriers that tell all threads for how many of them, whether for all or whether for one the
// predicate holds.
#define DEFINE_VOTING_BARRIER(name, operation)                                                     \
    DEVICE_FUNCTION int name(int predicate)                                                        \
    {                                                                                              \
        int value;                                                                                 \
        asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; " operation "; }"                   \
                     : "=r"(value)                                                                 \
                     : "r"(predicate)                                                              \
                     : "memory");                                                                  \
        return value;                                                                              \
    }

DEFINE_VOTING_BARRIER(__syncthreads_count, "bar.red.popc.u32 %0, 0, p")
DEFINE_VOTING_BARRIER(__syncthreads_and, "bar.red.and.pred q, 0, p; selp.s32 %0, 1, 0, q")
DEFINE_VOTING_BARRIER(__syncthreads_or, "bar.red.or.pred q, 0, p; selp.s32 %0, 1, 0, q")
#undef DEFINE_VOTING_BARRIER

DEVICE_FUNCTION void __nanosleep(unsigned ns)
{
    asm volatile("nanosleep.u32 %0;" ::"r"(ns));
}

// What takes a value of 4 or 8 bytes takes one of any of CUDA's types: of these by the bits of another.
#define DEFINE_FOR_TYPES(DEFINE, ...)                                                              \
    DEFINE(int, unsigned, __VA_ARGS__)                                                             \
    DEFINE(float, unsigned, __VA_ARGS__)                                                           \
    DEFINE(long, unsigned long long, __VA_ARGS__)                                                  \
    DEFINE(unsigned long, unsigned long long, __VA_ARGS__)                                         \
    DEFINE(long long, unsigned long long, __VA_ARGS__)                                             \
    DEFINE(double, unsigned long long, __VA_ARGS__)

#define DEFINE_MATCH(T, constraint, bits)                                                          \
    DEVICE_FUNCTION unsigned __match_any_sync(unsigned mask, T value)                              \
    {                                                                                              \
        unsigned lanes;                                                                            \
        asm volatile("match.any.sync." bits " %0, %1, %2;"                                         \
                     : "=r"(lanes)                                                                 \
                     : constraint(value), "r"(mask));                                              \
        return lanes;                                                                              \
    }                                                                                              \
    DEVICE_FUNCTION unsigned __match_all_sync(unsigned mask, T value, int *all)                    \
    {                                                                                              \
        unsigned lanes;                                                                            \
        asm volatile("{ .reg .pred p; match.all.sync." bits                                        \
                     " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }"                                      \
                     : "=r"(lanes), "=r"(*all)                                                     \
                     : constraint(value), "r"(mask));                                              \
        return lanes;                                                                              \
    }
#define DEFINE_MATCH_OF(T, BITS, ...)                                                              \
    DEVICE_FUNCTION unsigned __match_any_sync(unsigned mask, T value)                              \
    {                                                                                              \
        return __match_any_sync(mask, __builtin_bit_cast(BITS, value));                            \
    }                                                                                              \
    DEVICE_FUNCTION unsigned __match_all_sync(unsigned mask, T value, int *all)                    \
    {                                                                                              \
        return __match_all_sync(mask, __builtin_bit_cast(BITS, value), all);                       \
    }

DEFINE_MATCH(unsigned, "r", "b32")
DEFINE_MATCH(unsigned long long, "l", "b64")
DEFINE_FOR_TYPES(DEFINE_MATCH_OF)

// With <stdio.h> or without; clang makes vprintf() of it.
extern "C" __attribute__((device)) int printf(const char *format, ...);

// What <assert.h> calls, by way of what NVIDIA's does.
extern "C" __attribute__((device)) void __assertfail(const char *condition, const char *file,
                                                     unsigned line, const char *function,
                                                     size_t size);
extern "C" __attribute__((device)) inline void
__assert_fail(const char *condition, const char *file, unsigned line, const char *function) noexcept
{
    __assertfail(condition, file, line, function, sizeof(char));
}

DEVICE_FUNCTION void __syncwarp(unsigned mask = 0xffffffff)
{
    asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
DEVICE_FUNCTION void __threadfence()
{
    asm volatile("membar.gl;" ::: "memory");
}
DEVICE_FUNCTION void __threadfence_block()
{
    asm volatile("membar.cta;" ::: "memory");
}
DEVICE_FUNCTION void __trap()
{
    asm volatile("trap;");
}
DEVICE_FUNCTION unsigned __activemask()
{
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
DEVICE_FUNCTION long long clock64()
{
    long long time;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(time));
    return time;
}

#define DEFINE_SHUFFLE_OF(T, BITS, name)                                                           \
    DEVICE_FUNCTION T name(unsigned mask, T value, unsigned lane, int width = 32)                  \
    {                                                                                              \
        return __builtin_bit_cast(T, name(mask, __builtin_bit_cast(BITS, value), lane, width));    \
    }
#define DEFINE_SHUFFLE(name, mode, clamp)                                                          \
    DEVICE_FUNCTION unsigned name(unsigned mask, unsigned value, unsigned lane, int width = 32)    \
    {                                                                                              \
        unsigned result, segment = (32 - width) << 8 | clamp;                                      \
        asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                                  \
                     : "=r"(result)                                                                \
                     : "r"(value), "r"(lane), "r"(segment), "r"(mask));                            \
        return result;                                                                             \
    }                                                                                              \
    DEVICE_FUNCTION unsigned long long name(unsigned mask, unsigned long long value,               \
                                            unsigned lane, int width = 32)                         \
    {                                                                                              \
        unsigned low = name(mask, (unsigned)value, lane, width);                                   \
        return (unsigned long long)name(mask, (unsigned)(value >> 32), lane, width) << 32 | low;   \
    }                                                                                              \
    DEFINE_FOR_TYPES(DEFINE_SHUFFLE_OF, name)

DEFINE_SHUFFLE(__shfl_sync, "idx", 0x1f)
DEFINE_SHUFFLE(__shfl_up_sync, "up", 0)
DEFINE_SHUFFLE(__shfl_down_sync, "down", 0x1f)
DEFINE_SHUFFLE(__shfl_xor_sync, "bfly", 0x1f)

DEVICE_FUNCTION unsigned __ballot_sync(unsigned mask, int predicate)
{
    unsigned result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
                 : "=r"(result)
                 : "r"(predicate), "r"(mask));
    return result;
}
DEVICE_FUNCTION int __all_sync(unsigned mask, int predicate)
{
    return (__ballot_sync(mask, predicate) & mask) == (__activemask() & mask);
}
DEVICE_FUNCTION int __any_sync(unsigned mask, int predicate)
{
    return (__ballot_sync(mask, predicate) & mask) != 0;
}

#define DEFINE_ATOMIC(name, T, constraint, operation)                                              \
    DEVICE_FUNCTION T name(T *address, T value)                                                    \
    {                                                                                              \
        T old;                                                                                     \
        asm volatile("atom." operation " %0, [%1], %2;"                                            \
                     : "=" constraint(old)                                                         \
                     : "l"(address), constraint(value)                                             \
                     : "memory");                                                                  \
        return old;                                                                                \
    }

DEFINE_ATOMIC(atomicAdd, int, "r", "add.s32")
DEFINE_ATOMIC(atomicAdd, unsigned, "r", "add.u32")
DEFINE_ATOMIC(atomicAdd, unsigned long long, "l", "add.u64")
DEFINE_ATOMIC(atomicAdd, float, "f", "add.f32")
DEFINE_ATOMIC(atomicAdd, double, "d", "add.f64")
DEFINE_ATOMIC(atomicMin, int, "r", "min.s32")
DEFINE_ATOMIC(atomicMin, unsigned, "r", "min.u32")
DEFINE_ATOMIC(atomicMax, int, "r", "max.s32")
DEFINE_ATOMIC(atomicMax, unsigned, "r", "max.u32")
DEFINE_ATOMIC(atomicAnd, unsigned, "r", "and.b32")
DEFINE_ATOMIC(atomicOr, unsigned, "r", "or.b32")
DEFINE_ATOMIC(atomicXor, unsigned, "r", "xor.b32")
DEFINE_ATOMIC(atomicExch, int, "r", "exch.b32")
DEFINE_ATOMIC(atomicExch, unsigned, "r", "exch.b32")
DEFINE_ATOMIC(atomicExch, float, "f", "exch.b32")
DEFINE_ATOMIC(atomicInc, unsigned, "r", "inc.u32")
DEFINE_ATOMIC(atomicDec, unsigned, "r", "dec.u32")

#define DEFINE_SWAP(T, constraint, operation)                                                      \
    DEVICE_FUNCTION T atomicCAS(T *address, T compare, T value)                                    \
    {                                                                                              \
        T old;                                                                                     \
        asm volatile("atom.cas." operation " %0, [%1], %2, %3;"                                    \
                     : "=" constraint(old)                                                         \
                     : "l"(address), constraint(compare), constraint(value)                        \
                     : "memory");                                                                  \
        return old;                                                                                \
    }

DEFINE_SWAP(int, "r", "b32")
DEFINE_SWAP(unsigned, "r", "b32")
DEFINE_SWAP(unsigned long long, "l", "b64")
#undef DEFINE_SWAP

// A number's bits as another type's.
#define DEFINE_BITS(name, T, U)                                                                    \
    DEVICE_FUNCTION T name(U value)                                                                \
    {                                                                                              \
        return __builtin_bit_cast(T, value);                                                       \
    }

DEFINE_BITS(__float_as_int, int, float)
DEFINE_BITS(__float_as_uint, unsigned, float)
DEFINE_BITS(__int_as_float, float, int)
DEFINE_BITS(__uint_as_float, float, unsigned)
DEFINE_BITS(__double_as_longlong, long long, double)
DEFINE_BITS(__longlong_as_double, double, long long)
#undef DEFINE_BITS

DEVICE_FUNCTION float sqrtf(float x)
{
    return __nvvm_sqrt_rn_f(x);
}
DEVICE_FUNCTION float fabsf(float x)
{
    return __builtin_fabsf(x);
}
DEVICE_FUNCTION float fmaf(float x, float y, float z)
{
    return __builtin_fmaf(x, y, z);
}
DEVICE_FUNCTION float fminf(float x, float y)
{
    return __nvvm_fmin_f(x, y);
}
DEVICE_FUNCTION float fmaxf(float x, float y)
{
    return __nvvm_fmax_f(x, y);
}
DEVICE_FUNCTION int min(int x, int y)
{
    return x < y ? x : y;
}
DEVICE_FUNCTION int max(int x, int y)
{
    return x > y ? x : y;
}

#undef DEFINE_SHUFFLE
#undef DEFINE_ATOMIC
#undef DEVICE_FUNCTION

#endif
