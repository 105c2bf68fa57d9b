#include "schema.h"

#include "support.h"

#include <check.h>
#include <ctype.h>
#include <string.h>

static const cJSON *get(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    ASSERT_QUICK_MSG(item != NULL, "there is no key \"%s\"", key);
    return item;
}

// Whether an item is of a letter's type: o object, a array, s string, n number, b boolean, 3 array of three numbers; a
// capital one, and 3, may be null.
static int is_of_type(const cJSON *item, char letter)
{
    static cJSON_bool (*const is[])(const cJSON *item) = {['O'] = cJSON_IsObject,
                                                          ['a'] = cJSON_IsArray,
                                                          ['S'] = cJSON_IsString,
                                                          ['N'] = cJSON_IsNumber,
                                                          ['B'] = cJSON_IsBool};
    if (strchr("ONSB3", letter) && cJSON_IsNull(item))
        return 1;
    if (letter == '3')
        return cJSON_GetArraySize(item) == 3;
    return is[letter == 'a' ? letter : toupper(letter)](item);
}

static void assert_types(const cJSON *object, const char *const keys[][2], size_t count)
{
    for (size_t i = 0; i < count; i++)
        ASSERT_QUICK_MSG(is_of_type(get(object, keys[i][0]), *keys[i][1]),
                         "\"%s\" is not of type %s", keys[i][0], keys[i][1]);
}

static const char *const run_keys[][2] = {
    {"kit", "s"}, {"device", "o"}, {"n", "n"}, {"baselines", "o"}, {"steps", "a"}};
static const char *const device_keys[][2] = {
    {"kind", "s"}, {"name", "s"},          {"cc", "S"},
    {"sms", "n"},  {"dram_peak_gbs", "N"}, {"l2_bytes", "N"}};
static const char *const baseline_keys[][2] = {
    {"cpu_ms", "N"}, {"copy_gbs", "N"}, {"cpu_timing", "O"}, {"copy_timing", "O"}};
static const char *const step_keys[][2] = {{"step", "n"},
                                           {"name", "s"},
                                           {"stage", "s"},
                                           {"title", "s"},
                                           {"n", "n"},
                                           {"verified", "B"},
                                           {"error", "S"},
                                           {"grid", "3"},
                                           {"block", "3"},
                                           {"registers", "N"},
                                           {"shared_bytes", "N"},
                                           {"time_ms", "N"},
                                           {"bandwidth_gbs", "N"},
                                           {"metrics", "o"},
                                           {"counters", "o"},
                                           {"provenance", "o"}};
static const char *const metric_keys[] = {
    "gld_efficiency",        "gst_efficiency",         "local_memory_overhead",
    "dram_utilization",      "dram_throughput_gbs",    "branch_divergence_overhead",
    "total_replay_overhead", "shared_replay_overhead", "global_replay_overhead",
    "achieved_occupancy",    "theoretical_occupancy"};
static const char *const counter_keys[] = {
    "inst_executed",        "global_load_requests", "global_load_sectors", "global_store_requests",
    "global_store_sectors", "global_tags",          "shared_requests",     "shared_wavefronts",
    "dram_read_bytes",      "dram_write_bytes"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_provenance(const cJSON *value, const cJSON *provenance)
{
    static const char *const known[] = {"computed", "measured", "counted", "modelled"};
    const cJSON *item = get(provenance, value->string);
    ASSERT_QUICK_MSG(cJSON_IsString(item), "provenance of %s", value->string);
    if (cJSON_IsNull(value)) {
        ASSERT_QUICK_MSG(strncmp(item->valuestring, "unavailable: ", 13) == 0 &&
                             strlen(item->valuestring) > 13,
                         "%s is null, but %s", value->string, item->valuestring);
        return;
    }
    ASSERT_QUICK_MSG(cJSON_IsNumber(value), "%s is no number", value->string);
    int fits = 0;
    for (size_t i = 0; i < COUNT(known); i++)
        fits |= strcmp(item->valuestring, known[i]) == 0;
    ASSERT_QUICK_MSG(fits, "%s: unknown provenance %s", value->string, item->valuestring);
}

static void assert_values(const cJSON *step, const char *group, const char *const *keys,
                          size_t count)
{
    const cJSON *values = get(step, group), *provenance = get(step, "provenance"), *value;
    for (size_t i = 0; i < count; i++)
        get(values, keys[i]);
    cJSON_ArrayForEach(value, values) assert_provenance(value, provenance);
}

// Of launches that took place: no zero stands for "not known".
static void assert_timing(const cJSON *timing)
{
    static const char *const keys[] = {"launches", "median_ms", "min_ms", "max_ms"};
    for (size_t i = 0; !cJSON_IsNull(timing) && i < COUNT(keys); i++)
        ASSERT_QUICK_MSG(get(timing, keys[i])->valuedouble > 0, "%s of %s", keys[i],
                         timing->string);
    const cJSON *low = cJSON_GetObjectItemCaseSensitive(timing, "low_ms"); // older runs lack it
    if (!low)
        return;
    ck_assert_int_eq(cJSON_IsNull(low), get(timing, "launches")->valuedouble < 6);
    ck_assert_int_eq(cJSON_IsNull(low), cJSON_IsNull(get(timing, "high_ms")));
    ASSERT_QUICK(cJSON_IsNull(low) ||
                 (low->valuedouble <= get(timing, "median_ms")->valuedouble &&
                  get(timing, "high_ms")->valuedouble >= get(timing, "median_ms")->valuedouble));
}

static void assert_percent(const cJSON *value)
{
    ASSERT_QUICK_MSG(cJSON_IsNumber(value) && value->valuedouble >= 0 && value->valuedouble <= 100,
                     "%s is no share in percent", value->string);
}

static void assert_step(const cJSON *step)
{
    const cJSON *extra;
    cJSON_ArrayForEach(extra, get(step, "extra_metrics"))
        assert_provenance(extra, get(step, "extra_provenance"));
    assert_timing(get(step, "timing"));
    assert_types(step, step_keys, COUNT(step_keys));
    assert_values(step, "metrics", metric_keys, COUNT(metric_keys));
    assert_values(step, "counters", counter_keys, COUNT(counter_keys));
    assert_provenance(get(step, "time_ms"), get(step, "provenance"));
    assert_provenance(get(step, "bandwidth_gbs"), get(step, "provenance"));
    if (cJSON_HasObjectItem(get(step, "provenance"), "registers")) // older runs on GPUs lack it
        assert_provenance(get(step, "registers"), get(step, "provenance"));
    ck_assert_int_eq(cJSON_IsFalse(get(step, "verified")), !cJSON_IsNull(get(step, "error")));
}

// What the timing model says limits the kernel; null where there is no model. Older runs lack it.
static void assert_limits(const cJSON *step, int is_simulated)
{
    static const char *const limiters[] = {
        "blocks",      "latency",       "issue",       "bank_conflicts", "shared_memory",
        "uncoalesced", "global_memory", "l2",          "dram",           "block_launch",
        "arithmetic",  "atomics",       "local_memory"};
    static const char *const parts[] = {"issue", "shared_pipe", "global_pipe",
                                        "l2",    "dram",        "block_launch"};
    static const char *const later[] = {"arithmetic", "atomics"};
    const cJSON *limits = cJSON_GetObjectItemCaseSensitive(step, "limits");
    ASSERT_QUICK_MSG(cJSON_IsObject(limits) || !limits || cJSON_IsNull(limits), "\"limits\"");
    if (!cJSON_IsObject(limits))
        return;
    ASSERT_QUICK_MSG(is_simulated, "only a simulated device's limits are modelled");
    int is_known = 0;
    for (size_t i = 0; i < COUNT(limiters); i++)
        is_known |= strcmp(get(limits, "limiter")->valuestring, limiters[i]) == 0;
    ASSERT_QUICK_MSG(is_known, "limiter %s", get(limits, "limiter")->valuestring);
    assert_percent(get(limits, "busy_sms"));
    for (size_t i = 0; i < COUNT(parts); i++)
        assert_percent(get(get(limits, "busy"), parts[i]));
    int is_older = cJSON_GetArraySize(get(limits, "busy")) == COUNT(parts);
    for (size_t i = 0; i < COUNT(later) && !is_older; i++)
        assert_percent(get(get(limits, "busy"), later[i]));
    ck_assert_int_eq(cJSON_GetArraySize(get(limits, "busy")),
                     COUNT(parts) + (is_older ? 0 : COUNT(later)));
    ck_assert_str_eq(get(limits, "provenance")->valuestring, "modelled");
}

static const char *const advice_keys[][2] = {
    {"rule", "s"},     {"limit", "s"},    {"because", "s"},    {"text", "s"},   {"evidence", "o"},
    {"bound_ms", "N"}, {"bound_by", "S"}, {"provenance", "s"}, {"section", "S"}};

// What to try next; nothing for a step that is wrong. Older runs lack it, and published ones.
static void assert_advice(const cJSON *step)
{
    const cJSON *all = cJSON_GetObjectItemCaseSensitive(step, "advice"), *advice, *number;
    ASSERT_QUICK(!all || (cJSON_IsArray(all) &&
                          (cJSON_GetArraySize(all) > 0) == cJSON_IsTrue(get(step, "verified"))));
    cJSON_ArrayForEach(advice, all)
    {
        assert_types(advice, advice_keys, COUNT(advice_keys));
        const cJSON *bound = get(advice, "bound_ms"), *by = get(advice, "bound_by");
        const char *provenance = get(advice, "provenance")->valuestring;
        ck_assert_int_eq(cJSON_IsNull(bound), cJSON_IsNull(by));
        ck_assert_int_eq(cJSON_IsNull(bound), strncmp(provenance, "unavailable: ", 13) == 0);
        ASSERT_QUICK(cJSON_IsNull(bound) || bound->valuedouble > 0);
        cJSON_ArrayForEach(number, get(advice, "evidence")) ASSERT_QUICK(cJSON_IsNumber(number));
    }
}

// Where the baselines come from: the host's clock, and the device's or its model. Older runs lack it.
static void assert_baselines(const cJSON *baselines, int is_simulated)
{
    assert_types(baselines, baseline_keys, COUNT(baseline_keys));
    assert_timing(get(baselines, "cpu_timing"));
    assert_timing(get(baselines, "copy_timing"));
    const cJSON *provenance = cJSON_GetObjectItemCaseSensitive(baselines, "provenance");
    if (!provenance) {
        ASSERT_QUICK_MSG(!is_simulated, "a modelled copy that does not say so");
        return;
    }
    ck_assert_str_eq(get(provenance, "cpu_ms")->valuestring, "measured");
    const cJSON *copy = get(baselines, "copy_gbs");
    assert_provenance(copy, provenance);
    ck_assert_int_eq(cJSON_IsNull(get(baselines, "copy_timing")), cJSON_IsNull(copy));
    if (!cJSON_IsNull(copy))
        ck_assert_str_eq(get(provenance, "copy_gbs")->valuestring,
                         is_simulated ? "modelled" : "measured");
}

// Beside the device's own copy, which the baselines have too. Older runs lack them.
static void assert_roofs(const cJSON *run)
{
    static const char *const keys[] = {"device_copy", "copy_kernel", "read", "write"};
    const cJSON *roofs = cJSON_GetObjectItemCaseSensitive(run, "roofs");
    for (size_t i = 0; roofs && i < COUNT(keys); i++) {
        const cJSON *roof = get(roofs, keys[i]), *gbs = get(roof, "gbs");
        assert_provenance(gbs, get(roof, "provenance"));
        assert_timing(get(roof, "timing"));
        ASSERT_QUICK(cJSON_IsNull(gbs) || gbs->valuedouble > 0);
    }
}

// A time of a GPU is that of launches, each timed; a simulated device's is the model's.
static void assert_time(const cJSON *step, int is_simulated)
{
    const cJSON *time = get(step, "time_ms");
    const char *provenance = get(get(step, "provenance"), "time_ms")->valuestring;
    ck_assert_int_eq(cJSON_IsNull(get(step, "timing")), is_simulated || cJSON_IsNull(time));
    if (!cJSON_IsNull(time))
        ck_assert_str_eq(provenance, is_simulated ? "modelled" : "measured");
}

// What only a run that was published elsewhere may leave open.
static void assert_taken_by_the_kit(const cJSON *run, int is_simulated)
{
    static const char *const device[][2] = {{"cc", "s"}, {"l2_bytes", "n"}};
    static const char *const verified[][2] = {{"verified", "b"}};
    const cJSON *step;
    assert_types(get(run, "device"), device, COUNT(device));
    cJSON_ArrayForEach(step, get(run, "steps"))
    {
        assert_types(step, verified, COUNT(verified));
        assert_time(step, is_simulated);
    }
}

// An exercise beside the kit's own step. What is not known is null, and whether it is enough too.
static void assert_exercise(const cJSON *exercise, int is_simulated)
{
    static const char *const keys[][2] = {
        {"step", "n"}, {"file", "s"}, {"reached", "B"}, {"goals", "a"}, {"reference", "O"}};
    static const char *const goal_keys[][2] = {{"metric", "s"},    {"bound", "s"},
                                               {"value", "N"},     {"yours", "N"},
                                               {"reference", "N"}, {"reached", "B"}};
    const cJSON *goal, *reference = get(exercise, "reference");
    int missed = 0;
    assert_types(exercise, keys, COUNT(keys));
    ck_assert_int_gt(cJSON_GetArraySize(get(exercise, "goals")), 1);
    cJSON_ArrayForEach(goal, get(exercise, "goals"))
    {
        assert_types(goal, goal_keys, COUNT(goal_keys));
        const char *bound = get(goal, "bound")->valuestring;
        ASSERT_QUICK(strcmp(bound, "at_least") == 0 || strcmp(bound, "at_most") == 0);
        if (cJSON_IsNull(get(goal, "yours")) || cJSON_IsNull(get(goal, "value")))
            ASSERT_QUICK(cJSON_IsNull(get(goal, "reached")));
        missed |= cJSON_IsFalse(get(goal, "reached"));
    }
    ASSERT_QUICK_MSG(!missed || !cJSON_IsTrue(get(exercise, "reached")),
                     "not all goals are reached");
    if (!cJSON_IsObject(reference))
        return;
    assert_step(reference);
    assert_limits(reference, is_simulated);
    assert_time(reference, is_simulated);
    ASSERT_QUICK(get(reference, "step")->valuedouble == get(exercise, "step")->valuedouble);
}

void assert_run_schema(const cJSON *run)
{
    const cJSON *step;
    assert_types(run, run_keys, COUNT(run_keys));
    assert_types(get(run, "device"), device_keys, COUNT(device_keys));
    const char *kind = get(get(run, "device"), "kind")->valuestring;
    int is_simulated = strcmp(kind, "simulated") == 0;
    ASSERT_QUICK(is_simulated || strcmp(kind, "gpu") == 0);
    assert_baselines(get(run, "baselines"), is_simulated);
    assert_roofs(run);
    cJSON_ArrayForEach(step, get(run, "steps"))
    {
        assert_step(step);
        assert_limits(step, is_simulated);
        assert_advice(step);
    }
    const cJSON *exercise;
    cJSON_ArrayForEach(exercise, cJSON_GetObjectItemCaseSensitive(run, "exercises"))
        assert_exercise(exercise, is_simulated);
    if (!cJSON_GetObjectItemCaseSensitive(run, "source"))
        assert_taken_by_the_kit(run, is_simulated);
}
