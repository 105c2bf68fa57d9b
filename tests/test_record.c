// Recorded runs read back: every number, and nothing from a file that is not what it should be.
#include "facts/version.h"
#include "files/run_files.h"
#include "files/run_read.h"
#include "schema.h"
#include "suites.h"
#include "support.h"
#include "transposes.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct run *record; // too large for the stack of a small test

static void allocate(void)
{
    record = keep(malloc(sizeof *record));
}

static void parse_file(const char *name)
{
    char why[RUN_WHY_SIZE] = "";
    char *text = read_file(name);
    ck_assert_msg(run_parse(text, record, why), "%s: %s", name, why);
}

SUITE(record, .seconds = 120, .set_up = allocate)

TEST(the_kits_run_is_read)
{
    parse_file("docs/runs/h200.json");
    ck_assert_str_eq(record->device.name, "NVIDIA H200");
    ck_assert(!record->device.simulated);
    ck_assert_uint_eq(record->n, 8192);
    ck_assert_int_eq(record->count, 8);
    ck_assert(fabs(record->cpu.median_ms - 23.753) < 0.001);
    ck_assert_int_eq(record->device.sms, 132);
    ck_assert(fabs(record->device.dram_peak_gbs - 4814.304) < 0.001);
    ck_assert_uint_eq(record->device.l2_bytes, 62914560);
    ck_assert(fabs(record->copy_gbs.number - 4178.114) < 0.001);
    ck_assert_int_eq(record->device.sms, 132);
    ck_assert(record->device.l2_bytes == 62914560);
    const struct step_result *step = &record->steps[3];
    ck_assert(step->number == 4 && step->outcome == VERIFIED && step->launched);
    ck_assert_uint_eq(step->block[1], 32);
    ck_assert(step->values[REGISTERS].number == 14);
    ck_assert(step->values[REGISTERS].provenance == MEASURED); // which the file does not say
    ck_assert(step->values[GST_EFFICIENCY].number == 100);
    ck_assert(step->values[GST_EFFICIENCY].provenance == MEASURED);
    ck_assert(step->values[GLOBAL_LOAD_REQUESTS].number == 2097152);
    static const enum metric newer[] = {
        L1_HIT_RATE,         L2_HIT_RATE,      L1_UTILIZATION,  L2_UTILIZATION,
        GLOBAL_LOAD_L1_HITS, L2_READ_REQUESTS, L2_READ_SECTORS, L2_READ_HITS,
        L2_WRITE_REQUESTS,   L2_WRITE_SECTORS, METRICS};
    for (enum metric i = 0; i < METRICS; i++) {
        const enum metric *place = newer;
        while (*place != METRICS && *place != i)
            place++;
        ck_assert_msg(value_known(&step->values[i]) == (*place == METRICS), "%s",
                      metric_table[i].key);
    }
}

// The run as it is, and the run by way of its JSON, are one.
TEST(a_run_comes_back)
{
    struct run run;
    sample_run(&run);
    strcpy(run.device.toolkit, "13.0");
    run.steps[2].outcome = FAILED;
    strcpy(run.steps[2].complaint, "it hung");
    run.steps[3].values[ACHIEVED_OCCUPANCY] = value_unavailable("no counter for it");
    run.roofs[PURE_WRITE] = (struct roof_result){value_of(3255, MEASURED), run.copy};
    run.roofs[PURE_READ].gbs = value_unavailable("no kernel");
    struct run *now = written_and_read(&run);
    ck_assert(now->roofs[PURE_WRITE].gbs.number == 3255);
    ck_assert(now->roofs[PURE_WRITE].gbs.provenance == MEASURED);
    ck_assert_int_eq(now->roofs[PURE_WRITE].timing.launches, 100);
    ck_assert_str_eq(now->roofs[PURE_READ].gbs.why, "no kernel");
    ck_assert_str_eq(now->label, "this run");
    ck_assert_str_eq(now->device.toolkit, "13.0");
    ck_assert_int_eq(now->count, run.count);
    for (int i = 0; i < now->count; i++) {
        const struct step_result *result = &run.steps[i];
        const struct step_result *step = &now->steps[i];
        ck_assert(step->number == result->number && step->n == result->n);
        ck_assert_int_eq(step->timing.launches, result->timing.launches);
        ck_assert(fabs(step->timing.low_ms - result->timing.low_ms) < 1e-9);
        ck_assert(fabs(step->timing.high_ms - result->timing.high_ms) < 1e-9);
        for (int q = 0; q < METRICS; q++) {
            if (q >= FIRST_COUNT)
                ck_assert(step->values[q].number == result->values[q].number);
            ck_assert(step->values[q].provenance == result->values[q].provenance);
        }
    }
    ck_assert(went_wrong(&now->steps[2]));
    ck_assert_str_eq(now->steps[2].complaint, "it hung");
    ck_assert_str_eq(now->steps[3].values[ACHIEVED_OCCUPANCY].why, "no counter for it");
}

// The kit reads what it wrote of launches that were no good: empty, or of a negative number.
TEST(impossible_launches_come_back)
{
    static const unsigned sizes[][2][3] = {
        {{0, 1, 1}, {256, 1, 1}}, {{UINT_MAX, 1, 1}, {32, 0, 1}}, {{4, 4, UINT_MAX}, {1, 1, 0}}};
    struct run run;
    sample_run(&run);
    for (int i = 0; i < 3; i++) {
        run.steps[i].outcome = FAILED;
        strcpy(run.steps[i].complaint, "invalid configuration argument");
        memcpy(run.steps[i].grid, sizes[i][0], sizeof sizes[i][0]);
        memcpy(run.steps[i].block, sizes[i][1], sizeof sizes[i][1]);
    }
    struct run *now = written_and_read(&run);
    for (int i = 0; i < 3; i++) {
        ck_assert(now->steps[i].launched && went_wrong(&now->steps[i]));
        ck_assert_mem_eq(now->steps[i].grid, sizes[i][0], sizeof sizes[i][0]);
        ck_assert_mem_eq(now->steps[i].block, sizes[i][1], sizeof sizes[i][1]);
    }
}

// What the timing model says comes back; without a model there is no word of it.
TEST(limits_are_kept)
{
    struct run run;
    sample_run(&run);
    const struct limits limits = {.limiter = LIMITER_BANK_CONFLICTS,
                                  .busy = {10, 70.5, 20, 30, 40, 50, 60, 65},
                                  .busy_sms = 75};
    run.steps[3].limits = limits;
    struct run *now = written_and_read(&run);
    ck_assert(now->device.cc_major == 9 && now->device.cc_minor == 0);
    for (int i = 0; i < now->count; i++) {
        const struct limits *read = &now->steps[i].limits;
        ck_assert_int_eq(read->limiter, i == 3 ? LIMITER_BANK_CONFLICTS : LIMITER_UNKNOWN);
        ck_assert(read->busy_sms == (i == 3 ? 75 : 0));
        for (int r = 0; r < RESOURCES; r++)
            ck_assert(read->busy[r] == (i == 3 ? limits.busy[r] : 0));
    }
    for (enum limiter i = 0; i < LIMITERS; i++)
        ck_assert_int_eq(limiter_find(limiters[i].key), i);
    ck_assert_int_eq(limiter_find("nothing"), LIMITER_UNKNOWN);
}

// Registers are the compiled code's, or an estimate, and on a GPU what its driver says.
TEST(registers_keep_their_provenance, .times = 3)
{
    static const enum provenance provenances[] = {COUNTED, MODELLED, MEASURED};
    struct run run;
    sample_run(&run);
    run.steps[0].values[REGISTERS].provenance = provenances[_i];
    struct run *now = written_and_read(&run);
    ck_assert(now->steps[0].values[REGISTERS].number == run.steps[0].values[REGISTERS].number);
    ck_assert_int_eq(now->steps[0].values[REGISTERS].provenance, provenances[_i]);
}

// Occupancy from the launch is no prediction, as older kits called it.
TEST(theoretical_occupancy_is_computed)
{
    char why[RUN_WHY_SIZE] = "", text[600];
    static const char *const words[] = {"modelled", "computed"};
    for (int i = 0; i < 2; i++) {
        snprintf(
            text, sizeof text,
            "{\"kit\":\"k\",\"n\":64,\"baselines\":{},\"device\":{\"kind\":\"gpu\",\"name\":\"d\"},"
            "\"steps\":[{\"step\":3,\"title\":\"t\",\"n\":64,\"counters\":{},"
            "\"metrics\":{\"theoretical_occupancy\":75,\"achieved_occupancy\":50},"
            "\"provenance\":{\"theoretical_occupancy\":\"%s\","
            "\"achieved_occupancy\":\"modelled\"}}]}",
            words[i]);
        ck_assert_msg(run_parse(text, record, why), "%s", why);
        const struct value *values = record->steps[0].values;
        ck_assert_int_eq(values[THEORETICAL_OCCUPANCY].provenance, COMPUTED);
        ck_assert_int_eq(values[ACHIEVED_OCCUPANCY].provenance, MODELLED);
    }
}

// Whether that is the name of a run of the set on an H100 or H200, which was read.
static bool is_recorded_set(const char *name, int set)
{
    char format[32];
    unsigned size;
    int length = 0;
    snprintf(format, sizeof format, set == 0 ? "h%%*1[12]00-%%u%%n" : "h%%*1[12]00-%s-%%u%%n",
             transposes[set].name);
    sscanf(name, format, &size, &length);
    return length == (int)strlen(name) && record->n == size &&
           record->count == transposes[set].kernels;
}

// Each of docs/runs/ is a run as docs/json.md describes it. Those of the GPUs that were measured are the
// lesson's steps and the sets of transposes that judge the model, at five sizes each.
TEST(the_references_are_runs)
{
    struct run_names names;
    int found[SETS] = {0};
    ck_assert(run_names_list(REFERENCE_RUNS, &names));
    for (size_t i = 0; i < names.count; i++) {
        char path[KIT_PATH_SIZE];
        ck_assert(run_file_path(REFERENCE_RUNS, names.names[i], path));
        char *text = read_file(path);
        cJSON *json = read_json(text);
        assert_run_schema(json);
        parse_file(path);
        ck_assert_int_gt(record->count, 0);
        for (int s = 0; s < record->count; s++) {
            ck_assert(!went_wrong(&record->steps[s]));
            ck_assert(value_known(&record->steps[s].values[TIME_MS]));
        }
        for (int j = 0; j < SETS; j++)
            found[j] += is_recorded_set(names.names[i], j);
    }
    for (int j = 0; j < SETS; j++)
        ck_assert_msg(found[j] == 5 * transposes[j].gpus, "%d of %s", found[j], transposes[j].name);
    run_names_free(&names);
}

// The published panels, as the slides have them (one row a step).
TEST(the_decks_panels)
{
    static const struct {
        double number, ms, store, dram, replay, occupancy;
        unsigned grid_y, block_x, block_y;
        int registers, shared;
    } panels[] = {{2, 16.59, 12.5, 6.5, 87.9, 49.8, 1, 1024, 1, 22, 0},
                  {3, 1.267, 12.5, 54.5, 83, 93.2, 1024, 1024, 1, 10, 0},
                  {4, 0.198273, 100, 50.9, 30.4, 94.9, 64, 16, 16, 11, 1024},
                  {4.5, 0.170561, 100, 68.2, 31.6, 95.4, 64, 16, 8, 21, 1088},
                  {5, 0.053344, 100, 92.7, 17.6, 91.3, 64, 16, 8, 21, 1088}};
    char *text = read_file("docs/runs/gtc2012.json");
    cJSON *json = read_json(text);
    assert_run_schema(json);
    parse_file("docs/runs/gtc2012.json");
    assert_contains(record->source, "GTC 2012");
    ck_assert_int_eq(record->count, 5);
    for (int i = 0; i < 5; i++) {
        const struct step_result *step = &record->steps[i];
        const struct value *values = step->values;
        ck_assert(step->number == panels[i].number && step->n == 1024);
        ck_assert(step->outcome == NOT_KNOWN);
        ck_assert(values[TIME_MS].number == panels[i].ms);
        ck_assert(fabs(values[BANDWIDTH_GBS].number / bandwidth_gbs(1024, panels[i].ms) - 1) <
                  1e-5);
        ck_assert(values[GLD_EFFICIENCY].number == 100);
        ck_assert(values[GST_EFFICIENCY].number == panels[i].store);
        ck_assert(values[DRAM_UTILIZATION].number == panels[i].dram);
        ck_assert(values[TOTAL_REPLAY_OVERHEAD].number == panels[i].replay);
        ck_assert(fabs(values[SHARED_REPLAY_OVERHEAD].number +
                       values[GLOBAL_REPLAY_OVERHEAD].number - panels[i].replay) < 1e-9);
        ck_assert(values[ACHIEVED_OCCUPANCY].number == panels[i].occupancy);
        ck_assert_uint_eq(step->grid[1], panels[i].grid_y);
        ck_assert_uint_eq(step->block[0], panels[i].block_x);
        ck_assert_uint_eq(step->block[1], panels[i].block_y);
        ck_assert(values[REGISTERS].number == panels[i].registers);
        ck_assert(values[SHARED_BYTES].number == panels[i].shared);
        ck_assert_str_eq(values[INST_EXECUTED].why, "not in the deck");
        // Throughput over utilization is the board's peak: the panels agree on it.
        double peak = 100 * values[DRAM_THROUGHPUT_GBS].number / panels[i].dram;
        ck_assert_msg(fabs(peak - 183) < 1, "peak %g", peak);
    }
}

// A run with one step, in which a test replaces a piece.
#define STEP_HEAD "\"step\":3,\"title\":\"t\",\"n\":64,\"verified\":true,"
#define STEP_TAIL "\"metrics\":{\"gld_efficiency\":50},\"counters\":{},\"provenance\":"
#define PROVENANCE "{\"gld_efficiency\":\"measured\"}"
#define LIMITED(limits) "{" STEP_HEAD "\"limits\":" limits "," STEP_TAIL PROVENANCE "}"
#define STEPS_OF(step) "\"steps\":[" step "]}"
#define ONE_STEP "{" STEP_HEAD STEP_TAIL PROVENANCE "}"
#define RUN_HEAD "{\"kit\":\"k\",\"n\":64,\"baselines\":{},"
#define DEVICE "\"device\":{\"kind\":\"gpu\",\"name\":\"d\"},"

TEST(the_least_that_a_run_needs)
{
    char why[RUN_WHY_SIZE] = "";
    ck_assert_msg(run_parse(RUN_HEAD DEVICE STEPS_OF(ONE_STEP), record, why), "%s", why);
    ck_assert_int_eq(record->count, 1);
    ck_assert(record->steps[0].values[GLD_EFFICIENCY].number == 50);
    ck_assert_str_eq(record->steps[0].values[TIME_MS].why, "not in the file");
    ck_assert(!record->steps[0].launched);
}

static const struct {
    const char *text, *why;
} bad[] = {
    {"", "it is no JSON, or it is cut off: see line 1, column 1"},
    {"{\n\"kit\": oops}", "line 2, column 8"},
    {"[]", "an object is expected"},
    {"17", "an object is expected"},
    {"null", "an object is expected"},
    {"{}", "kit: a string is expected"},
    {RUN_HEAD DEVICE STEPS_OF(ONE_STEP) "x", "it is no JSON"},
    {"{\"kit\":7}", "kit: a string or null is expected"},
    {RUN_HEAD "\"device\":{\"kind\":\"gpu\",\"name\":\"d\",\"cc\":\"x\"}," STEPS_OF(ONE_STEP),
     "device.cc: \"9.0\" or the like"},
    {RUN_HEAD DEVICE STEPS_OF(LIMITED("7")), "steps[0].limiter: a string is expected"},
    {RUN_HEAD DEVICE STEPS_OF(LIMITED("{\"limiter\":\"magic\"}")), "it is none of the kit's"},
    {RUN_HEAD DEVICE STEPS_OF(LIMITED("{\"limiter\":\"dram\",\"busy_sms\":101,\"busy\":{}}")),
     "steps[0].limits.busy_sms: a number from 0 to 100"},
    {RUN_HEAD DEVICE STEPS_OF(LIMITED("{\"limiter\":\"dram\",\"busy_sms\":1,\"busy\":{}}")),
     "steps[0].issue: a number from 0 to 100"},
    {"{\"kit\":\"k\",\"n\":0}", "n: a number from 1 to"},
    {"{\"kit\":\"k\",\"n\":1.5}", "n: a whole number"},
    {"{\"kit\":\"k\",\"n\":1e999}", "n: a number"},
    {"{\"kit\":\"k\",\"n\":\"64\"}", "n: a number"},
    {RUN_HEAD "\"device\":[]}", "device: an object is expected"},
    {RUN_HEAD "\"device\":{\"kind\":\"toaster\",\"name\":\"d\"},\"steps\":[]}", "gpu or simulated"},
    {RUN_HEAD DEVICE "\"steps\":{}}", "steps: an array"},
    {RUN_HEAD DEVICE "\"steps\":[1]}", "steps[0].: an object is expected"},
    {RUN_HEAD DEVICE STEPS_OF("{\"step\":\"3\"}"), "steps[0].step: a number"},
    {RUN_HEAD DEVICE STEPS_OF("{\"step\":-3}"), "steps[0].step: a number"},
    {RUN_HEAD DEVICE STEPS_OF(ONE_STEP "," ONE_STEP),
     "steps[1].step: steps must be in ascending order"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD "\"metrics\":3}"), "steps[0].metrics: an object"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD STEP_TAIL "{\"gld_efficiency\":\"guessed\"}}"),
     "steps[0].gld_efficiency: its provenance"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD STEP_TAIL "{}}"), "gld_efficiency: its provenance"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD "\"grid\":[1,2]," STEP_TAIL PROVENANCE "}"),
     "steps[0].grid: three numbers"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD "\"grid\":[1,2,-3]," STEP_TAIL PROVENANCE "}"),
     "steps[0].grid: a number"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD "\"time_ms\":-1," STEP_TAIL
                              "{\"time_ms\":\"measured\"}}"),
     "steps[0].time_ms: a number"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD "\"time_ms\":[]," STEP_TAIL
                              "{\"time_ms\":\"measured\"}}"),
     "steps[0].time_ms: a number"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD "\"timing\":[]," STEP_TAIL PROVENANCE "}"),
     "steps[0].timing: a number from 1"},
    {RUN_HEAD DEVICE STEPS_OF("{" STEP_HEAD
                              "\"timing\":{\"launches\":9,\"median_ms\":1,\"min_ms\":1,"
                              "\"max_ms\":1,\"low_ms\":2,\"high_ms\":1}," STEP_TAIL PROVENANCE "}"),
     "steps[0].timing: a number from 2 to"},
};

TEST(what_is_no_run_is_refused, .times = sizeof bad / sizeof *bad)
{
    char why[RUN_WHY_SIZE] = "";
    ck_assert_msg(!run_parse(bad[_i].text, record, why), "accepted: %s", bad[_i].text);
    assert_contains(why, bad[_i].why);
}

// Of another kit's, or cut off: which, where, and what to do.
TEST(a_remedy_is_named)
{
    static const struct {
        const char *text, *err;
    } files[] = {
        {"{\"kit\":\"apodkit 0.0.3\",\"n\":64,\"device\":{\"kind\":\"gpu\"}}",
         "name: a string is expected"},
        {"{\"kit\":\"apodkit 0.0.3\",\"n\":64,\"device\":{\"kind\":\"gpu\"}}",
         "(it is of apodkit 0.0.3, this is apodkit " KIT_VERSION
         "). `./run --json FILE` records it again\n"},
        {"{\"kit\":\"apodkit\",\n\"n\":",
         "or it is cut off: see line 2, column 5. `./run --json FILE` records it again\n"}};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        FILE *file = fopen("build/check/cut.json", "w");
        ck_assert(file && fputs(files[i].text, file) >= 0 && fclose(file) == 0);
        assert_contains(type_to(2, "build/check/run compare build/check/cut.json h200").err,
                        files[i].err);
    }
}

TEST(deep_and_long_ones_are_refused)
{
    enum { DEEP = 200000 };
    char why[RUN_WHY_SIZE] = "", *text = malloc(DEEP + 1);
    ck_assert_ptr_nonnull(text);
    memset(text, '[', DEEP);
    text[DEEP] = '\0';
    ck_assert(!run_parse(text, record, why));
    assert_contains(why, "no JSON");
    size_t used = (size_t)sprintf(text, RUN_HEAD DEVICE "\"steps\":[{}");
    for (int i = 0; i < MAX_STEPS; i++)
        used += (size_t)sprintf(text + used, ",{}");
    strcpy(text + used, "]}");
    ck_assert(!run_parse(text, record, why));
    assert_contains(why, "at most 64 steps");
    free(text);
}

TEST(control_characters_do_not_come_through)
{
    char why[RUN_WHY_SIZE] = "";
    ck_assert(run_parse("{\"kit\":\"a\\u001b[31mb\\nc\\u007f\",\"n\":64,\"baselines\":{}," DEVICE
                        "\"steps\":[]}",
                        record, why));
    ck_assert_str_eq(record->kit, "a [31mb c ");
}

// Cut off anywhere, a file is refused with a reason.
TEST(cut_off_files_are_refused)
{
    char why[RUN_WHY_SIZE];
    char *text = read_file("tests/recorded/before.json");
    size_t length = (size_t)(strrchr(text, '}') - text);
    for (; length > 0; length--) {
        text[length] = '\0';
        *why = '\0';
        ASSERT_QUICK(!run_parse(text, record, why));
        ASSERT_QUICK(strstr(why, "cut off") != NULL);
    }
}

// With a few bytes changed it is read or refused, and what is read can be trusted.
TEST(damaged_files_do_no_harm)
{
    uint32_t random = 2012;
    char *whole = read_file("tests/recorded/before.json");
    size_t size = strlen(whole);
    char *text = keep(malloc(size + 1));
    int read = 0;
    for (int round = 0; round < 3000; round++) {
        memcpy(text, whole, size + 1);
        for (int flips = 1 + round % 3; flips > 0; flips--) {
            random = random * 1664525 + 1013904223; // Numerical Recipes' generator
            text[(random >> 8) % size] ^= (char)(1 << (random >> 5) % 8);
        }
        char why[RUN_WHY_SIZE] = "";
        if (!run_parse(text, record, why)) {
            ASSERT_QUICK(*why != '\0');
            continue;
        }
        read++;
        for (int i = 0; i < record->count; i++)
            for (int q = 0; q < METRICS; q++)
                ASSERT_QUICK(record->steps[i].values[q].number >= 0);
    }
    ck_assert_int_gt(read, 100);
}

// A set that is measured at several sizes: no size is recorded where a result is wrong, a counter was not read or no
// GPU did it. A script stands for the program, a recorded run for what it measures.
TEST(a_set_is_recorded_where_all_of_it_is_measured)
{
    static const struct {
        const char *edit, *end, *said;
    } cases[] = {{"", "true", NULL},
                 {"", "false", "n = 4096 is not recorded: a result is wrong"},
                 {"s/\"gpu\"/\"simulated\"/", "true", "ran on no GPU"},
                 {"0,/\"measured\"/s//\"unavailable: no\"/", "true", "was not measured"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        type_well(
            "rm -rf build/check/set && mkdir build/check/set && cd build/check/set && echo 'sed "
            "\"$EDIT\" docs/runs/h100-variants-$2.json >$4 && $END' >program && chmod +x program");
        struct printed printed = type("EDIT='%s' END=%s SIZES='1024 4096' tests/record_set.sh "
                                      "blind build/check/set/program build/check/set",
                                      cases[i].edit, cases[i].end);
        struct printed made = type_well("ls build/check/set | grep -c blind || true");
        ck_assert_int_eq(printed.status, cases[i].said ? 1 : 0);
        ck_assert_str_eq(made.out, cases[i].said ? "0\n" : "2\n");
        if (cases[i].said)
            assert_contains(printed.err, cases[i].said);
    }
    type_well("rm -r build/check/set");
}
