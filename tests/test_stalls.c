// ./run stalls: its page, the reasons' names, and what it says where nothing can be sampled.
#include "facts/stalls.h"
#include "files/json.h"
#include "show/inspection_page.h"
#include "suites.h"
#include "support.h"
#include "verbs/options.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

static struct source_file sample_source(void)
{
    struct source_file source = source_file_find("tests/recorded/source.cu.txt");
    ck_assert_int_ne(source.state, SOURCE_MISSING);
    source.state = SOURCE_AS_BUILT; // whenever it was checked out
    return source;
}

// Samples out of order, in the step's file, in a header and without a line.
static struct stalls *sample_stalls(void)
{
    struct stalls *stalls = calloc(1, sizeof *stalls);
    ck_assert_ptr_nonnull(stalls);
    strcpy(stalls->all.device.name, "NVIDIA H200");
    stalls->all.n = 4096;
    stalls->all.count = 3;
    stalls->steps[0].at = (struct inspected){.step = 4, .n = 4096, .outcome = VERIFIED};
    struct stall_samples *samples = &stalls->steps[0].samples;
    const char *own = "/home/somebody/kit/tests/recorded/source.cu.txt";
    samples->launches = 3;
    samples->period = 1024;
    samples->dropped = 12;
    stall_samples_add(samples, own, 7, STALL_MIO_THROTTLE, 9000);
    stall_samples_add(samples, own, 7, STALL_SHORT_SCOREBOARD, 1500);
    stall_samples_add(samples, own, 7, STALL_SELECTED, 20000);
    stall_samples_add(samples, own, 5, STALL_LONG_SCOREBOARD, 6000);
    stall_samples_add(samples, own, 5, STALL_LONG_SCOREBOARD, 1000);
    stall_samples_add(samples, own, 5, STALL_NOT_SELECTED, 100);
    stall_samples_add(samples, own, 6, STALL_BARRIER, 2000);
    stall_samples_add(samples, own, 0, STALL_DRAIN, 300);
    stall_samples_add(samples, own, 40, STALL_WAIT, 60);
    stall_samples_add(samples, "/usr/include/no_such_header.hpp", 12, STALL_MISC, 40);
    stall_samples_sort(samples);
    stalls->steps[1].at = (struct inspected){
        .step = 5, .n = 4096, .outcome = FAILED, .complaint = "its stalls cannot be sampled: no"};
    stalls->steps[2].at = (struct inspected){.step = 3, .n = 4096, .outcome = VERIFIED};
    stalls->steps[2].samples.launches = 1;
    stalls->steps[2].samples.period = 1024;
    return stalls;
}

SUITE(stalls, .seconds = 60)

TEST(the_page)
{
    static const struct {
        const struct style *style;
        const char *golden;
    } pages[] = {{&style_pipe, "stalls-pipe.txt"},
                 {&style_terminal, "stalls-terminal.txt"},
                 {&style_ascii, "stalls-ascii.txt"}};
    struct stalls *stalls = sample_stalls();
    struct source_file source = sample_source();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        FILE *file = text_begin();
        print_inspected_device(file, pages[i].style, &stalls_page, &stalls->all);
        for (int step = 0; step < stalls->all.count; step++)
            stalls_page.print_step(file, pages[i].style, &stalls->steps[step].at, &source);
        print_inspection_legend(file, &stalls_page, &stalls->all);
        char *text = text_end(file);
        assert_page(text, *pages[i].style, pages[i].golden);
    }
    free(stalls);
}

TEST(sums_are_of_all_lines)
{
    struct stalls *stalls = sample_stalls();
    const struct stall_samples *samples = &stalls->steps[0].samples;
    ck_assert_uint_eq(stall_samples_total(samples), 40000);
    ck_assert_uint_eq(stall_samples_of(samples, STALL_LONG_SCOREBOARD), 7000);
    uint64_t lines = 0, reasons = 0, waiting = 0;
    for (int i = 0; i < samples->count; i++) {
        lines += stall_line_total(&samples->lines[i]);
        waiting += stall_line_waiting(&samples->lines[i]);
    }
    for (int i = 0; i < STALL_REASONS; i++)
        reasons += stall_samples_of(samples, (enum stall_reason)i);
    ck_assert_uint_eq(lines, 40000);
    ck_assert_uint_eq(reasons, 40000);
    ck_assert_uint_eq(waiting, 40000 - 20000 - 100);
    free(stalls);
}

TEST(what_does_not_fit_is_told)
{
    static struct stall_samples samples;
    memset(&samples, 0, sizeof samples);
    for (unsigned line = 1; line <= MAX_STALL_LINES; line++)
        stall_samples_add(&samples, "a.cu", line, STALL_WAIT, 1);
    stall_samples_add(&samples, "a.cu", 5, STALL_WAIT, 1);
    ck_assert(!samples.overflowed);
    ck_assert_uint_eq(samples.lines[4].samples[STALL_WAIT], 2);
    stall_samples_add(&samples, "a.cu", MAX_STALL_LINES + 1, STALL_WAIT, 1);
    ck_assert(samples.overflowed);
    ck_assert_int_eq(samples.count, MAX_STALL_LINES);
}

TEST(reasons_by_cuptis_names)
{
    static const char stalled[] = "smsp__pcsamp_warps_issue_stalled_";
    char name[128];
    for (int i = 0; i < STALL_REASONS; i++) {
        enum stall_reason reason = (enum stall_reason)i;
        ck_assert_ptr_nonnull(stall_reasons[reason].name);
        ck_assert_ptr_nonnull(stall_reasons[reason].meaning);
        snprintf(name, sizeof name, "%s%s", stalled, stall_reasons[reason].key);
        ck_assert_int_eq(stall_reason_of(name), reason);
        strcat(name, "_not_issued");
        ck_assert_int_eq(stall_reason_of(name), STALL_REASONS);
    }
    snprintf(name, sizeof name, "%s%s", stalled, "by_something_new");
    ck_assert_int_eq(stall_reason_of(name), STALL_MISC);
    ck_assert_int_eq(stall_reason_of("smsp__cycles_active"), STALL_REASONS);
}

TEST(as_json)
{
    struct stalls *stalls = sample_stalls();
    char *text = json_of_stalls(&stalls->all);
    cJSON *json = read_json(text);
    const cJSON *steps = cJSON_GetObjectItem(json, "steps");
    ck_assert_int_eq(cJSON_GetArraySize(steps), 3);
    const cJSON *step = cJSON_GetArrayItem(steps, 0);
    const cJSON *samples = cJSON_GetObjectItem(step, "samples");
    ck_assert_int_eq((int)json_number(samples, "long_scoreboard"), 7000);
    ck_assert_ptr_null(cJSON_GetObjectItem(samples, "membar"));
    const cJSON *lines = cJSON_GetObjectItem(step, "lines"), *line;
    int found = 0, sum = 0;
    cJSON_ArrayForEach(line, lines)
    {
        const cJSON *count;
        found++;
        cJSON_ArrayForEach(count, cJSON_GetObjectItem(line, "samples")) sum += count->valueint;
    }
    ck_assert_int_eq(found, 6);
    ck_assert_int_eq(sum, 40000);
    const cJSON *failed = cJSON_GetArrayItem(steps, 1);
    ck_assert(cJSON_IsFalse(cJSON_GetObjectItem(failed, "verified")));
    ck_assert_ptr_null(cJSON_GetObjectItem(failed, "samples"));
    free(text);
    free(stalls);
}

// Where there is no GPU, nothing is sampled, and what else would help is said.
TEST(no_gpu_no_samples)
{
    static const char *const commands[] = {"CUDA_VISIBLE_DEVICES= ./run stalls 3 -n 64",
                                           "build/sim/run stalls 3 -n 64",
                                           "build/sim/run stalls --json build/check/stalls.json"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct printed printed = type("%s", commands[i]);
        ck_assert_int_eq(printed.status, EXIT_NO_DEVICE);
        assert_contains(printed.err, "apodkit: stalls cannot be sampled: ");
        assert_contains(printed.err, "./run explain --sim");
        ck_assert_str_eq(printed.out, "");
    }
    struct printed printed = type("build/sim/run stalls 9");
    ck_assert_int_eq(printed.status, EXIT_USAGE);
    assert_contains(printed.err, "Type `./run stalls --help` for the options.");
    printed = type_well("build/sim/run stalls --help");
    assert_contains(printed.out, "Usage: ./run stalls [STEP...] [OPTION...]");
}
