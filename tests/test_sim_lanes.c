// Instructions in which lanes meet: shuffles, votes, atomics, vectors and addresses of every space.
#include <stdint.h>

#include "ptx_kernel.h"
#include "sim/sim.h"
#include "suites.h"

enum { LANES = 32 };

// Runs a body on `threads` threads with %p = its place in out (4 bytes a thread) and reads out.
static void run(const char *declarations, const char *text, unsigned threads, const void *in,
                size_t in_size, uint32_t *out)
{
    char body[4096];
    void *device_in, *device_out;
    snprintf(body, sizeof body,
             ".reg .b64 %%p;\nmul.wide.u32 %%p, %%i, 4;\nadd.s64 %%p, %%p, %%out;\n%s", text);
    SUCCEEDS(cudaMalloc(&device_in, in_size));
    SUCCEEDS(cudaMalloc(&device_out, threads * sizeof *out));
    SUCCEEDS(cudaMemset(device_out, 0, threads * sizeof *out));
    SUCCEEDS(cudaMemcpy(device_in, in, in_size, cudaMemcpyHostToDevice));
    ck_assert_msg(ptx_launch(ptx_kernel(declarations, body), 1, threads, device_out, device_in) ==
                      cudaSuccess,
                  "%s", sim_last_report());
    SUCCEEDS(cudaMemcpy(out, device_out, threads * sizeof *out, cudaMemcpyDeviceToHost));
}

// The source lane by the rule in words: within segments of `width` lanes.
static int shuffled(const char *mode, int lane, int b, int width)
{
    int first = lane / width * width, from = lane;
    if (strcmp(mode, "up") == 0)
        from = lane - b;
    else if (strcmp(mode, "down") == 0)
        from = lane + b;
    else if (strcmp(mode, "bfly") == 0)
        from = lane ^ b;
    else
        from = first + b % width;
    return from >= first && from < first + width ? from : -1;
}

PROGRAM(sim_lanes, .seconds = 60)

TEST(shuffles_follow_their_segments, .times = 4)
{
    static const char *const modes[] = {"up", "down", "bfly", "idx"};
    const char *mode = modes[_i];
    for (int width = 1; width <= LANES; width *= 2) {
        for (int b = 0; b < width; b += 1 + b / 3) {
            char text[1024];
            uint32_t out[LANES], in = 0;
            int c = (LANES - width) << 8 | (strcmp(mode, "up") == 0 ? 0 : 31);
            snprintf(text, sizeof text,
                     ".reg .pred q; .reg .b32 r, v; mad.lo.u32 v, %%i, 3, 5;\n"
                     "shfl.sync.%s.b32 r|q, v, %d, %d, -1; @!q add.u32 r, r, 1000;\n"
                     "st.global.u32 [%%p], r;",
                     mode, b, c);
            run("", text, LANES, &in, sizeof in, out);
            for (int lane = 0; lane < LANES; lane++) {
                int from = shuffled(mode, lane, b, width);
                uint32_t expected = (uint32_t)(from < 0 ? 3 * lane + 1005 : 3 * from + 5);
                ck_assert_msg(out[lane] == expected, "%s %d of %d, lane %d: %u", mode, b, width,
                              lane, out[lane]);
            }
        }
    }
}

TEST(votes_count_the_lanes_that_take_part)
{
    enum { THREADS = 40 }; // the second warp has 8
    static const char text[] =
        ".reg .pred p, q; .reg .b32 r, v, w;\nand.b32 v, %i, 1; setp.eq.u32 p, v, 1;\n"
        "vote.sync.ballot.b32 r, p, -1;\nvote.sync.all.pred q, p, -1; @q or.b32 r, r, 1;\n"
        "vote.sync.any.pred q, !p, -1; @!q or.b32 r, r, 1;\nactivemask.b32 w; popc.b32 w, w;\n"
        "shl.b32 w, w, 24; xor.b32 r, r, w;\nst.global.u32 [%p], r;";
    uint32_t out[THREADS], in = 0;
    run("", text, THREADS, &in, sizeof in, out);
    ck_assert_uint_eq(out[5], 0xaaaaaaaa ^ 32u << 24);
    ck_assert_uint_eq(out[LANES + 3], 0xaa ^ 8u << 24);
}

// The lanes of a value's group, by match.any; all or none, by match.all; of a part of the warp.
TEST(lanes_with_the_same_value_match)
{
    static const char text[] =
        ".reg .pred p, q, s; .reg .b32 r, v, w, x; .reg .b64 l;\nrem.u32 v, %i, 5;\n"
        "match.any.sync.b32 r, v, -1;\ncvt.u64.u32 l, v; shl.b64 l, l, 40;\n"
        "match.any.sync.b64 w, l, -1; setp.ne.u32 q, r, w; @q mov.u32 r, 0;\n"
        "match.all.sync.b32 w|p, v, -1; @p mov.u32 r, 1; setp.ne.u32 q, w, 0; @q mov.u32 r, 2;\n"
        "setp.lt.u32 s, %i, 8; @!s bra DONE; match.all.sync.b32 w|p, 7, 255;\n"
        "@!p mov.u32 r, 3; xor.b32 r, r, w;\nDONE: st.global.u32 [%p], r;";
    uint32_t out[LANES], in = 0;
    run("", text, LANES, &in, sizeof in, out);
    for (int lane = 0; lane < LANES; lane++) {
        uint32_t same = 0;
        for (int other = lane % 5; other < LANES; other += 5)
            same |= (uint32_t)1 << other;
        ck_assert_uint_eq(out[lane], lane < 8 ? same ^ 255 : same);
    }
}

// Lanes that meet although they came by different ways; those that have exited, or never were, are named
// in vain.
static const struct {
    const char *what, *body;
    uint32_t first, last; // of lanes 0 and 31
} meetings[] = {
    {"others exited early",
     "setp.ge.u32 p, %i, 24; @p bra END; DO: vote.sync.ballot.b32 r, !z, -1;", 0x00ffffff, 0},
    {"others exit after some work",
     "setp.ge.u32 p, %i, 24; @!p bra DO; mov.u32 r, 7; st.global.u32 [%p], r; bra END;\n"
     "DO: vote.sync.ballot.b32 r, !z, -1;",
     0x00ffffff, 7},
    {"halves with masks of their own",
     "setp.ge.u32 p, %i, 16; @p bra HIGH; vote.sync.ballot.b32 r, !z, 0xffff; bra OUT;\n"
     "HIGH: vote.sync.ballot.b32 r, !z, 0xffff0000;",
     0x0000ffff, 0xffff0000},
    {"a part of them is guarded",
     "setp.lt.u32 p, %i, 4; mov.u32 r, 9; @p vote.sync.ballot.b32 r, !z, 15;", 15, 9},
    // An exit within a branch: no point but the kernel's end is common to all.
    {"some come by a branch in which others exit",
     "setp.lt.u32 p, %i, 16; @!p bra DO; setp.lt.u32 q, %i, 8; @!q bra WORK; bra END;\n"
     "WORK: add.u32 v, v, 1; DO: vote.sync.ballot.b32 r, !z, -1; shfl.sync.idx.b32 w, v, 8, 31, "
     "-1;\n"
     "add.u32 r, r, w;",
     0, 0xffffff00 + 1},
    {"others exited before a barrier",
     "setp.ge.u32 p, %i, 24; @p bra END; bar.warp.sync -1; mov.u32 r, 3;", 3, 0},
    {"halves at barriers of their own",
     "shl.b32 v, %i, 2; setp.ge.u32 p, %i, 16; @p bra HIGH; bar.warp.sync 0xffff; mov.u32 r, 3;\n"
     "bra OUT; HIGH: bar.warp.sync 0xffff0000; mov.u32 r, 4;",
     3, 4},
    // Each reads what the other half has written, in turns, more often than paths could be kept.
    {"a barrier in either branch",
     "shl.b32 v, %i, 2; mov.u32 w, 0; setp.ge.u32 p, %i, 16; @p bra HIGH;\n"
     "LOW: add.u32 w, w, 1; st.shared.u32 [v], w; bar.warp.sync -1; ld.shared.u32 r, [v+64];\n"
     "bar.warp.sync -1; setp.lt.u32 q, w, 1000; @q bra LOW; bra OUT;\n"
     "HIGH: add.u32 w, w, 1; shl.b32 r, w, 1; st.shared.u32 [v], r; bar.warp.sync -1;\n"
     "ld.shared.u32 r, [v+-64]; bar.warp.sync -1; setp.lt.u32 q, w, 1000; @q bra HIGH;",
     2000, 1000},
};

TEST(lanes_meet_by_different_ways, .times = sizeof meetings / sizeof *meetings)
{
    char body[1024];
    uint32_t out[LANES], in = 0;
    snprintf(body, sizeof body,
             ".reg .pred p, q, z; .reg .b32 r, v, w;\nmov.u32 v, 0; setp.ne.u32 z, v, 0;\n%s\n"
             "OUT: st.global.u32 [%%p], r;\nEND:",
             meetings[_i].body);
    run(".shared .align 4 .b32 words[32];", body, LANES, &in, sizeof in, out);
    ck_assert_msg(out[0] == meetings[_i].first && out[LANES - 1] == meetings[_i].last,
                  "%s: %#x, %#x", meetings[_i].what, out[0], out[LANES - 1]);
}

// Lanes that a barrier names, but that go by, or wait at one with another mask.
static const char *const missed_barriers[] = {
    "setp.lt.u32 q, %i, 16; @q bar.warp.sync -1;",
    "setp.ge.u32 q, %i, 16; @q bra OVER; bar.warp.sync -1; OVER: st.global.u32 [%out], 1;",
    "setp.ge.u32 q, %i, 16; @q bra HIGH; bar.warp.sync -1; bra OVER; HIGH: bar.warp.sync "
    "0xffff8000;\n"
    "OVER: st.global.u32 [%out], 1;",
};

TEST(missed_barriers_are_told, .times = sizeof missed_barriers / sizeof *missed_barriers)
{
    char body[512];
    void *out;
    snprintf(body, sizeof body, ".reg .pred q; %s", missed_barriers[_i]);
    ck_assert_int_eq(cudaMalloc(&out, sizeof(uint32_t)), cudaSuccess);
    ck_assert_int_eq(ptx_launch(ptx_kernel("", body), 1, LANES, out, out), cudaErrorLaunchFailure);
    ck_assert_msg(strstr(sim_last_report(), ", which the mask 0xffff"), "%s", sim_last_report());
}

static uint32_t apply(const char *operation, uint32_t old, uint32_t v);

static const char *const reductions[] = {"add.u32", "min.s32", "max.s32", "min.u32",
                                         "max.u32", "and.b32", "or.b32",  "xor.b32"};

TEST(lanes_are_reduced, .times = sizeof reductions / sizeof *reductions)
{
    enum { MASK = 0x7ffff0f0 };
    const char *operation = reductions[_i];
    char text[512];
    uint32_t out[LANES], in[LANES], expected = 0;
    int first = 1;
    snprintf(text, sizeof text,
             ".reg .b64 a; .reg .b32 r, v, m; .reg .pred p;\nmul.wide.u32 a, %%i, 4;\n"
             "add.s64 a, a, %%in; ld.global.u32 v, [a]; mov.u32 r, 0; mov.u32 m, 1;\n"
             "shl.b32 m, m, %%i; and.b32 m, m, %u; setp.ne.u32 p, m, 0; @!p bra DONE;\n"
             "redux.sync.%s r, v, %u;\nDONE: st.global.u32 [%%p], r;",
             MASK, operation, MASK);
    for (int i = 0; i < LANES; i++) {
        in[i] = (uint32_t)(i + 3) * 2654435761u;
        if (!(MASK >> i & 1))
            continue;
        expected = first ? in[i] : apply(operation, expected, in[i]);
        first = 0;
    }
    run("", text, LANES, in, sizeof in, out);
    for (int i = 0; i < LANES; i++)
        ck_assert_uint_eq(out[i], MASK >> i & 1 ? expected : 0);
}

// Two groups at once, of which neither names lane 0's mask alone.
TEST(groups_are_reduced_apart)
{
    static const char text[] =
        ".reg .b32 r, m; .reg .pred p;\nand.b32 r, %i, 1; setp.eq.u32 p, r, 0;\n"
        "selp.b32 m, 0x55555555, 0xaaaaaaaa, p;\n"
        "redux.sync.add.u32 r, %i, m;\nst.global.u32 [%p], r;";
    uint32_t out[LANES], in = 0;
    run("", text, LANES, &in, sizeof in, out);
    for (int lane = 0; lane < LANES; lane++)
        ck_assert_uint_eq(out[lane], lane % 2 ? 256 : 240);
}

// An undefined value may go from register to register; what stores it, or takes it as an address, is told.
static const struct {
    const char *body, *report; // NULL: nothing is wrong
} undefined_values[] = {
    {"mov.u32 w, v; selp.b32 w, w, 5, low; st.global.u32 [%p], w;", NULL},
    {"mul.lo.u32 w, v, 0; st.global.u32 [%p], w;", NULL},
    {"@low st.global.u32 [%p], v;", NULL},
    {"setp.gt.u32 q, v, 9; and.pred q, q, low; selp.b32 w, 1, 2, q; st.global.u32 [%p], w;", NULL},
    {"setp.gt.u32 q, v, 9; or.pred q, q, low; @low st.global.u32 [%p], v;", NULL},
    {"st.local.u32 [here], v; st.local.u32 [here], w; ld.local.u32 v, [here]; st.global.u32 [%p], "
     "v;",
     NULL},
    {"st.local.v2.u32 [here], {v, w}; ld.local.v2.u32 {v, w}, [here]; st.global.u32 [%p], w;",
     NULL},
    {"call (w), first_of, (w, v); st.global.u32 [%p], w;", NULL},
    {"call (w), first_of, (v, w); call (w), first_of, (%i, w); st.global.u32 [%p], w;", NULL},
    {"mov.u32 v, 7; st.global.u32 [%p], v;", NULL},
    {"vote.sync.ballot.b32 w, low, -1; st.global.u32 [%p], w;", NULL},
    {"setp.gt.u32 q, v, 9; @q bra OVER; add.u32 w, w, 1; OVER: @low st.global.u32 [%p], w;", NULL},
    {"setp.lt.u32 q, v, 99; @q bra OVER; mov.u32 v, 1; OVER: st.global.u32 [%p], w;", NULL},
    {"add.u32 w, v, 1; st.global.u32 [%p], w;", "in line 0 stores it"},
    {"st.local.u32 [here], v; ld.local.u32 w, [here]; st.global.u32 [%p], w;",
     "in line 0 stores it"},
    {"st.local.u32 [here], v; st.local.u8 [here], w; ld.local.u16 w, [here]; st.global.u32 [%p], "
     "w;",
     "stores it"},
    {"mov.u64 a, here; cvta.local.u64 a, a; st.u32 [a+4], v; ld.u32 w, [a+4]; st.global.u32 [%p], "
     "w;",
     "stores it"},
    {"setp.gt.u32 q, v, 9; @q st.local.u32 [here], w; ld.local.u32 w, [here]; st.global.u32 [%p], "
     "w;",
     "stores it"},
    {"call (w), first_of, (v, w); st.global.u32 [%p], w;", "stores it"},
    {".param .b32 x; .param .b32 y; .param .b32 r; st.param.u32 [x], v; st.param.u32 [y], w; call "
     "(r), first_of, (x, y);\n"
     "ld.param.u32 w, [r]; st.global.u32 [%p], w;",
     "stores it"},
    {"call (w), greater_of, (v, w); st.global.u32 [%p], w;", "stores it"},
    {"st.global.u32 [%p], v;", "which its mask does not name (mask 0x0000ffff)"},
    {"mov.b64 a, {v, v}; st.global.u64 [%out], a;", "st.global.u64 in line 0 stores it"},
    {"cvt.u64.u32 a, v; add.s64 a, a, %out; ld.global.u32 w, [a];", "takes it as an address"},
    {"atom.global.add.u32 w, [%out], v;", "atom.global.add.u32 in line 0 stores it"},
    {"setp.gt.u32 q, v, 9; @q st.global.u32 [%p], w;", "stores it"},
    {"setp.lt.u32 q, v, 9; @q bra OVER; st.global.u32 [%p], w; OVER:", "stores it"},
    {"setp.lt.u32 q, v, 99; @q bra OVER; mov.u32 w, 1; OVER: st.global.u32 [%p], w;", "stores it"},
    {"setp.gt.u32 q, v, 99; @!q bra OVER; ld.global.u32 w, [%out]; OVER: st.global.u32 [%p], w;",
     "stores it"},
    {"setp.gt.u32 q, v, 99; @!q bra OVER; call (w), first_of, (1, 2); OVER: st.global.u32 [%p], w;",
     "stores it"},
    {"setp.gt.u32 q, v, 9; vote.sync.any.pred q, q, -1; selp.b32 w, 1, 0, q; st.global.u32 [%p], "
     "w;",
     "stores it"},
    {"shfl.sync.idx.b32 w, v, 15, 31, -1; @low st.global.u32 [%p], w;",
     "lane 15 of the warp reads"},
    {"setp.gt.u32 q, v, 9; bar.red.popc.u32 w, 0, q;", "hands it to the block"},
    {"add.cc.u32 w, v, 1; addc.u32 w, 0, 0; st.global.u32 [%p], w;", "stores it"},
};

TEST(uses_of_undefined_values_are_told, .times = sizeof undefined_values / sizeof *undefined_values)
{
    const char *report = undefined_values[_i].report;
    char body[1024];
    void *out;
    static const char functions[] =
        ".func (.param .b32 r) first_of(.param .b32 x, .param .b32 y)\n{\n.reg .b32 v;\n"
        "ld.param.u32 v, [x]; st.param.u32 [r], v; ret;\n}\n"
        ".func (.param .b32 r) greater_of(.param .b32 x, .param .b32 y)\n{\n.reg .b32 v, w;\n"
        ".reg .pred q; ld.param.u32 v, [x]; ld.param.u32 w, [y]; setp.gt.u32 q, v, w; @q bra X;\n"
        "mov.u32 v, 1; st.param.u32 [r], v; ret;\n"
        "X: mov.u32 v, 2; st.param.u32 [r], v; ret;\n}\n";
    // Lanes 8 to 15 of 16 read 8 further on, where none takes part; the others read their own.
    snprintf(body, sizeof body,
             ".reg .b64 %%p, a; .reg .pred q, low, first; .reg .b32 v, w; .local .align 8 .b32 "
             "here[2];\n"
             "mul.wide.u32 %%p, %%i, 4; add.s64 %%p, %%p, %%out; mov.u32 w, %%i;\n"
             "setp.lt.u32 low, %%i, 8; setp.lt.u32 first, %%i, 16; mov.u32 v, %%i;\n"
             "@first shfl.sync.down.b32 v, %%i, 8, 31, 0xffff;\n%s",
             undefined_values[_i].body);
    SUCCEEDS(cudaMalloc(&out, LANES * sizeof(uint32_t)));
    SUCCEEDS(cudaMemset(out, 0, LANES * sizeof(uint32_t)));
    cudaError_t error = ptx_launch(ptx_kernel(functions, body), 1, LANES, out, out);
    ck_assert_msg(error == (report ? cudaErrorLaunchFailure : cudaSuccess), "%s: %s\n%s",
                  undefined_values[_i].body, cudaGetErrorName(error), sim_last_report());
    ck_assert_msg(!report || strstr(sim_last_report(), report), "%s: %s", undefined_values[_i].body,
                  sim_last_report());
}

static const struct {
    const char *operation;
    int is_float;
} atomics[] = {{"add.u32", 0}, {"min.s32", 0}, {"max.s32", 0},  {"min.u32", 0},
               {"max.u32", 0}, {"and.b32", 0}, {"or.b32", 0},   {"xor.b32", 0},
               {"inc.u32", 0}, {"dec.u32", 0}, {"exch.b32", 0}, {"add.f32", 1}};

static uint32_t apply(const char *operation, uint32_t old, uint32_t v)
{
    int32_t so = (int32_t)old, sv = (int32_t)v;
    float fo, fv;
    memcpy(&fo, &old, sizeof fo);
    memcpy(&fv, &v, sizeof fv);
    fo += fv;
    if (strcmp(operation, "add.f32") == 0)
        return memcpy(&old, &fo, sizeof fo), old;
    if (strcmp(operation, "add.u32") == 0)
        return old + v;
    if (strcmp(operation, "min.s32") == 0)
        return so < sv ? old : v;
    if (strcmp(operation, "max.s32") == 0)
        return so > sv ? old : v;
    if (strcmp(operation, "min.u32") == 0)
        return old < v ? old : v;
    if (strcmp(operation, "max.u32") == 0)
        return old > v ? old : v;
    if (strcmp(operation, "and.b32") == 0)
        return old & v;
    if (strcmp(operation, "or.b32") == 0)
        return old | v;
    if (strcmp(operation, "xor.b32") == 0)
        return old ^ v;
    if (strcmp(operation, "inc.u32") == 0)
        return old >= v ? 0 : old + 1;
    if (strcmp(operation, "dec.u32") == 0)
        return old == 0 || old > v ? v : old - 1;
    return v;
}

// Lanes go one after another, so that old values and the last one are known. The same on shared
// memory, by its own and by generic addresses.
TEST(atomics_return_what_was_there, .times = sizeof atomics / sizeof *atomics)
{
    static const char *const places[] = {
        "mov.u64 a, %%in; atom.global.%s r, [a], v;",
        "mov.u64 a, word; atom.shared.%s r, [a], v;",
        "mov.u64 a, word; cvta.shared.u64 a, a; atom.%s r, [a], v;",
    };
    const char *operation = atomics[_i].operation;
    for (int k = 0; k < 3; k++) {
        char text[1024], access[256];
        uint32_t in[1 + LANES], out[LANES];
        snprintf(access, sizeof access, places[k], operation);
        snprintf(text, sizeof text,
                 ".reg .b64 a; .reg .b32 r, v; .reg .pred z;\nld.global.u32 r, [%%in];\n"
                 "setp.eq.u32 z, %%i, 0; @z st.shared.u32 [word], r; bar.sync 0;\n"
                 "mul.wide.u32 a, %%i, 4; add.s64 a, a, %%in; ld.global.u32 v, [a+4];\n%s\n"
                 "st.global.u32 [%%p], r;",
                 access);
        for (int i = 0; i <= LANES; i++) {
            float number = (float)i * 1.5f;
            in[i] = (uint32_t)i * 2654435761u;
            if (atomics[_i].is_float)
                memcpy(&in[i], &number, sizeof number);
        }
        run(".shared .align 4 .u32 word;", text, LANES, in, sizeof in, out);
        uint32_t value = in[0];
        for (int i = 0; i < LANES; i++) {
            ck_assert_msg(out[i] == value, "%s of lane %d found %x, not %x", operation, i, out[i],
                          value);
            value = apply(operation, value, in[1 + i]);
        }
    }
}

// A load that starts a loop of compare-and-swaps, by an address of its own: what the L2 gives (.cg, .cv) is
// where the swaps are made; what an L1 gives (.ca) may be older than any of them, and a race.
TEST(loads_from_the_l2_start_swaps, .times = 3)
{
    static const char *const hints[] = {"cg", "cv", "ca"};
    char text[512];
    uint32_t in[2] = {0, 0}, out[3 * LANES];
    snprintf(
        text, sizeof text,
        ".reg .b64 a, b; .reg .b32 r, n, old; .reg .pred q;\nand.b32 n, %%i, 1; shl.b32 n, n, 2;\n"
        "cvt.u64.u32 a, n; add.s64 b, %%in, a; add.s64 a, a, %%in;\n"
        "ld.global.%s.u32 r, [a];\nAGAIN: mov.u32 old, r; add.u32 n, old, 1;\n"
        "atom.global.cas.b32 r, [b], old, n; setp.ne.u32 q, r, old; @q bra AGAIN;\n"
        "st.global.u32 [%%p], n;",
        hints[_i]);
    if (_i < 2) {
        run("", text, 3 * LANES, in, sizeof in, out);
        return;
    }
    void *device;
    char body[1024];
    snprintf(body, sizeof body, ".reg .b64 %%p; add.s64 %%p, %%in, 64;\n%s", text);
    SUCCEEDS(cudaMalloc(&device, 128));
    SUCCEEDS(cudaMemset(device, 0, 128));
    ck_assert_int_eq(ptx_launch(ptx_kernel("", body), 1, 3 * LANES, device, device),
                     cudaErrorLaunchFailure);
    ck_assert_msg(strstr(sim_last_report(), "Race __global__ atomic"), "%s", sim_last_report());
}

TEST(compare_and_swap_takes_one_winner)
{
    static const char text[] = ".reg .b32 r, n; add.u32 n, %i, 100;\n"
                               "atom.global.cas.b32 r, [%in], 7, n;\nst.global.u32 [%p], r;";
    uint32_t in = 7, out[LANES];
    run("", text, LANES, &in, sizeof in, out);
    ck_assert_uint_eq(out[0], 7);
    for (int i = 1; i < LANES; i++)
        ck_assert_uint_eq(out[i], 100);
}

// Each thread's four words, through global, shared and local memory, by vectors and by generic
// addresses.
TEST(vectors_pass_through_every_space)
{
    static const char text[] =
        ".reg .b64 a, s, l; .reg .b32 x, y, z, w, b; .reg .pred q;\n"
        "mul.wide.u32 a, %i, 16; add.s64 a, a, %in; shl.b32 b, %i, 4; cvt.u64.u32 s, b;\n"
        "ld.global.v4.u32 {x, y, z, w}, [a];\nst.shared.v2.u32 [s], {x, y};\n"
        "cvta.shared.u64 s, s; st.v2.u32 [s+8], {z, w}; ld.v4.u32 {y, z, w, x}, [s];\n"
        "mov.u64 l, mine; st.local.v4.u32 [l], {x, y, z, w}; cvta.local.u64 l, l;\n"
        "isspacep.local q, l; @q ld.v2.u32 {x, y}, [l+8]; isspacep.shared q, s;\n"
        "@q add.u32 x, x, y; isspacep.global q, a; @q add.u32 x, x, 1;\n"
        "st.global.u32 [%p], x;";
    static const char whole[] = ".shared .align 16 .b8 lines[1024];";
    uint32_t in[4 * LANES], out[LANES];
    char body[2048];
    for (uint32_t i = 0; i < 4 * LANES; i++)
        in[i] = i * i + 3;
    snprintf(body, sizeof body, ".local .align 16 .b8 mine[16];\n%s", text);
    run(whole, body, LANES, in, sizeof in, out);
    // st.local had {w3, w0, w1, w2}: the last two are words 1 and 2.
    for (int i = 0; i < LANES; i++)
        ck_assert_uint_eq(out[i], in[4 * i + 1] + in[4 * i + 2] + 1);
}
