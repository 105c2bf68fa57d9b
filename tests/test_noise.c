// How well launches tell their median, and what a comparison makes of it: two runs of one program, of times drawn as GPUs
// and other machines draw them, differ in fewer than 5 of 100 trials; programs that differ do.
#include "facts/comparison.h"
#include "facts/median.h"
#include "suites.h"
#include "support.h"

#include <math.h>

enum { TRIALS = 1000, MOST_LAUNCHES = 100 };

static unsigned long long state;

// From 0 to 1, the same in every run of the test.
static double draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(state >> 11) + 0.5) / 9007199254740992.0;
}

// Times of one launch, of 1 in the median or about; `at` is the share of the run that is over.
static double steady(double at, double phase)
{
    (void)at, (void)phase;
    return 1 + 0.004 * (draw() - 0.5);
}

// Rare, and far: the host, or another user.
static double with_tail(double at, double phase)
{
    return steady(at, phase) * (draw() < 0.1 ? 1 - 0.3 * log(draw()) : 1);
}

// The clock falls over the run, from where it happens to be.
static double drifting(double at, double phase)
{
    return steady(at, phase) * (1 + 0.02 * phase + 0.01 * at);
}

// Two modes, as of pages that lie well or not: the median is now of one, now of the other.
static double bimodal(double at, double phase)
{
    return steady(at, phase) * (draw() < 0.5 ? 0.95 : 1.05);
}

// What spreads by a third.
static double wild(double at, double phase)
{
    (void)at, (void)phase;
    return pow(1.35, 2 * draw() - 1);
}

static double (*const noises[])(double at, double phase) = {steady, with_tail, drifting, bimodal,
                                                            wild};
enum { NOISES = sizeof noises / sizeof *noises };

static void time_step(struct step_result *step, double (*noise)(double, double), int launches,
                      double factor)
{
    float ms[MOST_LAUNCHES];
    double phase = draw();
    for (int i = 0; i < launches; i++)
        ms[i] = (float)(factor * noise((double)i / launches, phase));
    *step = (struct step_result){.number = 4, .n = 4096, .outcome = VERIFIED};
    step->timing = timing_of(ms, launches);
    step->values[TIME_MS] = value_of(step->timing.median_ms, MEASURED);
    step->values[BANDWIDTH_GBS] =
        value_of(bandwidth_gbs(step->n, step->timing.median_ms), MEASURED);
}

// How many of the trials call two runs of this noise the same, the second of `factor` times the time.
static int same_of(double (*noise)(double, double), int launches, double factor)
{
    int same = 0;
    for (int i = 0; i < TRIALS; i++) {
        struct step_result a, b;
        time_step(&a, noise, launches, 1);
        time_step(&b, noise, launches, factor);
        struct pair pair = {.a = &a, .b = &b};
        enum verdict verdict = pair_difference(&pair, TIME_MS).verdict;
        ck_assert_int_eq(verdict == SAME, pair_difference(&pair, BANDWIDTH_GBS).verdict == SAME);
        same += verdict == SAME;
    }
    return same;
}

SUITE(noise, .seconds = 60)

// As in the tables that statisticians print.
TEST(the_interval_lies_between_order_statistics)
{
    static const int ranks[][2] = {{6, 1}, {7, 1}, {9, 2}, {10, 2}, {30, 10}, {37, 13}, {100, 40}};
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++) {
        float ms[MOST_LAUNCHES];
        int count = ranks[i][0], rank = ranks[i][1];
        for (int j = 0; j < count; j++)
            ms[j] = (float)(count - j);
        struct timing timing = timing_of(ms, count);
        ck_assert(timing.low_ms == rank && timing.high_ms == count + 1 - rank);
        ck_assert(timing.median_ms == (count + 1) / 2.0);
        ck_assert(timing.min_ms == 1 && timing.max_ms == count && timing.launches == count);
    }
}

TEST(many_launches_have_an_interval_too)
{
    enum { MANY = 100000 };
    static float ms[MANY];
    for (int i = 0; i < MANY; i++)
        ms[i] = (float)(i + 1);
    struct timing timing = timing_of(ms, MANY);
    ck_assert(fabs(timing.low_ms - 49690) < 2 && fabs(timing.high_ms - 50311) < 2);
}

TEST(the_interval_holds_the_true_median, .times = 4)
{
    static const int launches[] = {6, 10, 37, 100};
    int held = 0;
    for (int i = 0; i < TRIALS; i++) {
        struct step_result step;
        time_step(&step, wild, launches[_i], 1);
        held += step.timing.low_ms <= 1 && step.timing.high_ms >= 1;
    }
    ck_assert_int_ge(held,
                     TRIALS * MEDIAN_CONFIDENCE / 100 - 20); // three deviations of 1000 trials
}

TEST(runs_of_one_program_are_the_same, .times = NOISES * 3)
{
    static const int launches[] = {MEDIAN_LAUNCHES, 20, 100};
    int same = same_of(noises[_i / 3], launches[_i % 3], 1);
    ck_assert_msg(same > TRIALS * 95 / 100, "noise %d, %d launches: %d of %d are the same", _i / 3,
                  launches[_i % 3], same, TRIALS);
}

TEST(another_program_is_found, .times = NOISES)
{
    static const double factors[NOISES] = {1.05, 1.05, 1.1, 1.15, 1.7};
    ck_assert_int_lt(same_of(noises[_i], 100, factors[_i]), TRIALS * 5 / 100);
}

TEST(too_few_launches_tell_nothing)
{
    struct step_result a, b;
    struct remarks remarks;
    for (int launches = 1; launches < MEDIAN_LAUNCHES; launches++) {
        time_step(&a, steady, launches, 1);
        time_step(&b, steady, 100, 2);
        struct pair pair = {.a = &a, .b = &b};
        ck_assert(!timing_has_interval(&a.timing) && timing_has_too_few(&a.timing));
        ck_assert_int_eq(pair_difference(&pair, TIME_MS).verdict, TOO_FEW);
        ck_assert_int_eq(pair_difference(&pair, BANDWIDTH_GBS).verdict, TOO_FEW);
        pair_remark(&pair, &remarks);
        ck_assert_int_eq(remarks.count, 1);
        ck_assert_ptr_nonnull(strstr(remarks.texts[0], "--reps 6"));
    }
}

// The simulated device's times are its model's: two runs never differ. With a GPU it is the same command.
TEST(the_script_counts_differences)
{
    assert_contains(type_well("RUN='./run --sim' tests/same_program.sh 2 -n 64 3 5").out,
                    "\n3            2           0     0.0%           0        0.0%\n",
                    "\nall          4           0     0.0%           0        0.0%\n");
    struct printed printed = type("RUN=true tests/same_program.sh 1");
    ck_assert_int_ne(printed.status, 0);
}
