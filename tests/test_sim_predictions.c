// What holds of all predictions: any kernel comes to an end, the clock goes by them, and neither threads nor other
// processes change them.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "near.h"
#include "predictions.h"
#include "ptx_kernel.h"
#include "sim/time/predict.h"
#include "sim/time/steady_part.h"

SUITE_OF_ITS_OWN(sim_predictions, .seconds = 60)

// ---- The clock -------------------------------------------------------------------------------------

TEST(events_have_the_models_time)
{
    enum { EVENTS = 4 };
    cudaEvent_t events[EVENTS];
    float first, second, both, none;
    for (int i = 0; i < EVENTS; i++)
        SUCCEEDS(cudaEventCreate(&events[i]));
    ck_assert_int_eq(cudaEventElapsedTime(&first, events[0], events[1]),
                     cudaErrorInvalidResourceHandle);
    void *at = memory();
    SUCCEEDS(cudaEventRecord(events[0], 0));
    sim_counts_reset();
    timed_launch(TIMED_LOOP, 100, 64, at, 50, 0);
    double one = prediction("the first").ms;
    SUCCEEDS(cudaEventRecord(events[1], 0));
    timed_launch(TIMED_BARRIERS, 10, 64, at, 50, 0);
    double two = prediction("both").ms;
    sim_counts_reset(); // which does not set the clock back
    SUCCEEDS(cudaEventRecord(events[2], 0));
    SUCCEEDS(cudaEventRecord(events[3], 0));
    SUCCEEDS(cudaEventElapsedTime(&first, events[0], events[1]));
    SUCCEEDS(cudaEventElapsedTime(&second, events[1], events[2]));
    SUCCEEDS(cudaEventElapsedTime(&both, events[0], events[2]));
    SUCCEEDS(cudaEventElapsedTime(&none, events[2], events[3]));
    double event = device()->timing.event_us * 1e-3;
    assert_near(first, one + event, 1e-3, "the first");
    assert_near(second, two - one + event, 1e-3, "the second");
    assert_near(both, two + 2 * event, 1e-3, "both");
    ck_assert(none == 0);
    ck_assert(sim_prediction_total().ms == 0);
    for (int i = 0; i < EVENTS; i++)
        SUCCEEDS(cudaEventDestroy(events[i]));
}

// Of an SM that holds 4 blocks 20 were traced, of 68 that it runs: what is between the launches of the ninth, the first
// of those that fill it a third time, and of the first that fill it a fifth time comes six times more; or as often as
// the others execute what it does, and have the sectors that it has, where these are known.
TEST(what_was_not_traced_goes_on_like_the_steady_part)
{
    enum { RESIDENT = 4, TRACED = 20, BLOCKS = 68 };
    for (uint32_t launched = 0; launched <= TRACED; launched++) {
        ck_assert_int_eq(steady_begins(launched, RESIDENT), launched == 2 * RESIDENT);
        ck_assert_int_eq(steady_ends(launched, TRACED, RESIDENT), launched == 4 * RESIDENT);
        ck_assert_int_eq(steady_ends(launched, TRACED + 1, RESIDENT), launched == 5 * RESIDENT);
    }
    struct steady_part part = {{.time = 100, .warp_cycles = 1000, .active_cycles = 100},
                               {.time = 300, .warp_cycles = 3400, .active_cycles = 250}};
    struct snapshot end = {.time = 400};
#define ROUNDS(sectors, items, blocks)                                                             \
    steady_rounds(&part, &end, &(struct sm_done){sectors, items}, blocks, TRACED, RESIDENT)
    ck_assert(ROUNDS(0, 0, BLOCKS) == 6);
    ck_assert(ROUNDS(900, 0, BLOCKS) == 6);
    part.from.done = (struct sm_done){40, 4000};
    part.to.done = (struct sm_done){100, 10000};
    end.done = (struct sm_done){120, 12000};
    ck_assert(ROUNDS(0, 0, BLOCKS) == 6);
    ck_assert(ROUNDS(420, 36000, BLOCKS) == 5);
    ck_assert(ROUNDS(420, 36000, TRACED) == 0);
    // Beyond what the four blocks that run make of the twelve, sectors do not stand for the time.
    ck_assert(ROUNDS(450, 36000, BLOCKS) == 4);
    ck_assert(ROUNDS(270, 36000, BLOCKS) == 4);
    ck_assert(ROUNDS(100, 36000, BLOCKS) == 4);
    // Most of the other blocks have nothing to do.
    ck_assert(ROUNDS(180, 18000, BLOCKS) == 1);
    ck_assert(ROUNDS(420, 11000, BLOCKS) == 0);
#undef ROUNDS
    double active, warps, busy[SIM_RESOURCES];
    steady_means(&part, &active, &warps, busy);
    ck_assert(active == 0.75 && warps == 16 && busy[SIM_ISSUE] == 0);
}

// Milliseconds that a call of the API takes on the device.
#define ELAPSED(call)                                                                              \
    do {                                                                                           \
        SUCCEEDS(cudaEventRecord(start, 0));                                                       \
        SUCCEEDS(call);                                                                            \
        SUCCEEDS(cudaEventRecord(stop, 0));                                                        \
        SUCCEEDS(cudaEventElapsedTime(&ms, start, stop));                                          \
        ms -= (float)device->timing.event_us * 1e-3F;                                              \
    } while (0)

TEST(copies_and_fills_take_time)
{
    const struct sim_device *device = sim_device_find("h200");
    const size_t sizes[] = {1, 4096, 1 << 20, 30 << 20, 40 << 20, 80 << 20};
    cudaEvent_t start, stop;
    float ms;
    sim_set(SIM_CHECKS, 0);
    SUCCEEDS(cudaEventCreate(&start));
    SUCCEEDS(cudaEventCreate(&stop));
    char *from = allocate(80 << 20), *to = allocate(80 << 20);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ELAPSED(cudaMemcpy(to, from, sizes[i], cudaMemcpyDeviceToDevice));
        assert_near(ms, predict_copy_ms(device, sizes[i]), 0.1, "copy");
        ELAPSED(cudaMemcpyAsync(to, from, sizes[i], cudaMemcpyDefault, 0));
        assert_near(ms, predict_copy_ms(device, sizes[i]), 0.1, "asynchronous copy");
        ELAPSED(cudaMemset(to, 1, sizes[i]));
        assert_near(ms, predict_fill_ms(device, sizes[i]), 0.1, "fill");
    }
    // What does not fit the L2 goes at DRAM's rate; what was measured on an H200, at 4260 and 4670 GB/s.
    assert_near(2 * 80e6 * 1.048576 / (predict_copy_ms(device, 80 << 20) - launch_us() * 1e-3) *
                    1e-6,
                4260, 3, "GB/s of a copy");
    assert_near(80e6 * 1.048576 / (predict_fill_ms(device, 80 << 20) - launch_us() * 1e-3) * 1e-6,
                4670, 3, "GB/s of a fill");
    ck_assert(predict_copy_ms(device, 20 << 20) < predict_copy_ms(device, 80 << 20) / 4);
    assert_near(predict_fill_ms(device, 0), launch_us() * 1e-3, 0.1, "nothing");
    SUCCEEDS(cudaEventDestroy(start));
    SUCCEEDS(cudaEventDestroy(stop));
}

// ---- All that may come -----------------------------------------------------------------------------

static int is_shape_sensitive(enum timed kernel)
{
    return kernel == TIMED_READ || kernel == TIMED_WRITE || kernel == TIMED_COPY ||
           kernel == TIMED_CHAIN || kernel == TIMED_CHAIN_BEHIND;
}

// Any kernel in any shape comes to an end, with figures that make sense.
TEST(any_launch_has_a_time, .times = 3 * TIMED_KERNELS)
{
    static const unsigned threads[] = {1, 31, 32, 33, 64, 96, 256, 1000, 1024};
    enum { SHAPES = 10 };
    enum timed kernel = (enum timed)(_i % TIMED_KERNELS);
    const char *device = _i < TIMED_KERNELS ? "h200" : _i < 2 * TIMED_KERNELS ? "kepler" : "t4";
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", device, 1), 0);
    sim_set(SIM_CHECKS, 0);
    srand((unsigned)_i);
    if (kernel == TIMED_CHAIN || kernel == TIMED_CHAIN_BEHIND) {
        void *self = memory();
        SUCCEEDS(cudaMemcpy(self, &self, sizeof self, cudaMemcpyHostToDevice));
    }
    for (int i = 0; i < SHAPES; i++) {
        unsigned blocks = i < 3 ? (unsigned)i + 1 : (unsigned)rand() % 300 + 1;
        unsigned block = threads[(unsigned)rand() % (sizeof threads / sizeof *threads)];
        if (is_shape_sensitive(kernel)) // 32 bytes a thread of the memory that there is
            blocks = blocks * block <= MEMORY / 32 ? blocks : MEMORY / 32 / block;
        int rounds = rand() % (kernel == TIMED_UNFINISHED ? 4 : 40); // of up to 64 stores
        struct sim_prediction p = launch(kernel, blocks, block, rounds, rand() % 33);
        ck_assert(p.busy_sms * 1.0001 >= 1.0 / SMS);
    }
}

// Bodies in PTX of what no compiler for the oldest device makes.
static const struct {
    const char *what, *declarations, *body;
} awkward[] = {
    {"asynchronous copies and waits", ".shared .align 16 .b8 tile[16384];",
     ".reg .b32 s; .reg .b64 a; shl.b32 s, %i, 4; and.b32 s, s, 16383; mul.wide.u32 a, %i, 16;\n"
     "and.b64 a, a, 1048575; add.s64 a, a, %in;\n"
     "cp.async.cg.shared.global [s], [a], 16; cp.async.commit_group;\n"
     "cp.async.ca.shared.global [s], [a], 4; cp.async.commit_group;\n"
     "cp.async.wait_group 1; cp.async.wait_group 0; bar.sync 0;\n"
     "cp.async.wait_all;"},
    {"a wait for copies that never were", "",
     "cp.async.wait_all; bar.sync 0; cp.async.wait_group 3;"},
    {"copies that nobody waits for", ".shared .align 16 .b8 tile[16384];",
     ".reg .b32 s; shl.b32 s, %i, 4; and.b32 s, s, 16383;\n"
     "cp.async.cg.shared.global [s], [%in], 16;"},
    // They are still in the unit's queue when another block has the place of theirs.
    {"scattered copies that nobody waits for, before a wait of the next block",
     ".shared .align 16 .b8 tile[4096];",
     ".reg .b32 s, v; .reg .b64 a; shl.b32 s, %i, 2; and.b32 s, s, 4095; mul.wide.u32 a, %i, 128;\n"
     "and.b64 a, a, 524287; add.s64 a, a, %in; ld.global.u32 v, [%out]; add.u32 s, s, v;\n"
     "cp.async.wait_all; cp.async.ca.shared.global [s], [a], 4;\n"
     "cp.async.ca.shared.global [s], [a+128], 4; cp.async.ca.shared.global [s], [a+256], 4;\n"
     "cp.async.ca.shared.global [s], [a+384], 4; cp.async.ca.shared.global [s], [a+512], 4;"},
    {"copies of nothing", ".shared .align 16 .b8 tile[16384];",
     ".reg .b32 s, z; shl.b32 s, %i, 4; and.b32 s, s, 16383; mov.u32 z, 0;\n"
     "cp.async.cg.shared.global [s], [%in], 16, z; cp.async.wait_all;"},
    {"copies and loads that no lane makes", ".shared .align 16 .b8 tile[64];",
     ".reg .pred p; .reg .b32 v, s; mov.u32 s, 0; setp.ne.u32 p, s, 0;\n"
     "@p cp.async.ca.shared.global [s], [%in], 4; @p ld.global.u32 v, [%in]; cp.async.wait_all;\n"
     "@p st.global.u32 [%out], v; @p bar.sync 0; add.u32 v, v, 1; @p ld.shared.u32 v, [s];"},
    {"a load whose result nobody reads, overwritten", "",
     ".reg .b32 v; ld.global.u32 v, [%in]; mov.u32 v, 1; ld.global.u32 v, [%in+4];\n"
     "ld.global.u32 v, [%in+8]; add.u32 v, v, v;"},
    {"a result that is loaded into its own address", "",
     ".reg .b64 v; ld.global.u64 v, [%in]; add.s64 v, v, %in; ld.global.u64 v, [v];"},
    {"a store at the very end", "", "st.global.u32 [%out], %i;"},
    {"barriers for a part of the block", "",
     ".reg .b32 w, n; shr.u32 w, %i, 5; and.b32 w, w, 1; add.u32 w, w, 1; shr.u32 n, %size, 1;\n"
     "bar.sync w, n; bar.sync w, n; bar.sync 0;"},
    {"barriers that vote", "",
     ".reg .pred p, q; .reg .b32 n; setp.eq.u32 p, %i, 0; barrier.sync 0;\n"
     "bar.red.or.pred q, 0, p; bar.red.popc.u32 n, 0, p;"},
    {"atomics and fences", "",
     ".reg .b32 v; atom.global.add.u32 v, [%out], 0; membar.gl; red.global.add.u32 [%out], v;\n"
     "atom.global.cas.b32 v, [%out], v, v;"},
};

TEST(awkward_kernels_have_a_time, .times = 2 * sizeof awkward / sizeof *awkward)
{
    const char *device = _i % 2 ? "kepler" : "h200";
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", device, 1), 0);
    sim_set(SIM_CHECKS, 0);
    struct ptx_kernel *kernel = ptx_kernel(awkward[_i / 2].declarations, awkward[_i / 2].body);
    void *at = memory();
    for (unsigned threads = 64; threads <= 1024; threads *= 4)
        for (unsigned blocks = 1; blocks <= 8100; blocks *= 90) {
            sim_counts_reset();
            ck_assert_msg(ptx_launch(kernel, blocks, threads, at, (char *)at + (1 << 20)) ==
                              cudaSuccess,
                          "%s: %s", awkward[_i / 2].what, sim_last_report());
            prediction(awkward[_i / 2].what);
        }
}

// An asynchronous copy is waited for, and one that is not waited for is not.
TEST(copies_are_waited_for)
{
    static const char copy[] =
        ".reg .b32 s; mov.u32 s, 0; cp.async.ca.shared.global [s], [%in], 4; ";
    static const char *const ends[] = {"", "cp.async.wait_all;"};
    double taken[2];
    void *at = memory();
    for (int i = 0; i < 2; i++) {
        char body[512];
        snprintf(body, sizeof body, "%s%s add.u32 s, s, 1; st.global.u32 [%%out], s;", copy,
                 ends[i]);
        struct ptx_kernel *kernel = ptx_kernel(".shared .align 16 .b8 tile[64];", body);
        sim_counts_reset();
        SUCCEEDS(ptx_launch(kernel, 1, 1, at, at));
        struct sim_prediction p = prediction("a copy");
        taken[i] = cycles_of(&p);
    }
    ck_assert_msg(taken[1] - taken[0] > 250, "the wait took %g cycles", taken[1] - taken[0]);
}

// ---- Determinism -----------------------------------------------------------------------------------

static struct sim_prediction some_launches(void *at)
{
    sim_counts_reset();
    timed_launch(TIMED_LOOP, 333, 96, at, 30, 0);
    timed_launch(TIMED_SCATTER, 200, 64, at, 9, 0);
    timed_launch(TIMED_GENERIC, 77, 224, at, 0, 1);
    timed_launch(TIMED_COPY, 500, 256, at, 0, 0);
    return sim_prediction_total();
}

TEST(threads_do_not_matter, .in_case = "threads")
{
    struct sim_prediction first;
    static const unsigned threads[] = {1, 2, 3, 16, 64};
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        SUCCEEDS(cudaDeviceReset());
        void *at = allocate(MEMORY);
        sim_set(SIM_THREADS, threads[i]);
        struct sim_prediction p = some_launches(at);
        assert_sane(&p, "some launches");
        if (i == 0)
            first = p;
        ck_assert_mem_eq(&first, &p, sizeof p);
    }
}

static const char child_flag[] = "--predict";

// Another process has its memory elsewhere, and comes to the same.
TEST(processes_do_not_matter)
{
    struct sim_prediction here = some_launches(memory()), there;
    char command[1024], self[400];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    ck_assert_int_gt(length, 0);
    self[length] = 0;
    const char *emulator = getenv("TEST_EMULATOR"); // what runs programs for this processor
    snprintf(command, sizeof command, "%s %s %s", emulator ? emulator : "", self, child_flag);
    for (int i = 0; i < 3; i++) {
        FILE *pipe = popen(command, "r");
        ck_assert_ptr_nonnull(pipe);
        ck_assert_uint_eq(fread(&there, sizeof there, 1, pipe), 1);
        ck_assert_int_eq(pclose(pipe), 0);
        ck_assert_mem_eq(&here, &there, sizeof here);
    }
}

// ---- Memory ----------------------------------------------------------------------------------------

static long peak_kib(void)
{
    struct rusage usage;
    ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

// What is noted of a launch is bounded, however much it does.
TEST(long_launches_take_little_memory, .times = 4)
{
    static const struct {
        enum timed kernel;
        unsigned blocks, threads;
        int rounds;
    } launches[] = {{TIMED_SCATTER, 1, 1024, 20000},
                    {TIMED_SCATTER, SMS * 16, 256, 60},
                    {TIMED_SCATTER, 100000, 64, 1},
                    {TIMED_LOOP, SMS * 2, 1024, 300}};
    enum { MOST_KIB = 64 << 10 };
    sim_set(SIM_CHECKS, 0);
    launch(launches[_i].kernel, 1, 64, 1, 0);
    long before = peak_kib();
    launch(launches[_i].kernel, launches[_i].blocks, launches[_i].threads, launches[_i].rounds, 0);
    long grown = peak_kib() - before;
    ck_assert_msg(grown < MOST_KIB, "%ld KiB", grown);
}

// What the other process does: no test runs there that could fail.
static int predict_for_parent(void)
{
    void *at;
    if (cudaMalloc(&at, MEMORY) != cudaSuccess || cudaMemset(at, 0, MEMORY) != cudaSuccess)
        return EXIT_FAILURE;
    struct sim_prediction p = some_launches(at);
    return fwrite(&p, sizeof p, 1, stdout) == 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], child_flag) == 0)
        return predict_for_parent();
    return run_suite("sim_predictions");
}
