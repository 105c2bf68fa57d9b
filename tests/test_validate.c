// Predictions against recorded runs: the table from fixed data, and `make validate` as it is typed.
#include "suites.h"
#include "support.h"
#include "transposes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// With the sanitizers built in.
#define VALIDATE "ASAN_OPTIONS=protect_shadow_gap=0 build/check/validate "

static int lines_with(const char *text, const char *part)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        count++;
    return count;
}

SUITE(validate, .seconds = 600)

// The steps: one is far off, one has a wrong result. The variants: against themselves, so nothing is
// off. The blind set: two runs, of which the one is the steps'. The panels: without a prediction.
TEST(golden_text)
{
    static const char *const locales[][2] = {{"C", "validate-ascii.txt"},
                                             {"C.UTF-8", "validate-utf8.txt"}};
    for (int i = 0; i < 2; i++) {
        struct printed printed =
            type_to(EXIT_WRONG,
                    "LC_ALL=%s " VALIDATE
                    "steps docs/runs/h200-8192.json tests/recorded/predicted.json variants "
                    "docs/runs/h200-variants-4096.json docs/runs/h200-variants-4096.json blind "
                    "docs/runs/h200-variants-1024.json docs/runs/h200-variants-1024.json "
                    "docs/runs/h200-8192.json tests/recorded/predicted.json kepler "
                    "docs/runs/gtc2012.json build/check/there-is-none.json",
                    locales[i][0]);
        assert_contains(printed.err, "there is no prediction build/check/there-is-none.json");
        for (const char *line = printed.out; *line; line += strcspn(line, "\n") + 1) {
            char one[256];
            snprintf(one, sizeof one, "%.*s", (int)strcspn(line, "\n"), line);
            ck_assert_msg(text_width(one) <= 120, "%s", one);
        }
        assert_golden(printed.out, locales[i][1]);
    }
}

// One row of the lesson's steps is taken to be off by some points; whether that is said.
static void assert_verdict(const char *edit, const char *verdict)
{
    struct printed printed =
        type_well("sed '%s' docs/runs/h200-8192.json > build/check/edited.json && " VALIDATE
                  "steps docs/runs/h200-8192.json build/check/edited.json",
                  edit);
    if (!strstr(printed.out, verdict))
        ck_abort_msg("%s: '%s' is not in:\n%s", edit, verdict, printed.out);
}

TEST(bounds_are_kept_and_missed)
{
    assert_verdict("", "0 of 5 bounds are missed.");
    // Step 5: 152.4 us and 93.79 % of the warps. Step 1: 36.85 ms.
    assert_verdict("s/\"time_ms\":\\t0.152431[0-9]*/\"time_ms\":0.188/", "0 of 5 bounds");
    assert_verdict("s/\"time_ms\":\\t0.152431[0-9]*/\"time_ms\":0.192/", "1 of 5 bounds");
    assert_verdict("s/\"time_ms\":\\t0.152431[0-9]*/\"time_ms\":0.192/", "!+26.0%");
    assert_verdict("s/\"time_ms\":\\t0.152431[0-9]*/\"time_ms\":0.11/", "!-27.8%");
    assert_verdict("s/\"time_ms\":\\t0.152431[0-9]*/\"time_ms\":0.53/", "2 of 5 bounds");
    assert_verdict("s/\"time_ms\":\\t0.152431[0-9]*/\"time_ms\":0.53/",
                   "step 5, n = 8192 is out of order");
    assert_verdict("s/\"time_ms\":\\t36.8482[0-9]*/\"time_ms\":54/", "0 of 5 bounds");
    assert_verdict("s/\"time_ms\":\\t36.8482[0-9]*/\"time_ms\":56/", "1 of 5 bounds");
    assert_verdict("s/\"achieved_occupancy\":\\t93.791[0-9]*/\"achieved_occupancy\":84/",
                   "0 of 5 bounds");
    assert_verdict("s/\"achieved_occupancy\":\\t93.791[0-9]*/\"achieved_occupancy\":83/", "!-10.8");
    assert_verdict("s/\"dram_utilization\":\\t73.063[0-9]*/\"dram_utilization\":84/", "!+10.9");
}

// What is told of a group at a size and in all: each number's errors, the order, the limiters.
TEST(a_group_is_told_in_a_row)
{
    static const char *const cases[][2] = {
        // Of steps 2 to 8, that of 152.4 us took 10 % less; it is before none that it was not before.
        {"s/\"time_ms\":\t0.152431[0-9]*/\"time_ms\":0.1371881/",
         "steps     8192    1.4   -10.0    0.0    +0.0    0.0    +0.0    0.0    +0.0    0.0    "
         "+0.0 "
         "  100.0% of 18         0 of 0\n"},
        // And now before steps 6 to 8: three pairs.
        {"s/\"time_ms\":\t0.152431[0-9]*/\"time_ms\":0.12/", "    83.3% of 18         0 of 0\n"},
        {"s/\"achieved_occupancy\":\t93.791[0-9]*/\"achieved_occupancy\":84.79/",
         "steps      all    0.0    +0.0    0.0    +0.0    0.0    +0.0    1.3    -9.0    0.0    "
         "+0.0 "
         "  100.0% of 18         0 of 0\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_verdict(cases[i][0], cases[i][1]);
}

// The prediction that names what was not busy, by the counts and the time that were measured.
TEST(a_wrong_limiter_is_counted)
{
    static const char *const cases[][2] = {{"", "0 of 3\n"},
                                           {"/\"limiter\"/s/dram/block_launch/", "1 of 3\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct printed printed =
            type("sed '%s' tests/recorded/predicted.json > build/check/edited.json && " VALIDATE
                 "steps docs/runs/h200-8192.json build/check/edited.json",
                 cases[i][0]);
        assert_contains(printed.out, cases[i][1]);
    }
}

TEST(the_decks_counts_must_be_exact)
{
    struct printed printed =
        type_well("sed 's/\"gst_efficiency\": 12.5/\"gst_efficiency\": 12.6/' "
                  "docs/runs/gtc2012.json > build/check/edited.json && " VALIDATE
                  "kepler docs/runs/gtc2012.json build/check/edited.json");
    assert_contains(printed.out, "!+0.1", "1 of 5 bounds are missed.\n");
    ck_assert_int_eq(lines_with(printed.out, "steps"), 0); // that nobody asked for
    ck_assert_int_eq(lines_with(printed.out, "variants"), 0);
}

// A run without the timing model is no prediction.
TEST(counts_alone_are_no_prediction)
{
    struct printed printed =
        type_to(EXIT_WRONG,
                "APODKIT_SIM_MODEL=0 build/sim/run 2 3 -n 1024 --json build/check/uncounted.json "
                "&& " VALIDATE "steps docs/runs/h200-1024.json build/check/uncounted.json");
    assert_contains(printed.out, ", 8 rows have no prediction.");
}

// A step of the lesson that was not recorded at this size: shown, and judged by nothing.
TEST(an_unrecorded_step_is_no_miss)
{
    struct printed printed =
        type_well("sed '/\"step\":\\t5,/,$d' docs/runs/h200-8192.json | sed '$s/, "
                  "{/]}/' > build/check/cut.json && " VALIDATE
                  "steps build/check/cut.json docs/runs/h200-8192.json");
    assert_contains(printed.out, "5. padded tile, fewer threads      8192 152.4", "  no record\n");
    ck_assert_int_eq(lines_with(printed.out, "no record\n"), 4);
    assert_contains(printed.out, "within 25%       kept by all 3 ", "0 of 5 bounds are missed.\n");
}

// Each GPU by its own records, by the same bounds: what is as good on one may be a miss on another.
TEST(every_gpu_has_the_same_bounds)
{
    struct printed printed =
        type_well("sed 's/\"time_ms\":\t0.187[0-9]*/\"time_ms\":0.24/' "
                  "docs/runs/h100-8192.json > build/check/edited.json && " VALIDATE
                  "steps docs/runs/h100-8192.json build/check/edited.json");
    assert_contains(printed.out, "The steps, on NVIDIA H100 80GB HBM3\n",
                    "H100, steps 2.., n >= 4096 time                  within 25%       "
                    "MISSED by 2 of 7",
                    "H100, step 1 ");
    ck_assert_int_eq(lines_with(printed.out, "H200"), 0);
}

TEST(sizes_without_a_record_are_named)
{
    static const char *const sizes[] = {"abc", "'1024 2048'", ""};
    static const char *const named[] = {"SIZES=abc;", "SIZES=2048;", "SIZES=(none);"};
    for (int i = 0; i < 3; i++) {
        struct printed printed =
            type_to(2, "make --no-print-directory SETUP=no validate SIZES=%s", sizes[i]);
        assert_contains(printed.err, named[i], "choose from 1024");
        ck_assert_str_eq(printed.out, "");
    }
}

TEST(mistakes_are_usage_errors)
{
    static const char *const cases[][2] = {
        {"docs/runs/h200.json docs/runs/h200.json", "usage: validate"},
        {"steps docs/runs/h200.json", "usage: validate"},
        {"", "usage: validate"},
        {"steps", "usage: validate"},
        {"steps docs/runs/h200.json docs/runs/h200.json docs/runs/h100.json docs/runs/h100.json",
         "docs/runs/h100.json is of the NVIDIA H100 80GB HBM3, the runs before it of the NVIDIA "
         "H200"},
        {"steps docs/runs/none.json docs/runs/h200.json", "docs/runs/none.json: it cannot be read"},
        {"steps docs/runs/h200.json Makefile", "Makefile: it is no JSON"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct printed printed = type(VALIDATE "%s", cases[i][0]);
        ck_assert_msg(printed.status == EXIT_USAGE, "%s: %d", cases[i][0], printed.status);
        assert_contains(printed.err, cases[i][1]);
    }
}

// How many steps of a set have their machine instructions and branches counted, as the GPU did, to the last one. None where
// another compiler made the kernels than those that were recorded.
static int counted_as_recorded(const char *gpu, const char *set)
{
    char predicted_name[80], recorded_name[80];
    bool is_lesson = strcmp(set, "steps") == 0;
    snprintf(predicted_name, sizeof predicted_name, "build/validate/%s/%s-1024.json", gpu, set);
    snprintf(recorded_name, sizeof recorded_name, "docs/runs/%s%s%s-1024.json", gpu,
             is_lesson ? "" : "-", is_lesson ? "" : set);
    const cJSON *predicted = read_json(read_file(predicted_name)),
                *recorded = read_json(read_file(recorded_name));
    const cJSON *step, *toolkit = json_member(predicted, "device/toolkit");
    const char *needed = json_string(recorded, "device/toolkit");
    int counted = 0;
    if (!cJSON_IsString(toolkit) || strcmp(toolkit->valuestring, needed) != 0)
        return 0;
    cJSON_ArrayForEach(step, json_member(predicted, "steps"))
    {
        const char *how = json_string(step, "provenance/inst_executed");
        const cJSON *counters = json_member(step, "counters"), *real;
        double number = json_number(step, "step");
        bool is_counted =
            strcmp(how, "counted") == 0 && cJSON_IsNumber(json_member(step, "time_ms"));
        counted += is_counted;
        cJSON_ArrayForEach(real, json_member(recorded, "steps"))
        {
            if (!is_counted || json_number(real, "step") != number)
                continue;
            const cJSON *of_gpu = json_member(real, "counters");
            ck_assert_msg(json_number(counters, "inst_executed") ==
                                  json_number(of_gpu, "inst_executed") &&
                              json_number(counters, "branches") == json_number(of_gpu, "branches"),
                          "step %g of %s's %s", number, gpu, set);
        }
    }
    return counted;
}

// The mean error of a set's times at n = 1024, in percent, from the rows of one GPU's totals on.
static double mean_error(const char *printed, const char *set)
{
    char start[32];
    snprintf(start, sizeof start, "\n%-9s 1024 ", set);
    const char *row = strstr(printed, start);
    ck_assert_msg(row != NULL, "no row of %s", set);
    return strtod(row + strlen(start), NULL);
}

// Of each set, where the kernels are those that were recorded.
static void assert_counted(int of_gpus, const char *gpu, bool as_recorded)
{
    for (int i = 0; i < SETS; i++) {
        if (of_gpus >= transposes[i].gpus)
            continue;
        int counted = counted_as_recorded(gpu, transposes[i].name);
        ck_assert_msg(counted == (as_recorded ? transposes[i].counted : 0), "%d of %s's %s",
                      counted, gpu, transposes[i].name);
    }
}

// The whole of it at the smallest size: the sets of each of 2 GPUs and 5 panels, none of them left out. Each GPU's
// predictions are of itself.
TEST(as_it_is_typed)
{
    static const char *const gpus[][2] = {{"h200", "H200"}, {"h100", "H100"}};
    struct printed printed = type_well("make --no-print-directory validate SIZES=1024");
    char title[96];
    for (int step = 11; step <= 22; step++) { // a variant's number, and a guest's
        snprintf(title, sizeof title, "\n%d. ", step);
        ck_assert_int_eq(lines_with(printed.out, title), 2 + 2);
    }
    int unrecorded = lines_with(printed.out, "no record\n"); // a step that the lesson got since
    int rows = 5;
    for (int i = 0; i < SETS; i++) {
        rows += transposes[i].gpus * (transposes[i].kernels + 1); // and one of the group
        snprintf(title, sizeof title, "h100-%s-1024", transposes[i].name);
        ck_assert_int_eq(lines_with(printed.err, title), transposes[i].gpus < 2);
    }
    ck_assert_int_eq(lines_with(printed.err, "h200-"), 0);
    ck_assert_int_eq(lines_with(printed.out, "  1024 ") - unrecorded, rows);
    ck_assert_int_eq(lines_with(printed.out, "no prediction"), 1); // the deck's latency hiding
    ck_assert_int_eq(lines_with(printed.out, "1. one serial thread"), 2);
    assert_contains(printed.out, "5. bank conflicts resolved",
                    "4.5. latency hiding                1024        –");
    // What is counted does not depend on the model.
    assert_contains(printed.out, "store efficiency      exact            kept by all 4",
                    "theoretical occupancy exact            kept by all 4");
    for (int i = 0; i < 2; i++) {
        snprintf(title, sizeof title, "The steps, on NVIDIA %s", gpus[i][1]);
        ck_assert_int_eq(lines_with(printed.out, title), 1);
        snprintf(title, sizeof title, "%s, steps 2.., n >= 4096 time ", gpus[i][1]);
        ck_assert_int_eq(lines_with(printed.out, title), 1);
        struct printed model =
            type("grep -l 'Simulated device NVIDIA %s' build/validate/%s/steps-1024.json "
                 "build/validate/%s/variants-1024.json",
                 gpus[i][1], gpus[i][0], gpus[i][0]);
        ck_assert_int_eq(lines_with(model.out, "\n"), 2);
    }
    ck_assert_int_eq(lines_with(printed.out, "order of their times  same, beyond 3%  no such run"),
                     2);
    for (int bounds = 12; bounds <= 13; bounds++) { // the H200's are those of a set more
        snprintf(title, sizeof title,
                 " of %d bounds are missed, 4 are not judged, the model gives none to 1 rows.\n",
                 bounds);
        ck_assert_int_eq(lines_with(printed.out, title), 1);
    }
    ck_assert_int_eq(lines_with(printed.out, " of 5 bounds are missed.\n"), 1);
    for (int i = 0; i < 2; i++) {
        bool as_recorded = counted_as_recorded(gpus[i][0], "steps") > 0;
        assert_counted(i, gpus[i][0], as_recorded);
        ck_assert_ptr_nonnull(strstr(printed.out, gpus[i][1]));
        double blind = mean_error(strstr(printed.out, gpus[i][1]), "blind"),
               unseen = mean_error(strstr(printed.out, gpus[i][1]), "unseen");
        ck_assert_msg(!as_recorded || blind < 6.5, "%s: %g %%", gpus[i][1], blind);
        ck_assert_msg(!as_recorded || unseen < 6.5, "%s: %g %%", gpus[i][1], unseen);
    }
}
