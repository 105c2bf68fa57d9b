// How much of a trace is kept for the timing model.
#include <stdlib.h>

#include "sim/exec/trace.h"
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

// Those of an SM of ten, whose blocks up to `idle` execute one instruction each, and the others ten.
static struct trace *trace_of_parts(uint64_t blocks, uint64_t idle)
{
    const struct launch launch = {
        .multiprocessors = 10, .block_count = blocks, .warps_per_block = 1};
    const struct instruction in = {.opcode = "add.u32"};
    struct trace *trace = trace_open(&launch, RESIDENT);
    ck_assert_ptr_nonnull(trace);
    for (uint64_t number = 0; number < blocks; number++) {
        struct block_trace *block = trace_of_block(trace, number);
        for (int i = 0; i < (number < idle ? 1 : 10) && block; i++)
            trace_instruction(trace, &block->warps[0], &in);
    }
    trace_choose(trace, (double)(idle + 10 * (blocks - idle)) / (double)blocks);
    return trace;
}

// Of blocks of which the first ones have nothing to do, those that are traced are as busy as all, in their order.
TEST(blocks_that_stand_for_all_are_chosen, .times = 3)
{
    static const uint64_t idle[] = {2000, 5000, 9000};
    struct trace *trace = trace_of_parts(10000, idle[_i]);
    uint32_t busy = 0, before = 0;
    for (uint32_t b = 0; b < trace->block_count; b++) {
        const struct warp_trace *warp = &trace->blocks[b].warps[0];
        ck_assert(warp->executed == 1 || warp->executed == 10);
        ck_assert_uint_ge(warp->executed, before);
        before = (uint32_t)warp->executed;
        busy += warp->executed == 10;
    }
    double share = (double)busy / trace->block_count;
    ck_assert_double_eq_tol(share, 1 - (double)idle[_i] / 10000, 0.03);
    trace_free(trace);
}

// The first ones stay where they stand for all, or where there are no others.
TEST(the_first_blocks_stay_where_they_stand_for_all)
{
    static const struct {
        uint64_t blocks, idle;
        unsigned first;
    } launches[] = {{10000, 0, 10}, {10000, 10000, 1}, {300, 100, 1}};
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        struct trace *trace = trace_of_parts(launches[i].blocks, launches[i].idle);
        uint32_t first = 0;
        while (first < trace->block_count &&
               trace->blocks[first].warps[0].executed == launches[i].first)
            first++;
        ck_assert_uint_eq(first, launches[i].idle == 100 ? 10 : trace->block_count);
        trace_free(trace);
    }
}

// An SM of ten that holds so many blocks gets every tenth at first, and then pairs, unless it holds two.
TEST(neighbours_come_in_pairs)
{
    enum { NOT_TRACED = 99 };
    static const struct {
        unsigned resident, number, at;
    } cases[] = {{3, 0, 0},  {3, 1, NOT_TRACED},  {3, 20, 2},          {3, 21, NOT_TRACED},
                 {3, 30, 3}, {3, 31, 4},          {3, 32, NOT_TRACED}, {3, 40, NOT_TRACED},
                 {3, 50, 5}, {3, 51, 6},          {3, 170, 17},        {3, 171, NOT_TRACED},
                 {2, 20, 2}, {2, 21, NOT_TRACED}, {2, 30, 3}};
    const struct launch launch = {.multiprocessors = 10, .block_count = 172, .warps_per_block = 1};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace *trace = trace_open(&launch, cases[i].resident);
        ck_assert_ptr_nonnull(trace);
        const struct block_trace *block = trace_of_block(trace, cases[i].number);
        if (cases[i].at == NOT_TRACED)
            ck_assert_ptr_null(block);
        else
            ck_assert_ptr_eq(block, &trace->blocks[cases[i].at]);
        trace_free(trace);
    }
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
