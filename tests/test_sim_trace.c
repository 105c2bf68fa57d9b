// How much of a trace is kept for the timing model.
#include <stdlib.h>

#include "sim/exec/trace.h"
#include "sim/ptx/module.h"
#include "sim/state/device_memory.h"
#include "sim/state/launch.h"
#include "suites.h"

PROGRAM(sim_trace)

enum { RESIDENT = 8, LAST = 3, WARPS = 8, TRACED = 5 * RESIDENT + LAST, ITEMS = 1 << 19 };

// The trace of blocks whose warps execute so many instructions each, as it is kept.
static struct trace *trace_of(uint32_t executed)
{
    const struct launch launch = {
        .multiprocessors = 10, .block_count = 10021, .warps_per_block = WARPS};
    const struct instruction in = {.opcode = "add.u32"};
    struct trace *trace = trace_open(&launch, RESIDENT);
    ck_assert_ptr_nonnull(trace);
    ck_assert_uint_eq(trace->block_count, TRACED);
    for (uint32_t b = 0; b < TRACED; b++)
        for (uint32_t w = 0; w < WARPS; w++)
            for (uint32_t i = 0; i < executed; i++)
                trace_instruction(trace, &trace->blocks[b].warps[w], &in);
    trace_choose(trace, (double)executed * WARPS);
    trace_trim(trace);
    return trace;
}

static void assert_kept(const struct trace *trace, uint32_t blocks, uint32_t items,
                        uint64_t executed)
{
    ck_assert_uint_eq(trace->block_count, blocks);
    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t w = 0; w < WARPS; w++) {
            ck_assert_uint_eq(trace->blocks[b].warps[w].count, items);
            ck_assert_uint_eq(trace->blocks[b].warps[w].executed, executed);
        }
}

// Those of an SM of ten, whose warps execute so many instructions each in the first blocks, up to number `first`, and so many
// in the others, of BLOCKS, after they were chosen.
enum { BLOCKS = 10000 };

static struct trace *trace_of_parts(uint64_t blocks, uint64_t first, uint32_t by_first,
                                    uint32_t by_others)
{
    const struct launch launch = {
        .multiprocessors = 10, .block_count = blocks, .warps_per_block = WARPS};
    const struct instruction in = {.opcode = "add.u32"};
    struct trace *trace = trace_open(&launch, RESIDENT);
    ck_assert_ptr_nonnull(trace);
    for (uint64_t number = 0; number < blocks; number++) {
        struct block_trace *block = trace_of_block(trace, number);
        for (uint32_t w = 0; w < WARPS && block; w++)
            for (uint32_t i = 0; i < (number < first ? by_first : by_others); i++)
                trace_instruction(trace, &block->warps[w], &in);
    }
    double all = (double)(by_first * first + by_others * (blocks - first));
    trace_choose(trace, WARPS * all / (double)blocks);
    return trace;
}

// How many of the traced blocks' first warps execute so many.
static uint32_t count_executed(const struct trace *trace, uint64_t executed)
{
    uint32_t count = 0;
    for (uint32_t b = 0; b < trace->block_count; b++)
        count += trace->blocks[b].warps[0].executed == executed;
    return count;
}

// Where the first blocks do less than the others, or more, those that are traced do as much as all, and any few that follow
// each other nearly as much.
TEST(blocks_that_stand_for_all_are_chosen, .times = 6)
{
    static const uint64_t first[] = {2000, 5000, 8000};
    const uint32_t by_first = _i < 3 ? 1 : 10, by_others = 11 - by_first;
    struct trace *trace = trace_of_parts(BLOCKS, first[_i % 3], by_first, by_others);
    uint32_t of_first = count_executed(trace, by_first), all = trace->block_count;
    ck_assert_uint_eq(of_first + count_executed(trace, by_others), all);
    ck_assert_double_eq_tol((double)of_first / all, (double)first[_i % 3] / BLOCKS, 0.03);
    for (uint32_t b = 0; b + RESIDENT < all; b++) {
        uint32_t few = 0;
        for (uint32_t i = 0; i < RESIDENT; i++)
            few += trace->blocks[b + i].warps[0].executed == by_first;
        ck_assert_double_eq_tol((double)few / RESIDENT, (double)first[_i % 3] / BLOCKS, 0.2);
    }
    trace_free(trace);
}

// What is traced in vain is freed, also of a trace that is cut shorter then.
TEST(a_long_trace_of_chosen_blocks_is_cut, .times = 2)
{
    enum { LONG = 2600 };
    struct trace *trace = trace_of_parts(BLOCKS, _i ? BLOCKS / 2 : 0, LONG / 2, LONG);
    const uint32_t blocks = trace->block_count;
    trace_trim(trace);
    ck_assert_uint_lt(trace->block_count, blocks);
    trace_free(trace);
}

// The first ones stay where they stand for all, to an eighth, or where there are no others.
TEST(the_first_blocks_stay_where_they_stand_for_all)
{
    static const struct {
        uint64_t blocks, first;
        uint32_t by_first, by_others;
    } launches[] = {{BLOCKS, 0, 1, 10}, {BLOCKS, 1000, 10, 11}, {BLOCKS, 1000, 11, 10}};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        uint32_t expected = launches[i].first ? launches[i].by_first : launches[i].by_others;
        struct trace *trace = trace_of_parts(launches[i].blocks, launches[i].first,
                                             launches[i].by_first, launches[i].by_others);
        ck_assert_uint_eq(count_executed(trace, expected), trace->block_count);
        trace_free(trace);
    }
    struct trace *trace = trace_of_parts(300, 100, 1, 10); // all are traced
    ck_assert_uint_eq(count_executed(trace, 1), 10);
    trace_free(trace);
}

// Of an SM of ten that holds so many blocks every tenth is traced, and once it is full the neighbours of every second one of
// these, unless it holds two.
TEST(neighbours_are_traced_beside)
{
    enum where { NOT_TRACED, ALONE, BESIDE };
    static const struct {
        unsigned resident, number, at;
        enum where where;
    } cases[] = {{3, 0, 0, ALONE},       {3, 1, 0, NOT_TRACED},  {3, 20, 2, ALONE},
                 {3, 21, 0, NOT_TRACED}, {3, 30, 3, ALONE},      {3, 31, 4, BESIDE},
                 {3, 32, 0, NOT_TRACED}, {3, 40, 4, ALONE},      {3, 41, 0, NOT_TRACED},
                 {3, 51, 6, BESIDE},     {3, 170, 17, ALONE},    {3, 171, 0, NOT_TRACED},
                 {2, 30, 3, ALONE},      {2, 31, 0, NOT_TRACED}, {2, 21, 0, NOT_TRACED}};
    const struct launch launch = {.multiprocessors = 10, .block_count = 172, .warps_per_block = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = trace_open(&launch, cases[i].resident);
        ck_assert_ptr_nonnull(trace);
        const struct block_trace *block = trace_of_block(trace, cases[i].number), *expected = NULL;
        if (cases[i].where != NOT_TRACED)
            expected = (cases[i].where == BESIDE ? trace->next : trace->blocks) + cases[i].at;
        ck_assert_ptr_eq(block, expected);
        trace_free(trace);
    }
}

// The trace of blocks that load 256 words each, eight lines, which begin `apart` words after those of the block before. A block
// stores to the words that it loaded, or all to the same ones. Block b executes 16 + b instructions, which tells what block it is.
static struct trace *trace_of_loads(uint64_t apart, int store_same)
{
    enum { WORDS = 256 };
    static const struct instruction load = {.is_load = 1}, store = {.is_load = 0};
    const struct launch launch = {.multiprocessors = 10, .block_count = 172, .warps_per_block = 1};
    struct trace *trace = trace_open(&launch, 3);
    ck_assert_ptr_nonnull(trace);
    for (uint64_t number = 0; number < launch.block_count; number++) {
        struct block_trace *block = trace_of_block(trace, number);
        for (uint64_t word = 0; word < WORDS && block; word += LANES) {
            struct access access = {.mask = UINT32_MAX, .size = 4};
            for (uint64_t l = 0; l < LANES; l++)
                access.address[l] = device_memory.base + 4 * (number * apart + word + l);
            trace_instruction(trace, &block->warps[0], &load);
            trace_global(trace, block, &block->warps[0], &access);
            for (uint64_t l = 0; l < LANES && store_same; l++)
                access.address[l] = device_memory.base + 4 * (word + l);
            trace_instruction(trace, &block->warps[0], &store);
            trace_global(trace, block, &block->warps[0], &access);
        }
        for (uint64_t i = 0; i < number && block; i++)
            trace_instruction(trace, &block->warps[0], &store);
    }
    trace_choose(trace, 0);
    return trace;
}

// An SM that is full gets neighbours one after the other where they load most of the same sectors: not where they only store
// them, nor where they load half.
TEST(neighbours_that_load_the_same_come_in_pairs)
{
    enum { OWN = 16 }; // instructions, besides as many as the block's number
    static const struct {
        uint64_t apart;
        int store_same, in_pairs;
    } cases[] = {{0, 0, 1}, {1, 0, 1}, {120, 0, 1}, {128, 0, 0}, {256, 0, 0}, {200, 1, 0}};
    static const unsigned pairs[] = {30, 31, 50, 51, 70, 71}, alone[] = {30, 40, 50, 60, 70, 80};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = trace_of_loads(cases[i].apart, cases[i].store_same);
        for (size_t b = 0; b < sizeof pairs / sizeof *pairs; b++)
            ck_assert_msg(trace_executed(trace, &trace->blocks[3 + b]) ==
                              OWN + (cases[i].in_pairs ? pairs : alone)[b],
                          "%zu: block %zu executes %g", i, b,
                          trace_executed(trace, &trace->blocks[3 + b]));
        trace_free(trace);
    }
}

// Half of the lanes ask for local memory, half for a line of global memory, and before them all for another.
TEST(the_lines_of_a_generic_access_follow_each_other)
{
    enum { HALF = LANES / 2 };
    static const struct instruction load = {.is_load = 1};
    const struct launch launch = {.multiprocessors = 1, .block_count = 1, .warps_per_block = 1};
    struct trace *trace = trace_open(&launch, 1);
    ck_assert_ptr_nonnull(trace);
    struct block_trace *block = trace_of_block(trace, 0);
    struct warp_trace *warp = &block->warps[0];
    struct access all = {.mask = UINT32_MAX, .size = 4}, global = {.size = 4}, local = {.size = 4};
    for (uint64_t l = 0; l < LANES; l++) {
        all.address[l] = device_memory.base + 4 * l;
        global.address[l] = all.address[l] + LINE_SIZE;
        (l < HALF ? &local : &global)->mask |= 1U << l;
    }
    trace_instruction(trace, warp, &load);
    trace_global(trace, block, warp, &all);
    trace_instruction(trace, warp, &load);
    trace_local(trace, block, warp, &local);
    trace_global(trace, block, warp, &global);
    const struct trace_item *item = &warp->items[1];
    ck_assert_uint_eq(item->first_line, 1);
    ck_assert_uint_eq(item->lines, 2);
    ck_assert(is_local_line(&block->lines[1]));
    ck_assert_uint_eq(block->lines[2].number, 1);
    trace_free(trace);
}

TEST(what_is_not_too_much_is_kept)
{
    struct trace *trace = trace_of(1000);
    assert_kept(trace, TRACED, 1000, 1000);
    trace_free(trace);
}

// Fewer blocks, by as many as fill the SM, but those that come after it was filled three times.
TEST(whole_warps_are_kept_of_fewer_blocks)
{
    struct trace *trace = trace_of(1500);
    assert_kept(trace, 5 * RESIDENT + LAST, 1500, 1500);
    trace_free(trace);
    trace = trace_of(2000);
    assert_kept(trace, 4 * RESIDENT + LAST, 2000, 2000);
    trace_free(trace);
    trace = trace_of(8000);
    assert_kept(trace, 3 * RESIDENT + LAST, 8000, 8000);
    trace_free(trace);
}

// Of blocks that fill an SM of ten so often, the last ones are as many as that gets last.
TEST(the_last_blocks_are_as_many_as_on_the_sm)
{
    static const struct {
        unsigned blocks, traced;
    } cases[] = {{1, 1},    {20, 2},   {21, 3},   {170, 17}, {180, 18},
                 {181, 16}, {200, 17}, {210, 18}, {3001, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct launch launch = {
            .multiprocessors = 10, .block_count = cases[i].blocks, .warps_per_block = 1};
        struct trace *trace = trace_open(&launch, 3);
        ck_assert_ptr_nonnull(trace);
        ck_assert_uint_eq(trace->block_count, cases[i].traced);
        trace_free(trace);
    }
}

TEST(warps_that_are_too_long_are_cut_alike)
{
    struct trace *trace = trace_of(10000);
    assert_kept(trace, TRACED, (ITEMS - 1) / (TRACED * WARPS) + 1, 10000);
    trace_free(trace);
}
