// ./run trace: its page, what it notes of each step, its timeline, and what it says of steps that go wrong.
#include "base/sim_devices.h"
#include "command_line/options.h"
#include "facts/trace.h"
#include "files/csv.h"
#include "files/json.h"
#include "measure/nvtx_ranges.h"
#include "show/inspection_page.h"
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// The program as it is typed, and the simulated one that it becomes.
#define RUN "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run trace "
#define SIM "build/sim/run trace "

static void add_kernel(struct activities *activities, const char *name, double start_ns,
                       struct activity shape)
{
    shape.kind = ACTIVITY_KERNEL;
    shape.start_ns = start_ns;
    (void)activities_add(activities, &shape, name);
}

// A GPU's step with all kinds of activities, and with everything that may be missing.
static void sample_gpu_step(struct traced_step *at)
{
    struct activities *activities = &at->activities;
    *at = (struct traced_step){.at = {.step = 4, .n = 8192, .outcome = VERIFIED}};
    activities->range_count = 3;
    strcpy(activities->ranges[0].name, "step 4 shared_tile");
    activities->ranges[0].parent = -1;
    strcpy(activities->ranges[1].name, "upload");
    strcpy(activities->ranges[2].name, "timing");
    const struct activity copies[] = {{.kind = ACTIVITY_COPY,
                                       .timed = MEASURED,
                                       .start_ns = 143212345.678,
                                       .duration_ns = 13.2e6,
                                       .range = 1,
                                       .stream = 7,
                                       .direction = COPY_TO_DEVICE,
                                       .bytes = 322961408},
                                      {.kind = ACTIVITY_FILL,
                                       .timed = MEASURED,
                                       .start_ns = 160e6,
                                       .duration_ns = 98.6e3,
                                       .range = 1,
                                       .stream = 7,
                                       .bytes = 322961408},
                                      {.kind = ACTIVITY_COPY,
                                       .timed = MEASURED,
                                       .start_ns = 2e9,
                                       .duration_ns = 1000,
                                       .range = -1,
                                       .stream = 13,
                                       .direction = COPY_IN_DEVICE,
                                       .bytes = 1}};
    struct activity kernel = {.timed = MEASURED,
                              .duration_ns = 523.2e3,
                              .range = 2,
                              .stream = 7,
                              .grid = {256, 256, 1},
                              .block = {32, 32, 1},
                              .registers = 14,
                              .static_shared = 4096,
                              .dynamic_shared = 4224};
    for (int i = 0; i < 3; i++)
        (void)activities_add(activities, &copies[i], NULL);
    add_kernel(activities, "_Z21transpose_shared_tilePfPKfi", 161e6, kernel);
    kernel.timed = UNAVAILABLE;
    memcpy(kernel.grid, (unsigned[]){65535, 65535, 1}, sizeof kernel.grid);
    add_kernel(activities, "a_kernel_whose_name_is_too_long_for_the_page", 0, kernel);
    strcpy(activities->untimed, "CUPTI could not read the GPU's clock for it");
    activities->lost = 12;
    at->blocks = (struct sm_blocks){.provenance = MEASURED,
                                    .launched = 64039,
                                    .most = 1602,
                                    .least = 1600,
                                    .sms = 40,
                                    .why = "CUPTI does not say"};
}

static struct trace *sample_trace(void)
{
    struct trace *trace = keep(calloc(1, sizeof *trace));
    strcpy(trace->all.device.name, "NVIDIA H200");
    trace->all.n = 8192;
    trace->all.count = 4;
    sample_gpu_step(&trace->steps[0]);
    struct traced_step *at = &trace->steps[1];
    *at = (struct traced_step){.at = {.step = 5, .n = 8192, .outcome = VERIFIED},
                               .blocks = {.why = "no profiler\nGet one."}};
    add_kernel(&at->activities, "predicted", 1000,
               (struct activity){.timed = MODELLED,
                                 .duration_ns = 5958,
                                 .range = -1,
                                 .grid = {1, 1, 1},
                                 .block = {1024, 1, 1},
                                 .registers = 30,
                                 .registers_estimated = true});
    trace->steps[2] = (struct traced_step){
        .at = {
            .step = 2, .n = 100, .outcome = WRONG, .complaint = "16 of 10000 elements are wrong"}};
    at = &trace->steps[3];
    *at = (struct traced_step){
        .at = {.step = 3, .n = 100, .outcome = VERIFIED},
        .blocks = {
            .provenance = MODELLED, .launched = 64039, .most = 1602, .least = 1600, .sms = 40}};
    for (int sm = 0; sm < 40; sm++)
        at->blocks.of_sm[sm] = (uint64_t)(1600 + sm % 3);
    return trace;
}

static char *print_page(const struct trace *trace, const struct style *style)
{
    FILE *file = text_begin();
    print_inspected_device(file, style, &trace_page, &trace->all);
    for (int i = 0; i < trace->all.count; i++) {
        struct source_file source = {.name = step_find(trace->steps[i].at.step)->file};
        trace_page.print_step(file, style, &trace->steps[i].at, &source);
    }
    print_inspection_legend(file, &trace_page, &trace->all);
    return text_end(file);
}

SUITE(trace, .seconds = 120)

TEST(the_page)
{
    static const struct {
        const struct style *style;
        bool simulated;
        const char *golden;
    } pages[] = {{&style_pipe, false, "trace-pipe.txt"},
                 {&style_terminal, false, "trace-terminal.txt"},
                 {&style_ascii, true, "trace-ascii.txt"}};
    struct trace *trace = sample_trace();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        trace->all.device.simulated = pages[i].simulated;
        char *text = print_page(trace, pages[i].style);
        assert_page(text, *pages[i].style, pages[i].golden);
    }
}

TEST(the_rows_as_csv)
{
    struct trace *trace = sample_trace();
    ck_assert(write_trace_csv("build/check/trace.csv", trace));
    assert_contains(read_file("build/check/trace.csv"),
                    "step,n,phase,start_ns,duration_ns,provenance,grid_x",
                    "\n4,8192,upload,143212345.7,13200000,measured,,,,,,,,,,322961408,"
                    "24.46677333,7,[CUDA memcpy HtoD]\n",
                    "\n4,8192,timing,161000000,523200,measured,256,256,1,32,32,1,14,4096,4224,,"
                    ",7,\"transpose_shared_tile(float*, float const*, int)\"\n",
                    "\n4,8192,timing,,,unavailable,65535,65535,1,",
                    "\n5,8192,,1000,5958,modelled,1,1,1,1024,1,1,30,0,0,,,0,predicted\n");
}

TEST(activities_are_ordered_and_counted)
{
    struct activities *activities = keep(calloc(1, sizeof *activities));
    static const double starts[] = {5, 3, 9, 3, 1};
    for (int i = 0; i < 5; i++)
        ck_assert_int_eq(activities_add(activities,
                                        &(struct activity){.kind = ACTIVITY_FILL,
                                                           .timed = MODELLED,
                                                           .start_ns = starts[i],
                                                           .bytes = (size_t)i},
                                        NULL),
                         i);
    activities_sort(activities);
    static const size_t order[] = {4, 1, 3, 0, 2};
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(activities->list[i].bytes, order[i]);
    struct activity kernel = {.kind = ACTIVITY_KERNEL};
    char name[32];
    for (int i = 0; i <= MAX_KERNELS; i++) {
        snprintf(name, sizeof name, "kernel%d", i);
        ck_assert_int_eq(activities_add(activities, &kernel, name), i < MAX_KERNELS ? 5 + i : -1);
    }
    ck_assert_uint_eq(activities->lost, 1);
    ck_assert_int_eq(activities_add(activities, &kernel, "kernel0"), 5 + MAX_KERNELS);
    ck_assert_int_eq(activities->list[5 + MAX_KERNELS].name, activities->list[5].name);
    while (activities->count < MAX_ACTIVITIES)
        ck_assert_int_ge(activities_add(activities, &kernel, "kernel0"), 0);
    ck_assert_int_eq(activities_add(activities, &kernel, "kernel0"), -1);
    ck_assert_uint_eq(activities->lost, 2);
}

TEST(ranges_lie_in_one_another)
{
    struct activities *activities = keep(calloc(1, sizeof *activities));
    range_push("nobody listens");
    range_pop();
    ranges_record(activities);
    range_push("step %d", 3);
    range_push("upload");
    range_pop();
    range_push("timing");
    for (int i = 0; i < MAX_RANGES; i++)
        range_push("%d", i);
    for (int i = 0; i < MAX_RANGES; i++)
        range_pop();
    range_pop();
    range_pop();
    ranges_record(NULL);
    range_push("nobody listens any more");
    range_pop();
    ck_assert_int_eq(activities->range_count, MAX_RANGES);
    ck_assert_str_eq(activities->ranges[0].name, "step 3");
    ck_assert_int_eq(activities->ranges[0].parent, -1);
    ck_assert_str_eq(activities->ranges[1].name, "upload");
    ck_assert_int_eq(activities->ranges[1].parent, 0);
    ck_assert_str_eq(activities->ranges[2].name, "timing");
    ck_assert_int_eq(activities->ranges[2].parent, 0);
    ck_assert_int_eq(activities->ranges[MAX_RANGES - 1].parent, MAX_RANGES - 2);
}

static cJSON *parse_file(const char *name)
{
    return read_json(read_file(name));
}

// Without guards: the simulated device checks every access.
static double bytes_of_matrix(double n)
{
    return n * n * 4;
}

// What a step must have done, in order, when it is timed three times.
static const struct {
    const char *phase, *kind, *name;
} expected[] = {{"upload", "memcpy", "[CUDA memcpy HtoD]"},
                {"poison", "memset", "[CUDA memset]"},
                {"verified launch", "kernel", "transpose_"},
                {"verification", "memcpy", "[CUDA memcpy DtoH]"},
                {"verification", "memcpy", "[CUDA memcpy DtoH]"},
                {"warm-up", "kernel", "transpose_"},
                {"warm-up", "kernel", "transpose_"},
                {"timing", "kernel", "transpose_"},
                {"timing", "kernel", "transpose_"},
                {"timing", "kernel", "transpose_"}};
enum { EXPECTED = sizeof expected / sizeof *expected };

static void check_kernel(const cJSON *activity, const cJSON *run_step, bool first)
{
    ck_assert_str_eq(json_string(activity, "provenance"), "modelled");
    for (int i = 0; i < 3; i++) {
        ck_assert(json_number(activity, "grid/%d", i) == json_number(run_step, "grid/%d", i));
        ck_assert(json_number(activity, "block/%d", i) == json_number(run_step, "block/%d", i));
    }
    ck_assert(json_number(activity, "registers") == json_number(run_step, "registers"));
    ck_assert(json_number(activity, "static_shared_bytes") ==
              json_number(run_step, "shared_bytes"));
    ck_assert(json_number(activity, "dynamic_shared_bytes") == 0);
    // A float of milliseconds: of seven digits. And events take time.
    double ns =
        json_number(run_step, "time_ms") * 1e6 - sim_device_find("h200")->timing.event_us * 1e3;
    if (first) // as in a run: the L2 holds what the model takes it to hold
        ck_assert_double_eq_tol(json_number(activity, "duration_ns"), ns, 1 + 1e-6 * ns);
}

static void check_transfer(const cJSON *activity, double n)
{
    bool fill = strcmp(json_string(activity, "kind"), "memset") == 0;
    ck_assert_str_eq(json_string(activity, "provenance"), fill ? "modelled" : "measured");
    ck_assert(json_number(activity, "bytes") == bytes_of_matrix(n));
    ck_assert_double_eq_tol(json_number(activity, "throughput_gbs"),
                            json_number(activity, "bytes") / json_number(activity, "duration_ns"),
                            1e-6);
}

// An activity lies in its range, as that lies in the step's, and behind the activity before it.
static void check_times(const cJSON *step, const cJSON *activity, double *end_ns)
{
    const double rounding = 1e-3;
    const cJSON *range = json_member(step, "ranges/%d", (int)json_number(activity, "range"));
    double start_ns = json_number(activity, "start_ns"),
           last_ns = json_number(activity, "duration_ns");
    last_ns += start_ns;
    ck_assert_double_ge(start_ns, *end_ns - rounding);
    ck_assert_double_ge(start_ns, json_number(range, "start_ns") - rounding);
    ck_assert_double_le(last_ns, json_number(range, "end_ns") + rounding);
    *end_ns = last_ns;
    const cJSON *around = json_member(step, "ranges/%d", (int)json_number(range, "parent"));
    ck_assert_double_le(json_number(around, "start_ns"), json_number(range, "start_ns"));
    ck_assert_double_ge(json_number(around, "end_ns"), json_number(range, "end_ns"));
}

static void check_step(const cJSON *step, const cJSON *run_step)
{
    const cJSON *activities = json_member(step, "activities");
    double end_ns = 0;
    ck_assert_int_eq(cJSON_GetArraySize(activities), EXPECTED);
    ck_assert(json_number(step, "lost") == 0);
    for (int i = 0; i < EXPECTED; i++) {
        const cJSON *activity = json_member(activities, "%d", i);
        int range = (int)json_number(activity, "range");
        ck_assert_str_eq(json_string(step, "ranges/%d/name", range), expected[i].phase);
        ck_assert_str_eq(json_string(activity, "kind"), expected[i].kind);
        assert_contains(json_string(activity, "name"), expected[i].name);
        check_times(step, activity, &end_ns);
        if (strcmp(expected[i].kind, "kernel") == 0)
            check_kernel(activity, run_step, i == 2);
        else
            check_transfer(activity, json_number(step, "n"));
    }
}

// As many blocks as the grid has, dealt out evenly.
static void check_blocks(const cJSON *step, const cJSON *run_step)
{
    double sum = 0, most = json_number(step, "blocks_per_sm_max"),
           least = json_number(step, "blocks_per_sm_min");
    ck_assert_str_eq(json_string(step, "blocks_per_sm_provenance"), "modelled");
    ck_assert_int_eq(cJSON_GetArraySize(json_member(step, "blocks_per_sm")), 132);
    for (int sm = 0; sm < 132; sm++) {
        double blocks = json_number(step, "blocks_per_sm/%d", sm);
        sum += blocks;
        ck_assert(least <= blocks && blocks <= most);
    }
    ck_assert(sum == json_number(run_step, "grid/0") * json_number(run_step, "grid/1") *
                         json_number(run_step, "grid/2"));
    ck_assert(most == json_number(run_step, "counters/blocks_per_sm_max"));
    ck_assert(least == json_number(run_step, "counters/blocks_per_sm_min"));
}

TEST(what_each_step_did)
{
    static const int sizes[] = {1, 33, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cJSON *trace = type_json(RUN "--json - --reps 3 -n %d", sizes[i]);
        cJSON *run = type_json("build/sim/run --json - -n %d", sizes[i]);
        ck_assert_str_eq(json_string(trace, "device/kind"), "simulated");
        ck_assert(cJSON_IsNull(json_member(trace, "untimed")));
        ck_assert_int_eq(cJSON_GetArraySize(json_member(trace, "steps")), 8);
        for (int s = 0; s < 8; s++) {
            check_step(json_step(trace, s), json_step(run, s));
            check_blocks(json_step(trace, s), json_step(run, s));
        }
    }
}

// The device does not depend on the host's threads, nor on how often it is asked.
TEST(predictions_are_the_same_each_time)
{
    cJSON *one = type_json("APODKIT_SIM_THREADS=1 " SIM "--json - -n 200 --reps 2");
    cJSON *two = type_json("APODKIT_SIM_THREADS=3 " SIM "--json - -n 200 --reps 2");
    for (int s = 0; s < 8; s++) {
        const cJSON *a = json_member(json_step(one, s), "activities"), *activity;
        int place = 0;
        cJSON_ArrayForEach(activity, a)
        {
            const cJSON *other = json_member(json_step(two, s), "activities/%d", place++);
            if (strcmp(json_string(activity, "provenance"), "modelled") == 0)
                ck_assert_double_eq_tol(json_number(activity, "duration_ns"),
                                        json_number(other, "duration_ns"), 1e-3);
        }
        ck_assert_int_eq(place, 9);
    }
}

static bool is(const cJSON *event, const char *phase)
{
    return strcmp(json_string(event, "ph"), phase) == 0;
}

// In one row, two events lie apart or one in the other.
static void check_row(const cJSON *a, const cJSON *b)
{
    const double rounding = 1e-6;
    double a_start = json_number(a, "ts"), a_end = a_start + json_number(a, "dur");
    double b_start = json_number(b, "ts"), b_end = b_start + json_number(b, "dur");
    bool apart = a_end <= b_start + rounding || b_end <= a_start + rounding;
    bool a_in_b = a_start >= b_start - rounding && a_end <= b_end + rounding;
    bool b_in_a = b_start >= a_start - rounding && b_end <= a_end + rounding;
    ck_assert_msg(apart || a_in_b || b_in_a, "%s and %s overlap", json_string(a, "name"),
                  json_string(b, "name"));
}

static bool row_is_named(const cJSON *events, const cJSON *of)
{
    const cJSON *event;
    cJSON_ArrayForEach(event, events)
    {
        if (is(event, "M") && strcmp(json_string(event, "name"), "thread_name") == 0 &&
            json_number(event, "pid") == json_number(of, "pid") &&
            json_number(event, "tid") == json_number(of, "tid"))
            return true;
    }
    return false;
}

// The timeline is the trace: every activity and range once, as long as there, in rows with names.
TEST(the_timeline)
{
    type_well(SIM "3 5 -n 100 --reps 4 --chrome build/check/timeline.json "
                  "--json build/check/trace.json");
    cJSON *events = parse_file("build/check/timeline.json");
    cJSON *trace = parse_file("build/check/trace.json");
    ck_assert(cJSON_IsArray(events));
    double shown_us = 0, traced_ns = 0, kernels_us = 0, behind_us = 0, of_step_3_us = 0;
    int shown = 0, traced = 0, processes = 0;
    const cJSON *event, *other, *activity;
    cJSON_ArrayForEach(event, events)
    {
        processes += is(event, "M") && strcmp(json_string(event, "name"), "process_name") == 0;
        if (!is(event, "X"))
            continue;
        shown++;
        shown_us += json_number(event, "dur");
        ck_assert_double_ge(json_number(event, "ts"), 0);
        ck_assert_double_ge(json_number(event, "dur"), 0);
        ck_assert(row_is_named(events, event));
        if (strncmp(json_string(event, "name"), "transpose_per_element(", 22) == 0)
            kernels_us += json_number(event, "dur");
        if (strncmp(json_string(event, "name"), "step 3 ", 7) == 0)
            of_step_3_us = json_number(event, "dur");
        if (strncmp(json_string(event, "name"), "step 5 ", 7) == 0)
            behind_us = json_number(event, "ts");
        for (other = event->next; other; other = other->next)
            if (is(other, "X") && json_number(event, "pid") == json_number(other, "pid") &&
                json_number(event, "tid") == json_number(other, "tid"))
                check_row(event, other);
    }
    double per_element_ns = 0;
    for (int s = 0; s < 2; s++) {
        cJSON_ArrayForEach(activity, json_member(json_step(trace, s), "activities"))
        {
            traced++;
            traced_ns += json_number(activity, "duration_ns");
            if (s == 0 && strcmp(json_string(activity, "kind"), "kernel") == 0)
                per_element_ns += json_number(activity, "duration_ns");
        }
        cJSON_ArrayForEach(activity, json_member(json_step(trace, s), "ranges"))
        {
            traced++;
            traced_ns += json_number(activity, "end_ns") - json_number(activity, "start_ns");
        }
    }
    ck_assert_int_eq(processes, 2);
    ck_assert_int_eq(shown, traced);
    ck_assert_double_eq_tol(shown_us * 1e3, traced_ns, 1e-2);
    ck_assert_double_eq_tol(kernels_us * 1e3, per_element_ns, 1e-2);
    // Seven launches of more than an empty kernel's time.
    const struct sim_timing *t = &sim_device_find("h200")->timing;
    ck_assert_double_gt(kernels_us, 7 * (t->launch_us - t->event_us));
    ck_assert_double_eq_tol(behind_us, of_step_3_us, 1e-6); // one step behind the other
}

// A GPU's streams have rows of their own; what has no time has no place.
TEST(the_timeline_of_streams)
{
    struct trace *trace = sample_trace();
    char *text = keep(timeline_of_trace(trace));
    cJSON *events = read_json(text), *event;
    ck_assert_ptr_nonnull(events);
    assert_contains(text, "stream 7: copies HtoD", "stream 7: fills", "stream 7: kernels",
                    "stream 13: copies DtoD");
    int shown = 0;
    cJSON_ArrayForEach(event, events)
    {
        shown += is(event, "X");
    }
    ck_assert_int_eq(shown, 3 + 4 + 1); // the ranges, what was timed, the prediction
}

// A GPU's counters say the most and the least, or nothing.
TEST(the_blocks_of_a_gpu)
{
    struct trace *trace = sample_trace();
    char *text = keep(json_of_trace(trace));
    cJSON *json = read_json(text);
    const cJSON *step = json_step(json, 0);
    ck_assert(cJSON_IsNull(json_member(step, "blocks_per_sm")));
    ck_assert_str_eq(json_string(step, "blocks_per_sm_provenance"),
                     "unavailable: CUPTI does not say");
    ck_assert(json_number(step, "blocks_per_sm_max") == 1602);
    ck_assert(json_number(step, "blocks_per_sm_min") == 1600);
    step = json_step(json, 1);
    assert_contains(json_string(step, "blocks_per_sm_provenance"), "unavailable: no profiler");
    ck_assert(cJSON_IsNull(json_member(step, "blocks_per_sm_max")));
    ck_assert(cJSON_IsNull(json_member(step, "blocks_per_sm_min")));
}

// As typed: within 120 columns, ASCII in an ASCII locale, no colour in a pipe.
TEST(the_page_as_typed)
{
    struct printed printed = type_well("LC_ALL=C " RUN "-n 100 --sim=t4 --reps 1");
    ck_assert_str_eq(printed.err, "");
    assert_contains(printed.out, "Simulated device Tesla T4: every copy, fill and kernel, n = 100",
                    "\nverified launch\n", " [1,100,1] [1024,1,1] ", "  transpose_padded_tile\n",
                    "Blocks per SM (sm_cta_launched): 100 on 40 SMs, ~2 to 3 each, 2.5 on average\n"
                    "    SM   0: 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 2 2 2 2 2 2 2 2 2 2 2 2\n"
                    "    SM  32: 2 2 2 2 2 2 2 2\n");
    assert_page(printed.out, style_ascii, NULL);
    printed = type(SIM "3 -n 64 --color always");
    assert_contains(printed.out, "\033[2mupload\033[0m");
    ck_assert_ptr_null(strstr(printed.out, "warm-up")); // one launch tells all on this device
    printed = type(SIM "3 -n 64 --csv - --json build/check/trace.json");
    ck_assert_int_eq(strncmp(printed.out, "step,n,phase,", 13), 0);
    ck_assert_ptr_null(strstr(printed.out, "Simulated device"));
}

TEST(without_the_model_there_are_no_times)
{
    struct printed printed =
        type_to(EXIT_WRONG, "APODKIT_SIM_MODEL=0 " SIM "3 -n 64 --json build/check/trace.json "
                            "--chrome build/check/timeline.json");
    assert_contains(printed.err, "--chrome: a timeline needs times: the timing model is off");
    assert_contains(printed.out, "Without times: the timing model is off: APODKIT_SIM_MODEL is 0.");
    ck_assert_ptr_null(strstr(printed.out, "µs"));
    cJSON *trace = parse_file("build/check/trace.json"), *activity;
    assert_contains(json_string(trace, "untimed"), "APODKIT_SIM_MODEL");
    cJSON_ArrayForEach(activity, json_member(json_step(trace, 0), "activities"))
    {
        ck_assert(cJSON_IsNull(json_member(activity, "start_ns")));
        ck_assert(cJSON_IsNull(json_member(activity, "duration_ns")));
        ck_assert_str_eq(json_string(activity, "provenance"), "unavailable");
    }
    assert_contains(type_well("APODKIT_SIM_MODEL=0 " SIM "3 -n 64 --csv -").out,
                    "\n3,64,poison,,,unavailable,,,,,,,,,,16384,,0,[CUDA memset]\n");
}

TEST(steps_that_go_wrong)
{
    struct printed printed =
        type_to(EXIT_WRONG,
                "APODKIT_SIM_BUDGET=%" PRId64 " build/sim/wrong_steps trace 42 49 50 51 53 55 56 "
                "-n 100 --timeout 2 --json build/check/trace.json",
                INT64_MAX); // step 50's loop never ends, on a fast machine too
    assert_contains(
        printed.err,
        "step 42 gave a wrong result: ", "step 49 failed: Out of bounds __global__ write",
        "step 50 failed: the kernel did not end within 2 seconds", "step 51 failed: ",
        "step 53 failed: launch() in tests/wrong_steps/step53_no_launch.cu launched no kernel",
        "step 55 failed: launch() in tests/wrong_steps/step55_host_crash.cu launched no kernel");
    ck_assert_ptr_null(strstr(printed.err, "apodkit: step 56"));
    assert_contains(printed.out, "did not end within 2 seconds");
    cJSON *trace = parse_file("build/check/trace.json");
    static const int activities[] = {5, 3, 0, 2, 2, 2, 5};
    for (int i = 0; i < 7; i++) {
        const cJSON *step = json_step(trace, i);
        ck_assert(cJSON_IsTrue(json_member(step, "verified")) == (i == 6));
        ck_assert_int_eq(cJSON_GetArraySize(json_member(step, "activities")), activities[i]);
        ck_assert(cJSON_IsNull(json_member(step, "blocks_per_sm")) == (i < 6));
    }
    const cJSON *failed = json_member(json_step(trace, 1), "activities/2");
    ck_assert_str_eq(json_string(failed, "kind"), "kernel");
    ck_assert(cJSON_IsNull(json_member(failed, "duration_ns")));
}

// A step may launch several kernels: all are traced, and blocks are counted of none.
TEST(a_step_of_two_kernels)
{
    cJSON *trace = type_json("build/sim/wrong_steps trace 57 -n 100 --json -");
    const cJSON *step = json_step(trace, 0), *activities = json_member(step, "activities");
    static const char *const names[] = {"[CUDA memcpy HtoD]", "[CUDA memset]",
                                        "first_row(",         "other_rows(",
                                        "[CUDA memcpy DtoH]", "[CUDA memcpy DtoH]"};
    ck_assert_int_eq(cJSON_GetArraySize(activities), 6);
    for (int i = 0; i < 6; i++)
        assert_contains(json_string(activities, "%d/name", i), names[i]);
    ck_assert(json_number(activities, "2/static_shared_bytes") == 49152);
    ck_assert(cJSON_IsTrue(json_member(step, "verified")));
    ck_assert(cJSON_IsNull(json_member(step, "blocks_per_sm")));
    assert_contains(json_string(step, "blocks_per_sm_provenance"), "unavailable: launch() makes 2");
}

TEST(mistakes_are_usage_errors)
{
    static const char *const cases[][2] = {
        {"-n 0", "-n takes a whole number from 1 to 1048576, not '0'"},
        {"--reps -1", "--reps takes a whole number from 0 to 1000, not '-1'"},
        {"--reps 1001", "--reps takes"},
        {"--timeout 0", "--timeout takes a whole number from 1 to 86400, not '0'"},
        {"--device -1", "--device takes"},
        {"99", "step 99 is not built"},
        {"three", "'three' is not a step's number"},
        {"--sim=nothing", "h200 h100"},
        {"--color blue", "--color takes auto, always or never"},
        {"--chrome - --csv -", "--csv and --chrome cannot both have standard output"},
        {"--chrome", "--chrome needs a value"},
        {"--frobnicate", "there is no option"},
        {"--crome x", "Did you mean --chrome?"},
    };
    ASSERT_USAGE_ERRORS(RUN, cases, "trace --help");
    assert_contains(type_well(RUN "--help").out, "Usage: ./run trace");
    assert_contains(type_to(EXIT_USAGE, "build/sim/run trcae").err, "Did you mean `./run trace`?");
}

TEST(files_that_cannot_be_written)
{
    static const char *const options[] = {"--chrome", "--json", "--csv"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct printed printed = type_to(EXIT_WRONG, SIM "3 -n 64 %s /nonexistent/x", options[i]);
        ck_assert_str_eq(printed.out, ""); // it is found out before the work
        assert_contains(printed.err, "/nonexistent/x");
        printed = type_to(EXIT_WRONG, SIM "3 -n 64 %s - >/dev/full", options[i]);
    }
    type_to(EXIT_WRONG, SIM "3 -n 64 >/dev/full");
}
