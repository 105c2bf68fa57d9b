// What the timing model says that warps wait for: where, for which reason and because of which line; held against what
// PC sampling recorded of the lesson's steps on an H200.
#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "facts/stall_samples.h"
#include "kernels/timed.h"
#include "ptx_kernel.h"
#include "sim/sim.h"
#include "suites.h"

enum { SMS = 132, WARPS = 64, MEMORY = 1 << 24, MAX_TEXT = 1 << 10 };

PROGRAM(sim_stalls, .seconds = 120)

// ---- Kernels whose waits are known -----------------------------------------------------------------

static struct stall_samples seen;

// Launches a kernel of that body, whose file is kernel.cu.
static struct sim_prediction launch(const char *body, unsigned blocks, unsigned threads)
{
    void *memory;
    char text[MAX_TEXT];
    sim_set(SIM_CHECKS, 0); // warps share words
    snprintf(text, sizeof text, "%s\n.loc 1 99 0", body);
    struct ptx_kernel *kernel =
        ptx_kernel(".file 1 \"kernel.cu\"\n.shared .align 4 .b8 words[4096];", text);
    SUCCEEDS(cudaMalloc(&memory, MEMORY));
    SUCCEEDS(cudaMemset(memory, 0, MEMORY));
    sim_counts_reset();
    SUCCEEDS(ptx_launch(kernel, blocks, threads, memory, memory));
    SUCCEEDS(cudaFree(memory));
    struct sim_prediction p = sim_prediction_total();
    ck_assert_str_eq(p.why, "");
    return p;
}

static void begin_to_look(void)
{
    memset(&seen, 0, sizeof seen);
    sim_watch_stalls(&seen);
}

static void end_looking(void)
{
    sim_watch_stalls(NULL);
    stall_samples_sort(&seen);
}

// Looks at what its warps wait for.
static struct sim_prediction look(const char *body, unsigned blocks, unsigned threads)
{
    begin_to_look();
    struct sim_prediction p = launch(body, blocks, threads);
    end_looking();
    return p;
}

static double share_of(enum stall_reason reason)
{
    return 100.0 * (double)stall_samples_of(&seen, reason) / (double)stall_samples_total(&seen);
}

// How many samples at a line waited for that reason because of another.
static uint64_t caused(unsigned line, enum stall_reason reason, unsigned cause)
{
    uint64_t sum = 0;
    for (int i = 0; i < seen.cause_count; i++) {
        const struct stall_cause *c = &seen.causes[i];
        if (c->line == line && c->reason == reason && c->cause_line == cause)
            sum += c->samples;
    }
    return sum;
}

static uint64_t found(unsigned line, enum stall_reason reason)
{
    for (int i = 0; i < seen.count; i++)
        if (seen.lines[i].line == line)
            return seen.lines[i].samples[reason];
    return 0;
}

#define ADDRESS ".reg .b64 a; mul.wide.u32 a, %i, 4; add.s64 a, a, %out;\n"

// Line 10 loads, 11 and 12 do something else, 13 needs what was loaded.
static const char loads[] = ADDRESS ".reg .f32 x, y; mov.f32 y, 0f3f800000;\n"
                                    ".loc 1 10 0\nld.global.f32 x, [a];\n"
                                    ".loc 1 11 0\nadd.f32 y, y, y;\n"
                                    ".loc 1 12 0\nmul.f32 y, y, y;\n"
                                    ".loc 1 13 0\nadd.f32 x, x, y;\nst.global.f32 [a], x;";

TEST(the_load_is_behind_the_line_that_waits)
{
    look(loads, SMS, 256);
    uint64_t waited = found(13, STALL_LONG_SCOREBOARD);
    ck_assert_uint_gt(waited, 8 * 250); // cycles of 8 warps
    ck_assert_uint_eq(caused(13, STALL_LONG_SCOREBOARD, 10), waited);
    ck_assert_uint_eq(found(10, STALL_LONG_SCOREBOARD), 0);
    ck_assert_double_gt(share_of(STALL_LONG_SCOREBOARD), 60);
}

// Of two loads, the one that comes last: their latencies are less unlike than the additions between them take.
#define ADDITION "add.u32 s,s,1;"
#define ADDITIONS ADDITION ADDITION ADDITION ADDITION ADDITION
TEST(the_load_that_is_last_counts)
{
    look(ADDRESS ".reg .f32 x, y; .reg .b32 s; mov.u32 s, 0;\n"
                 ".loc 1 10 0\nld.volatile.global.f32 x, [a];\n" ADDITIONS ADDITIONS ADDITIONS
                     ADDITIONS ADDITIONS ADDITIONS ADDITIONS ADDITIONS
                 ".loc 1 11 0\nld.volatile.global.f32 y, [a+65536];\n"
                 ".loc 1 12 0\nadd.f32 x, x, y;\nst.global.f32 [a], x;",
         1, 32);
    uint64_t first = caused(12, STALL_LONG_SCOREBOARD, 10);
    uint64_t last = caused(12, STALL_LONG_SCOREBOARD, 11);
    ck_assert_uint_gt(last, 250);
    ck_assert_uint_lt(first, last);
}

#define SHARED_WORDS(stride)                                                                       \
    ".reg .b32 s, t; .reg .f32 x; mov.u32 t, %tid.x; and.b32 t, t, 31; mul.lo.u32 t, t, " #stride  \
    "; mov.u32 s, words; add.u32 s, s, t;\n"                                                       \
    "mov.f32 x, 0f3f800000; .loc 1 9 0\nst.shared.f32 [s], x;\nbar.sync 0;\n"                      \
    ".loc 1 10 0\nld.shared.f32 x, [s];\n"                                                         \
    ".loc 1 11 0\nadd.f32 x, x, x;\nst.shared.f32 [s], x;"

// A planted change: words a bank apart, and all in one.
TEST(bank_conflicts_make_warps_wait_for_shared_memory)
{
    look(SHARED_WORDS(4), SMS, 1024);
    double without = share_of(STALL_SHORT_SCOREBOARD) + share_of(STALL_MIO_THROTTLE);
    look(SHARED_WORDS(128), SMS, 1024);
    double with = share_of(STALL_SHORT_SCOREBOARD) + share_of(STALL_MIO_THROTTLE);
    ck_assert_double_gt(with, without + 20);
    ck_assert_uint_gt(caused(11, STALL_SHORT_SCOREBOARD, 10), 0);
}

#define UNEVEN(barrier)                                                                            \
    ADDRESS ".reg .f32 x; .reg .pred first; setp.lt.u32 first, %i, 32;\n"                          \
            "mov.f32 x, 0f3f800000; .loc 1 10 0\n@first ld.volatile.global.f32 x, [a];\n"          \
            "@first add.f32 x, x, x;\n@first st.volatile.global.f32 [a], x;\n"                     \
            ".loc 1 11 0\n" barrier "\n.loc 1 12 0\nst.global.f32 [a+8192], x;"

// A planted change: with a barrier, all warps wait for the first one's load, each before its store.
TEST(a_barrier_makes_warps_wait)
{
    look(UNEVEN(""), SMS, 1024);
    ck_assert_uint_eq(stall_samples_of(&seen, STALL_BARRIER), 0);
    look(UNEVEN("bar.sync 0;"), SMS, 1024);
    ck_assert_double_gt(share_of(STALL_BARRIER), 40);
    ck_assert_uint_eq(caused(12, STALL_BARRIER, 11), stall_samples_of(&seen, STALL_BARRIER));
}

// What is copied asynchronously is waited for where the kernel says so.
TEST(the_copy_is_behind_the_wait_for_it)
{
    look(ADDRESS ".reg .b32 s; mov.u32 s, words;\n"
                 ".loc 1 10 0\ncp.async.ca.shared.global [s], [a], 4;\n"
                 ".loc 1 11 0\ncp.async.commit_group;\n"
                 ".loc 1 12 0\ncp.async.wait_group 0;",
         1, 32);
    ck_assert_uint_gt(found(12, STALL_LONG_SCOREBOARD), 250);
    ck_assert_uint_eq(caused(12, STALL_LONG_SCOREBOARD, 10), found(12, STALL_LONG_SCOREBOARD));
}

// Stores that scatter leave the SM slowly: who has ended waits for its last one.
TEST(the_last_store_is_behind_a_drain)
{
    look(".reg .b64 a; mul.wide.u32 a, %i, 128; add.s64 a, a, %out;\n"
         ".loc 1 10 0\nst.global.u32 [a], %i;\n.loc 1 11 0\nst.global.u32 [a+4], %i;",
         100, 1024);
    ck_assert_double_gt(share_of(STALL_DRAIN), 50);
    ck_assert_uint_eq(caused(99, STALL_DRAIN, 11), stall_samples_of(&seen, STALL_DRAIN));
}

// The samples are the cycles of an SM's warps.
TEST(the_samples_are_the_warps_cycles)
{
    static const struct {
        const char *body;
        unsigned blocks, threads;
    } launches[] = {{loads, 1, 32}, {loads, SMS, 1024}, {SHARED_WORDS(128), SMS, 256}};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        unsigned blocks = launches[i].blocks;
        struct sim_prediction p = look(launches[i].body, blocks, launches[i].threads);
        double warps = p.achieved_occupancy / 100 * WARPS;
        ck_assert_double_eq_tol((double)stall_samples_total(&seen),
                                warps * p.active_cycles / (blocks < SMS ? blocks : SMS),
                                0.02 * (double)stall_samples_total(&seen));
    }
}

static const char not_nvcc[] = "only nvcc's kernels have machine code";

// Looks at what a block of so many threads waits for that computes, on the GPU that the tests' kernels have machine code for.
static struct sim_prediction look_at_arithmetic(enum timed kernel, unsigned threads)
{
    enum { ROUNDS = 100 };
    void *memory;
    sim_set(SIM_CHECKS, 0); // threads share a word
    SUCCEEDS(cudaMalloc(&memory, MEMORY));
    sim_counts_reset();
    begin_to_look();
    timed_launch(kernel, 1, threads, memory, ROUNDS, 0);
    end_looking();
    SUCCEEDS(cudaFree(memory));
    return sim_prediction_total();
}

// A scheduler's products of 64 bits take four cycles each: one warp waits for its own results most of the time, and eight for their
// turns.
TEST(warps_wait_for_a_unit_that_they_share, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", "t4", 1), 0);
    look_at_arithmetic(TIMED_PRODUCTS, 32);
    double alone = share_of(STALL_MATH_PIPE_THROTTLE), wait = share_of(STALL_WAIT);
    look_at_arithmetic(TIMED_PRODUCTS, 1024);
    double shared = share_of(STALL_MATH_PIPE_THROTTLE);
    ck_assert_msg(alone < 10 && wait > 30 && shared > 35, "%g %g %g", alone, wait, shared);
}

// Two units in turns take an instruction a cycle, and three registers of two banks longer: these are busy all the time.
TEST(warps_wait_for_banks_of_registers, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", "t4", 1), 0);
    struct sim_prediction p = look_at_arithmetic(TIMED_THREE, 1024);
    double banks = share_of(STALL_DISPATCH), unit = share_of(STALL_MATH_PIPE_THROTTLE);
    ck_assert_msg(banks > 15, "%g %% banks, %g %% unit", banks, unit);
    ck_assert_msg(p.busy[SIM_ARITHMETIC] > 0.9, "busy %g", p.busy[SIM_ARITHMETIC]);
}

TEST(looking_changes_nothing)
{
    struct sim_prediction unasked = launch(loads, 4 * SMS, 1024);
    struct sim_prediction asked = look(loads, 4 * SMS, 1024);
    ck_assert(asked.ms == unasked.ms && asked.achieved_occupancy == unasked.achieved_occupancy);
    uint64_t total = stall_samples_total(&seen);
    launch(loads, 4 * SMS, 1024); // nobody asks
    ck_assert_uint_eq(stall_samples_total(&seen), total);
}
