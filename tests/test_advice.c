// Advice: which rule fires on which profile and which must not, that no gain beats its bound, and what is
// printed. The profiles are recorded runs of the steps and of transposes that are no step, the deck's
// panels, and variations made by hand of one of them.
#include "advice/advice.h"
#include "advice/advice_rules.h"
#include "files/run_read.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct run *open_run(const char *path)
{
    struct run *run = keep(run_read(path, path));
    return run;
}

static struct step_result *find(struct run *run, double number)
{
    const struct step_result *step = run_find(run, number);
    ck_assert_msg(step != NULL, "%s has no step %g", run->label, number);
    return (struct step_result *)step;
}

static struct advice list[MAX_ADVICE];

static int advise_on(const struct run *run, const struct step_result *step)
{
    struct findings findings = findings_of(run, step);
    return advise(&findings, list);
}

static const struct advice *fired(int count, const char *rule)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i].rule, rule) == 0)
            return &list[i];
    return NULL;
}

// The rules in `names`, with a blank between them, are none of those that fired; and exist.
static void assert_none_of(const char *what, int count, const char *names)
{
    char copy[400];
    snprintf(copy, sizeof copy, "%s", names);
    for (char *name = strtok(copy, " "); name; name = strtok(NULL, " ")) {
        int known = 0;
        for (int i = 0; i < advice_rule_count; i++)
            known |= strcmp(advice_rules[i].key, name) == 0;
        ck_assert_msg(known, "there is no rule %s", name);
        ck_assert_msg(!fired(count, name), "%s: %s fired", what, name);
    }
}

static void assert_advice(const char *what, int count, const char *first, const char *second,
                          const char *never)
{
    ck_assert_int_ge(count, 1);
    ck_assert_msg(strcmp(list[0].rule, first) == 0, "%s: %s is first, not %s", what, list[0].rule,
                  first);
    if (second)
        ck_assert_msg(count > 1 && strcmp(list[1].rule, second) == 0, "%s: %s is second, not %s",
                      what, count > 1 ? list[1].rule : "nothing", second);
    assert_none_of(what, count, never);
}

#define ACCESSES "uncoalesced_stores uncoalesced_loads "
#define ROOFS "deploy unexplained untimed no_counters "
#define BLOCKS "large_blocks small_blocks "
#define REST "spills divergence low_occupancy redundant_traffic "

static const struct profile_case {
    const char *file;
    double step;
    const char *first, *second, *never;
} recorded[] = {
    // The shipped steps: from each to the next.
    {"docs/runs/h200.json", 1, "serial", NULL, ACCESSES BLOCKS REST ROOFS "few_threads"},
    {"docs/runs/h200.json", 2, "few_threads", "uncoalesced_stores",
     "serial uncoalesced_loads bank_conflicts " BLOCKS REST ROOFS},
    {"docs/runs/h200.json", 3, "uncoalesced_stores", NULL,
     "few_threads uncoalesced_loads bank_conflicts " BLOCKS REST ROOFS},
    {"docs/runs/h200.json", 4, "bank_conflicts", "large_blocks",
     "few_threads small_blocks " ACCESSES REST ROOFS},
    {"docs/runs/h200.json", 5, "bytes_in_flight", NULL,
     "few_threads bank_conflicts " ACCESSES BLOCKS REST ROOFS},
    {"docs/runs/h200.json", 6, "unexplained", NULL, // that is: the order of the blocks
     "few_threads bank_conflicts bytes_in_flight misaligned_rows " ACCESSES BLOCKS REST},
    {"docs/runs/h200.json", 7, "deploy", NULL, "unexplained bytes_in_flight " ACCESSES BLOCKS REST},
    {"docs/runs/h200.json", 8, "deploy", NULL, "unexplained bytes_in_flight " ACCESSES BLOCKS REST},
    {"docs/runs/h200-10007.json", 4, "bank_conflicts", "large_blocks", ACCESSES REST ROOFS},
    {"docs/runs/h200-10007.json", 5, "misaligned_rows", NULL,
     "bytes_in_flight bank_conflicts " ACCESSES BLOCKS REST ROOFS},
    {"docs/runs/h200-10007.json", 7, "misaligned_rows", NULL,
     "bytes_in_flight bank_conflicts " ACCESSES BLOCKS REST ROOFS},
    {"docs/runs/h200-10007.json", 8, "unexplained", NULL, // 15.5 bytes a lane: edges mask some
     "misaligned_rows bytes_in_flight bank_conflicts deploy " ACCESSES BLOCKS REST},
    {"docs/runs/h200-16384.json", 2, "few_threads", "uncoalesced_stores", BLOCKS REST ROOFS},
    {"docs/runs/h200-16384.json", 5, "bytes_in_flight", NULL, ACCESSES BLOCKS REST ROOFS},
    // In the L2, the causes are the same, but DRAM and the roof say nothing.
    {"docs/runs/h200-1024.json", 2, "few_threads", NULL, "fits_in_l2 small_matrix " ROOFS},
    {"docs/runs/h200-1024.json", 4, "bank_conflicts", NULL, "few_threads fits_in_l2 " ROOFS},
    {"docs/runs/h200-1024.json", 5, "fits_in_l2", NULL, "bytes_in_flight few_threads " ROOFS},
    {"docs/runs/h200-1024.json", 8, "fits_in_l2", NULL, "bytes_in_flight few_threads " ROOFS},
    // Transposes that are no step.
    {"docs/runs/h200-variants-8192.json", 11, "uncoalesced_loads", NULL,
     "uncoalesced_stores bank_conflicts few_threads " BLOCKS REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 12, "uncoalesced_stores", NULL,
     "uncoalesced_loads bank_conflicts few_threads " BLOCKS REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 13, "few_threads", "uncoalesced_loads",
     "uncoalesced_stores serial bank_conflicts " BLOCKS REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 14, "bytes_in_flight", NULL,
     "bank_conflicts low_occupancy " ACCESSES BLOCKS ROOFS},
    {"docs/runs/h200-variants-8192.json", 15, "bytes_in_flight", NULL,
     "bank_conflicts " ACCESSES BLOCKS REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 16, "large_blocks", NULL,
     "bank_conflicts small_blocks " ACCESSES REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 17, "small_blocks", NULL,
     "bank_conflicts large_blocks bytes_in_flight " ACCESSES REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 18, "bytes_in_flight",
     NULL, // conflicts that cost nothing
     "bank_conflicts " ACCESSES BLOCKS REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 19, "bank_conflicts", NULL, ACCESSES BLOCKS REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 20, "large_blocks", NULL,
     "bank_conflicts small_blocks " ACCESSES REST ROOFS},
    {"docs/runs/h200-variants-8192.json", 21, "unexplained", NULL, // 16 bytes a lane already
     "bytes_in_flight small_blocks low_occupancy deploy bank_conflicts " ACCESSES},
    {"docs/runs/h200-variants-8192.json", 22, "bytes_in_flight", NULL, ACCESSES BLOCKS REST ROOFS},
    {"docs/runs/h200-variants-1024.json", 17, "small_blocks", NULL,
     "few_threads fits_in_l2 " ACCESSES},
    {"docs/runs/h200-variants-1024.json", 21, "fits_in_l2", NULL, "few_threads deploy"},
    {"docs/runs/h200-variants-16384.json", 13, "few_threads", "uncoalesced_loads", BLOCKS ROOFS},
    // The deck's panels: no counts, no copy, and a compute capability that nobody noted.
    {"docs/runs/gtc2012.json", 2, "few_threads", "uncoalesced_stores",
     "redundant_traffic uncoalesced_loads bank_conflicts " BLOCKS ROOFS},
    {"docs/runs/gtc2012.json", 3, "uncoalesced_stores", "redundant_traffic",
     "few_threads uncoalesced_loads bank_conflicts " BLOCKS ROOFS},
    {"docs/runs/gtc2012.json", 4, "redundant_traffic", "bank_conflicts", // DRAM moves 2.2 times its
     "few_threads " ACCESSES BLOCKS ROOFS},                              // bytes, then 2.5 times,
    {"docs/runs/gtc2012.json", 4.5, "redundant_traffic", NULL,           // and in the end 1.1 times
     "few_threads bank_conflicts " ACCESSES BLOCKS ROOFS},
    {"docs/runs/gtc2012.json", 5, "deploy", NULL, "few_threads bank_conflicts " ACCESSES BLOCKS},
    // Predictions, whose limits the timing model gives.
    {"tests/recorded/predicted.json", 1, "serial", NULL, ACCESSES "few_threads"},
    {"tests/recorded/predicted.json", 2, "few_threads", "uncoalesced_stores", BLOCKS ROOFS},
    {"tests/recorded/predicted.json", 3, "uncoalesced_stores", NULL, "few_threads l2 " ROOFS},
    {"tests/recorded/predicted.json", 5, "dram_order", NULL, "bytes_in_flight " ACCESSES ROOFS},
    {"tests/recorded/predicted.json", 9, "small_blocks", NULL, "bytes_in_flight dram_order"},
};

SUITE(advice)

TEST(recorded_profiles, .times = sizeof recorded / sizeof *recorded)
{
    const struct profile_case *c = &recorded[_i];
    char what[80];
    struct run *run = open_run(c->file);
    snprintf(what, sizeof what, "step %g of %s", c->step, c->file);
    int count = advise_on(run, find(run, c->step));
    assert_advice(what, count, c->first, c->second, c->never);
}

// ---- By hand: the H200's step 5 with something else about it ---------------------------------------

static struct run *made;
static struct step_result *step5;

static void make_step5(void)
{
    made = open_run("docs/runs/h200.json");
    step5 = find(made, 5);
}

static void set_metric(enum metric metric, double number)
{
    step5->values[metric] = value_of(number, MEASURED);
}

static void forget(enum metric first, enum metric end)
{
    for (enum metric i = first; i < end; i++)
        step5->values[i] = value_unavailable("this user may not read the counters");
}

static void take_time(double ms)
{
    step5->values[TIME_MS].number = ms;
    step5->values[BANDWIDTH_GBS].number = bandwidth_gbs(step5->n, ms);
}

static void slow_down(double times)
{
    take_time(step5->values[TIME_MS].number * times);
}

CASE(by_hand, .set_up = make_step5)

TEST(spills)
{
    slow_down(2);
    set_metric(LOCAL_MEMORY_OVERHEAD, 40);
    assert_advice("spills", advise_on(made, step5), "spills", NULL,
                  ACCESSES BLOCKS ROOFS "bytes_in_flight bank_conflicts divergence");
    ck_assert_double_eq_tol(list[0].saves, 0.4, 1e-9);
    ck_assert_int_eq(list[0].bound_by, BY_COPY); // sectors are not time: it may be all that costs
    set_metric(LOCAL_MEMORY_OVERHEAD, 2);
    assert_none_of("few spills", advise_on(made, step5), "spills");
}

TEST(divergent_branches)
{
    slow_down(2);
    set_metric(BRANCH_DIVERGENCE_OVERHEAD, 60);
    assert_advice("divergence", advise_on(made, step5), "divergence", NULL,
                  ACCESSES BLOCKS ROOFS "spills bytes_in_flight");
    set_metric(BRANCH_DIVERGENCE_OVERHEAD, 5);
    assert_none_of("few of them", advise_on(made, step5), "divergence");
}

static void occupy(double registers, double shared, double theoretical)
{
    step5->values[REGISTERS].number = registers;
    step5->values[SHARED_BYTES].number = shared;
    step5->occupancy_limit =
        occupancy_of(&made->device.sm, 256, (unsigned)registers, (size_t)shared).limit;
    set_metric(THEORETICAL_OCCUPANCY, theoretical);
    set_metric(ACHIEVED_OCCUPANCY, theoretical * 0.95);
}

TEST(low_occupancy)
{
    occupy(255, 4224, 12.5);
    slow_down(3);
    assert_advice("registers", advise_on(made, step5), "low_occupancy", NULL,
                  ACCESSES BLOCKS ROOFS "few_threads bytes_in_flight spills");
    assert_contains(list[0].because, "registers let an SM hold 12.5%");
    occupy(30, 100 << 10, 25);
    assert_advice("shared memory", advise_on(made, step5), "low_occupancy", NULL, ROOFS);
    assert_contains(list[0].because, "shared memory let");
    occupy(64, 4224, 50); // half of the warps are enough to hide the latency
    assert_none_of("half", advise_on(made, step5), "low_occupancy");
}

// Few warps are no fault where they are enough.
TEST(low_occupancy_that_does_not_limit)
{
    occupy(255, 4224, 12.5);
    slow_down(0.93);
    assert_advice("few warps, but fast", advise_on(made, step5), "bytes_in_flight", NULL,
                  "low_occupancy " ACCESSES BLOCKS ROOFS);
}

TEST(near_the_roof)
{
    double roof = 2 * 4 * 8192.0 * 8192.0 / made->copy_gbs.number * 1e-6;
    take_time(roof / 0.96);
    int count = advise_on(made, step5);
    assert_advice("96%", count, "deploy", NULL, "bytes_in_flight");
    ck_assert_int_eq(count, 1);
    take_time(roof / 0.94);
    assert_advice("94%", advise_on(made, step5), "bytes_in_flight", NULL, "deploy");
    ck_assert_double_eq_tol(list[0].gain, 1 / 0.94, 1e-9);
    ck_assert_int_eq(list[0].bound_by, BY_COPY);
    take_time(roof * 0.9); // faster than the copy
    assert_advice("above", advise_on(made, step5), "deploy", NULL, "bytes_in_flight");
    ck_assert(list[0].gain == 0);
}

// What can be said without counters is said, and no more.
TEST(unavailable_counters)
{
    forget(FIRST_METRIC, METRICS);
    assert_advice("step 5", advise_on(made, step5), "no_counters", NULL,
                  "bytes_in_flight " ACCESSES BLOCKS REST);
    ck_assert_int_eq(advise_on(made, step5), 1);
    memcpy(step5->block, (unsigned[]){32, 32, 1}, sizeof step5->block); // which is no counter
    slow_down(3);
    assert_advice("large", advise_on(made, step5), "large_blocks", NULL,
                  "bank_conflicts no_counters");
    memcpy(step5->grid, (unsigned[]){8, 1, 1}, sizeof step5->grid);
    assert_advice("few", advise_on(made, step5), "few_threads", "large_blocks",
                  ACCESSES "no_counters");
}

TEST(no_time)
{
    forget(TIME_MS, BANDWIDTH_GBS + 1);
    assert_advice("step 5", advise_on(made, step5), "untimed", NULL,
                  "deploy bytes_in_flight unexplained " ACCESSES BLOCKS REST);
    ck_assert(!value_known(&list[0].bound_ms) && list[0].gain == 0);
    set_metric(GST_EFFICIENCY, 12.5);
    step5->values[GLOBAL_STORE_SECTORS].number *= 8;
    assert_advice("stores", advise_on(made, step5), "uncoalesced_stores", NULL, "untimed deploy");
    ck_assert(!value_known(&list[0].bound_ms));
    forget(FIRST_METRIC, METRICS);
    assert_advice("nothing", advise_on(made, step5), "no_counters", NULL,
                  ACCESSES BLOCKS REST "deploy");
    ck_assert(!value_known(&list[0].bound_ms));
}

// Atomics are neither loads nor stores: an efficiency that is not there is not low, nor uncounted.
TEST(no_loads_and_no_stores)
{
    forget(GLD_EFFICIENCY, GST_TRANSACTIONS_PER_REQUEST + 1);
    assert_none_of("none", advise_on(made, step5), ACCESSES "no_counters");
    slow_down(2);
    step5->limits = (struct limits){LIMITER_L2, {20, 10, 20, 90, 40, 10}, 100};
    assert_advice("none", advise_on(made, step5), "l2", NULL, ACCESSES "no_counters");
}

// Two launches of half a matrix each: a thread has half the elements that one launch would leave it.
TEST(several_launches)
{
    step5->grid[1] /= 2;
    step5->launches = 2;
    assert_advice("two", advise_on(made, step5), "bytes_in_flight", NULL, "few_threads");
    assert_contains(list[0].because, "a thread has 4 elements");
}

// A lone lane's sector is mostly of no use, but no order of the accesses would save one.
TEST(lone_lanes_are_not_scattered)
{
    static const enum metric alone[] = {GLOBAL_STORE_REQUESTS, GLOBAL_STORE_SECTORS};
    for (int i = 0; i < 2; i++)
        step5->values[alone[i]].number = 8192.0 * 8192;
    step5->values[GLOBAL_TAGS].number = 2097152 + 8192.0 * 8192;
    set_metric(GST_EFFICIENCY, 12.5);
    assert_none_of("lone lanes", advise_on(made, step5), ACCESSES);
    step5->values[GLOBAL_STORE_REQUESTS].number /= 32;
    assert_advice("warps", advise_on(made, step5), "uncoalesced_stores", NULL, "uncoalesced_loads");
}

TEST(redundant_traffic)
{
    slow_down(2);
    step5->values[DRAM_READ_BYTES].number *= 3;
    assert_advice("twice", advise_on(made, step5), "redundant_traffic", NULL,
                  ACCESSES BLOCKS ROOFS "bytes_in_flight");
    ck_assert_double_eq_tol(list[0].evidence[0].number, 2, 0.01);
    ck_assert_double_eq_tol(list[0].saves, 0.5, 0.01);
    set_metric(DRAM_UTILIZATION, 10); // DRAM has nothing to do: it cannot be what limits
    assert_none_of("idle", advise_on(made, step5), "redundant_traffic");
    set_metric(DRAM_UTILIZATION, 73);
    forget(DRAM_READ_BYTES, DRAM_WRITE_BYTES);
    set_metric(DRAM_THROUGHPUT_GBS, 1761); // the same bytes in twice the time
    assert_none_of("by its throughput", advise_on(made, step5), "redundant_traffic");
    set_metric(DRAM_THROUGHPUT_GBS, 3522);
    assert_advice("twice", advise_on(made, step5), "redundant_traffic", NULL, "bytes_in_flight");
}

// DRAM's peak is no roof for what lies in the L2: there is none without the copy.
TEST(no_copy)
{
    made->copy_gbs = value_unavailable("not timed");
    slow_down(2);
    assert_advice("in DRAM", advise_on(made, step5), "bytes_in_flight", NULL, "untimed deploy");
    ck_assert_int_eq(list[0].bound_by, BY_PEAK);
    double peak_gbs = 100 * 3522.02 / 73.158;
    ck_assert_double_eq_tol(list[0].bound_ms.number, 8 * 8192.0 * 8192 / peak_gbs * 1e-6, 1e-5);
    made->device.l2_bytes = 1e9;
    assert_advice("in the L2", advise_on(made, step5), "fits_in_l2", NULL,
                  "bytes_in_flight deploy");
    ck_assert(!value_known(&list[0].bound_ms));
}

TEST(a_small_matrix)
{
    step5->n = 100;
    int count = advise_on(made, step5);
    assert_advice("n = 100", count, "small_matrix", NULL, ROOFS);
    ck_assert_int_eq(count, 1);
}

static void set_limits(enum limiter limiter, double issue, double shared, double global, double l2,
                       double dram, double launch)
{
    step5->limits = (struct limits){limiter, {issue, shared, global, l2, dram, launch}, 100};
}

// The same counts, but the timing model names another limiter each time.
TEST(what_the_model_says_counts)
{
    slow_down(2);
    set_limits(LIMITER_LATENCY, 20, 10, 20, 20, 40, 10);
    assert_advice("latency", advise_on(made, step5), "bytes_in_flight", NULL, "dram_order l2");
    set_limits(LIMITER_DRAM, 20, 10, 20, 20, 95, 10);
    assert_advice("DRAM", advise_on(made, step5), "dram_order", NULL, "bytes_in_flight l2");
    set_limits(LIMITER_LAUNCH, 20, 10, 20, 20, 40, 95);
    assert_advice("launch", advise_on(made, step5), "small_blocks", NULL, "bytes_in_flight");
    set_limits(LIMITER_L2, 20, 10, 20, 90, 40, 10);
    assert_advice("L2", advise_on(made, step5), "l2", NULL, "instructions bytes_in_flight");
    set_limits(LIMITER_ISSUE, 80, 10, 20, 20, 40, 10);
    assert_advice("issue", advise_on(made, step5), "instructions", NULL, "l2 bytes_in_flight");
    set_limits(LIMITER_GLOBAL, 30, 10, 80, 20, 40, 10);
    assert_advice("global", advise_on(made, step5), "instructions", NULL, "split_requests");
    set_limits(LIMITER_ARITHMETIC, 60, 10, 20, 20, 40, 10);
    step5->limits.busy[RESOURCE_ARITHMETIC] = 90;
    assert_advice("arithmetic", advise_on(made, step5), "arithmetic", NULL, "instructions atomics");
    set_limits(LIMITER_ATOMICS, 10, 10, 20, 20, 40, 10);
    step5->limits.busy[RESOURCE_ATOMICS] = 100;
    assert_advice("atomics", advise_on(made, step5), "atomics", NULL, "arithmetic bytes_in_flight");
    step5->values[GLOBAL_TAGS].number *= 4;
    set_limits(LIMITER_UNCOALESCED, 30, 10, 80, 20, 40, 10);
    assert_advice("lines", advise_on(made, step5), "split_requests", NULL, ACCESSES "instructions");
    step5->limits.limiter = LIMITER_LATENCY;
    assert_none_of("lines that do not matter", advise_on(made, step5), "split_requests");
}

// Two parts are as busy: relieving one of them brings nothing, nor do more bytes in flight.
TEST(two_limits_at_once)
{
    slow_down(2);
    set_limits(LIMITER_L2, 98, 10, 20, 99, 40, 10);
    assert_advice("L2 and issue", advise_on(made, step5), "unexplained", NULL,
                  "l2 instructions bytes_in_flight");
}

// What is busy bounds the gain, and orders the rules: conflicts in a unit that is idle save little, and where issue
// slots are short divergence may take all of them.
TEST(the_model_bounds_the_gain)
{
    slow_down(3);
    set_metric(SHARED_REPLAY_OVERHEAD, 40);
    step5->values[SHARED_WAVEFRONTS].number *= 16;
    set_metric(BRANCH_DIVERGENCE_OVERHEAD, 50);
    set_limits(LIMITER_ISSUE, 70, 12, 10, 20, 30, 5);
    assert_advice("both", advise_on(made, step5), "divergence", "instructions", "bytes_in_flight");
    double time = step5->values[TIME_MS].number;
    const struct advice *conflicts = fired(advise_on(made, step5), "bank_conflicts");
    ck_assert_ptr_nonnull(conflicts);
    ck_assert_double_eq_tol(conflicts->bound_ms.number, 0.7 * time, 1e-9);
    ck_assert_int_eq(conflicts->bound_by, BY_MODEL);
    ck_assert_int_eq(conflicts->bound_ms.provenance, MODELLED);
    ck_assert_double_eq_tol(conflicts->saves, 0.12 * 15 / 16, 1e-9);
}

// DRAM has far too much to do, but the load/store unit would be as long about it.
TEST(a_rule_saves_no_more_than_its_bound)
{
    slow_down(4);
    set_metric(GST_EFFICIENCY, 12.5);
    step5->values[GLOBAL_STORE_SECTORS].number *= 8;
    step5->values[GLOBAL_TAGS].number *= 16;
    step5->values[DRAM_WRITE_BYTES].number *= 15;
    set_metric(DRAM_UTILIZATION, 98);
    set_limits(LIMITER_DRAM, 10, 0, 93, 60, 98, 5);
    assert_advice("both", advise_on(made, step5), "uncoalesced_stores", NULL, "dram_order");
    ck_assert(list[0].gain > 3);
    const struct advice *traffic = fired(advise_on(made, step5), "redundant_traffic");
    ck_assert_ptr_nonnull(traffic);
    ck_assert_double_eq_tol(traffic->gain, 1 / 0.93, 1e-9);
    ck_assert_double_eq_tol(traffic->saves, 0.07, 1e-9);
}

// ---- Bounds ----------------------------------------------------------------------------------------

// Times repeat within 3 % (docs/verbs.md), and at n = 1024, of 5 us, the clock's steps are 0.6 % of that.
static const double rounding = 1.03;

static double gbs_of(const struct step_result *step)
{
    return step->values[BANDWIDTH_GBS].number;
}

static void assert_within_bound(const struct run *run, const struct step_result *from,
                                const struct step_result *to, const char *rule)
{
    int count = advise_on(run, from);
    const struct advice *advice = rule ? fired(count, rule) : &list[0];
    ck_assert_msg(advice != NULL, "%s: %s does not fire on step %g", run->label, rule,
                  from->number);
    double came = gbs_of(to) / gbs_of(from);
    ck_assert_msg(advice->gain > 0, "%s: step %g promises nothing: %s", run->label, from->number,
                  advice->rule);
    ck_assert_msg(came <= rounding * advice->gain,
                  "%s: step %g promised %.3f times (%s), step %g brought %.3f", run->label,
                  from->number, advice->gain, advice->rule, to->number, came);
}

CASE(promises)

TEST(no_step_beats_what_was_promised, .times = 7)
{
    static const char *const runs[] = {"docs/runs/h200.json",       "docs/runs/h200-1024.json",
                                       "docs/runs/h200-4096.json",  "docs/runs/h200-8192.json",
                                       "docs/runs/h200-16384.json", "docs/runs/h200-10007.json",
                                       "docs/runs/gtc2012.json"};
    struct run *run = open_run(runs[_i]);
    for (int i = 0; i + 1 < run->count; i++) {
        advise_on(run, &run->steps[i]);
        if (strcmp(list[0].rule, "deploy") && strcmp(list[0].rule, "fits_in_l2")) // no promise
            assert_within_bound(run, &run->steps[i], &run->steps[i + 1], NULL);
    }
}

static double promised_by(const char *file, double step, const char *rule)
{
    struct run *run = open_run(file);
    const struct advice *advice = fired(advise_on(run, find(run, step)), rule);
    ck_assert_ptr_nonnull(advice);
    return advice->gain;
}

// By hand, from the counts: 8192 threads of 132 x 2048, n columns, 33 lines where 2 would do, and one block
// of 1024 on 14 SMs that hold 2048 at most.
TEST(what_is_promised)
{
    static const char h200[] = "docs/runs/h200.json";
    struct run *run = open_run(h200);
    double roof_ms = 2 * 4e-6 * 8192 * 8192 / run->copy_gbs.number;
    double step3_ms = find(run, 3)->values[TIME_MS].number;
    double step4_ms = find(run, 4)->values[TIME_MS].number;
    ck_assert_double_eq_tol(promised_by(h200, 1, "serial"), 1024, 1e-6);
    ck_assert_double_eq_tol(promised_by(h200, 2, "few_threads"), 33, 1e-6);
    ck_assert_double_eq_tol(promised_by(h200, 2, "uncoalesced_stores"), 16.5, 1e-6);
    ck_assert_double_eq_tol(promised_by(h200, 3, "uncoalesced_stores"), step3_ms / roof_ms, 1e-6);
    ck_assert_double_eq_tol(promised_by(h200, 4, "bank_conflicts"), step4_ms / roof_ms, 1e-6);
    ck_assert_double_eq_tol(promised_by("docs/runs/gtc2012.json", 2, "few_threads"), 28, 1e-6);
}

// Pairs of transposes that differ in what one rule is about.
TEST(no_variant_beats_what_was_promised, .times = 4)
{
    static const struct {
        double from, to;
        const char *rule;
    } pairs[] = {{3, 12, "uncoalesced_stores"}, {4, 20, "bank_conflicts"},
                 {19, 5, "bank_conflicts"},     {4, 19, "large_blocks"},
                 {20, 5, "large_blocks"},       {17, 5, "small_blocks"},
                 {12, 4, "uncoalesced_stores"}, {11, 5, "uncoalesced_loads"},
                 {13, 3, "few_threads"},        {13, 11, "few_threads"}};
    static const int sizes[] = {1024, 4096, 8192, 16384};
    char name[60];
    snprintf(name, sizeof name, "docs/runs/h200-%d.json", sizes[_i]);
    struct run *steps = open_run(name);
    snprintf(name, sizeof name, "docs/runs/h200-variants-%d.json", sizes[_i]);
    struct run *variants = open_run(name);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_within_bound(pairs[i].from > 10 ? variants : steps,
                            find(pairs[i].from > 10 ? variants : steps, pairs[i].from),
                            find(pairs[i].to > 10 ? variants : steps, pairs[i].to), pairs[i].rule);
}

CASE(at_length, .seconds = 120)

// As typed, on the simulated device: each step's advice is the next one, within what was promised.
TEST(the_simulated_steps_follow_their_advice)
{
    static const char *const rules[] = {"few_threads", "uncoalesced_stores", "bank_conflicts"};
    struct printed printed =
        type_well("APODKIT_SIM_CHECKS=0 build/sim/run --sim -n 1024 2 3 4 5 --json -");
    struct run *run = keep(run_of_text(printed.out, "simulated"));
    for (int i = 0; i < 3; i++) {
        assert_within_bound(run, &run->steps[i], &run->steps[i + 1], NULL);
        ck_assert_str_eq(list[0].rule, rules[i]);
        ck_assert_int_eq(list[0].bound_ms.provenance, MODELLED);
    }
}

// ---- Any numbers -----------------------------------------------------------------------------------

static unsigned long long state = 88172645463325252ULL;

// Marsaglia's xorshift.
static double chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}

static struct value any(double most)
{
    double kind = chance();
    return kind < 0.2 ? value_unavailable("not here")
                      : value_of(kind < 0.4 ? 0 : floor(most * chance()), MEASURED);
}

static void make_any(struct run *run, struct step_result *step)
{
    static const double of_percent = 101;
    *step = (struct step_result){.number = 5, .n = 1 + (size_t)(chance() * 20000)};
    for (int i = 0; i < METRICS; i++)
        step->values[i] = any(i >= FIRST_METRIC && i < FIRST_COUNT ? of_percent : 1e9 * chance());
    step->values[REGISTERS] = any(256);
    step->values[SHARED_BYTES] = any(48 << 10);
    for (int i = 0; i < 3; i++) {
        step->grid[i] = chance() < 0.05 ? 0 : 1 + (unsigned)(chance() * chance() * 9000);
        step->block[i] = 1 + (unsigned)(chance() * (i == 2 ? 1 : 32));
    }
    if (chance() < 0.5) {
        for (int i = 0; i < RESOURCES; i++)
            step->limits.busy[i] = 100 * chance();
        step->limits.busy_sms = 100 * chance();
        step->limits.limiter = find_limiter(&step->limits, chance(), chance());
    }
    run->copy_gbs =
        chance() < 0.3 ? value_unavailable("not here") : value_of(4000 * chance(), MEASURED);
    run->device.sms = chance() < 0.1 ? 0 : 132;
    run->device.l2_bytes = chance() < 0.3 ? 0 : 60 << 20;
}

static void assert_sane(const struct advice *advice)
{
    ASSERT_QUICK_MSG(*advice->because && !strstr(advice->because, "nan") &&
                         !strstr(advice->because, "inf ") && !strstr(advice->because, " -"),
                     "%s: %s", advice->rule, advice->because);
    ASSERT_QUICK(advice->evidence_count <= MAX_EVIDENCE);
    for (int i = 0; i < advice->evidence_count; i++)
        ASSERT_QUICK_MSG(isfinite(advice->evidence[i].number), "%s", advice->evidence[i].key);
    ASSERT_QUICK(isfinite(advice->saves) && advice->saves >= 0 && advice->saves <= 1);
    ASSERT_QUICK(isfinite(advice->gain) && (advice->gain == 0 || advice->gain > 1));
    if (value_known(&advice->bound_ms))
        ASSERT_QUICK(isfinite(advice->bound_ms.number) && advice->bound_ms.number >= 0);
    else
        ASSERT_QUICK(advice->gain == 0 && *advice->bound_ms.why);
}

TEST(any_numbers_give_sane_advice)
{
    struct run run = {.device = {.cc_major = 9}};
    struct step_result step;
    for (int i = 0; i < 20000; i++) {
        make_any(&run, &step);
        int count = advise_on(&run, &step);
        ASSERT_QUICK(count >= 1 && count <= MAX_ADVICE);
        for (int k = 0; k < count; k++) {
            assert_sane(&list[k]);
            int after_parallel = strcmp(list[0].rule, "few_threads") == 0;
            ASSERT_QUICK(k <= after_parallel || list[k].saves <= list[k - 1].saves);
        }
    }
}

// ---- What is printed -------------------------------------------------------------------------------

CASE(texts)

TEST(every_rule_is_complete)
{
    for (int i = 0; i < advice_rule_count; i++) {
        const char *next = advice_rules[i].next;
        ck_assert_msg(next[strlen(next) - 1] == '.', "%s", next);
        for (const char *c = next; *c; c++)
            ck_assert(*c >= ' ' && *c <= '~');
        ck_assert(!advice_rules[i].section || advice_rules[i].section[0] == '#');
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(advice_rules[i].key, advice_rules[k].key);
    }
}

// A heading as GitHub makes an anchor of it: lower case, blanks to hyphens, other punctuation dropped.
static void anchor_of(char *anchor, size_t size, const char *heading, size_t length)
{
    size_t used = 0;
    anchor[used++] = '#';
    for (size_t i = 0; i < length && used + 1 < size; i++) {
        char c = heading[i];
        if (isalnum((unsigned char)c) || c == '-' || c == '_')
            anchor[used++] = (char)tolower((unsigned char)c);
        else if (c == ' ')
            anchor[used++] = '-';
    }
    anchor[used] = '\0';
}

static bool has_heading(const char *text, const char *section)
{
    bool in_code = false; // where a line that starts with # is no heading
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char anchor[120];
        const char *title = line + strspn(line, "#");
        in_code ^= strncmp(line, "```", 3) == 0;
        if (in_code || title == line || *title != ' ')
            continue;
        anchor_of(anchor, sizeof anchor, title + 1, strcspn(title + 1, "\n"));
        if (strcmp(anchor, section) == 0)
            return true;
    }
    return false;
}

TEST(headings_are_found)
{
    static const char text[] = "# Step 1: one serial thread\n```\n# Deploy\n```\n"
                               "### Little's law\n#Occupancy\nThe roof";
    ck_assert(has_heading(text, "#step-1-one-serial-thread") && has_heading(text, "#littles-law"));
    ck_assert(!has_heading(text, "#deploy") && !has_heading(text, "#occupancy"));
    ck_assert(!has_heading(text, "#the-roof") && !has_heading(text, "#step-1"));
}

TEST(every_section_is_in_the_walkthrough)
{
    char *text = read_file("walkthrough.md");
    for (int i = 0; i < advice_rule_count; i++)
        ck_assert_msg(!advice_rules[i].section || has_heading(text, advice_rules[i].section),
                      "%s: walkthrough.md has no heading for %s", advice_rules[i].key,
                      advice_rules[i].section);
}

static char *print_advice(const struct run *run, double number)
{
    struct findings findings = findings_of(run, find((struct run *)run, number));
    struct report report = {.file = text_begin()};
    report_advice(&report, &findings);
    return text_end(report.file);
}

CASE(printed, .set_up = make_step5)

TEST(as_it_is_printed)
{
    char *text = print_advice(made, 4);
    ck_assert_str_eq(text, "  Limit: bank conflicts: an access to shared memory takes 16.5 "
                           "wavefronts where its bytes fill 1.\n"
                           "  Next:  Let the lanes of a request meet in 32 different banks: pad "
                           "the tile's rows by one element,\n"
                           "         or swizzle them where accesses are of 16 bytes. At best 128.5 "
                           "us, 4.07x as fast (the\n"
                           "         device's own copy).\n"
                           "  Read:  walkthrough.md#bank-conflicts\n"
                           "  Also:  large blocks at barriers: 1024 threads wait for each other at "
                           "a barrier, with 1 element\n"
                           "         each to load; an SM holds 2 such blocks at most. Take blocks "
                           "of 256 threads or fewer, with\n"
                           "         several elements a thread that are all loaded before the "
                           "barrier. At best 128.5 us, 4.07x\n"
                           "         as fast (the device's own copy).\n"
                           "         walkthrough.md#barriers-and-block-size\n");
    text = print_advice(made, 5);
    assert_contains(text, "128.5 us, 1.18x as fast (the device's own copy).");
}

CASE(pages)

TEST(advice_fits_the_page)
{
    for (size_t i = 0; i < sizeof recorded / sizeof *recorded; i++) {
        struct run *run = open_run(recorded[i].file);
        char *text = print_advice(run, recorded[i].step);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            ck_assert_msg(strcspn(line, "\n") <= 100, "%s", line);
    }
}
