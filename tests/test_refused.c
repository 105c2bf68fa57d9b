// A GPU whose counters are refused (build/sim/refused: tests/refused/): the simulated device's counts stand in for them.
#include "cjson/cJSON.h"
#include "schema.h"
#include "suites.h"
#include "support.h"
#include "verbs/refused_counters.h"

#include <string.h>

#define RUN "LC_ALL=C build/sim/refused "

static const char *provenance(const cJSON *step, const char *key)
{
    return json_string(step, "provenance/%s", key);
}

SUITE(refused, .seconds = 60)

// Every step of it has both: the panels, the summary and the JSON.
TEST(one_panel_has_times_and_counts)
{
    struct printed printed = type_well(RUN "3 4 -n 256 --json build/check/refused.json");
    ck_assert_str_eq(printed.err, "");
    assert_contains(printed.out, "Counters: cuptiRangeProfilerEnable: error 35, this user may not",
                    "In their place stands what the simulated device counts",
                    "Global Store Efficiency                          ! 12.5%",
                    "Duration, bandwidth and launch are the GPU's.",
                    "counted by the simulated device: ~ in the panels");
    char *text = read_file("build/check/refused.json");
    cJSON *json = read_json(text);
    assert_run_schema(json);
    const cJSON *step;
    cJSON_ArrayForEach(step, json_member(json, "steps"))
    {
        ck_assert_str_eq(provenance(step, "time_ms"), "measured");
        ck_assert_str_eq(provenance(step, "global_store_sectors"), "counted");
        ck_assert_str_eq(provenance(step, "gst_efficiency"), "counted");
        // By machine code, or estimated where there is none.
        bool is_counted = strcmp(provenance(step, "inst_executed"), "counted") == 0;
        if (json_number(step, "step") == 4)
            assert_contains(printed.out,
                            is_counted ? "Shared Memory Replay Overhead                    ! 4"
                                       : "Shared Memory Replay Overhead                   ! ~4");
        ck_assert_str_eq(provenance(step, "dram_throughput_gbs"), "modelled");
    }
}

TEST(who_wants_none_gets_none)
{
    struct printed printed = type_well(RUN "3 -n 256 --no-profile");
    assert_contains(printed.out, "Counters: not counted: --no-profile\n\n");
    ck_assert_ptr_null(strstr(printed.out, "simulated device counts"));
}

TEST(panels_wait_for_the_counts_with_questions_too)
{
    struct printed printed = type_well("printf '?\\n?\\n?\\n?\\n?\\n' >build/check/answers && "
                                       "APODKIT_RESULTS=build/check/refused_results " RUN
                                       "3 -n 256 --predict=build/check/answers");
    assert_contains(printed.out, "Global Store Efficiency                          ! 12.5%");
}

static struct run measured, counted;

static void make_runs(void)
{
    sample_run(&measured);
    sample_run(&counted);
    struct step_result *step = &measured.steps[3];
    drop_counts(step, "refused");
    for (enum metric i = FIRST_METRIC; i < METRICS; i++)
        counted.steps[3].values[i].provenance = COUNTED;
    counted.steps[3].values[TIME_MS].number = 99;
}

TEST(what_rests_on_the_device_comes_from_that_device_alone, .times = 2)
{
    make_runs();
    struct step_result *step = &measured.steps[3];
    double ms = step->values[TIME_MS].number;
    bool is_the_gpu = _i == 1;
    stand_in_take(step, &counted.steps[3], is_the_gpu, &measured.device);
    ck_assert(step->values[TIME_MS].number == ms);
    ck_assert(step->values[GST_EFFICIENCY].provenance == COUNTED);
    ck_assert(value_known(&step->values[SHARED_REPLAY_OVERHEAD]));
    ck_assert_int_eq(value_known(&step->values[DRAM_UTILIZATION]), is_the_gpu);
    ck_assert_int_eq(value_known(&step->values[ACHIEVED_OCCUPANCY]), is_the_gpu);
    ck_assert_int_eq(value_known(&step->values[BLOCKS_PER_SM_MAX]), is_the_gpu);
    if (is_the_gpu) // the bytes over the GPU's own time
        ck_assert_double_eq_tol(step->values[DRAM_THROUGHPUT_GBS].number,
                                (268500000 + 268400000) * 1e-6 / ms, 1e-6);
    else
        ck_assert_str_eq(step->values[DRAM_READ_BYTES].why, "refused");
}

TEST(another_launch_is_not_taken, .times = 4)
{
    make_runs();
    struct step_result *step = &measured.steps[3], *other = &counted.steps[3];
    other->grid[1] += _i == 0;
    other->n += _i == 1;
    other->launches += _i == 2;
    other->outcome = _i == 3 ? FAILED : VERIFIED;
    stand_in_take(step, other, true, &measured.device);
    ck_assert(!value_known(&step->values[GST_EFFICIENCY]));
    assert_contains(step->values[GST_EFFICIENCY].why,
                    _i == 3 ? "on the simulated device the step fails" : "launches otherwise");
}
