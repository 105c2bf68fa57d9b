// The formulas against counts and metrics that an NVIDIA H200 gave (CUPTI 13.0, nvcc 13.0, sm_90).
#include "facts/profile.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct value no_time = {.provenance = UNAVAILABLE, .why = "not timed"};

static struct profile all_known(double number)
{
    struct profile profile = {0};
    for (int i = 0; i < COUNTS; i++)
        profile.counts[i] = value_of(number, MEASURED);
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

START_TEST(efficiencies_are_the_hardwares)
{
    const struct row *row = &rows[_i];
    struct profile profile = all_known(1);
    profile.counts[GLOBAL_LOAD_SECTORS] = value_of(row->ld_sectors, MEASURED);
    profile.counts[GLOBAL_LOAD_DATA_BYTES] = value_of(row->ld_bytes, MEASURED);
    profile.counts[GLOBAL_STORE_SECTORS] = value_of(row->st_sectors, MEASURED);
    profile.counts[GLOBAL_STORE_DATA_BYTES] = value_of(row->st_bytes, MEASURED);
    profile_derive(&profile, &no_time, 0);
    assert_near(profile.metrics[GLD_EFFICIENCY].number, row->ld_percent);
    assert_near(profile.metrics[GST_EFFICIENCY].number, row->st_percent);
}
END_TEST

static struct profile per_column_1024(void)
{
    struct profile profile = all_known(0);
    struct value *counts = profile.counts;
    counts[INST_EXECUTED].number = 150944;
    counts[GLOBAL_LOAD_REQUESTS].number = counts[GLOBAL_STORE_REQUESTS].number = 32768;
    counts[GLOBAL_LOAD_SECTORS].number = 131072;
    counts[GLOBAL_STORE_SECTORS].number = 1048576;
    counts[GLOBAL_LOAD_DATA_BYTES].number = counts[GLOBAL_STORE_DATA_BYTES].number = 4194304;
    counts[GLOBAL_TAGS].number = 32768 + 1048576;
    return profile;
}

// One thread per column at n = 1024: 87.1 %; the 2012 deck's Kepler showed 87.9 %.
START_TEST(global_replay_of_one_thread_per_column)
{
    struct profile profile = per_column_1024();
    profile_derive(&profile, &no_time, 0);
    assert_near(profile.metrics[GLOBAL_REPLAY_OVERHEAD].number,
                100 * 1015808 / (150944 + 1015808.));
    assert_near(profile.metrics[SHARED_REPLAY_OVERHEAD].number, 0);
    assert_near(profile.metrics[TOTAL_REPLAY_OVERHEAD].number,
                profile.metrics[GLOBAL_REPLAY_OVERHEAD].number);
    assert_near(profile.metrics[GLD_TRANSACTIONS_PER_REQUEST].number, 4);
    assert_near(profile.metrics[GST_TRANSACTIONS_PER_REQUEST].number, 32);
}
END_TEST

START_TEST(shared_replay_of_the_plain_tile)
{
    struct profile profile = all_known(0);
    profile.counts[INST_EXECUTED].number = 22020096;
    profile.counts[SHARED_REQUESTS].number = 1048576;
    profile.counts[SHARED_WAVEFRONTS].number = 17301504;
    profile.counts[SHARED_DATA_BYTES].number = 2. * 4096 * 4096 * 4;
    profile_derive(&profile, &no_time, 0);
    double extra = 17301504 - 1048576;
    assert_near(profile.metrics[SHARED_REPLAY_OVERHEAD].number, 100 * extra / (22020096 + extra));
    assert_near(profile.metrics[TOTAL_REPLAY_OVERHEAD].number,
                profile.metrics[SHARED_REPLAY_OVERHEAD].number);
}
END_TEST

// Wide accesses need several passes for their bytes: these are no replays.
START_TEST(vector_accesses_are_no_replays)
{
    struct profile profile = all_known(0);
    profile.counts[INST_EXECUTED].number = 3840;
    profile.counts[GLOBAL_LOAD_REQUESTS].number = profile.counts[GLOBAL_STORE_REQUESTS].number =
        256;
    profile.counts[GLOBAL_LOAD_DATA_BYTES].number = 131072;
    profile.counts[GLOBAL_STORE_DATA_BYTES].number = 131072;
    profile.counts[GLOBAL_TAGS].number = 2048;
    profile.counts[SHARED_REQUESTS].number = 128;
    profile.counts[SHARED_WAVEFRONTS].number = 512;
    profile.counts[SHARED_DATA_BYTES].number = 65536;
    profile_derive(&profile, &no_time, 0);
    assert_near(profile.metrics[TOTAL_REPLAY_OVERHEAD].number, 0);
}
END_TEST

START_TEST(dram_throughput_and_utilization)
{
    struct profile profile = all_known(0);
    profile.counts[DRAM_READ_BYTES].number = 3e9;
    profile.counts[DRAM_WRITE_BYTES].number = 1e9;
    struct value time = value_of(2, MEASURED); // ms
    profile_derive(&profile, &time, 0);
    assert_near(profile.metrics[DRAM_THROUGHPUT_GBS].number, 2000);
    profile.metrics[DRAM_UTILIZATION] = value_of(33, MEASURED);
    profile_derive(&profile, &time, 0); // without a peak, the counter's word stands
    assert_near(profile.metrics[DRAM_UTILIZATION].number, 33);
    profile_derive(&profile, &time, 2500);
    assert_near(profile.metrics[DRAM_UTILIZATION].number, 80);
}
END_TEST

START_TEST(divergence_and_local_overhead)
{
    struct profile profile = all_known(0);
    profile_derive(&profile, &no_time, 0); // without branches and traffic, both are 0
    assert_near(profile.metrics[BRANCH_DIVERGENCE_OVERHEAD].number, 0);
    assert_near(profile.metrics[LOCAL_MEMORY_OVERHEAD].number, 0);
    profile.counts[BRANCHES].number = 1792;
    profile.counts[DIVERGENT_BRANCHES].number = 256;
    profile.counts[LOCAL_SECTORS].number = 100;
    profile.counts[GLOBAL_LOAD_SECTORS].number = 200;
    profile.counts[GLOBAL_STORE_SECTORS].number = 100;
    profile_derive(&profile, &no_time, 0);
    assert_near(profile.metrics[BRANCH_DIVERGENCE_OVERHEAD].number, 100 * 256 / 1792.);
    assert_near(profile.metrics[LOCAL_MEMORY_OVERHEAD].number, 25);
}
END_TEST

START_TEST(a_missing_count_makes_its_metrics_alone_unavailable)
{
    struct profile profile = all_known(1);
    struct value time = value_of(1, MEASURED);
    profile.counts[DRAM_READ_BYTES] = value_unavailable("this chip has no DRAM of its own");
    profile_derive(&profile, &time, 0);
    for (int i = 0; i < METRICS; i++) {
        const struct value *value = &profile.metrics[i];
        if (i == DRAM_UTILIZATION || i == ACHIEVED_OCCUPANCY || i == THEORETICAL_OCCUPANCY)
            continue; // others fill these
        ck_assert_msg(value_known(value) == (i != DRAM_THROUGHPUT_GBS), "%s", metric_key(i));
    }
    ck_assert_str_eq(profile.metrics[DRAM_THROUGHPUT_GBS].why, "this chip has no DRAM of its own");
}
END_TEST

// A step that does nothing but atomics stores nothing: that is no efficiency of 0 %.
START_TEST(without_accesses_there_is_no_efficiency)
{
    struct profile profile = per_column_1024();
    profile.counts[GLOBAL_STORE_REQUESTS].number = profile.counts[GLOBAL_STORE_SECTORS].number =
        profile.counts[GLOBAL_STORE_DATA_BYTES].number = 0;
    profile_derive(&profile, &no_time, 0);
    const struct value *stores = &profile.metrics[GST_EFFICIENCY];
    ck_assert(!value_known(stores) && !value_known(&profile.metrics[GST_TRANSACTIONS_PER_REQUEST]));
    assert_contains(stores->why, "no global stores");
    ck_assert(value_known(&profile.metrics[GLD_EFFICIENCY]));
    ck_assert(value_known(&profile.metrics[TOTAL_REPLAY_OVERHEAD]));
}
END_TEST

START_TEST(provenance_is_the_weakest_ingredients)
{
    struct profile profile = all_known(1);
    for (int i = 0; i < COUNTS; i++)
        profile.counts[i].provenance = COUNTED;
    struct value time = value_of(1, MODELLED);
    profile_derive(&profile, &time, 0);
    ck_assert_int_eq(profile.metrics[GLD_EFFICIENCY].provenance, COUNTED);
    ck_assert_int_eq(profile.metrics[DRAM_THROUGHPUT_GBS].provenance, MODELLED);
    ck_assert_str_eq(provenance_name(COUNTED), "counted");
}
END_TEST

START_TEST(percentages_stay_percentages)
{
    srand(3);
    for (int i = 0; i < 5000; i++) {
        struct profile profile = all_known(0);
        for (int c = 0; c < COUNTS; c++)
            profile.counts[c].number = rand() % 3 ? rand() % 100000 : 0;
        profile_derive(&profile, &no_time, 0);
        for (int m = BRANCH_DIVERGENCE_OVERHEAD; m <= GLOBAL_REPLAY_OVERHEAD; m++) {
            const struct value *value = &profile.metrics[m];
            ASSERT_QUICK(value_known(value) && value->number >= 0);
            if (m != BRANCH_DIVERGENCE_OVERHEAD)
                ASSERT_QUICK(value->number < 100 + 1e-9);
        }
    }
}
END_TEST

START_TEST(nothing_counted_leaves_a_reason_everywhere)
{
    struct profile profile = all_known(1);
    profile.extra_count = 1;
    profile_set_unavailable(&profile, "no counters");
    profile_derive(&profile, &no_time, 0);
    for (int i = 0; i < METRICS; i++) {
        ck_assert(!value_known(&profile.metrics[i]));
        ck_assert_str_eq(profile.metrics[i].why, "no counters");
    }
    ck_assert(!value_known(&profile.extras[0].value));
}
END_TEST

Suite *suite_profile(void)
{
    Suite *suite = suite_create("profile");
    TCase *tcase = tcase_create("profile");
    tcase_add_loop_test(tcase, efficiencies_are_the_hardwares, 0, sizeof rows / sizeof *rows);
    tcase_add_test(tcase, global_replay_of_one_thread_per_column);
    tcase_add_test(tcase, shared_replay_of_the_plain_tile);
    tcase_add_test(tcase, vector_accesses_are_no_replays);
    tcase_add_test(tcase, dram_throughput_and_utilization);
    tcase_add_test(tcase, divergence_and_local_overhead);
    tcase_add_test(tcase, a_missing_count_makes_its_metrics_alone_unavailable);
    tcase_add_test(tcase, without_accesses_there_is_no_efficiency);
    tcase_add_test(tcase, provenance_is_the_weakest_ingredients);
    tcase_add_test(tcase, percentages_stay_percentages);
    tcase_add_test(tcase, nothing_counted_leaves_a_reason_everywhere);
    suite_add_tcase(suite, tcase);
    return suite;
}
