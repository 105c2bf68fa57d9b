// How far apart warps come to their stores, against what GPUs measured.
#include <math.h>
#include <stdio.h>

#include "sim/count/access.h"
#include "sim/exec/trace.h"
#include "sim/ptx/module.h"
#include "sim/time/arrivals.h"

#include "recorded.h"
#include "suites.h"

PROGRAM(sim_arrivals)

// Of 8 warps that wait for exponential times the last comes this many means after the first: 1 + 1/2 + ... + 1/7.
static const double first_to_last_of_8 = 2.592857;

// Of blocks that do not loop, whether they met before they stored or not; nearer where they then store often.
TEST(warps_are_as_far_apart_as_gpus_measure, .times = 4)
{
    static const char *const gpus[] = {"h200", "h100"}, *const met[] = {"", "_met"};
    enum { RUNNING = 1000 };
    for (int stores = 1; stores <= 16; stores *= 2) {
        char name[64];
        snprintf(name, sizeof name, "open_8_warps_%d_stores%s_apart", stores, met[_i / 2]);
        double lives = recorded(gpus[_i % 2], name), after_meeting = _i / 2 ? stores : 0,
               near = after_meeting > 5 ? 0.03 : 0.1,
               model = first_to_last_of_8 * warp_launches_apart(RUNNING, 1, _i / 2, after_meeting) /
                       RUNNING;
        ck_assert_msg(fabs(model - lives) < near, "%g, not %g: %s", model, lives, name);
    }
}

TEST(who_meets_in_each_round_does_not_fall_further_apart)
{
    double once = warp_launches_apart(1000, 1, 0, 0);
    ck_assert_double_eq_tol(warp_launches_apart(1000, 16, 0, 0), once / 4, 1e-9);
    ck_assert_double_eq_tol(warp_launches_apart(1000, 16, 1, 0), once / 16, 1e-9);
}

// Of tiles that blocks copy, one each: their lives are 0.65 to 1.35 times as unlike as the walk has them of what they ask for.
// Tiles of 128 words or more and of 16 x 16, and blocks of 1024 threads, are left out, whose lives are more alike.
enum { TILES = 11 };
TEST(lives_are_as_unlike_as_gpus_measure, .times = 2 * TILES)
{
    static const struct {
        int width, height, threads;
    } tiles[TILES] = {{16, 64, 256}, {32, 32, 32},  {32, 32, 64},   {32, 32, 128},
                      {32, 32, 256}, {32, 64, 256}, {32, 128, 256}, {64, 32, 128},
                      {64, 32, 256}, {64, 64, 128}, {64, 64, 256}};
    const double LINE_WORDS = LINE_SIZE / 4.;
    int width = tiles[_i / 2].width, height = tiles[_i / 2].height,
        of_warp = width < LANES ? width : LANES;
    char name[64], running[80], unlike[80];
    snprintf(name, sizeof name, "lives_%dx%d_words_%d_threads%s", width, height,
             tiles[_i / 2].threads, _i % 2 ? "_met" : "");
    snprintf(running, sizeof running, "%s_running", name);
    snprintf(unlike, sizeof unlike, "%s_unlike", name);
    // What a warp has of a row that starts anywhere lies in so many lines, in the mean: each is loaded and stored.
    double lines = 1 + (of_warp - 1) / LINE_WORDS,
           walk = launches_apart(recorded("h200", running), 1, 1,
                                 2 * height * (width / of_warp) * lines),
           measured = recorded("h200", unlike);
    ck_assert_msg(measured > 0.65 * walk && measured < 1.35 * walk, "%s: %g, not %g", name, walk,
                  measured);
}

// As where blocks that copy what the L2 holds move as much of the most that they do; and only where what DRAM moves is not the
// limit.
TEST(sms_have_own_paces_where_something_is_busy, .times = 2)
{
    static const char *const gpus[] = {"h200", "h100"};
    double moved[4], most = 0;
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "pace_l2_%d_blocks", 1 << i);
        moved[i] = recorded(gpus[_i], name);
        most = fmax(most, moved[i]);
    }
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "pace_l2_%d_blocks_fast", 1 << i);
        int are_unlike = recorded(gpus[_i], name) < 0.85;
        if (i != 1) // which lies between
            ck_assert_int_eq(have_own_paces(moved[i] / most, 0, 0), are_unlike);
    }
    ck_assert(have_own_paces(0.8, 0.7, 0.95));
    ck_assert(!have_own_paces(0.8, 0.7, 0.8));
    ck_assert(!have_own_paces(0.93, 0.95, 0.95));
}

// Of a warp that stores five times before it meets others, then two times and, having met them again, three; and loads.
TEST(stores_count_from_one_meeting_to_the_next)
{
    const struct instruction barrier = {.op = OP_BARRIER}, load = {.is_load = 1}, store = {0};
    static const char does[] = "sssss b s l s b s s l s l";
    struct trace_item items[sizeof does] = {{0}};
    uint32_t count = 0;
    for (const char *what = does; *what; what++) {
        if (*what == ' ')
            continue;
        int meets = *what == 'b';
        items[count++] = (struct trace_item){.in = meets          ? &barrier
                                                   : *what == 's' ? &store
                                                                  : &load,
                                             .lines = !meets};
    }
    struct warp_trace warp = {.items = items, .count = count, .executed = count};
    struct block_trace block = {.warps = &warp};
    struct trace trace = {.block_count = 1, .warps = 1, .blocks = &block};
    struct launch launch = {.trace = &trace};
    ck_assert(stores_after_meeting(&launch) == 3);
    warp.count = 5; // which never met
    ck_assert(stores_after_meeting(&launch) == 0);
}

// A warp whose trace has four barriers, and that went on as long again, unseen.
TEST(barriers_are_counted_with_what_was_not_traced, .times = 2)
{
    enum { BARRIERS = 4, ITEMS = 2 * BARRIERS };
    const struct instruction barrier = {.op = OP_BARRIER}, other = {.op = OP_MOVE};
    struct trace_item items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = (struct trace_item){.in = i % 2 ? &barrier : &other};
    struct warp_trace warp = {
        .items = items, .count = ITEMS, .executed = _i == 0 ? ITEMS : 2 * ITEMS};
    struct block_trace block = {.warps = &warp};
    struct trace trace = {.block_count = 1, .warps = 1, .blocks = &block};
    struct launch launch = {.trace = &trace};
    int met = _i == 0 ? BARRIERS : 2 * BARRIERS;
    ck_assert(meets_in_each_round(&launch, met));
    ck_assert(!meets_in_each_round(&launch, met + 1));
}
