// Which blocks idle alone, and what is known of a launch's parts.
#include <stdlib.h>

#include "sim/exec/trace.h"
#include "sim/state/launch.h"
#include "sim/time/idle_blocks.h"
#include "suites.h"

PROGRAM(sim_idle_blocks)

enum { SMS = 10, RESIDENT = 8, RUNNING = SMS * RESIDENT, EXECUTED = 7, ASKED = 3 };

// The trace of a launch of which the blocks from `first` to `end` ask for something.
static struct trace *trace_of(uint64_t blocks, uint64_t first, uint64_t end)
{
    const struct launch launch = {
        .multiprocessors = SMS, .block_count = blocks, .warps_per_block = 1};
    struct trace *trace = trace_open(&launch, RESIDENT);
    ck_assert_ptr_nonnull(trace);
    for (uint64_t i = 0; i < blocks; i++)
        trace_end_block(trace, i, EXECUTED, i >= first && i < end ? ASKED : 0);
    return trace;
}

// In windows of 80 blocks, or of 96 where a part is 24 blocks: those that begin before `first` or end behind `end` have
// blocks that ask.
TEST(those_that_follow_each_other_idle_alone)
{
    static const struct {
        uint64_t blocks, first, end, alone;
    } launches[] = {
        {4000, 0, 4000, 0},
        {4000, 0, 400, 3600},
        {4000, 0, 401, 3520},
        {4000, 400, 4000, 400},
        {4000, 399, 4000, 320},
        {4000, 1999, 2001, 3840},
        {4096 * 24, 0, 960, 97344},
        {4096 * 24, 0, 961, 97248},
        {4096 * 24 - 1, 0, 960, 97343},
        {4000, 4000, 4000, 0}, // nobody asks
        {400, 0, 40, 0},       // an SM's are all traced
    };
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        struct trace *trace = trace_of(launches[i].blocks, launches[i].first, launches[i].end);
        struct idle_blocks alone = idle_alone(trace, (double)launches[i].blocks, RUNNING);
        ck_assert_msg(alone.blocks == (double)launches[i].alone, "%zu: %g", i, alone.blocks);
        ck_assert_double_eq(alone.executed, EXECUTED * alone.blocks);
        trace_free(trace);
    }
}

// Of those that were traced, and of others only where there are none.
TEST(an_idle_block_is_found)
{
    const struct instruction in = {.opcode = "add.u32"};
    struct trace *trace = trace_of(4000, 0, 4000);
    ck_assert_ptr_null(trace_idle(trace));
    struct block_trace *late = NULL, *first = trace_of_block(trace, 0);
    for (uint64_t i = 3999; !late; i--)
        late = trace_of_block(trace, i);
    ck_assert_ptr_ne(late, first);
    trace_instruction(trace, &late->warps[0], &in);
    ck_assert_ptr_eq(trace_idle(trace), late);
    trace_instruction(trace, &first->warps[0], &in);
    ck_assert_ptr_eq(trace_idle(trace), first);
    first->line_count = 1;
    ck_assert_ptr_eq(trace_idle(trace), late);
    trace_free(trace);
}

// What an SM is like, and goes on like, by its cycles.
TEST(an_sm_goes_on_like_another)
{
    struct sm_outcome sm = {.cycles = 300, .active = 1, .active_warps = 64, .busy = {0.8, 0.4}},
                      like = {.cycles = 7, .active = 0.5, .active_warps = 8, .busy = {0.2}};
    sm_go_on(&sm, &like, 100);
    ck_assert_double_eq_tol(sm.cycles, 400, 1e-9);
    ck_assert_double_eq_tol(sm.active, 350. / 400, 1e-9);
    ck_assert_double_eq_tol(sm.active_warps, (300 * 64. + 50 * 8) / 350, 1e-9);
    ck_assert_double_eq_tol(sm.busy[0], 0.75 * 0.8 + 0.25 * 0.2, 1e-9);
    ck_assert_double_eq_tol(sm.busy[1], 0.3, 1e-9);
}
