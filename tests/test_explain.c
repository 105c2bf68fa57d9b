// What limits a step: the explanation's text and JSON from fixed data, and ./run explain as it is typed.
#include "advice/explanation.h"
#include "base/programs.h"
#include "base/sim_devices.h"
#include "files/json.h"
#include "files/run_read.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

// The driver with the sanitizers built in; no device is visible to it.
#define RUN "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run explain "

static struct run *measured, *predicted;

static void open_records(void)
{
    measured = keep(run_open("h200"));
    predicted = keep(run_read("tests/recorded/predicted.json", "predicted"));
    ck_assert(measured && predicted);
}

static char *print(const struct style *style, const struct run *of)
{
    struct explanation explanation;
    FILE *file = text_begin();
    struct report report = {.file = file, .style = *style};
    explanation_make(&explanation, of, predicted);
    report_explanation(&report, &explanation);
    return text_end(file);
}

SUITE(explain, .seconds = 60, .set_up = open_records)

TEST(golden_texts, .times = 4)
{
    static const struct {
        const char *file;
        struct style style;
        bool alone;
    } texts[] = {{"explain-pipe.txt", {.utf8 = true}, false},
                 {"explain-ascii.txt", {0}, false},
                 {"explain-terminal.txt", {.color = true, .utf8 = true, .marks = true}, false},
                 {"explain-alone.txt", {.utf8 = true}, true}};
    char *text = print(&texts[_i].style, texts[_i].alone ? NULL : measured);
    assert_page(text, texts[_i].style, texts[_i].file);
}

TEST(other_sizes_and_devices_are_said)
{
    static const struct style ascii = {0};
    measured->n = measured->steps[4].n = 16384;
    strcpy(measured->device.name, "NVIDIA L40S");
    char *text = print(&ascii, measured);
    assert_contains(text, "The devices differ", "The sizes differ", "other n");
}

TEST(as_json)
{
    struct explanation explanation;
    explanation_make(&explanation, measured, predicted);
    cJSON *json = read_json(keep(json_of_explanation(&explanation)));
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "steps")), 9);
    const cJSON *step = json_step(json, 4);
    double from = json_number(step, "measured/time_ms");
    double to = json_number(step, "predicted/time_ms");
    ck_assert(from == measured->steps[4].values[TIME_MS].number);
    ck_assert(to == predicted->steps[4].values[TIME_MS].number);
    double error = json_number(step, "time_error");
    ck_assert_double_eq_tol(error, to / from - 1, 1e-12);
    ck_assert_str_eq(json_string(step, "limits/limiter"), "dram");
    for (enum resource i = 0; i < RESOURCES; i++)
        ck_assert(json_number(step, "limits/busy/%s", resources[i].key) ==
                  predicted->steps[4].limits.busy[i]);
    ck_assert(cJSON_IsNull(json_member(json, "steps/3/predicted")));
    ck_assert(cJSON_IsNull(json_member(json, "steps/3/time_error")));
    ck_assert(cJSON_IsNull(json_member(json, "steps/8/measured")));
}

// One sentence a limiter, and a name a resource.
TEST(every_limiter_has_a_meaning)
{
    for (enum limiter i = 0; i < LIMITERS; i++) {
        const char *meaning = limiters[i].meaning;
        ck_assert_ptr_nonnull(meaning);
        ck_assert_msg(strchr(meaning, '.') == meaning + strlen(meaning) - 1, "%s", meaning);
        for (enum limiter j = 0; j < i; j++)
            ck_assert_str_ne(meaning, limiters[j].meaning);
    }
    for (enum resource i = 0; i < RESOURCES; i++)
        ck_assert(resources[i].name && *resources[i].name);
    ck_assert_int_eq(limiters[LIMITER_DRAM].resource, RESOURCE_DRAM);
    ck_assert_int_eq(limiters[LIMITER_BANK_CONFLICTS].resource, RESOURCE_SHARED);
    ck_assert_int_eq(limiters[LIMITER_BLOCKS].resource, RESOURCES);
}

TEST(the_nearest_simulated_device)
{
    static const struct {
        const char *gpu;
        int major, minor;
        const char *nearest;
    } gpus[] = {{"NVIDIA H200", 9, 0, "h200"},
                {"NVIDIA H100 PCIe", 9, 0, "h100"},
                {"NVIDIA GH200 480GB", 9, 0, "h200"},
                {"NVIDIA A100-SXM4-40GB", 8, 0, "a100"},
                {"NVIDIA RTX A1000", 8, 6, "rtx4090"},
                {"NVIDIA GeForce RTX 4090", 8, 9, "rtx4090"},
                {"Tesla T4", 7, 5, "t4"},
                {"Quadro RTX 4000", 7, 5, "t4"},
                {"Tesla V100-SXM2-32GB", 7, 0, "v100"},
                {"NVIDIA GeForce GTX 1080", 6, 1, "v100"},
                {"NVIDIA B200", 10, 0, "h200"},
                {"NVIDIA Kepler GPU (2012)", 0, 0, "kepler"},
                {"", 0, 0, "h200"}};
    for (size_t i = 0; i < sizeof gpus / sizeof *gpus; i++)
        ck_assert_str_eq(sim_device_nearest(gpus[i].gpu, gpus[i].major, gpus[i].minor)->name,
                         gpus[i].nearest);
}

static char *run_shell(const char *script, size_t most, int *status)
{
    char *argv[] = {"/bin/sh", "-c", (char *)script, NULL};
    return program_output(argv, most, 0, status);
}

TEST(the_output_of_a_program)
{
    int status = -1;
    char *text = run_shell("printf abc; exit 3", 3, &status);
    ck_assert_str_eq(text, "abc");
    ck_assert_int_eq(status, 3);
    free(text);
    text = run_shell("true", 100, &status);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(status, 0);
    free(text);
    ck_assert_ptr_null(run_shell("printf abcd", 3, &status));
    ck_assert_ptr_null(run_shell("head -c 1000000 /dev/zero", 3, &status)); // it gets to its end
    ck_assert_ptr_null(run_shell("kill -9 $$", 3, &status));
    char *missing[] = {"/nonexistent/program", NULL};
    ck_assert_ptr_null(program_output(missing, 3, 0, &status));
}

TEST(a_program_that_takes_too_long_is_ended)
{
    char *slow[] = {"/bin/sh", "-c", "sleep 61 & sleep 62", NULL};
    char *quick[] = {"/bin/sh", "-c", "printf abc", NULL};
    int status = -1;
    ck_assert_ptr_null(program_output(slow, 3, 1, &status));
    ck_assert_int_eq(status, EXIT_TOO_LATE);
    ck_assert_int_ne(type("pgrep -f 'sleep 6[12]'").status, 0);
    char *text = program_output(quick, 3, 20, &status);
    ck_assert_str_eq(text, "abc");
    ck_assert_int_eq(status, 0);
    free(text);
}

static cJSON *ask(const char *arguments)
{
    return type_json(RUN "%s --json -", arguments);
}

TEST(without_a_gpu_the_prediction_stands_alone)
{
    cJSON *json = ask("3 5 -n 256 --sim=t4");
    ck_assert(cJSON_IsNull(json_member(json, "measured")));
    assert_contains(json_string(json, "predicted/device"), "Tesla T4");
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "steps")), 2);
    for (int i = 0; i < 2; i++) {
        ck_assert(cJSON_IsObject(json_member(json, "steps/%d/limits", i)));
        ck_assert(cJSON_IsNull(json_member(json, "steps/%d/time_error", i)));
    }
    struct printed printed = type_well("LC_ALL=C " RUN "3 -n 256");
    assert_contains(printed.out, "Measured:  nothing, these are predictions alone.", "Limited by ");
    ck_assert_str_eq(printed.err, "");
}

// A recorded run takes the place of the measurement: the rest of the way is a GPU's.
TEST(beside_a_recorded_run)
{
    cJSON *json = ask("4 --recorded h200-1024");
    ck_assert(json_number(json, "predicted/n") == 1024);
    assert_contains(json_string(json, "predicted/device"), "NVIDIA H200");
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "steps")), 1);
    ck_assert(cJSON_IsNumber(json_member(json, "steps/0/time_error")));
    ck_assert(cJSON_IsObject(json_member(json, "steps/0/measured")));
    // Larger ones are predicted at 8192, unless less is asked for.
    json = ask("1 --recorded h200-16384");
    ck_assert(json_number(json, "predicted/n") == 8192);
    json = ask("5 --recorded h200-16384 -n 128");
    ck_assert(json_number(json, "predicted/n") == 128);
    ck_assert(cJSON_IsNull(json_member(json, "steps/0/time_error")));
    // The deck's panel without a counterpart is named, and its device found.
    assert_contains(type_well(RUN "--recorded gtc2012 -n 64").out,
                    "Kepler GK110 (GTC 2012), n = 64", "Step 4.5 · latency hiding",
                    "This program has no such step, so nothing is predicted.",
                    "Not in the run that was measured.", "The blocks differ");
}

TEST(wrong_steps_are_failures)
{
    struct printed printed =
        type_to(EXIT_WRONG, "CUDA_VISIBLE_DEVICES= build/sim/wrong_steps explain 42 56 -n 100");
    assert_contains(printed.err, "step 42 gave a wrong result");
    assert_contains(printed.out,
                    "It went wrong on the simulated device: ", "Limited by"); // step 56 is right
}

TEST(mistakes_are_usage_errors)
{
    static const char *const cases[][2] = {
        {"99", "step 99 is not built"},
        {"--sim=nothing", "h200 h100"},
        {"-n 0", "-n takes a whole number"},
        {"--frobnicate", "frobnicate"},
        {"--recorded h2000", "Did you mean 'h200'?"},
        {"--recorded tests/recorded/predicted.json", "is of a simulated device"}};
    ASSERT_USAGE_ERRORS(RUN, cases, "");
    ck_assert_str_eq(type_to(EXIT_NO_DEVICE, RUN "--gpu").out, "");
    type_to(EXIT_WRONG, RUN "3 -n 64 --json /nonexistent/x");
    assert_contains(type_well(RUN "--help").out, "--recorded RUN");
    assert_contains(type("build/check/run explan").err, "Did you mean `./run explain`?");
}
