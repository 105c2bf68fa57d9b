// Half precision: every operation against a search for the nearest half.
#include <math.h>
#include <stdint.h>

#include "ptx_kernel.h"
#include "sim/sim.h"
#include "suites.h"

enum { COUNT = 96 };

// The definition of IEEE 754: sign, 5 bits of exponent, 10 of fraction.
static long double value_of(unsigned bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    long double sign = bits >> 15 ? -1 : 1;
    if (exponent == 31)
        return fraction ? (long double)NAN : sign * (long double)INFINITY;
    return sign * (exponent ? ldexpl(1024 + fraction, exponent - 25) : ldexpl(fraction, -24));
}

// The half nearest to a number, of two the one with an even fraction; 65520 and more are infinite.
static unsigned nearest(long double number)
{
    unsigned sign = signbit(number) ? 0x8000 : 0, best = 0;
    if (isnan(number))
        return 0x7fff;
    if (fabsl(number) >= 65520)
        return sign | 0x7c00;
    for (unsigned bits = 0; bits < 0x7c00; bits++) {
        long double far = fabsl(value_of(best) - fabsl(number));
        long double here = fabsl(value_of(bits) - fabsl(number));
        if (here < far || (here == far && bits % 2 == 0))
            best = bits;
    }
    return sign | best;
}

static const uint16_t special[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x7bff, 0xfbff,
                                   0x7c00, 0xfc00, 0x7e00, 0x3c00, 0xbc00, 0x3555, 0x4248, 0x0801};
enum { SPECIAL = sizeof special / sizeof *special };

// Three operands a thread: special values against each other, then pseudorandom ones.
static void fill(uint16_t in[COUNT][4])
{
    uint32_t state = 12345;
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 4; k++) {
            state = state * 1664525 + 1013904223;
            unsigned choice = state >> 16;
            in[i][k] = i < COUNT / 2 ? special[choice % SPECIAL] : (uint16_t)choice;
        }
    }
}

static void run(const char *text, uint16_t in[COUNT][4], uint32_t *out)
{
    char body[2048];
    void *device_in, *device_out;
    snprintf(body, sizeof body,
             ".reg .b64 pi, po; .reg .b16 a, b, c, d, h; .reg .b32 x, y, z, r; .reg .f32 f;\n"
             ".reg .pred p;\n"
             "mul.wide.u32 pi, %%i, 8; add.s64 pi, pi, %%in; mul.wide.u32 po, %%i, 4;\n"
             "add.s64 po, po, %%out; ld.global.u16 a, [pi]; ld.global.u16 b, [pi+2];\n"
             "ld.global.u16 c, [pi+4]; ld.global.u16 h, [pi+6]; mov.b32 x, {a, h};\n"
             "mov.b32 y, {b, a}; mov.b32 z, {c, b}; mov.u32 r, 0;\n%s\nst.global.u32 [po], r;",
             text);
    SUCCEEDS(cudaMalloc(&device_in, COUNT * sizeof *in));
    SUCCEEDS(cudaMalloc(&device_out, COUNT * sizeof *out));
    SUCCEEDS(cudaMemcpy(device_in, in, COUNT * sizeof *in, cudaMemcpyHostToDevice));
    ck_assert_msg(ptx_launch(ptx_kernel("", body), 1, COUNT, device_out, device_in) == cudaSuccess,
                  "%s: %s", text, sim_last_report());
    SUCCEEDS(cudaMemcpy(out, device_out, COUNT * sizeof *out, cudaMemcpyDeviceToHost));
}

static long double lesser(long double a, long double b)
{
    return isnan(a) ? b : isnan(b) ? a : a < b || (a == b && signbit(a)) ? a : b;
}

static unsigned expected_of(const char *operation, unsigned a, unsigned b, unsigned c)
{
    long double x = value_of(a), y = value_of(b), z = value_of(c);
    if (strcmp(operation, "neg") == 0)
        return a ^ 0x8000;
    if (strcmp(operation, "abs") == 0)
        return a & 0x7fff;
    return nearest(strcmp(operation, "add") == 0   ? x + y
                   : strcmp(operation, "sub") == 0 ? x - y
                   : strcmp(operation, "mul") == 0 ? x * y
                   : strcmp(operation, "min") == 0 ? lesser(x, y)
                   : strcmp(operation, "max") == 0 ? -lesser(-x, -y)
                                                   : x * y + z);
}

static const struct {
    const char *name, *form;
    int operands;
} operations[] = {{"add", "add", 2}, {"sub", "sub", 2}, {"mul", "mul", 2}, {"min", "min", 2},
                  {"max", "max", 2}, {"neg", "neg", 1}, {"abs", "abs", 1}, {"fma", "fma.rn", 3}};

PROGRAM(sim_halves, .seconds = 60)

TEST(halves_are_computed, .times = sizeof operations / sizeof *operations)
{
    const char *name = operations[_i].name, *form = operations[_i].form;
    static const char *const operands[][2] = {
        {"d, a", "r, x"}, {"d, a, b", "r, x, y"}, {"d, a, b, c", "r, x, y, z"}};
    const char *const *list = operands[operations[_i].operands - 1];
    char text[128];
    uint16_t in[COUNT][4];
    uint32_t one[COUNT], two[COUNT];
    fill(in);
    snprintf(text, sizeof text, "%s.f16 %s; cvt.u32.u16 r, d;", form, list[0]);
    run(text, in, one);
    snprintf(text, sizeof text, "%s.f16x2 %s;", form, list[1]);
    run(text, in, two);
    for (int i = 0; i < COUNT; i++) {
        unsigned a = in[i][0], b = in[i][1], c = in[i][2];
        unsigned low = expected_of(name, a, b, c), high = expected_of(name, in[i][3], a, b);
        ck_assert_msg(one[i] == low, "%s of %x %x %x: %x, not %x", name, a, b, c, one[i], low);
        ck_assert_msg(two[i] == (high << 16 | low), "%s.f16x2 of %x %x: %x, not %x%04x", name, a, b,
                      two[i], high, low);
    }
}

TEST(halves_are_converted)
{
    uint16_t in[COUNT][4];
    uint32_t widened[COUNT], narrowed[COUNT], down[COUNT], whole[COUNT], from[COUNT],
        is_less[COUNT];
    fill(in);
    run("cvt.f32.f16 f, a; mov.b32 r, f;", in, widened);
    run("mov.b32 f, x; cvt.rn.f16.f32 d, f; cvt.u32.u16 r, d;", in, narrowed);
    run("mov.b32 f, x; cvt.rz.f16.f32 d, f; cvt.u32.u16 r, d;", in, down);
    run("cvt.rzi.s32.f16 r, a;", in, whole);
    run("cvt.s32.s16 r, a; cvt.rn.f16.s32 d, r; cvt.u32.u16 r, d;", in, from);
    run("setp.lt.f16 p, a, b; selp.u32 r, 1, 0, p;", in, is_less);
    for (int i = 0; i < COUNT; i++) {
        long double value = value_of(in[i][0]);
        float f;
        memcpy(&f, &widened[i], sizeof f);
        ck_assert(f == value || (isnan(f) && isnan(value)));
        uint32_t bits = (uint32_t)in[i][3] << 16 | in[i][0];
        memcpy(&f, &bits, sizeof f);
        ck_assert_msg(narrowed[i] == nearest(f), "%a: %x", (double)f, narrowed[i]);
        if (!isnan(f))
            ck_assert_msg(fabsl(value_of(down[i])) <= fabsl(f) || isinf(f), "%a: %x", (double)f,
                          down[i]);
        if (isfinite(f) && fabsf(f) < 65504)
            ck_assert(fabsl(value_of(down[i] + 1)) > fabsl(f));
        int32_t expected = isnan(value)   ? 0
                           : isinf(value) ? (value > 0 ? INT32_MAX : INT32_MIN)
                                          : (int32_t)value;
        ck_assert_int_eq((int32_t)whole[i], expected);
        ck_assert_uint_eq(from[i], nearest((int16_t)in[i][0]));
        ck_assert_uint_eq(is_less[i], value < value_of(in[i][1]));
    }
}
