// The timing model as a whole: small kernels on the simulated H200, each of which one thing limits
// whose time was measured on an NVIDIA H200 at 1980 MHz (docs/runs/micro-h200.csv).
#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "predictions.h"
#include "ptx_kernel.h"
#include "sim/count/access.h"

// Some bounds are for the code that nvcc makes of these kernels: clang's writes 16 bytes in four stores.
static const char not_nvcc[] = "they are of nvcc's kernels";

PROGRAM(sim_timing, .seconds = 60)

TEST(an_empty_kernel_takes_its_launch)
{
    struct sim_prediction p = launch(TIMED_EMPTY, 1, 1, 0, 0);
    assert_near(p.ms * 1e3, launch_us(), 10, "us");
    ck_assert(p.ms * 1e3 >= launch_us());
}

// A chain through addresses that are all at one place, or a page apart.
static double chain_cycles(enum timed kernel, unsigned links, size_t apart, int rounds)
{
    void **chain = malloc(links * apart);
    void *at = allocate(links * apart);
    ck_assert_ptr_nonnull(chain);
    memset(chain, 0, links * apart);
    for (size_t i = 0; i < links; i++)
        chain[i * apart / sizeof *chain] = (char *)at + (i + 1) % links * apart;
    SUCCEEDS(cudaMemcpy(at, chain, links * apart, cudaMemcpyHostToDevice));
    double ms[2];
    for (int i = 0; i < 2; i++) {
        sim_counts_reset();
        timed_launch(kernel, 1, 1, at, rounds << i, 0);
        ms[i] = prediction("chain").ms;
    }
    free(chain);
    SUCCEEDS(cudaFree(at));
    return (ms[1] - ms[0]) * 1e3 / rounds;
}

TEST(a_chain_of_loads_costs_its_latencies)
{
    assert_near(chain_cycles(TIMED_CHAIN, 1, 128, 4096) * MHZ, 32, 10, "L1");
    assert_near(chain_cycles(TIMED_CHAIN_BEHIND, 1, 128, 4096) * MHZ, 279.7, 5, "L2");
}

TEST(a_chain_through_dram_costs_its_latency)
{
    const struct sim_device *t4 = sim_device_find("t4"); // whose L2 is small
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", "t4", 1), 0);
    double us = chain_cycles(TIMED_CHAIN, 1 << 16, 128, 1 << 16); // 8 MiB
    assert_near(us * t4->sm_clock_mhz, t4->timing.dram_latency, 10, "DRAM");
}

TEST(streams_reach_drams_rate, .times = 3, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    static const struct {
        enum timed kernel;
        const char *what;
        double gbs;
    } streams[] = {
        {TIMED_READ, "read", 4599}, {TIMED_WRITE, "write", 4679}, {TIMED_COPY, "copy", 4284}};
    enum { THREADS = 512, BLOCKS = (192 << 20) / 16 / THREADS };
    sim_set(SIM_CHECKS, 0);
    void *at = allocate(2 * (size_t)BLOCKS * THREADS * 16);
    sim_counts_reset();
    timed_launch(streams[_i].kernel, BLOCKS, THREADS, at, 0, 0);
    struct sim_prediction p = prediction(streams[_i].what);
    double bytes = (streams[_i].kernel == TIMED_COPY ? 2.0 : 1.0) * BLOCKS * THREADS * 16;
    assert_near(p.dram_read_bytes + p.dram_write_bytes, bytes, 3, "bytes");
    assert_near(bytes / (p.ms - launch_us() * 1e-3) * 1e-6, streams[_i].gbs, 10, streams[_i].what);
    ck_assert(p.busy[SIM_DRAM_DATA] > 0.85);
    ck_assert_msg(bytes / (p.ms - launch_us() * 1e-3) * 1e-6 < 1.02 * streams[_i].gbs, "%s: %g ms",
                  streams[_i].what, p.ms);
}

// Half of the blocks have nothing to do: the first half, the second, or none, as there are half as many; they are launched at
// a cycle or two each.
TEST(idle_blocks_do_not_stand_for_the_others, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    enum { THREADS = 256, BLOCKS = 1 << 15, HALF = BLOCKS / 2 };
    static const int blocks[] = {HALF, BLOCKS, BLOCKS}, first[] = {0, 0, HALF};
    double ms[3];
    sim_set(SIM_CHECKS, 0);
    void *at = allocate((size_t)BLOCKS * THREADS * 16);
    for (int i = 0; i < 3; i++) {
        sim_counts_reset();
        timed_launch(TIMED_PART_IDLE, (unsigned)blocks[i], THREADS, at, first[i], HALF);
        ms[i] = prediction("partly idle blocks").ms;
    }
    assert_near(ms[1], ms[0], 30, "ms, the second half idle");
    assert_near(ms[2], ms[0], 30, "ms, the first half idle");
}

// Blocks that idle alone, behind others or before them, take as long as the GPU takes to start them: 1.19 cycles each
// (block_interval_32_threads), also where the others start all the time, or are fewer than are traced.
TEST(blocks_that_idle_alone_take_their_starts, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    enum { THREADS = 256, BUSY = 1 << 14, IDLE = 7 * BUSY };
    double ms[2];
    sim_set(SIM_CHECKS, 0);
    void *at = allocate((size_t)(BUSY + IDLE) * THREADS * 16);
    for (int i = 0; i < 2; i++) {
        sim_counts_reset();
        timed_launch(TIMED_PART_IDLE, BUSY + i * IDLE, THREADS, at, 0, BUSY);
        ms[i] = prediction("blocks that idle alone").ms;
    }
    assert_near(ms[1] - ms[0], IDLE * 1.19 / 1980e3, 10, "ms, idle blocks behind the others");
    sim_counts_reset();
    timed_launch(TIMED_PART_IDLE, BUSY + IDLE, THREADS, at, IDLE, BUSY);
    assert_near(prediction("before").ms, ms[1], 30, "ms, before the others");
    for (int busy = 1; busy < BUSY + IDLE; busy *= 8) {
        sim_counts_reset();
        timed_launch(TIMED_PART_IDLE, BUSY + IDLE, LANES, at, 0, busy);
        assert_near(prediction("small blocks").ms * 1980e3, (BUSY + IDLE) * 1.19, 10,
                    "cycles of small blocks");
    }
}

// Sectors that are stored in halves, with so many lines of an SM begun at a time: what the L2 cannot keep in parts, DRAM
// completes, and moves twice. l2_unfinished_N_lines, and the share of the sectors that lts__t_sectors_data_ecc counts.
TEST(unfinished_sectors_take_longer, .times = 5, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    static const struct {
        unsigned lines;
        double cycles, percent, completed;
    } recorded[] = {{128, 8.08, 20, 0.01},
                    {256, 9.67, 20, 0.07},
                    {512, 12.8, 20, 0.21},
                    {1024, 16.2, 25, 0.52},
                    {2048, 18.4, 35, 0.89}}; // the more there are, the less each of them costs
    enum { THREADS = 128, BYTES = 128 << 20, LINE = 128 };
    const unsigned lines = recorded[_i].lines, rounds = 4 * (BYTES / LINE / SMS / lines);
    sim_set(SIM_CHECKS, 0);
    void *at = allocate(BYTES);
    sim_counts_reset();
    timed_launch(TIMED_UNFINISHED, SMS, THREADS, at, (int)rounds, (int)(lines / THREADS));
    struct sim_prediction p = prediction("unfinished sectors");
    double sectors = (double)rounds * lines;
    assert_near(cycles_of(&p) / sectors, recorded[_i].cycles, recorded[_i].percent,
                "cycles a sector");
    ck_assert_double_eq_tol(p.dram_read_bytes / SECTOR_SIZE / SMS / sectors, recorded[_i].completed,
                            0.25 * recorded[_i].completed + 0.05);
    double written = SMS * sectors * SECTOR_SIZE;
    assert_near(p.dram_write_bytes, written + p.dram_read_bytes, 10, "bytes");
}

// Each block comes back to its lines in each of some rounds, then to one line in twice as many. All blocks that run have more such
// lines than the T4's L2, but not where they have come apart, wave by wave, so that most are at their one line.
TEST(waves_of_blocks_that_share_nothing_come_apart)
{
    enum { RUNNING = 640, BLOCKS = 8 * RUNNING, LINES = 3 * LANES, ROUNDS = 32 };
    _Static_assert(LINES * LINE_SIZE / LANES == 384 && ROUNDS == 32 && 3 * ROUNDS == 96,
                   "the kernel's numbers are these");
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", "t4", 1), 0);
    sim_set(SIM_CHECKS, 0);
    struct ptx_kernel *kernel = ptx_kernel(
        "", ".reg .b32 n, v, w; .reg .b64 from, to, in_block; .reg .pred p;\n"
            "mul.wide.u32 from, %i, 384; add.u64 from, from, %in;\n"
            "mul.wide.u32 in_block, %block, 128; add.u64 in_block, in_block, %out;\n"
            "mov.u32 v, %tid.x; mul.wide.u32 to, v, 4; add.u64 to, to, in_block; mov.u32 n, 0;\n"
            "many: ld.global.cg.u32 v, [from]; ld.global.cg.u32 w, [from + 128];\n"
            "add.u32 v, v, w; ld.global.cg.u32 w, [from + 256]; add.u32 v, v, w;\n"
            "st.global.u32 [to], v; add.u64 from, from, 4;\n"
            "add.u32 n, n, 1; setp.lt.u32 p, n, 32; @p bra many;\n"
            "one: ld.global.cg.u32 v, [to]; st.global.u32 [to], v;\n"
            "add.u32 n, n, 1; setp.lt.u32 p, n, 96; @p bra one;");
    const size_t bytes = (size_t)BLOCKS * LINES * LINE_SIZE;
    char *at = allocate(bytes + (size_t)BLOCKS * LINE_SIZE);
    double read[2]; // of what is loaded: by one wave, and by all
    for (unsigned i = 0; i < 2; i++) {
        unsigned blocks = i ? BLOCKS : RUNNING;
        sim_counts_reset();
        SUCCEEDS(ptx_launch(kernel, blocks, LANES, at + bytes, at));
        read[i] =
            prediction("waves").dram_read_bytes / ((double)blocks * LINES * ROUNDS * SECTOR_SIZE);
    }
    ck_assert_msg(read[0] > 0.7 && read[1] < 0.6, "%g and %g are read", read[0], read[1]);
}

// Tiles down the columns of a matrix whose rows start where sectors do, and of one where they start anywhere: open_32_words_*
// and the sectors that lts__t_sectors_data_ecc counts, each of which DRAM completes and moves nothing else meanwhile. In the
// model blocks fall apart by what they wait before any is completed.
TEST(dram_moves_nothing_while_sectors_are_completed, .times = 2,
     .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    static const struct {
        unsigned words;
        double gbs, completed;
    } recorded[] = {{10008, 1771, 0}, {10007, 1004, 1063831}};
    enum { SIDE = 32, DRAM_COPY_GBS = 4284 };
    const unsigned words = recorded[_i].words, tiles = (words + SIDE - 1) / SIDE;
    const double bytes = 4.0 * words * words;
    sim_set(SIM_CHECKS, 0);
    void *at = allocate(2 * (size_t)bytes);
    sim_counts_reset();
    timed_launch(TIMED_TILES, tiles * tiles, SIDE, at, (int)words, 0);
    struct sim_prediction p = prediction("tiles");
    assert_near(bytes / p.ms * 1e-6, recorded[_i].gbs, 8, "GB/s");
    ck_assert_double_eq_tol((p.dram_write_bytes - bytes) / SECTOR_SIZE, recorded[_i].completed,
                            0.35 * recorded[_i].completed + 20000);
    // What holds both up is the L2's time, not DRAM's, of which the counters have only what it moves.
    double moved = (p.dram_read_bytes + p.dram_write_bytes) / (p.ms * 1e6 * DRAM_COPY_GBS);
    ck_assert_double_eq_tol(p.busy[SIM_DRAM_DATA], moved, 0.2);
    ck_assert(_i == 0 || p.busy[SIM_L2_REQUESTS] > p.busy[SIM_DRAM_DATA] + 0.2);
    SUCCEEDS(cudaFree(at));
}

// Kernels that make DRAM move more than they ask for, or that L1 serves in part: a sector that is
// stored in part is read to fill it, and atomics have traffic, too. 32 bytes a thread.
TEST(all_that_dram_moves_takes_time, .times = 15)
{
    static const char *const bodies[] = {
        "st.global.u32 [a], %i;",
        "red.global.add.u32 [a], 1;",
        ".reg .b32 v; atom.global.add.u32 v, [a], 1; st.global.u32 [a+4], v;",
        (".reg .b32 v, w; ld.global.u32 v, [a]; ld.global.u32 w, [a+4]; add.u32 v, v, w;\n"
         "ld.global.u32 w, [a+8]; add.u32 v, v, w; st.global.u32 [a], v;"),
        ".reg .b32 v; ld.global.u32 v, [a]; st.global.u32 [a+16], v;",
    };
    static const char *const names[] = {"kepler", "t4", "v100"};
    enum { THREADS = 256, BODIES = sizeof bodies / sizeof *bodies };
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", names[_i / BODIES], 1), 0);
    sim_set(SIM_CHECKS, 0);
    char body[512];
    snprintf(body, sizeof body, ".reg .b64 a; mul.wide.u32 a, %%i, %d; add.s64 a, a, %%out;\n%s",
             SECTOR_SIZE, bodies[_i % BODIES]);
    struct ptx_kernel *kernel = ptx_kernel("", body);
    void *at = memory();
    sim_counts_reset();
    SUCCEEDS(ptx_launch(kernel, MEMORY / SECTOR_SIZE / THREADS, THREADS, at, at));
    struct sim_prediction p = prediction(bodies[_i % BODIES]);
    // Of each sector something is changed: it is written, and its rest was read.
    assert_near(p.dram_write_bytes, MEMORY, 5, "written bytes");
    assert_near(p.dram_read_bytes, MEMORY, 5, "read bytes");
    ck_assert(p.busy[SIM_DRAM_DATA] > 0.2);
}

// The occupancy is of the cycles in which an SM has a warp: after the last one ends, stores are on their
// way and the block's place is cleared, which is no part of it.
TEST(occupancy_is_of_active_cycles)
{
    struct sim_prediction p = launch(TIMED_EMPTY, 1, 1024, 0, 0);
    ck_assert_msg(p.active_cycles < cycles_of(&p) - 286, "%g of %g cycles", p.active_cycles,
                  cycles_of(&p));
    // One block alone: while one of its warps runs, the SM is active.
    p = launch(TIMED_LOOP, 1, 32, 1, 0);
    assert_near(p.achieved_occupancy, 100.0 / 64, 0.01, "percent of 64 warps");
    // Of two launches the one with more cycles of SMs weighs more.
    sim_counts_reset();
    timed_launch(TIMED_LOOP, 1, 1024, memory(), 1, 0);
    struct sim_prediction few = prediction("one block");
    sim_counts_reset();
    timed_launch(TIMED_LOOP, SMS, 32, memory(), 1000, 0);
    struct sim_prediction many = prediction("a block an SM");
    sim_counts_reset();
    timed_launch(TIMED_LOOP, 1, 1024, memory(), 1, 0);
    timed_launch(TIMED_LOOP, SMS, 32, memory(), 1000, 0);
    p = prediction("both");
    double all = few.active_cycles + many.active_cycles;
    assert_near(p.active_cycles, all, 1, "active cycles");
    assert_near(p.achieved_occupancy,
                (few.achieved_occupancy * few.active_cycles +
                 many.achieved_occupancy * many.active_cycles) /
                    all,
                1, "percent of both");
}

// The unit takes a cycle a pass over the banks, whatever else it does.
TEST(bank_conflicts_take_passes)
{
    enum { ROUNDS = 1024, FILL = 1024 / 32 };
    for (int stride = 1; stride <= 32; stride *= 2) {
        struct sim_prediction p = launch(TIMED_BANKS, 1, 32, ROUNDS, stride);
        double busy = p.busy[SIM_SHARED_PIPE] * cycles_of(&p);
        assert_near(busy, ROUNDS * stride + FILL, 1, "cycles of the unit");
    }
    // With all warps at it, the passes are all that counts.
    double one = cycles(TIMED_BANKS, SMS, 1024, 256, 1);
    for (int ways = 4; ways <= 32; ways *= 2) {
        double all = cycles(TIMED_BANKS, SMS, 1024, 256, ways);
        assert_near(all, 32 * 256 * ways, 15, "cycles of conflicts");
        ck_assert(all > one);
    }
}

TEST(a_shared_load_costs_its_latency)
{
    double per_round =
        (cycles(TIMED_BANKS, 1, 32, 8192, 1) - cycles(TIMED_BANKS, 1, 32, 4096, 1)) / 4096;
    ck_assert_msg(per_round > 5 && per_round < 29 + 10, "%g cycles", per_round);
}

// Four warps load from shared memory for long, four a quarter as often from L1: these end when the unit has served as
// many of the others', and not behind them all.
TEST(shared_and_global_requests_take_turns)
{
    struct ptx_kernel *kernel = ptx_kernel(
        ".shared .align 4 .b8 words[4096];",
        ".reg .pred p, q; .reg .b32 s, v, n; shl.b32 s, %i, 7; and.b32 s, s, 3968; mov.u32 n, 64;\n"
        "setp.ge.u32 p, %i, 128; @p bra GLOBAL;\n"
        "SHARED: ld.volatile.shared.u32 v, [s]; sub.u32 n, n, 1; setp.ne.u32 q, n, 0;\n"
        "@q bra SHARED; bra END;\n"
        "GLOBAL: ld.global.u32 v, [%in]; sub.u32 n, n, 4; setp.ne.u32 q, n, 0; @q bra GLOBAL;\n"
        "END:");
    sim_set(SIM_CHECKS, 0);
    void *at = memory();
    sim_counts_reset();
    SUCCEEDS(ptx_launch(kernel, 1, 256, at, at));
    struct sim_prediction p = prediction("turns");
    assert_near(p.achieved_occupancy, (4 + 4 / 4.0) / 64 * 100, 5, "percent");
}

// With so many percent of an SM's shared memory, where L1 has the rest.
static struct sim_prediction launch_carved(const char *body, unsigned blocks, unsigned threads,
                                           int carveout)
{
    struct ptx_kernel *kernel = ptx_kernel("", body);
    sim_set(SIM_CHECKS, 0); // many threads store to one word
    SUCCEEDS(cudaFuncSetAttribute(kernel->address, cudaFuncAttributePreferredSharedMemoryCarveout,
                                  carveout));
    void *at = memory();
    sim_counts_reset();
    ck_assert_int_eq(ptx_launch(kernel, blocks, threads, at, at), cudaSuccess);
    return prediction(body);
}

static struct sim_prediction launch_ptx(const char *body, unsigned blocks, unsigned threads)
{
    return launch_carved(body, blocks, threads, cudaSharedmemCarveoutDefault);
}

// Cycles of a round of a loop in which a warp also does that.
static double round_cycles(const char *also)
{
    enum { ROUNDS = 1000 };
    double cycles[2];
    for (int i = 0; i < 2; i++) {
        char body[400];
        snprintf(body, sizeof body,
                 ".reg .pred p, q; .reg .b32 n; mov.u32 n, %d; setp.ne.u32 p, %%size, 7;\n"
                 "LOOP: %s sub.u32 n, n, 1; setp.ne.u32 q, n, 0; @q bra LOOP;",
                 ROUNDS << i, also);
        struct sim_prediction p = launch_ptx(body, 1, 32);
        cycles[i] = cycles_of(&p);
    }
    return (cycles[1] - cycles[0]) / ROUNDS;
}

// A warp goes on some cycles after a branch, back to a loop's first instruction, over others or into them: branch_* in the
// records; and some after a comparison that it depends on.
TEST(branches_cost_cycles)
{
    const struct sim_timing *t = &device()->timing;
#define WORK "st.global.u32 [%out], n; bar.sync 0; "
#define SKIP(to) "@p bra " to "; " WORK to ":"
#define SKIP_THERE_AND_BACK(a, b, c)                                                               \
    "@p bra " a "; " b ": @p bra " c "; " a ": @p bra " b "; " WORK c ":"
    double once = round_cycles(SKIP("A")), twice = round_cycles(SKIP("A") SKIP("B")),
           back = round_cycles(SKIP("A") SKIP_THERE_AND_BACK("B", "C", "D"));
    assert_near(twice - once, 1 + t->branch_taken, 2, "cycles of a branch");
    assert_near(back - once, 2 * (1 + t->branch_taken) + 1 + t->branch_back, 2,
                "cycles of two branches ahead and one back");
    assert_near(round_cycles("@!p bra A; " WORK "A:") - round_cycles(WORK), 1 + t->branch_passed, 2,
                "cycles of a branch that is not taken");
    assert_near(round_cycles("setp.ne.u32 p, n, 0; " SKIP("A")) - once, t->predicate_latency, 2,
                "cycles of a comparison before a branch");
#undef SKIP_THERE_AND_BACK
#undef SKIP
#undef WORK
}

// Local memory, a line of the words that lanes have at one address: loads look lines up in L1, stores go on to the L2 as
// global ones do (local_load_N_lines_one and local_store_N_lines_one in the record). DRAM hears of neither.
TEST(local_memory_is_written_through)
{
    enum { WARPS = 8, ROUNDS = 256, WORDS = 16 };
    const struct sim_timing *t = &device()->timing;
    static const char body[] =
        ".local .align 4 .b8 words[64]; .reg .b64 a, b; .reg .b32 v, n; .reg .pred p;\n"
        "and.b32 v, %%i, 31; shr.u32 v, v, %d; mov.u64 b, words; mul.wide.u32 a, v, 4; add.u64 a, "
        "a, b;\n"
        "mov.u32 n, 256; LOOP: ld.local.u32 v, [a]; add.u32 v, v, n; st.local.u32 [a], v;\n"
        "sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra LOOP;";
    char text[512];
    for (int lines = 1; lines <= WORDS; lines *= WORDS) {
        snprintf(text, sizeof text, body, lines == 1 ? 5 : 1);
        struct sim_prediction p = launch_ptx(text, 1, 32 * WARPS);
        double load = fmax(1, lines * t->tag),
               store =
                   lines == 1 ? 4 * t->store_sector : lines * (t->store_part + t->store_part_line);
        assert_near(p.busy[SIM_GLOBAL_PIPE] * cycles_of(&p), WARPS * ROUNDS * (load + store), 5,
                    "cycles");
        ck_assert(p.busy[SIM_L2_READ] < 0.05);
        ck_assert(p.dram_read_bytes + p.dram_write_bytes == 0);
    }
}

// What L1 has no room for goes to the L2 and comes back; and what that has no room for, to DRAM. 1 KiB a thread, of which
// each word is loaded once and stored once.
TEST(local_memory_beyond_l1_is_in_the_l2_or_dram)
{
    enum { BYTES = 1024 }; // a thread
    static const char body[] =
        ".local .align 4 .b8 words[1024]; .reg .b64 a; .reg .b32 v, n; .reg .pred p;\n"
        "mov.u32 n, 1024; LOOP: mov.u64 a, words; cvt.u64.u32 %offset, n; and.b64 %offset, "
        "%offset, 1023;\n"
        "add.u64 a, a, %offset; ld.local.u32 v, [a]; add.u32 v, v, n; st.local.u32 [a], v;\n"
        "sub.u32 n, n, 4; setp.ne.u32 p, n, 0; @p bra LOOP;";
    struct sim_prediction few = launch_ptx(body, SMS, 32), more = launch_ptx(body, SMS, 224),
                          many = launch_ptx(body, SMS, 1024);
    ck_assert(few.busy[SIM_L2_READ] < 0.02);
    ck_assert(more.busy[SIM_L2_READ] > 5 * few.busy[SIM_L2_READ]);
    ck_assert(more.dram_read_bytes + more.dram_write_bytes < 0.5 * 2 * SMS * 224 * BYTES);
    assert_near(many.dram_read_bytes, SMS * 1024.0 * BYTES, 15, "bytes read");
    assert_near(many.dram_write_bytes, SMS * 1024.0 * BYTES, 15, "bytes written");
}

// 128 threads go through 1 KiB of local memory each, eight times: L1 has room for that until shared memory takes it.
TEST(a_carve_out_makes_l1_smaller)
{
    static const char body[] =
        ".local .align 4 .b8 words[1024]; .reg .b64 a; .reg .b32 v, n; .reg .pred p;\n"
        "mov.u32 n, 8192; LOOP: mov.u64 a, words; cvt.u64.u32 %offset, n; and.b64 %offset, "
        "%offset, 1023;\n"
        "add.u64 a, a, %offset; ld.local.u32 v, [a]; add.u32 v, v, n; st.local.u32 [a], v;\n"
        "sub.u32 n, n, 4; setp.ne.u32 p, n, 0; @p bra LOOP;";
    struct sim_prediction large = launch_carved(body, SMS, 128, cudaSharedmemCarveoutMaxL1),
                          small = launch_carved(body, SMS, 128, cudaSharedmemCarveoutMaxShared);
    ck_assert(small.busy[SIM_L2_READ] > 2 * large.busy[SIM_L2_READ]);
    ck_assert(small.ms > 1.5 * large.ms);
}

// An SM sets as much aside as one of a few carve-outs for the blocks that it holds: 196 KiB for 4 of 49, and 228 for 6 of 33,
// of which L1 has what is left of 256.
TEST(blocks_take_whole_carve_outs)
{
    struct sim_prediction of[2];
    for (int i = 0; i < 2; i++) {
        char body[600];
        snprintf(body, sizeof body,
                 ".shared .align 4 .b8 tile[%d]; .local .align 4 .b8 words[256]; .reg .b64 a;\n"
                 ".reg .b32 v, n; .reg .pred p; mov.u32 v, tile; st.shared.u32 [v], v;\n"
                 "mov.u32 n, 8192; LOOP: mov.u64 a, words; cvt.u64.u32 %%offset, n;\n"
                 "and.b64 %%offset, %%offset, 255; add.u64 a, a, %%offset; ld.local.u32 v, [a];\n"
                 "st.local.u32 [a], v; sub.u32 n, n, 4; setp.ne.u32 p, n, 0; @p bra LOOP;",
                 (i ? 32 : 48) << 10);
        of[i] = launch_ptx(body, SMS, 128);
    }
    ck_assert(of[1].busy[SIM_L2_READ] > 2 * of[0].busy[SIM_L2_READ]);
}

// Updates of one word come one after the other, from wherever they are; of words of their own, they do not.
// atomics_N_words_4_bytes_apart and atomics_N_words_128_bytes_apart in the record, as passes: the hardware is up to a
// fourth faster where a request has many.
TEST(updates_of_few_words_queue)
{
    static const struct {
        int words, apart;
        double updates_a_pass;
    } cases[] = {{1, 4, 1},    {2, 4, 2},  {8, 4, 8},   {32, 4, 8},  {64, 4, 8},
                 {128, 4, 16}, {8, 32, 1}, {16, 32, 2}, {2, 128, 1}, {4, 128, 2}};
    enum { THREADS = 256, BLOCKS = 16 * SMS };
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
        char body[160];
        snprintf(body, sizeof body,
                 "and.b32 %%i, %%i, %d; mul.wide.u32 %%offset, %%i, %d; add.u64 %%in, %%in, "
                 "%%offset; red.global.add.u32 [%%in], 1;",
                 cases[i].words - 1, cases[i].apart);
        struct sim_prediction p = launch_ptx(body, BLOCKS, THREADS);
        double passes = THREADS * BLOCKS / cases[i].updates_a_pass,
               busy = p.busy[SIM_ATOMICS] * cycles_of(&p);
        assert_near(busy, passes * device()->timing.atomic_pass, 1, "cycles");
        ck_assert(cases[i].words > 1 || p.busy[SIM_ATOMICS] > 0.99);
    }
}

// Blocks that draw their work from a counter have no time where the first one takes all of it. Where each draws once, or
// nobody wants what the counter was, they have; and where the first of two does a little more.
TEST(the_first_block_that_draws_all_has_no_time, .times = 4)
{
    static const struct {
        unsigned blocks;
        const char *draws;
    } cases[] = {{2 * SMS,
                  "AGAIN: atom.global.add.u32 %i, [%in], 1; setp.lt.u32 %enough, %i, 600000; "
                  "@%enough bra AGAIN;"},
                 {2 * SMS, "atom.global.add.u32 %i, [%in], 1;"},
                 {2 * SMS, "mov.u32 %i, 0; AGAIN: red.global.add.u32 [%in], 1; add.u32 %i, %i, 1; "
                           "setp.lt.u32 %enough, %i, 10; @%enough bra AGAIN;"},
                 {2, "atom.global.add.u32 %i, [%in], 1; setp.ne.u32 %enough, %block, 0; "
                     "@%enough bra END; add.u32 %i, %i, 1; add.u32 %i, %i, 1; END:"}};
    char body[256];
    snprintf(body, sizeof body, ".reg .pred %%enough; %s", cases[_i].draws);
    struct ptx_kernel *kernel = ptx_kernel("", body);
    void *at = memory();
    sim_counts_reset();
    SUCCEEDS(ptx_launch(kernel, cases[_i].blocks, 32, at, at));
    struct sim_prediction p = sim_prediction_total();
    ck_assert_msg((strstr(p.why, "the first one here takes nearly all") != NULL) == (_i == 0), "%s",
                  p.why);
    ck_assert((p.ms > 0) == (_i > 0));
}

// An H200's SM has a product of integers ready for 64 lanes a cycle, a product of floats for 128.
TEST(units_have_their_rates, .times = 4)
{
    enum { THREADS = 1024, ROUNDS = 16, UNROLLED = 32 };
    static const struct {
        const char *instruction;
        double lanes;
    } units[] = {{"mad.lo.u32 v, v, 3, n;", 64},
                 {"fma.rn.f32 f, f, f, f;", 128},
                 {"xor.b32 v, v, n;", 64},
                 {"fma.rn.f64 d, d, d, d;", 64}};
    char text[4096];
    int used = snprintf(text, sizeof text,
                        ".reg .b32 v, n; .reg .f32 f; .reg .f64 d; .reg .pred p; mov.u32 n, %d;\n"
                        "mov.u32 v, %%i; cvt.rn.f32.u32 f, v; cvt.rn.f64.u32 d, v;\nLOOP: ",
                        ROUNDS);
    for (int i = 0; i < UNROLLED; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%s\n", units[_i].instruction);
    snprintf(text + used, sizeof text - (size_t)used,
             "sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra LOOP; st.global.u32 [%%out], v;\n"
             "st.global.f32 [%%out], f; st.global.f64 [%%out], d;");
    struct sim_prediction p = launch_ptx(text, SMS, THREADS);
    double least = (double)THREADS * ROUNDS * UNROLLED / units[_i].lanes;
    ck_assert_msg(cycles_of(&p) > 0.999 * least && cycles_of(&p) < 1.6 * least,
                  "%s: %g cycles of %g", units[_i].instruction, cycles_of(&p), least);
    ck_assert((p.busy[SIM_ARITHMETIC] > 0.95) == (units[_i].lanes < 128));
}

// What keeps a scheduler busy with a few warps.
#define WORK "fma.rn.f32 a, a, a, a; fma.rn.f32 b, b, b, b; fma.rn.f32 c, c, c, c;\n"

// Of two blocks that keep the schedulers busy, the one that began first is done when the other one still has as much to do.
TEST(schedulers_issue_for_the_oldest_block)
{
    enum { BLOCKS = 2, THREADS = 512 };
    struct sim_prediction p = launch_ptx(
        ".reg .f32 a, b, c; .reg .b32 n, v; .reg .pred p; .shared .b32 s; mov.u32 n, 200;\n"
        "mov.f32 a, 0f00000000; mov.f32 b, a; mov.f32 c, a; LOOP: ld.volatile.shared.u32 v, "
        "[s];\n" WORK WORK WORK WORK "sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra LOOP;",
        BLOCKS * SMS, THREADS);
    ck_assert(p.busy[SIM_ISSUE] > 0.9);
    assert_near(p.achieved_occupancy, 0.75 * 50, 5, "percent");
}

// Of five blocks for four slots, the first to begin has the least to do and the last, in its slot then, the most: the schedulers
// are done first with the others, which are older.
TEST(schedulers_issue_for_the_oldest_block_in_any_slot)
{
    enum { RESIDENT = 4, THREADS = 512, SHORT = 25, MEDIUM = 50, LONG = 200 };
    char body[1500];
    snprintf(body, sizeof body,
             ".reg .f32 a, b, c; .reg .b32 n, v, k; .reg .pred p; .shared .b8 s[49152];\n"
             "mov.u32 n, %d; mov.u32 k, %%ctaid.x; setp.ge.u32 p, k, %d; @p mov.u32 n, %d;\n"
             "setp.ge.u32 p, k, %d; @p mov.u32 n, %d; mov.f32 a, 0f00000000; mov.f32 b, a;\n"
             "mov.f32 c, a; LOOP: ld.volatile.shared.u32 v, [s];\n" WORK WORK WORK WORK
             "sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra LOOP;",
             SHORT, SMS, MEDIUM, RESIDENT * SMS, LONG);
    struct sim_prediction p = launch_ptx(body, (RESIDENT + 1) * SMS, THREADS);
    double blocks = RESIDENT * SHORT + (4 + 3 + 2) * MEDIUM + LONG,
           rounds = SHORT + 3 * MEDIUM + LONG;
    assert_near(p.achieved_occupancy, 100 * blocks / rounds / RESIDENT, 6, "percent");
}
#undef WORK

// An empty SM gets its blocks nearly at once (start_filling_1056x32_threads in the record, and of 256 threads, where the
// last warps come more slowly), and what the GPU is told of one after the other are their ends (start_wait_*).
TEST(sms_are_filled_at_once, .times = 2)
{
    enum { BLOCKS = 8 };
    static const struct {
        unsigned threads;
        double filled, longer_us;
    } recorded[] = {{32, 130, 0.540}, {256, 451, 0.501}};
    const unsigned threads = recorded[_i].threads;
    static const char body[] =
        ".reg .f32 f; .reg .b32 n; .reg .pred p; mov.u32 n, 6; mov.f32 f, 0f00000000;\n"
        "LOOP: fma.rn.f32 f, f, f, f; fma.rn.f32 f, f, f, f; sub.u32 n, n, 1;\n"
        "setp.ne.u32 p, n, 0; @p bra LOOP;";
    struct sim_prediction one = launch_ptx(body, SMS, threads),
                          many = launch_ptx(body, BLOCKS * SMS, threads);
    assert_near((many.active_cycles - one.active_cycles) / SMS, recorded[_i].filled, 25,
                "cycles to be filled");
    assert_near(cycles_of(&many) - cycles_of(&one), recorded[_i].longer_us * MHZ, 20,
                "cycles longer");
}

// Where all blocks run at once and some SMs have one less, their warps are the mean of the two.
TEST(some_sms_have_a_block_less)
{
    enum { THREADS = 256, ROUNDS = 256, MOST = 3 };
    for (unsigned more = SMS / 4; more <= SMS; more += SMS / 4) {
        unsigned blocks = (MOST - 1) * SMS + more;
        struct sim_prediction p = launch(TIMED_L2, blocks, THREADS, ROUNDS, 0);
        assert_near(p.achieved_occupancy, 100.0 * blocks / SMS * THREADS / 2048, 8, "percent");
    }
}

// But not where the block that others lack is the only one that does anything: one SM has it, and the others have ended.
TEST(one_block_does_it_all)
{
    enum { THREADS = 256 };
    char body[512];
    snprintf(
        body, sizeof body,
        ".reg .f32 f; .reg .b32 n; .reg .pred p; mov.u32 n, %%ctaid.x; mov.f32 f, 0f00000000;\n"
        "setp.lt.u32 p, n, %d; @p ret; mov.u32 n, 2000;\n"
        "LOOP: fma.rn.f32 f, f, f, f; sub.u32 n, n, 1; setp.ne.u32 p, n, 0; @p bra LOOP;",
        SMS);
    struct sim_prediction p = launch_ptx(body, SMS + 1, THREADS);
    assert_near(p.achieved_occupancy, 100.0 * THREADS / 2048, 6, "percent");
}

// A warp that ends is active until the L2 has its stores.
TEST(warps_drain)
{
    struct sim_prediction p = launch(TIMED_SCATTER, SMS, 256, 4, 0);
    double all = cycles_of(&p) - device()->timing.block_turnaround;
    ck_assert(p.busy[SIM_L2_REQUESTS] > 0.8 && p.busy[SIM_GLOBAL_PIPE] < 0.6);
    assert_near(p.active_cycles / SMS, all, 3, "active cycles of an SM");
}

// 12 cycles for the last warp, and 2 for each.
TEST(barriers_cost_for_each_warp, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    enum { ROUNDS = 500 };
    for (unsigned warps = 1; warps <= 32; warps *= 2) {
        double more = cycles(TIMED_BARRIERS, 1, 32 * warps, 2 * ROUNDS, 0) -
                      cycles(TIMED_BARRIERS, 1, 32 * warps, ROUNDS, 0);
        double barrier = more / ROUNDS;
        ck_assert_msg(barrier >= 12 + 2 * warps - 1 && barrier < 1.1 * (12 + 2 * warps) + 16,
                      "%u warps: %g cycles a barrier", warps, barrier);
    }
}

// The GPU is told of a block's end every 1.19 cycles, of all SMs together.
TEST(small_blocks_wait_for_others_ends)
{
    enum { BLOCKS = 100 * SMS };
    struct sim_prediction p = launch(TIMED_EMPTY, BLOCKS, 32, 0, 0);
    assert_near(cycles_of(&p), 1.19 * BLOCKS, 5, "cycles");
    ck_assert(p.busy[SIM_BLOCK_LAUNCH] > 0.95);
    // Of one block it is the turnaround.
    p = launch(TIMED_EMPTY, 1, 1024, 0, 0);
    ck_assert(cycles_of(&p) < 500 && cycles_of(&p) > 286);
}

// One SM alone has its own way to the L2 (1.1 cycles a line), all of them together what the L2 gives
// each (3.6); and its blocks are those of no other.
TEST(one_block_has_the_l2_for_itself, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    enum { THREADS = 1024, ROUNDS = 512, LINES = ROUNDS * THREADS / 32 };
    struct sim_prediction p = launch(TIMED_L2, 1, THREADS, ROUNDS, 0);
    double one = cycles_of(&p) / LINES;
    double half = cycles(TIMED_L2, SMS / 2, THREADS, ROUNDS, 0) / LINES;
    double all = cycles(TIMED_L2, SMS, THREADS, ROUNDS, 0) / LINES;
    assert_near(one, 1.105, 12, "cycles a line, one SM");
    assert_near(half, 3.57 / 2, 15, "cycles a line, half of the SMs");
    assert_near(all, 3.57, 10, "cycles a line, all SMs");
    assert_near(p.busy_sms, 1.0 / SMS, 0.1, "share of the SMs");
    assert_near(p.achieved_occupancy, 50, 5, "occupancy");
}

// The H100's L2 gives less: l2_load_1_lines_all in the two records.
TEST(an_h100_has_a_slower_l2, .times = 2, .skipped = NVCC_KERNELS ? NULL : not_nvcc)
{
    static const struct {
        const char *name;
        double cycles;
    } gpus[] = {{"h200", 3.57}, {"h100", 4.225}};
    enum { THREADS = 1024, ROUNDS = 512, LINES = ROUNDS * THREADS / 32 };
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", gpus[_i].name, 1), 0);
    assert_near(cycles(TIMED_L2, SMS, THREADS, ROUNDS, 0) / LINES, gpus[_i].cycles, 5,
                "cycles a line");
}

TEST(twice_the_blocks_take_twice_the_time, .times = 6)
{
    static const struct {
        enum timed kernel;
        unsigned threads;
        int rounds, stride;
    } kernels[] = {{TIMED_L2, 256, 32, 0},    {TIMED_BANKS, 256, 16, 8},
                   {TIMED_LOOP, 128, 20, 0},  {TIMED_BARRIERS, 256, 20, 0},
                   {TIMED_SCATTER, 64, 4, 0}, {TIMED_EMPTY, 32, 0, 0}};
    enum { BLOCKS = SMS * 64 };
    double once = cycles(kernels[_i].kernel, BLOCKS, kernels[_i].threads, kernels[_i].rounds,
                         kernels[_i].stride);
    double twice = cycles(kernels[_i].kernel, 2 * BLOCKS, kernels[_i].threads, kernels[_i].rounds,
                          kernels[_i].stride);
    assert_near(twice / once, 2, 6, "ratio");
}

// Of a long loop the first part alone is traced; the rest is taken to go on like it.
TEST(long_loops_are_scaled, .times = 2)
{
    static const struct {
        unsigned blocks, threads;
        int rounds;
    } loops[] = {{1, 1, 100000}, {1, 1024, 8000}};
    double once = cycles(TIMED_LOOP, loops[_i].blocks, loops[_i].threads, loops[_i].rounds, 0);
    double more = cycles(TIMED_LOOP, loops[_i].blocks, loops[_i].threads, 4 * loops[_i].rounds, 0);
    assert_near(more / once, 4, 5, "ratio");
}

// The line of two last stores, which join, waits for others until the end, and comes to the L2 then.
TEST(the_last_stores_come_to_the_l2)
{
    struct ptx_kernel *kernel =
        ptx_kernel("", ".reg .b64 a; .reg .pred p; mul.wide.u32 a, %i, 128; add.u64 a, a, %out;\n"
                       "st.global.u32 [a], %i; setp.ne.u32 p, %i, 0; @p bra END;\n"
                       "st.global.u32 [%out+8192], %i; st.global.u32 [%out+8196], %i; END:");
    void *at = allocate(2 * 8192);
    sim_counts_reset();
    SUCCEEDS(ptx_launch(kernel, 1, LANES, at, at));
    struct sim_prediction p = prediction("stores");
    ck_assert_double_eq(p.l2_writes, LANES + 1);
    ck_assert_double_eq(p.l2_write_sectors, LANES + 1);
    SUCCEEDS(cudaFree(at));
}
