// The JSON, parsed back: every key of the documented schema, with its type, and nothing invented.
#define _POSIX_C_SOURCE 200809L // setenv
#include "advice/advice.h"
#include "files/json.h"
#include "schema.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cJSON *parse_run(const struct run *run)
{
    char *text = keep(json_of_run(run));
    cJSON *json = read_json(text);
    return json;
}

SUITE(json)

TEST(a_run_fits_the_schema)
{
    struct run run;
    sample_run(&run);
    cJSON *json = parse_run(&run);
    assert_run_schema(json);
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "steps")), run.count);
}

TEST(what_limits_a_kernel_is_said_where_it_is_modelled)
{
    struct run run;
    sample_run(&run);
    run.device.simulated = true;
    run.copy_gbs.provenance = MODELLED;

    for (int i = 0; i < run.count; i++) {
        run.steps[i].timing = (struct timing){0};
        run.steps[i].values[TIME_MS].provenance = run.steps[i].values[BANDWIDTH_GBS].provenance =
            MODELLED;
    }
    run.steps[1].limits = (struct limits){LIMITER_L2, {1, 2, 3, 94.5, 5, 6}, .busy_sms = 75};
    cJSON *json = parse_run(&run);
    assert_run_schema(json);
    ck_assert(cJSON_IsNull(json_member(json, "steps/0/limits")));
    const cJSON *limits = json_member(json, "steps/1/limits");
    ck_assert_str_eq(json_string(limits, "limiter"), "l2");
    ck_assert(json_number(limits, "busy_sms") == 75);
    for (int i = 0; i < RESOURCES; i++)
        ck_assert(json_number(limits, "busy/%s", resources[i].key) == run.steps[1].limits.busy[i]);
}

// The advice is that of the panels, and what the record reader makes of the run gives the same.
TEST(advice_comes_back)
{
    struct advice of_run[MAX_ADVICE], of_record[MAX_ADVICE];
    struct run run;
    sample_run(&run);
    run.steps[3].outcome = WRONG;
    strcpy(run.steps[3].complaint, "all of it is wrong");
    struct run *copy = written_and_read(&run);
    cJSON *json = parse_run(&run);
    assert_run_schema(json);
    for (int i = 0; i < run.count; i++) {
        const cJSON *all = json_member(json, "steps/%d/advice", i);
        if (i == 3) {
            ck_assert_int_eq(cJSON_GetArraySize(all), 0);
            continue;
        }
        struct findings found = findings_of(&run, &run.steps[i]);
        struct findings read = findings_of(copy, &copy->steps[i]);
        int count = advise(&found, of_run);
        ck_assert_int_eq(advise(&read, of_record), count);
        ck_assert_int_eq(cJSON_GetArraySize(all), count);
        for (int k = 0; k < count; k++) {
            const cJSON *one = json_member(all, "%d", k);
            const cJSON *evidence = json_member(one, "evidence");
            ck_assert_str_eq(json_string(one, "rule"), of_run[k].rule);
            ck_assert_str_eq(of_record[k].rule, of_run[k].rule);
            ck_assert_str_eq(json_string(one, "section"), of_run[k].section);
            ck_assert_double_eq_tol(json_number(one, "bound_ms"), of_run[k].bound_ms.number, 1e-12);
            ck_assert_double_eq_tol(of_record[k].bound_ms.number, of_run[k].bound_ms.number, 1e-12);
            ck_assert_int_eq(cJSON_GetArraySize(evidence), of_run[k].evidence_count);
            ck_assert_double_eq_tol(json_number(evidence, "%s", of_run[k].evidence[0].key),
                                    of_run[k].evidence[0].number, 1e-9);
        }
    }
}

// cJSON writes 15 digits, and 17 when it takes the difference for one that matters.
static void assert_same(double found, double expected)
{
    ck_assert_msg(fabs(found - expected) <= 1e-15 * fabs(expected), "%.17g is not %.17g", found,
                  expected);
}

TEST(numbers_come_back)
{
    struct run run;
    sample_run(&run);
    run.steps[0].values[GLOBAL_TAGS].number = 999999999999999.0; // 15 digits
    cJSON *json = parse_run(&run);
    for (int i = 0; i < run.count; i++) {
        const cJSON *step = json_step(json, i);
        const struct step_result *result = &run.steps[i];
        ck_assert(json_number(step, "step") == result->number);
        assert_same(json_number(step, "time_ms"), result->values[TIME_MS].number);
        for (enum metric c = FIRST_COUNT; c < METRICS; c++)
            ck_assert(json_number(step, "counters/%s", metric_table[c].key) ==
                      result->values[c].number);
        for (enum metric m = FIRST_METRIC; m < FIRST_COUNT; m++)
            assert_same(json_number(step, "metrics/%s", metric_table[m].key),
                        result->values[m].number);
    }
}

TEST(what_is_unavailable_is_null_with_a_reason)
{
    struct run run;
    sample_run(&run);
    run.device.dram_peak_gbs = 0;
    struct value *values = run.steps[1].values;
    values[DRAM_READ_BYTES] = value_unavailable("no \"DRAM\"\nhere \\");
    metrics_derive(values, 0);
    cJSON *json = parse_run(&run);
    assert_run_schema(json);
    ck_assert(cJSON_IsNull(json_member(json, "device/dram_peak_gbs")));
    const cJSON *step = json_step(json, 1);
    ck_assert(cJSON_IsNull(json_member(step, "counters/%s", metric_table[DRAM_READ_BYTES].key)));
    ck_assert(cJSON_IsNull(json_member(step, "metrics/%s", metric_table[DRAM_THROUGHPUT_GBS].key)));
    ck_assert_str_eq(json_string(step, "provenance/%s", metric_table[DRAM_THROUGHPUT_GBS].key),
                     "unavailable: no \"DRAM\"\nhere \\");
}

TEST(a_failed_step_is_not_verified)
{
    struct run run;
    sample_run(&run);
    struct step_result *result = &run.steps[2];
    result->outcome = FAILED;
    strcpy(result->complaint, "it hung");
    result->launched = false;
    memset(&result->timing, 0, sizeof result->timing);
    result->values[TIME_MS] = result->values[BANDWIDTH_GBS] =
        value_unavailable("the step was not measured");
    drop_counts(result, "the step was not measured");
    cJSON *json = parse_run(&run);
    assert_run_schema(json);
    const cJSON *step = json_step(json, 2);
    ck_assert(cJSON_IsFalse(json_member(step, "verified")));
    ck_assert_str_eq(json_string(step, "error"), "it hung");
    ck_assert(cJSON_IsNull(json_member(step, "time_ms")));
    ck_assert(cJSON_IsNull(json_member(step, "grid")));
    ck_assert(cJSON_IsNull(json_member(step, "timing")));
}

// Whatever a complaint holds: JSON is UTF-8, and harmless on a terminal.
TEST(foreign_text_is_utf8)
{
    struct run run;
    sample_run(&run);
    run.steps[0].outcome = FAILED;
    strcpy(run.steps[0].complaint, "\xC3\xA9 \xFF\x9B"
                                   "31m \xC2\x9B \xE2\x80\xAE \x7F \xE2\x82");
    char *text = keep(json_of_run(&run));
    assert_contains(text, "\"\xC3\xA9 \xEF\xBF\xBD\xEF\xBF\xBD"
                          "31m \\u009b \\u202e \\u007f \xEF\xBF\xBD\xEF\xBF\xBD\"");
    cJSON *json = read_json(text);
    ck_assert_str_eq(json_string(json_step(json, 0), "error"),
                     "\xC3\xA9 \xEF\xBF\xBD\xEF\xBF\xBD"
                     "31m \xC2\x9B \xE2\x80\xAE \x7F \xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(a_file_that_cannot_be_written_is_an_error)
{
    type_well("rm -rf build/check/json_kept && mkdir build/check/json_kept");
    setenv("TMPDIR", "build/check/json_kept", 1); // where they are written instead
    ck_assert(!json_finish("/nonexistent/directory/x.json", strdup("{}")));
    ck_assert(!json_finish("/dev/full", strdup("{}")));
    ck_assert_str_eq(type("cat build/check/json_kept/*").out, "{}{}");
}

TEST(the_recorded_run_fits_the_schema)
{
    char *text = read_file("docs/runs/h200.json");
    cJSON *json = read_json(text);
    assert_run_schema(json);
    ck_assert_str_eq(json_string(json, "device/kind"), "gpu");
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "steps")), 8);
}
