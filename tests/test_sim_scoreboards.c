// What a warp waits for because its machine code names a scoreboard.
#include <math.h>

#include "sim/ptx/module.h"
#include "sim/time/scoreboards.h"
#include "suites.h"

PROGRAM(sim_scoreboards, .seconds = 10)

// Two loads that scoreboard 0 counts; a store that waits for it, and that 1 counts till its operands are read, for which the
// warp waits where the block ends; an access after that; and one of a function.
enum { FIRST, SECOND, STORE, NEXT, ACCESSES, OF_FUNCTION = ACCESSES };
static struct instruction code[ACCESSES + 1];
static struct scoreboards of[ACCESSES] = {[FIRST] = {.result = 1},
                                          [SECOND] = {.result = 1},
                                          [STORE] = {.operands = 2, .before = 1, .after = 2}};
static const struct function kernel = {.code = code, .length = ACCESSES};
static const struct machine_code machine_code = {.scoreboards = of};
static const struct launch launch = {.kernel = &kernel, .code = &machine_code},
                           without = {.kernel = &kernel};

static void number_code(void)
{
    for (uint32_t i = 0; i <= ACCESSES; i++)
        code[i].index = 100 + i;
}

static double done_before(const struct warp_scoreboards *warp, int in,
                          const struct instruction **latest)
{
    const struct scoreboard *board;
    double done = scoreboards_done(warp, &launch, &code[in], &board);
    ck_assert(!board || board->reason == STALL_LONG_SCOREBOARD);
    *latest = board ? board->latest : NULL;
    return done;
}

TEST(who_waits_for_one_waits_for_all_that_it_counts)
{
    enum { SERVED = 10, LONG = 900, SOON = 40 };
    struct warp_scoreboards warp = {0};
    const struct instruction *latest;
    number_code();
    ck_assert(done_before(&warp, STORE, &latest) == 0 && !latest);
    scoreboards_count(&warp, &launch, &code[FIRST], STALL_LONG_SCOREBOARD);
    scoreboards_count(&warp, &launch, &code[SECOND], STALL_LONG_SCOREBOARD);
    ck_assert(isinf(done_before(&warp, STORE, &latest)) && latest == &code[SECOND]);
    ck_assert(done_before(&warp, NEXT, &latest) == 0 && !latest); // it does not ask
    scoreboards_discount(&warp, &launch, &code[FIRST], SERVED, LONG);
    ck_assert(isinf(done_before(&warp, STORE, &latest)));
    scoreboards_discount(&warp, &launch, &code[SECOND], SERVED, SOON);
    ck_assert(done_before(&warp, STORE, &latest) == LONG);
}

TEST(operands_are_read_when_it_is_served)
{
    enum { SERVED = 70, DONE = 300 };
    struct warp_scoreboards warp = {0};
    const struct instruction *latest;
    number_code();
    scoreboards_count(&warp, &launch, &code[STORE], STALL_LONG_SCOREBOARD);
    ck_assert(done_before(&warp, NEXT, &latest) == 0); // not before the warp went on
    scoreboards_await(&warp, &launch, &code[STORE]);
    ck_assert(isinf(done_before(&warp, NEXT, &latest)) && latest == &code[STORE]);
    scoreboards_discount(&warp, &launch, &code[STORE], SERVED, DONE);
    ck_assert(done_before(&warp, NEXT, &latest) == SERVED);
    scoreboards_await(&warp, &launch, &code[NEXT]);
    ck_assert(done_before(&warp, FIRST, &latest) == 0);
}

TEST(nobody_counts_without_machine_code)
{
    struct warp_scoreboards warp = {0};
    const struct scoreboard *board;
    number_code();
    scoreboards_count(&warp, &without, &code[FIRST], STALL_LONG_SCOREBOARD);
    ck_assert(scoreboards_done(&warp, &without, &code[STORE], &board) == 0 && !board);
    scoreboards_count(&warp, &launch, &code[OF_FUNCTION], STALL_LONG_SCOREBOARD);
    ck_assert(scoreboards_done(&warp, &launch, &code[STORE], &board) == 0 && !board);
}
