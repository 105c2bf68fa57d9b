// The whole kit on a real GPU: right results at awkward sizes, exact counts, planted bugs.
#define _POSIX_C_SOURCE 200809L // strndup
#include "facts/device.h"
#include "facts/launches.h"
#include "facts/steps.h"
#include "schema.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cJSON *run_as_json(const char *arguments)
{
    cJSON *json = type_json("./run --json - %s", arguments);
    assert_run_schema(json);
    return json;
}

static double value_of_step(const cJSON *step, const char *group, const char *key)
{
    const cJSON *item = json_member(step, "%s/%s", group, key);
    ck_assert_msg(cJSON_IsNumber(item), "%s: %s", key, json_string(step, "provenance/%s", key));
    return item->valuedouble;
}

SUITE(gpu, .seconds = 300, .why_not = without_gpu, .uses_gpu = true)

TEST(gpu_awkward_sizes_verify)
{
    static const int sizes[] = {1, 2, 31, 32, 33, 100, 1000, 1023, 1024, 1025, 2049};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char arguments[64];
        snprintf(arguments, sizeof arguments, "-n %d --no-profile --reps 1", sizes[i]);
        run_as_json(arguments);
    }
}

TEST(gpu_default_run_is_complete)
{
    cJSON *run = run_as_json("");
    for (int number = 1; number <= 8; number++) {
        const cJSON *step = step_numbered(run, number);
        for (enum metric m = FIRST_METRIC; m < FIRST_COUNT; m++)
            value_of_step(step, "metrics", metric_table[m].key);
        ck_assert_int_ge((int)json_number(step, "timing/launches"), 3);
    }
    double copy = json_number(run, "baselines/copy_gbs");
    static const double least[] = {[5] = 0.7, [6] = 0.85, [7] = 0.9, [8] = 0.9};
    for (int number = 5; number <= 8; number++) {
        double gbs = json_number(step_numbered(run, number), "bandwidth_gbs");
        ck_assert_msg(gbs > least[number] * copy, "step %d moves %g GB/s, the copy %g", number, gbs,
                      copy);
    }
}

// What follows from the addresses alone, at any n and on any GPU since Turing. TILE is 32.
static void check_counts(const cJSON *run, double n)
{
    double warps = n * n / 32;
    static const double store_sectors[] = {0, 0, 32, 32, 4, 4};
    for (int number = 2; number <= 5; number++) {
        const cJSON *step = step_numbered(run, number);
        ck_assert(value_of_step(step, "counters", "global_load_requests") == warps);
        ck_assert(value_of_step(step, "counters", "global_store_requests") == warps);
        ck_assert(value_of_step(step, "counters", "global_load_sectors") == 4 * warps);
        ck_assert(value_of_step(step, "counters", "global_store_sectors") ==
                  store_sectors[number] * warps);
        ck_assert(value_of_step(step, "metrics", "gld_efficiency") == 100);
        ck_assert(value_of_step(step, "metrics", "gst_efficiency") == (number < 4 ? 12.5 : 100));
        ck_assert(value_of_step(step, "counters", "shared_requests") ==
                  (number < 4 ? 0 : 2 * warps));
    }
    // Unpadded, a column of the tile lies in one bank: 32 passes for the read, 1 for the write.
    ck_assert(value_of_step(step_numbered(run, 4), "counters", "shared_wavefronts") == 33 * warps);
    ck_assert(value_of_step(step_numbered(run, 5), "counters", "shared_wavefronts") == 2 * warps);
    // 16 bytes a lane: a fourth of the requests, of 16 sectors, and of 4 passes in shared memory.
    for (int number = 6; number <= 8; number++) {
        const cJSON *step = step_numbered(run, number);
        ck_assert(value_of_step(step, "counters", "global_load_requests") == warps / 4);
        ck_assert(value_of_step(step, "counters", "global_store_requests") == warps / 4);
        ck_assert(value_of_step(step, "metrics", "gld_transactions_per_request") == 16);
        ck_assert(value_of_step(step, "metrics", "gst_transactions_per_request") == 16);
        ck_assert(value_of_step(step, "counters", "shared_requests") == 2 * warps / 4);
        ck_assert(value_of_step(step, "counters", "shared_wavefronts") == 2 * warps);
    }
}

TEST(gpu_counts_follow_from_the_addresses)
{
    cJSON *run = run_as_json("-n 1024 --reps 1");
    check_counts(run, 1024);
    double replay = value_of_step(step_numbered(run, 2), "metrics", "global_replay_overhead");
    ck_assert_msg(fabs(replay - 87) < 2, "global replay overhead of step 2: %g", replay);
    const cJSON *serial = step_numbered(run, 1);
    ck_assert(value_of_step(serial, "counters", "global_load_sectors") == 1024 * 1024);
    ck_assert(value_of_step(serial, "metrics", "gld_efficiency") == 12.5);
    run = run_as_json("2 3 4 5 6 7 8 -n 4096 --reps 1");
    check_counts(run, 4096);
}

TEST(gpu_added_metrics_by_both_names)
{
    cJSON *run = run_as_json("5 -n 1024 --reps 1 --metrics "
                             "ipc,gld_transactions,smsp__inst_executed.sum,no__such_thing.sum");
    const cJSON *step = step_numbered(run, 5);
    ck_assert(value_of_step(step, "extra_metrics", "ipc") > 0);
    ck_assert(value_of_step(step, "extra_metrics", "gld_transactions") ==
              value_of_step(step, "counters", "global_load_sectors"));
    ck_assert(value_of_step(step, "extra_metrics", "smsp__inst_executed.sum") ==
              value_of_step(step, "counters", "inst_executed"));
    ck_assert(cJSON_IsNull(json_member(step, "extra_metrics/no__such_thing.sum")));
}

TEST(gpu_metrics_names_the_chip_of_this_machine)
{
    assert_contains(type_well("./run metrics").out, "whether the chip ",
                    "inst_executed                     yes");
}

// The programs with planted bugs, and what must be said of each.
static const struct {
    int step;
    const char *words;
} bugs[] = {{40, "`out` and `in` mixed up?"},
            {41, "nothing was written"},
            {42, "not transposed at all"},
            {43, "not turned"},
            {44, "stand in the wrong places"},
            {45, "only the incomplete edge tiles were not written"},
            {46, "wrote behind the output"},
            {47, "wrote in front of the output, 3 elements"},
            {48, "changed its input, first in[row 5][column 7]"},
            {49, "cudaErrorIllegalAddress"},
            {50, "did not end within 3 seconds"},
            {51, "1024 threads at most"},
            {52, "cudaErrorLaunchOutOfResources"},
            {53, "launched no kernel"},
            {54, "__trap()"},
            {55, "signal 11"},
            {59, "did not end within 3 seconds"}};
enum { BUGS = sizeof bugs / sizeof *bugs };

TEST(gpu_planted_bugs_are_caught)
{
    struct printed printed = type_to(EXIT_WRONG, "build/gpu/wrong_steps -n 1000 --timeout 3");
    for (int i = 0; i < BUGS; i++) {
        char start[32];
        snprintf(start, sizeof start, "apodkit: step %d ", bugs[i].step);
        const char *line = strstr(printed.err, start);
        ck_assert_msg(line != NULL, "step %d was not caught:\n%s", bugs[i].step, printed.err);
        size_t length = strcspn(line, "\n");
        char *own = strndup(line, length);
        assert_contains(own, bugs[i].words);
        free(own);
    }
    ck_assert_msg(!strstr(printed.err, "apodkit: step 56 "), "the right step was blamed:\n%s",
                  printed.err);
    assert_contains(printed.out, "3 of 20 steps verified");
}

TEST(gpu_one_process_for_debuggers)
{
    struct printed printed = type_well("./run 3 5 -n 256 --reps 1 --timeout 0 --no-profile");
    printed = type_to(EXIT_WRONG, "build/gpu/wrong_steps 49 56 -n 1000 --timeout 0 --no-profile");
    assert_contains(printed.err, "apodkit: step 49 failed: ", "apodkit: step 56 failed: not run");
}

TEST(gpu_without_counters_the_run_ends_well)
{
    assert_contains(type_well("compute-sanitizer ./run 3 5 -n 256 --reps 1").out,
                    "Counters: ", "Step 5", "ERROR SUMMARY: 0 errors");
}

TEST(gpu_impossible_requests_end_well)
{
    assert_contains(type_to(EXIT_NO_DEVICE, "./run --device 1000").err, "there is no device 1000");
    assert_contains(type_to(EXIT_WRONG, "./run 5 -n 1048576").err, "cudaErrorMemoryAllocation",
                    "smaller n");
}

// The kit's calculator and the runtime's, for every kernel of the lesson, any number of warps and
// shared memory up to what a block can have.
TEST(gpu_occupancy_is_what_the_runtime_says)
{
    struct device device;
    char failure[FAILURE_SIZE];
    ck_assert_msg(device_open(0, &device, failure), "%s", failure);
    launches_only_record(true);
    for (int i = 0; i < step_count(); i++) {
        launches_forget();
        step_at(i)->launch(NULL, NULL, 4096);
        struct launch_record launch = launches_largest();
        struct launch_needs needs;
        ck_assert_msg(launch_needs(&launch, &needs, failure), "%s", failure);
        int most = (int)(device.sm.shared_per_block - needs.shared_bytes), blocks;
        SUCCEEDS(
            cudaFuncSetAttribute(launch.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
        for (unsigned threads = 1; threads <= 1024; threads += 31)
            for (int dynamic = 0; dynamic <= most; dynamic += 64 + 7 * (int)threads) {
                SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
                    &blocks, launch.kernel, (int)threads, (size_t)dynamic));
                struct occupancy ours = occupancy_of(&device.sm, threads, (unsigned)needs.registers,
                                                     needs.shared_bytes + (size_t)dynamic);
                ck_assert_msg((int)ours.blocks == blocks,
                              "step %d, %u threads, %d bytes: %u blocks, %d by the runtime",
                              step_at(i)->number, threads, dynamic, ours.blocks, blocks);
            }
    }
}

static cJSON *hotspots_as_json(const char *program, int n)
{
    return type_json("%s hotspots --json - -n %d", program, n);
}

// Line by line, the GPU's instrumented kernels and the simulated device count the same.
TEST(gpu_lines_are_those_of_the_simulated_device)
{
    static const int sizes[] = {33, 1000, 1023, 1024};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        cJSON *gpu = hotspots_as_json("./run", sizes[i]);
        cJSON *simulated = hotspots_as_json("build/sim/run", sizes[i]);
        ck_assert_str_eq(json_string(gpu, "device/kind"), "gpu");
        ck_assert_int_eq(cJSON_GetArraySize(json_member(gpu, "steps")), 8);
        for (int s = 0; s < 8; s++) {
            const cJSON *measured = json_step(gpu, s);
            const cJSON *counted = json_step(simulated, s);
            char *gpu_text = cJSON_Print(measured), *simulated_text = cJSON_Print(counted);
            ck_assert_msg(strcmp(gpu_text, simulated_text) == 0,
                          "step %d at n = %d on the GPU:\n%s\nsimulated:\n%s", s + 1, sizes[i],
                          gpu_text, simulated_text);
            free(gpu_text);
            free(simulated_text);
        }
    }
}

// A kernel that fails while it is looked at takes only its own step down.
TEST(gpu_looks_at_planted_bugs, .times = 3)
{
    static const char *const verbs[][2] = {
        {"hotspots 42 49 50 53 55 56", "global load"},
        {"stalls 42 49 50 53 56", " samples of "},
        {"trace --chrome build/check/gpu-timeline.json 42 49 50 53 55 56", "[CUDA memcpy DtoH]"}};
    struct printed printed =
        type_to(EXIT_WRONG, "build/gpu/wrong_steps %s -n 100 --timeout 5", verbs[_i][0]);
    assert_contains(
        printed.err, "apodkit: step 42 gave a wrong result",
        "apodkit: step 49 failed: ", "apodkit: step 50 failed: the kernel did not end within 5",
        "apodkit: step 53 failed: launch() in");
    if (strstr(verbs[_i][0], "55"))
        assert_contains(printed.err, "apodkit: step 55 failed: the process ended with signal 11");
    ck_assert_ptr_null(strstr(printed.err, "apodkit: step 56"));
    assert_contains(printed.out, verbs[_i][1]);
    if (strstr(verbs[_i][0], "--chrome"))
        ck_assert(cJSON_IsArray(read_json(read_file("build/check/gpu-timeline.json"))));
}

// How many of a line's samples waited for what a line loads.
static double caused_by_loads(const cJSON *line)
{
    double sum = 0;
    const cJSON *cause;
    cJSON_ArrayForEach(cause, json_member(line, "causes"))
    {
        if (strcmp(json_string(cause, "reason"), "long_scoreboard") == 0)
            sum += json_number(cause, "samples");
    }
    return sum;
}

// Enough samples, nearly all on lines of the step's file, and a load behind those that wait for one; and what is known
// of the kernels: one thread waits for memory, and four tenths of step 4's instructions' passes are bank conflicts.
TEST(gpu_stalls_are_sampled)
{
    cJSON *json = type_json("./run stalls --json -");
    const cJSON *steps = json_member(json, "steps"), *step;
    ck_assert_int_eq(cJSON_GetArraySize(steps), 8);
    cJSON_ArrayForEach(step, steps)
    {
        int number = (int)json_number(step, "step");
        double total = samples_of(step, NULL), own = 0, caused = 0;
        const cJSON *line;
        cJSON_ArrayForEach(line, json_member(step, "lines"))
        {
            if (strncmp(json_string(line, "file"), "steps/", 6) == 0)
                own += samples_of(line, NULL);
            caused += caused_by_loads(line);
        }
        ck_assert_msg(caused > 0.9 * samples_of(step, "long_scoreboard"),
                      "step %d: %g samples that waited for loads have one", number, caused);
        ck_assert_msg(total >= 10000, "step %d: %g samples", number, total);
        ck_assert_msg(own > 0.9 * total, "step %d: %g of %g in its file", number, own, total);
        if (number == 1)
            ck_assert(samples_of(step, "long_scoreboard") > 0.5 * total);
        if (number == 4)
            ck_assert(samples_of(step, "mio_throttle") + samples_of(step, "short_scoreboard") >
                      0.2 * total);
    }
}

static cJSON *trace_as_json(const char *arguments)
{
    cJSON *json = type_json("./run trace --json - %s", arguments);
    ck_assert_str_eq(json_string(json, "device/kind"), "gpu");
    return json;
}

// The kind of an activity and the range that asked for it: "kernel in timing".
static void describe_activity(const cJSON *step, const cJSON *activity, char text[128])
{
    snprintf(text, 128, "%s in %s", json_string(activity, "kind"),
             json_string(step, "ranges/%d/name", (int)json_number(activity, "range")));
}

// Every copy, fill and kernel once, in order, each with the range of the call that asked for it, and
// with times that do not overlap.
TEST(gpu_trace_is_complete)
{
    static const char *const expected[] = {"memcpy in upload",          "memset in poison",
                                           "kernel in verified launch", "memcpy in verification",
                                           "memcpy in verification",    "kernel in warm-up",
                                           "kernel in warm-up",         "kernel in timing",
                                           "kernel in timing",          "kernel in timing"};
    enum { EXPECTED = sizeof expected / sizeof *expected };
    const double clock_ns = 1000; // how far the GPU's clock may be off, once turned into the host's
    cJSON *json = trace_as_json("-n 1000 --reps 3");
    const cJSON *step, *activity;
    ck_assert(cJSON_IsNull(json_member(json, "untimed")));
    cJSON_ArrayForEach(step, json_member(json, "steps"))
    {
        const cJSON *activities = json_member(step, "activities");
        int place = 0;
        double end_ns = 0;
        ck_assert(json_number(step, "lost") == 0);
        ck_assert_int_eq(cJSON_GetArraySize(activities), EXPECTED);
        cJSON_ArrayForEach(activity, activities)
        {
            char found[128];
            describe_activity(step, activity, found);
            ck_assert_str_eq(found, expected[place++]);
            ck_assert_double_ge(json_number(activity, "start_ns"), end_ns - clock_ns);
            ck_assert_double_gt(json_number(activity, "duration_ns"), 0);
            end_ns = json_number(activity, "start_ns") + json_number(activity, "duration_ns");
        }
    }
}

// An activity record says 16 registers at least: seen on an H200 of kernels to which cudaFuncGetAttributes()
// gives 12 and 14, while of those with 28 and 30 both say the same.
static void check_shape(const cJSON *activity, const cJSON *measured)
{
    static const char *const shapes[] = {"grid", "block"};
    double registers = json_number(measured, "registers");
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            ck_assert(json_number(activity, "%s/%d", shapes[k], i) ==
                      json_number(measured, "%s/%d", shapes[k], i));
    ck_assert(json_number(activity, "registers") == (registers > 16 ? registers : 16));
    ck_assert(json_number(activity, "static_shared_bytes") ==
              json_number(measured, "shared_bytes"));
}

// A kernel is traced as it was launched; the fastest launch takes about as long as between a run's
// events, for which the GPU is warmed up longer.
TEST(gpu_traced_kernels_are_those_of_a_run)
{
    cJSON *json = trace_as_json("2 3 4 5 -n 4096");
    cJSON *run = type_json("./run 2 3 4 5 -n 4096 --json - --no-profile");
    for (int s = 0; s < 4; s++) {
        const cJSON *step = json_step(json, s), *activity;
        const cJSON *measured = json_step(run, s);
        double fastest_ns = 1e12;
        cJSON_ArrayForEach(activity, json_member(step, "activities"))
        {
            if (strcmp(json_string(activity, "kind"), "kernel") != 0)
                continue;
            check_shape(activity, measured);
            double ns = json_number(activity, "duration_ns");
            fastest_ns = ns < fastest_ns ? ns : fastest_ns;
        }
        double ratio = fastest_ns * 1e-6 / json_number(measured, "time_ms");
        ck_assert_msg(ratio > 0.5 && ratio < 2, "step %d: %g of a run's time", s + 2, ratio);
    }
}

// The busiest SM and the idlest are counted, and the average lies between them; a grid of many blocks runs on
// all.
TEST(gpu_blocks_of_the_sms)
{
    cJSON *json = trace_as_json("-n 2048 --reps 0");
    const int sms = (int)json_number(json, "device/sms");
    const cJSON *step;
    cJSON_ArrayForEach(step, json_member(json, "steps"))
    {
        double launched = 1, most = json_number(step, "blocks_per_sm_max"),
               least = json_number(step, "blocks_per_sm_min");
        ck_assert(cJSON_IsNull(json_member(step, "blocks_per_sm")));
        assert_contains(json_string(step, "blocks_per_sm_provenance"), "unavailable: CUPTI counts");
        for (int i = 0; i < 3; i++)
            launched *= json_number(step, "activities/2/grid/%d", i);
        ck_assert_double_ge(most, launched / sms);
        ck_assert_double_le(least, launched / sms);
        if (launched > 8 * sms)
            ck_assert_double_gt(least, 0);
    }
}
