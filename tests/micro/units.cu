// What a warp asks units for that its scheduler shares with others: how long it waits for constants, special registers, square
// roots, conversions and quotients, and how many cycles after one another warps of a scheduler are served.
#include "micro.h"

enum { STEPS = 1 << 10, PLACES = 64, SCHEDULERS = 4, MOST_THREADS = 1024 };

__constant__ unsigned next_place[PLACES]; // in bytes

// The first is asked with its argument and each other one with what the one before it brought.
template <typename Value, typename Step>
__device__ void follow(Value value, Step step, Value *out, long long *cycles)
{
    for (int i = 0; i < PLACES; i++)
        value = step(value);
    long long start = clock64();
#pragma unroll 64
    for (int i = 0; i < STEPS; i++)
        value = step(value);
    *out = value; // before the clock is read: it needs the last one
    *cycles = clock64() - start;
}

__device__ __forceinline__ unsigned constant_at(unsigned place)
{
    return *(const unsigned *)((const char *)next_place + place);
}

// Where it begins differs by thread, as far as the compiler knows: it would take another unit else.
__global__ void constants(unsigned first, unsigned *out, long long *cycles)
{
    follow(first + threadIdx.x, constant_at, out, cycles);
}

__global__ void roots(float first, float *out, long long *cycles)
{
    auto step = [](float x) {
        asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(x));
        return x;
    };
    follow(first, step, out, cycles);
}

// There and back, each rounded other than to the nearest, and one more instruction, without which they would be left out.
__global__ void conversions(unsigned first, unsigned *out, long long *cycles)
{
    auto step = [first](unsigned x) {
        asm volatile("{ .reg .f32 f; cvt.rp.f32.u32 f, %0; cvt.rzi.u32.f32 %0, f; }\n"
                     "xor.b32 %0, %0, %1;"
                     : "+r"(x)
                     : "r"(first));
        return x;
    };
    follow(first, step, out, cycles);
}

__global__ void quotients(unsigned first, unsigned *out, long long *cycles)
{
    auto step = [first](unsigned x) { return first / x; };
    follow(first, step, out, cycles);
}

// From the clock to the clock, with a special register that is needed between, or one of the warp's own.
template <bool special>
__global__ void special_registers(unsigned first, unsigned *out, long long *cycles)
{
    long long sum = 0;
    unsigned last = first;
    for (int i = 0; i < STEPS; i++) {
        unsigned start, value = last, end;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(start) : : "memory");
        if (special)
            asm volatile("mov.u32 %0, %%smid;" : "=r"(value) : : "memory");
        asm volatile("{ .reg .pred wrong; setp.gt.u32 wrong, %1, 1023; @wrong trap;\n"
                     "mov.u32 %0, %%clock; }"
                     : "=r"(end)
                     : "r"(value)
                     : "memory");
        last = value & 1;
        sum += end - start;
    }
    *out = last;
    *cycles = sum;
}

template <typename Launch>
static double cycles_a_step(Launch launch)
{
    return count_cycles(launch) / STEPS;
}

static void measure_latencies(unsigned *word, float *number)
{
    report(cycles_a_step([=](long long *c) { constants<<<1, 1>>>(0, word, c); }), "cycles",
           "constant_latency");
    report(cycles_a_step([=](long long *c) { special_registers<true><<<1, 1>>>(1, word, c); }) -
               cycles_a_step([=](long long *c) { special_registers<false><<<1, 1>>>(1, word, c); }),
           "cycles", "special_register_latency");
    report(cycles_a_step([=](long long *c) { roots<<<1, 1>>>(1.5f, number, c); }), "cycles",
           "root_latency");
    report(cycles_a_step([=](long long *c) { conversions<<<1, 1>>>(1, word, c); }), "cycles",
           "conversions_latency");
    report(cycles_a_step([=](long long *c) { quotients<<<1, 1>>>(1, word, c); }), "cycles",
           "quotient_latency");
}

// What warps issue in turns: each step changes a word, and may read two others.
struct floats {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned, unsigned, unsigned by)
    {
        return __float_as_uint(fmaf(__uint_as_float(x), __uint_as_float(by), __uint_as_float(by)));
    }
};

struct three_registers {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned y, unsigned z, unsigned)
    {
        return __float_as_uint(fmaf(__uint_as_float(x), __uint_as_float(y), __uint_as_float(z)));
    }
};

struct products {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned, unsigned, unsigned by)
    {
        asm volatile("mad.lo.u32 %0, %0, %1, %1;" : "+r"(x) : "r"(by));
        return x;
    }
};

struct high_products {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned, unsigned, unsigned by)
    {
        asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(x) : "r"(by));
        return x;
    }
};

// Both halves of the product are needed, the low one only in the end; ptxas makes an IMAD.WIDE of each.
struct wide_products {
    static __device__ __forceinline__ unsigned long long
    step(unsigned long long x, unsigned long long, unsigned long long, unsigned by)
    {
        asm volatile("{ .reg .b32 low, high; mov.b64 {low, high}, %0; mul.wide.u32 %0, high, %1; }"
                     : "+l"(x)
                     : "r"(by));
        return x;
    }
};

struct bits {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned, unsigned, unsigned by)
    {
        asm volatile("lop3.b32 %0, %0, %1, %0, 0x6a;" : "+r"(x) : "r"(by));
        return x;
    }
};

struct shifts {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned, unsigned, unsigned by)
    {
        asm volatile("shf.l.wrap.b32 %0, %0, %1, %1;" : "+r"(x) : "r"(by));
        return x;
    }
};

struct look_ups {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned, unsigned, unsigned)
    {
        return constant_at(x);
    }
};

struct square_roots {
    static __device__ __forceinline__ unsigned step(unsigned x, unsigned, unsigned, unsigned)
    {
        float root = __uint_as_float(x);
        asm volatile("rsqrt.approx.ftz.f32 %0, %0;" : "+f"(root));
        return __float_as_uint(root);
    }
};

// Each thread has some words, every other one for another kind.
template <typename one, typename other, typename Word>
__global__ void __launch_bounds__(MOST_THREADS) turns(unsigned by, unsigned *out, long long *cycles)
{
    enum { WORDS = 4 };
    Word words[WORDS], sum = 0;
    for (int w = 0; w < WORDS; w++)
        words[w] =
            threadIdx.x / WARP * sizeof(unsigned) * (Word)0x100000001; // a place, in both halves
    long long start = 0;
    for (int warm = 0; warm < 2; warm++) {
        __syncthreads();
        start = clock64();
#pragma unroll 1
        for (int i = 0; i < STEPS / PLACES; i++)
#pragma unroll
            for (int k = 0; k < PLACES; k++) {
                Word x = words[k % WORDS], y = words[(k + 1) % WORDS], z = words[(k + 2) % WORDS];
                words[k % WORDS] = k % 2 ? other::step(x, y, z, by) : one::step(x, y, z, by);
            }
        __syncthreads();
    }
    for (int w = 0; w < WORDS; w++)
        sum += words[w];
    *cycles = clock64() - start;
    if (sum == 1)
        *out = (unsigned)sum;
}

// Cycles of a scheduler, which has as many warps as there is room for, from one to the next.
template <typename one, typename other, typename Word = unsigned>
static void measure_turns(unsigned *word, const char *name)
{
    auto launch = [=](long long *c) { turns<one, other, Word><<<1, MOST_THREADS>>>(3, word, c); };
    report(cycles_a_step(launch) * SCHEDULERS * WARP / MOST_THREADS, "cycles", "turn_%s", name);
}

int main(void)
{
    wake_up();
    unsigned places[PLACES], *word;
    float *number;
    for (unsigned i = 0; i < PLACES; i++)
        places[i] = (i + 17) % PLACES * sizeof *places;
    CHECK(cudaMemcpyToSymbol(next_place, places, sizeof places));
    CHECK(cudaMalloc(&word, sizeof *word));
    CHECK(cudaMalloc(&number, sizeof *number));
    measure_latencies(word, number);
    measure_turns<floats, floats>(word, "floats");
    measure_turns<products, products>(word, "products");
    measure_turns<high_products, high_products>(word, "high_products");
    measure_turns<wide_products, wide_products, unsigned long long>(word, "wide_products");
    measure_turns<bits, bits>(word, "bits");
    measure_turns<shifts, shifts>(word, "shifts");
    measure_turns<look_ups, look_ups>(word, "constants");
    measure_turns<square_roots, square_roots>(word, "roots");
    measure_turns<bits, floats>(word, "bits_and_floats");
    measure_turns<bits, products>(word, "bits_and_products");
    measure_turns<products, floats>(word, "products_and_floats");
    measure_turns<three_registers, three_registers>(word, "three_registers");
    CHECK(cudaFree(word));
    CHECK(cudaFree(number));
    return 0;
}
