// The formulas against counts and metrics that an NVIDIA H200 gave (CUPTI 13.0, nvcc 13.0, sm_90).
#include "facts/run.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>

static const struct value no_time = {.provenance = UNAVAILABLE, .why = "not timed"};

// The values of a step that was not timed.
struct counted {
    struct value values[METRICS];
};

static struct counted all_known(double number)
{
    struct counted profile = {{no_time}};
    for (int i = FIRST_COUNT; i < METRICS; i++)
        profile.values[i] = value_of(number, MEASURED);
    return profile;
}

static void assert_near(double found, double expected)
{
    ck_assert_msg(fabs(found - expected) < 5e-7 * fmax(1, fabs(expected)), "%.9g is not %.9g",
                  found, expected);
}

// One kernel: its counts and what the hardware's own metrics made of them.
struct row {
    const char *name;
    double ld_sectors, ld_bytes, st_sectors, st_bytes, ld_percent, st_percent;
};

static const struct row rows[] = {
    {"stride 3", 3072, 32768, 1024, 32768, 33.33333333, 100},
    {"store stride 7", 1024, 32768, 7168, 32768, 100, 14.28571429},
    {"offset 1", 1280, 32768, 1024, 32768, 80, 100},
    {"broadcast", 256, 1024, 1024, 32768, 12.5, 100},
    {"float4 off by one", 4352, 131072, 4096, 131072, 94.11764706, 100},
    {"padded tile, n = 1023", 159457, 4186116, 159457, 4186116, 82.03849627, 82.03849627},
    {"tile of 16, n = 1001", 180376, 4008004, 180376, 4008004, 69.43835377, 69.43835377},
};

SUITE(profile)

TEST(efficiencies_are_the_hardwares, .times = sizeof rows / sizeof *rows)
{
    const struct row *row = &rows[_i];
    struct counted profile = all_known(1);
    profile.values[GLOBAL_LOAD_SECTORS] = value_of(row->ld_sectors, MEASURED);
    profile.values[GLOBAL_LOAD_DATA_BYTES] = value_of(row->ld_bytes, MEASURED);
    profile.values[GLOBAL_STORE_SECTORS] = value_of(row->st_sectors, MEASURED);
    profile.values[GLOBAL_STORE_DATA_BYTES] = value_of(row->st_bytes, MEASURED);
    metrics_derive(profile.values, 0);
    assert_near(profile.values[GLD_EFFICIENCY].number, row->ld_percent);
    assert_near(profile.values[GST_EFFICIENCY].number, row->st_percent);
}

static struct counted per_column_1024(void)
{
    struct counted profile = all_known(0);
    struct value *values = profile.values;
    values[INST_EXECUTED].number = 150944;
    values[GLOBAL_LOAD_REQUESTS].number = values[GLOBAL_STORE_REQUESTS].number = 32768;
    values[GLOBAL_LOAD_SECTORS].number = 131072;
    values[GLOBAL_STORE_SECTORS].number = 1048576;
    values[GLOBAL_LOAD_DATA_BYTES].number = values[GLOBAL_STORE_DATA_BYTES].number = 4194304;
    values[GLOBAL_TAGS].number = 32768 + 1048576;
    return profile;
}

// One thread per column at n = 1024: 87.1 %; the 2012 deck's Kepler showed 87.9 %.
TEST(global_replay_of_one_thread_per_column)
{
    struct counted profile = per_column_1024();
    metrics_derive(profile.values, 0);
    assert_near(profile.values[GLOBAL_REPLAY_OVERHEAD].number, 100 * 1015808 / (150944 + 1015808.));
    assert_near(profile.values[SHARED_REPLAY_OVERHEAD].number, 0);
    assert_near(profile.values[TOTAL_REPLAY_OVERHEAD].number,
                profile.values[GLOBAL_REPLAY_OVERHEAD].number);
    assert_near(profile.values[GLD_TRANSACTIONS_PER_REQUEST].number, 4);
    assert_near(profile.values[GST_TRANSACTIONS_PER_REQUEST].number, 32);
}

TEST(shared_replay_of_the_plain_tile)
{
    struct counted profile = all_known(0);
    profile.values[INST_EXECUTED].number = 22020096;
    profile.values[SHARED_REQUESTS].number = 1048576;
    profile.values[SHARED_WAVEFRONTS].number = 17301504;
    profile.values[SHARED_DATA_BYTES].number = 2. * 4096 * 4096 * 4;
    metrics_derive(profile.values, 0);
    double extra = 17301504 - 1048576;
    assert_near(profile.values[SHARED_REPLAY_OVERHEAD].number, 100 * extra / (22020096 + extra));
    assert_near(profile.values[TOTAL_REPLAY_OVERHEAD].number,
                profile.values[SHARED_REPLAY_OVERHEAD].number);
}

// Wide accesses need several passes for their bytes: these are no replays.
TEST(vector_accesses_are_no_replays)
{
    struct counted profile = all_known(0);
    profile.values[INST_EXECUTED].number = 3840;
    profile.values[GLOBAL_LOAD_REQUESTS].number = profile.values[GLOBAL_STORE_REQUESTS].number =
        256;
    profile.values[GLOBAL_LOAD_DATA_BYTES].number = 131072;
    profile.values[GLOBAL_STORE_DATA_BYTES].number = 131072;
    profile.values[GLOBAL_TAGS].number = 2048;
    profile.values[SHARED_REQUESTS].number = 128;
    profile.values[SHARED_WAVEFRONTS].number = 512;
    profile.values[SHARED_DATA_BYTES].number = 65536;
    metrics_derive(profile.values, 0);
    assert_near(profile.values[TOTAL_REPLAY_OVERHEAD].number, 0);
}

TEST(dram_throughput_and_utilization)
{
    struct counted profile = all_known(0);
    profile.values[DRAM_READ_BYTES].number = 3e9;
    profile.values[DRAM_WRITE_BYTES].number = 1e9;
    profile.values[TIME_MS] = value_of(2, MEASURED); // ms
    metrics_derive(profile.values, 0);
    assert_near(profile.values[DRAM_THROUGHPUT_GBS].number, 2000);
    profile.values[DRAM_UTILIZATION] = value_of(33, MEASURED);
    metrics_derive(profile.values, 0); // without a peak, the counter's word stands
    assert_near(profile.values[DRAM_UTILIZATION].number, 33);
    metrics_derive(profile.values, 2500);
    assert_near(profile.values[DRAM_UTILIZATION].number, 80);
}

TEST(divergence_and_local_overhead)
{
    struct counted profile = all_known(0);
    metrics_derive(profile.values, 0); // without branches and traffic, both are 0
    assert_near(profile.values[BRANCH_DIVERGENCE_OVERHEAD].number, 0);
    assert_near(profile.values[LOCAL_MEMORY_OVERHEAD].number, 0);
    profile.values[BRANCHES].number = 1792;
    profile.values[DIVERGENT_BRANCHES].number = 256;
    profile.values[LOCAL_SECTORS].number = 100;
    profile.values[GLOBAL_LOAD_SECTORS].number = 200;
    profile.values[GLOBAL_STORE_SECTORS].number = 100;
    metrics_derive(profile.values, 0);
    assert_near(profile.values[BRANCH_DIVERGENCE_OVERHEAD].number, 100 * 256 / 1792.);
    assert_near(profile.values[LOCAL_MEMORY_OVERHEAD].number, 25);
}

TEST(a_missing_count_makes_its_metrics_alone_unavailable)
{
    struct counted profile = all_known(1);
    profile.values[TIME_MS] = value_of(1, MEASURED);
    profile.values[DRAM_READ_BYTES] = value_unavailable("this chip has no DRAM of its own");
    metrics_derive(profile.values, 0);
    for (int i = FIRST_METRIC; i < FIRST_COUNT; i++) {
        const struct value *value = &profile.values[i];
        if (metric_table[i].is_counted || i == THEORETICAL_OCCUPANCY)
            continue; // others fill these
        ck_assert_msg(value_known(value) == (i != DRAM_THROUGHPUT_GBS), "%s", metric_table[i].key);
    }
    ck_assert_str_eq(profile.values[DRAM_THROUGHPUT_GBS].why, "this chip has no DRAM of its own");
}

// A step that does nothing but atomics stores nothing: that is no efficiency of 0 %.
TEST(without_accesses_there_is_no_efficiency)
{
    struct counted profile = per_column_1024();
    profile.values[GLOBAL_STORE_REQUESTS].number = profile.values[GLOBAL_STORE_SECTORS].number =
        profile.values[GLOBAL_STORE_DATA_BYTES].number = 0;
    metrics_derive(profile.values, 0);
    const struct value *stores = &profile.values[GST_EFFICIENCY];
    ck_assert(!value_known(stores) && !value_known(&profile.values[GST_TRANSACTIONS_PER_REQUEST]));
    assert_contains(stores->why, "no global stores");
    ck_assert(value_known(&profile.values[GLD_EFFICIENCY]));
    ck_assert(value_known(&profile.values[TOTAL_REPLAY_OVERHEAD]));
}

TEST(provenance_is_the_weakest_ingredients)
{
    struct counted profile = all_known(1);
    for (int i = FIRST_COUNT; i < METRICS; i++)
        profile.values[i].provenance = COUNTED;
    profile.values[TIME_MS] = value_of(1, MODELLED);
    metrics_derive(profile.values, 0);
    ck_assert_int_eq(profile.values[GLD_EFFICIENCY].provenance, COUNTED);
    ck_assert_int_eq(profile.values[DRAM_THROUGHPUT_GBS].provenance, MODELLED);
    ck_assert_str_eq(provenance_name(COUNTED), "counted");
}

TEST(percentages_stay_percentages)
{
    srand(3);
    for (int i = 0; i < 5000; i++) {
        struct counted profile = all_known(0);
        for (int c = FIRST_COUNT; c < METRICS; c++)
            profile.values[c].number = rand() % 3 ? rand() % 100000 : 0;
        metrics_derive(profile.values, 0);
        for (int m = BRANCH_DIVERGENCE_OVERHEAD; m <= GLOBAL_REPLAY_OVERHEAD; m++) {
            const struct value *value = &profile.values[m];
            ASSERT_QUICK(value_known(value) && value->number >= 0);
            if (m != BRANCH_DIVERGENCE_OVERHEAD)
                ASSERT_QUICK(value->number < 100 + 1e-9);
        }
    }
}

TEST(nothing_counted_leaves_a_reason_everywhere)
{
    struct step_result step = {.extras = {value_of(1, MEASURED)}};
    for (int i = 0; i < METRICS; i++)
        step.values[i] = value_of(1, MEASURED);
    drop_counts(&step, "no counters");
    metrics_derive(step.values, 0);
    for (int i = FIRST_METRIC; i < METRICS; i++) {
        if (i == THEORETICAL_OCCUPANCY) // it needs none
            continue;
        ck_assert(!value_known(&step.values[i]));
        ck_assert_str_eq(step.values[i].why, "no counters");
    }
    ck_assert(value_known(&step.values[THEORETICAL_OCCUPANCY]));
    ck_assert(value_known(&step.values[REGISTERS]) && value_known(&step.values[TIME_MS]));
    ck_assert(!value_known(&step.extras[0]));
}
