// Each PTX instruction against C, on edge values and random ones.
#include <fenv.h>
#include <math.h>
#include <stdint.h>

#include "ptx_kernel.h"
#include "sim/ptx/lanes.h"
#include "suites.h"

enum { CASES = 2048, THREADS = 100 }; // threads: the last warp of a block is not full

static uint64_t word(int64_t value)
{
    return (uint32_t)value;
}

// By long multiplication in halves.
static uint64_t high_product(uint64_t a, uint64_t b)
{
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t middle = (al * bl >> 32) + (uint32_t)(ah * bl) + al * bh % ((uint64_t)1 << 32);
    return ah * bh + (ah * bl >> 32) + (al * bh >> 32) + (middle >> 32);
}

static uint64_t count_bits(uint64_t value)
{
    uint64_t count = 0;
    for (; value; value >>= 1)
        count += value & 1;
    return count;
}

// So many bits from that one on, bit by bit.
static uint32_t bit_mask(uint32_t first, uint32_t count)
{
    uint32_t mask = 0;
    for (uint32_t bit = first; bit < 32 && bit - first < count; bit++)
        mask |= (uint32_t)1 << bit;
    return mask;
}

static uint32_t nth_set(uint32_t mask, uint32_t from, int nth, int way)
{
    for (int bit = (int)from; bit >= 0 && bit < 32; bit += way) {
        nth -= mask >> bit & 1;
        if (nth == 0)
            return (uint32_t)bit;
    }
    return 0xffffffff;
}

static int top_bit(uint64_t value)
{
    int bit = -1;
    for (; value; value >>= 1)
        bit++;
    return bit;
}

static uint64_t mirror(uint64_t value, int bits)
{
    uint64_t result = 0;
    for (int i = 0; i < bits; i++)
        if (value >> i & 1)
            result |= (uint64_t)1 << (bits - 1 - i);
    return result;
}

static float clamped(float value)
{
    return isnan(value) || value < 0 ? 0 : value > 1 ? 1 : value == 0 ? 0 : value;
}

static float flushed(float value)
{
    return fabsf(value) < 0x1p-126f ? copysignf(0, value) : value;
}

static int64_t to_signed(double value, int bits)
{
    int64_t top = (int64_t)(((uint64_t)1 << (bits - 1)) - 1);
    if (isnan(value))
        return 0;
    if (value >= ldexp(1, bits - 1))
        return top;
    return value < -ldexp(1, bits - 1) ? -top - 1 : (int64_t)value;
}

static uint64_t to_unsigned(double value, int bits)
{
    if (isnan(value) || value <= 0)
        return 0;
    if (value >= ldexp(1, bits))
        return bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
    return (uint64_t)value;
}

// The compiler must not compute these at another time, in another rounding.
static uint64_t add_rounded(int mode, volatile float a, volatile float b)
{
    fesetround(mode);
    volatile float sum = a + b;
    fesetround(FE_TONEAREST);
    return f32_bits(sum);
}
#define ADD_ROUNDED(mode) add_rounded(mode, fa, fb)

#define DEFINE_CONVERT(name, T)                                                                    \
    static uint64_t name(int mode, volatile T value)                                               \
    {                                                                                              \
        fesetround(mode);                                                                          \
        volatile float result = (float)value;                                                      \
        fesetround(FE_TONEAREST);                                                                  \
        return f32_bits(result);                                                                   \
    }
DEFINE_CONVERT(convert_s32, int32_t)
DEFINE_CONVERT(convert_s64, int64_t)
DEFINE_CONVERT(convert_u64, uint64_t)
DEFINE_CONVERT(convert_f64, double)
#define CONVERT_ROUNDED(mode, value)                                                               \
    _Generic((value), int32_t                                                                      \
             : convert_s32, int64_t                                                                \
             : convert_s64, uint64_t                                                               \
             : convert_u64, double                                                                 \
             : convert_f64)(mode, value)

static uint64_t reference(int which, uint64_t a, uint64_t b, uint64_t c)
{
    const uint32_t wa = (uint32_t)a, wb = (uint32_t)b, wc = (uint32_t)c;
    const int32_t sa = (int32_t)wa, sb = (int32_t)wb, sc = (int32_t)wc;
    const int64_t la = (int64_t)a, lb = (int64_t)b;
    const uint16_t ha = (uint16_t)a, hb = (uint16_t)b, hc = (uint16_t)c;
    const int16_t ka = (int16_t)ha, kb = (int16_t)hb;
    const float fa = f32_from(a), fb = f32_from(b), fc = f32_from(c);
    const double da = f64_from(a), db = f64_from(b), dc = f64_from(c);
    int i = 0;
#define INSTRUCTION(text, wd, wa_, wb_, wc_, value)                                                \
    if (which == i++)                                                                              \
        return (uint64_t)(value);
#include "instructions.h"
#undef INSTRUCTION
    return 0;
}

static const struct {
    const char *text;
    int width[4];
} instructions[] = {
#define INSTRUCTION(text, wd, wa, wb, wc, value) {text, {wd, wa, wb, wc}},
#include "instructions.h"
#undef INSTRUCTION
};
enum { INSTRUCTIONS = sizeof instructions / sizeof *instructions };

static uint64_t random_bits(void)
{
    static uint64_t state = 88172645463325252ull; // xorshift64
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

// Edge values of integers and floats of every width, then random bits and small numbers.
static uint64_t input(int i, int operand)
{
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     31,
                                     32,
                                     33,
                                     63,
                                     64,
                                     0x7f,
                                     0x80,
                                     0xff,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     0x100000000,
                                     0x7fffffffffffffff,
                                     0x8000000000000000,
                                     UINT64_MAX,
                                     0x3f800000,
                                     0xbf800000,
                                     0x7f800000,
                                     0xff800000,
                                     0x7fc00000,
                                     0x00000001,
                                     0x807fffff,
                                     0x00800000,
                                     0x4effffff,
                                     0x4f000000,
                                     0xcf000000,
                                     0x3f000000,
                                     0x40200000,
                                     0x3ff0000000000000,
                                     0xbff0000000000000,
                                     0x7ff0000000000000,
                                     0x7ff8000000000000,
                                     0x0000000000000003,
                                     0x43e0000000000000,
                                     0xc3e0000000000000,
                                     0x3fe0000000000000,
                                     0x47efffffefffffff,
                                     0x36a0000000000000};
    enum { EDGES = sizeof edges / sizeof *edges };
    if (i < EDGES * EDGES / 2)
        return operand == 0 ? edges[i % EDGES] : edges[(i * 7 + i / EDGES + operand) % EDGES];
    uint64_t bits = random_bits();
    return i % 3 == 0 ? bits : i % 3 == 1 ? bits % 70 : bits & 0xbfffffffbfffffff;
}

// Loads %a, %b, %c of the widths, executes the text and stores %d.
static struct ptx_kernel *kernel_of(int which)
{
    static const char *const types[] = {[2] = "b16", [4] = "b32", [8] = "b64"};
    static const char names[] = "dabc";
    const int *width = instructions[which].width;
    char body[2048];
    int used = snprintf(body, sizeof body,
                        "mul.wide.u32 %%offset, %%i, 32;\nadd.s64 %%in, %%in, %%offset;\n"
                        "mul.wide.u32 %%offset, %%i, 8;\nadd.s64 %%out, %%out, %%offset;\n");
    for (int i = 0; i < 4; i++) {
        if (!width[i])
            continue;
        used += snprintf(body + used, sizeof body - (size_t)used, ".reg .%s %%%c;\n",
                         types[width[i]], names[i]);
        if (i > 0)
            used += snprintf(body + used, sizeof body - (size_t)used,
                             "ld.global.%s %%%c, [%%in+%d];\n", types[width[i]], names[i], 8 * i);
    }
    snprintf(body + used, sizeof body - (size_t)used, "%s\nst.global.%s [%%out], %%d;\n",
             instructions[which].text, types[width[0]]);
    return ptx_kernel("", body);
}

static int same(int which, uint64_t x, uint64_t y)
{
    const char *text = instructions[which].text;
    int width = instructions[which].width[0];
    uint64_t mask = width == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * width) - 1;
    if ((x & mask) == (y & mask))
        return 1;
    // Which NaN it is, C and PTX leave open.
    if (strstr(text, ".f32 %d") || strstr(text, ".f32.f64 %d"))
        return isnan(f32_from(x)) && isnan(f32_from(y));
    if (strstr(text, ".f64 %d") || strstr(text, ".f64.f32 %d"))
        return isnan(f64_from(x)) && isnan(f64_from(y));
    return 0;
}

PROGRAM(sim_instructions)

TEST(an_instruction_computes_what_c_does, .times = INSTRUCTIONS)
{
    static uint64_t in[CASES][4], out[CASES];
    enum { BLOCKS = CASES / THREADS };
    void *device_in, *device_out;
    for (int i = 0; i < CASES; i++)
        for (int k = 1; k < 4; k++)
            in[i][k] = input(i, k - 1);
    SUCCEEDS(cudaMalloc(&device_in, sizeof in));
    SUCCEEDS(cudaMalloc(&device_out, sizeof out));
    SUCCEEDS(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    SUCCEEDS(ptx_launch(kernel_of(_i), BLOCKS, THREADS, device_out, device_in));
    SUCCEEDS(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    for (int i = 0; i < BLOCKS * THREADS; i++) {
        uint64_t expected = reference(_i, in[i][1], in[i][2], in[i][3]);
        ck_assert_msg(same(_i, out[i], expected), "%s of %llx, %llx, %llx is %llx, should be %llx",
                      instructions[_i].text, (unsigned long long)in[i][1],
                      (unsigned long long)in[i][2], (unsigned long long)in[i][3],
                      (unsigned long long)out[i], (unsigned long long)expected);
    }
}
