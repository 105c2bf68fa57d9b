// The lesson's steps on the simulated device: right results, no false alarm, the counts that their
// addresses imply, the same whatever the number of the host's threads, and times near a GPU's.
#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sim_devices.h"
#include "base/source_lines.h"
#include "sim_steps.h"
#include "suites.h"

enum { LANES = 32 };

static const size_t sizes[] = {1, 31, 32, 33, 100, 1000, 1023, 1024};
enum { SIZES = sizeof sizes / sizeof *sizes };

enum { STEPS = 8 };

PROGRAM(sim_steps, .seconds = 60)

static const struct step *numbered(int number)
{
    for (int i = 0; i < step_count; i++)
        if (steps[i]->number == number)
            return steps[i];
    ck_abort_msg("there is no step %d", number);
}

TEST(a_step_transposes, .times = STEPS * SIZES)
{
    const struct step *step = numbered(1 + _i / SIZES);
    size_t n = sizes[_i % SIZES];
    struct sim_counts c = run_step(step, n);
    ck_assert_uint_ge(c.load_bytes, n * n * sizeof(float));
    if (step->number != 8) // which reads whole words, and in 67 rows of 17 for tiles of 64 of 16
        ck_assert_uint_eq(c.load_bytes, n * n * sizeof(float));
    else if (n >= 1000) // and one tile more than there are, each way
        ck_assert_uint_lt(c.load_bytes, n * n * sizeof(float) * 67 * 17 / (64 * 16) * 17 / 16);
    ck_assert_uint_eq(c.store_bytes, n * n * sizeof(float));
}

// All that a run makes known: counts, line by line, and predictions.
struct known {
    struct sim_counts counts;
    struct sim_prediction prediction;
    struct source_lines lines;
};

static struct known run_with(unsigned threads, const struct step *step, size_t n)
{
    SUCCEEDS(cudaDeviceReset());
    sim_set(SIM_THREADS, threads);
    struct known known = {.counts = run_step(step, n), .prediction = sim_prediction_total()};
    sim_counts_lines(&known.lines);
    return known;
}

// Field by field: what lies between them is anything.
static void assert_same_lines(const struct source_lines *a, const struct source_lines *b)
{
    ck_assert_int_gt(a->count, 0);
    ck_assert_int_eq(a->count, b->count);
    ck_assert_int_eq(a->overflowed, b->overflowed);
    for (int i = 0; i < a->count; i++) {
        const struct line_access *x = &a->accesses[i], *y = &b->accesses[i];
        ck_assert_str_eq(a->files.names[x->file], b->files.names[y->file]);
        ck_assert_uint_eq(x->line, y->line);
        ck_assert_int_eq(x->kind, y->kind);
        ck_assert_uint_eq(x->executions, y->executions);
        ck_assert_uint_eq(x->passes, y->passes);
        ck_assert_uint_eq(x->ideal, y->ideal);
    }
}

TEST(threads_do_not_matter, .in_case = "threads", .first = 1, .times = STEPS)
{
    static const unsigned threads[] = {2, 3, 16, 64};
    struct known one = run_with(1, numbered(_i), 257);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct known many = run_with(threads[i], numbered(_i), 257);
        ck_assert_mem_eq(&one.counts, &many.counts, sizeof one.counts);
        ck_assert_mem_eq(&one.prediction, &many.prediction, sizeof one.prediction);
        assert_same_lines(&one.lines, &many.lines);
    }
}

// Of a full matrix: what an NVIDIA H200 counted for the same kernels at n = 1024 and TILE 32.
TEST(counts_equal_the_hardware, .times = STEPS)
{
    static const struct {
        int step;
        uint64_t load_requests, load_sectors, store_requests, store_sectors, wavefronts;
    } h200[] = {
        {1, 1048576, 1048576, 1048576, 1048576, 0}, {2, 32768, 131072, 32768, 1048576, 0},
        {3, 32768, 131072, 32768, 1048576, 0},      {4, 32768, 131072, 32768, 131072, 1081344},
        {5, 32768, 131072, 32768, 131072, 65536},   {6, 8192, 131072, 8192, 131072, 65536},
        {7, 8192, 131072, 8192, 131072, 65536},     {8, 8192, 131072, 8192, 131072, 65536},
    };
    struct sim_counts c = run_step(numbered(h200[_i].step), 1024);
    ck_assert_uint_eq(c.load_requests, h200[_i].load_requests);
    ck_assert_uint_eq(c.load_sectors, h200[_i].load_sectors);
    ck_assert_uint_eq(c.store_requests, h200[_i].store_requests);
    ck_assert_uint_eq(c.store_sectors, h200[_i].store_sectors);
    if (TILE == 32)
        ck_assert_uint_eq(c.shared_wavefronts, h200[_i].wavefronts);
}

// Where rows start within 16 bytes too. At n = 10007 an H200 counted 93.9 % for step 8, and 82.0 % for step 5.
TEST(any_n_is_stored_at_full_width)
{
    struct sim_counts c = run_step(numbered(8), 1001);
    ck_assert_uint_gt(c.store_bytes * 10, c.store_sectors * 32 * 9);
    ck_assert_uint_gt(c.store_sectors, c.store_requests * 12);
}

// A thread that walks the whole matrix executes much more than a block may in an endless loop.
TEST(a_long_walk_is_no_endless_loop, .first = 1, .times = STEPS)
{
    enum { BUDGET = 200000, LONG = 600 };
    sim_set(SIM_BUDGET, BUDGET);
    struct sim_counts c = run_step(numbered(_i), LONG);
    if (_i == 1)
        ck_assert_uint_gt(c.ptx_instructions, 5 * BUDGET);
}

// The lines' counts add up to the launch's, and name the step's file: of all accesses, by vectors too.
TEST(lines_add_up, .times = 2 * STEPS)
{
    struct sim_counts c = run_step(numbered(1 + _i / 2), 100 + _i % 2);
    uint64_t passes[ACCESS_KINDS] = {0}, requests[ACCESS_KINDS] = {0};
    struct source_lines lines;
    sim_counts_lines(&lines);
    ck_assert_int_eq(lines.files.count, 1);
    ck_assert_ptr_nonnull(strstr(lines.files.names[0], "steps/step"));
    for (int i = 0; i < lines.count; i++) {
        passes[lines.accesses[i].kind] += lines.accesses[i].passes;
        requests[lines.accesses[i].kind] += lines.accesses[i].executions;
    }
    ck_assert_uint_eq(passes[GLOBAL_LOAD], c.load_sectors);
    ck_assert_uint_eq(passes[GLOBAL_STORE], c.store_sectors);
    ck_assert_uint_eq(passes[SHARED_LOAD] + passes[SHARED_STORE], c.shared_wavefronts);
    ck_assert_uint_eq(requests[GLOBAL_LOAD], c.load_requests);
    ck_assert_uint_eq(requests[GLOBAL_STORE], c.store_requests);
    ck_assert_uint_eq(requests[SHARED_LOAD] + requests[SHARED_STORE], c.shared_requests);
}

struct watched {
    unsigned size; // bytes a lane
    uint64_t loads, stores, load_sectors, store_sectors, shared, wavefronts;
    uint64_t first_block_lanes[2][LANES]; // of block 0's warp 0: a load's and a store's
};

static void watch(const struct sim_seen *seen, void *context)
{
    struct watched *watched = context;
    watched->loads += seen->kind == GLOBAL_LOAD;
    watched->stores += seen->kind == GLOBAL_STORE;
    watched->load_sectors += seen->kind == GLOBAL_LOAD ? seen->sectors : 0;
    watched->store_sectors += seen->kind == GLOBAL_STORE ? seen->sectors : 0;
    watched->shared += seen->kind == SHARED_LOAD || seen->kind == SHARED_STORE;
    watched->wavefronts += seen->wavefronts;
    ck_assert_uint_eq(seen->size, watched->size);
    ck_assert_ptr_nonnull(strstr(seen->file, "steps/step"));
    if (seen->kind <= GLOBAL_STORE && seen->block == 0 && seen->warp == 0)
        memcpy(watched->first_block_lanes[seen->kind], seen->address, sizeof seen->address);
}

// What is shown of single accesses adds up to the counts, and ends when nobody is to be shown any.
TEST(accesses_are_shown, .first = 1, .times = STEPS)
{
    struct watched watched = {.size = (_i < 6 ? 1 : 4) * sizeof(float)};
    sim_set(SIM_THREADS, 1); // for the sums
    sim_watch(watch, &watched);
    struct sim_counts c = run_step(numbered(_i), 100);
    ck_assert_uint_eq(watched.loads, c.load_requests);
    ck_assert_uint_eq(watched.stores, c.store_requests);
    ck_assert_uint_eq(watched.load_sectors, c.load_sectors);
    ck_assert_uint_eq(watched.store_sectors, c.store_sectors);
    ck_assert_uint_eq(watched.shared, c.shared_requests);
    ck_assert_uint_eq(watched.wavefronts, c.shared_wavefronts);
    sim_watch(NULL, NULL);
    struct watched before = watched;
    run_step(numbered(_i), 100);
    ck_assert_mem_eq(&before, &watched, sizeof watched);
}

// One thread per element: a warp loads along a row and stores down a column.
TEST(accesses_are_shown_with_their_addresses)
{
    enum { N = 96 };
    struct watched watched = {.size = sizeof(float)};
    sim_set(SIM_THREADS, 1);
    sim_watch(watch, &watched);
    run_step(numbered(3), N);
    for (unsigned l = 1; l < LANES; l++) {
        const uint64_t *load = watched.first_block_lanes[GLOBAL_LOAD];
        const uint64_t *store = watched.first_block_lanes[GLOBAL_STORE];
        ck_assert_uint_eq(load[l] - load[0], l * sizeof(float));
        ck_assert_uint_eq(store[l] - store[0], l * N * sizeof(float));
    }
}

// Predicted times against those of an NVIDIA H200 (driver 580, CUDA 13.0, TILE 32, the kit's own runs
// in 2026: medians of the launches, in ms), and the order of the steps.
TEST(times_are_near_the_hardwares, .times = 2,
     .skipped = TILE == 32 ? NULL : "the recorded tiles are of 32")
{
    enum { STEPS = 8 };
    static const struct {
        size_t n;
        double ms[STEPS]; // 0: not of this size
    } h200[] = {{1024, {36.5821, 1.07952, 0.019552, 0.010208, 0.005248}},
                {4096, {0, 4.30989, 0.248448, 0.134768, 0.039808}}};
    const size_t n = h200[_i].n;
    float *in, *out;
    double last = INFINITY;
    sim_set(SIM_CHECKS, 0);
    SUCCEEDS(cudaMalloc((void **)&in, n * n * sizeof *in));
    SUCCEEDS(cudaMalloc((void **)&out, n * n * sizeof *out));
    SUCCEEDS(cudaMemset(in, 0, n * n * sizeof *in));
    for (int s = 0; s < STEPS; s++) {
        double measured = h200[_i].ms[s], within = s == 0 ? 0.5 : 0.25;
        if (measured == 0)
            continue;
        sim_counts_reset();
        numbered(s + 1)->launch(out, in, n);
        SUCCEEDS(cudaDeviceSynchronize());
        double ms = sim_prediction_total().ms + sim_device_find("h200")->timing.event_us * 1e-3;
        ck_assert_msg(fabs(ms / measured - 1) <= within, "step %d at %zu: %g ms, measured %g",
                      s + 1, n, ms, measured);
        ck_assert_msg(ms < last, "step %d at %zu is no faster than the one before", s + 1, n);
        last = ms;
    }
}

// The steps' accesses by line, at odd sizes too, as an NVIDIA H200 counted them (SASS metrics of CUPTI
// 13.0) with TILE 32 and ROWS 8. Line 10 of step 2 and line 9 of step 3 load and store.
static const struct {
    int step;
    size_t n;
    unsigned line;
    enum line_access_kind kind;
    uint64_t requests, passes, ideal;
} h200_lines[] = {
    {1, 100, 8, GLOBAL_LOAD, 10000, 10000, 10000},
    {1, 100, 8, GLOBAL_STORE, 10000, 10000, 10000},
    {2, 1000, 10, GLOBAL_LOAD, 32000, 125000, 125000},
    {2, 1000, 10, GLOBAL_STORE, 32000, 1000000, 125000},
    {3, 1000, 9, GLOBAL_LOAD, 32000, 125000, 125000},
    {3, 1000, 9, GLOBAL_STORE, 32000, 1000000, 125000},
    {3, 1023, 9, GLOBAL_LOAD, 32736, 159457, 130944},
    {3, 1023, 9, GLOBAL_STORE, 32736, 1046529, 130944},
    {3, 1024, 9, GLOBAL_LOAD, 32768, 131072, 131072},
    {3, 1024, 9, GLOBAL_STORE, 32768, 1048576, 131072},
    {4, 1000, 12, SHARED_STORE, 32000, 32000, 32000},
    {4, 1000, 18, SHARED_LOAD, 32000, 1000000, 32000},
    {4, 1023, 12, GLOBAL_LOAD, 32736, 159457, 130944},
    {4, 1023, 12, SHARED_STORE, 32736, 32736, 32736},
    {4, 1023, 18, SHARED_LOAD, 32736, 1046529, 32736},
    {4, 1023, 18, GLOBAL_STORE, 32736, 159457, 130944},
    {4, 1024, 18, SHARED_LOAD, 32768, 1048576, 32768},
    {5, 1023, 14, GLOBAL_LOAD, 32736, 159457, 130944},
    {5, 1023, 14, SHARED_STORE, 32736, 32736, 32736},
    {5, 1023, 21, SHARED_LOAD, 32736, 32736, 32736},
    {5, 1023, 21, GLOBAL_STORE, 32736, 159457, 130944},
    {5, 1024, 21, SHARED_LOAD, 32768, 32768, 32768},
    {5, 1024, 21, GLOBAL_STORE, 32768, 131072, 131072},
    {6, 1000, 24, GLOBAL_LOAD, 8000, 125000, 125000},
    {6, 1000, 26, SHARED_STORE, 2000, 8000, 7875}, // edges leave lanes of all quarters idle
    {6, 1000, 37, SHARED_LOAD, 8000, 32000, 31500},
    {8, 33, 80, GLOBAL_LOAD, 18, 183, 183}, // lanes that share words
    {8, 33, 89, GLOBAL_STORE, 17, 140, 132},
    {8, 33, 93, GLOBAL_STORE, 65, 97, 65},
    {8, 33, 113, SHARED_STORE, 144, 572, 144},
    {8, 33, 122, SHARED_LOAD, 51, 198, 51},
};

TEST(lines_equal_the_hardware, .times = sizeof h200_lines / sizeof *h200_lines)
{
    if (TILE != 32 || ROWS != 8)
        return;
    (void)run_step(numbered(h200_lines[_i].step), h200_lines[_i].n);
    uint64_t requests = 0, passes = 0, ideal = 0;
    struct source_lines lines;
    sim_counts_lines(&lines);
    for (int i = 0; i < lines.count; i++) {
        const struct line_access *access = &lines.accesses[i];
        if (access->line != h200_lines[_i].line || access->kind != h200_lines[_i].kind)
            continue;
        requests += access->executions;
        passes += access->passes;
        ideal += access->ideal;
    }
    ck_assert_uint_eq(requests, h200_lines[_i].requests);
    ck_assert_uint_eq(passes, h200_lines[_i].passes);
    ck_assert_uint_eq(ideal, h200_lines[_i].ideal);
}
