// Two recorded runs side by side: senses, what is unlike, and the golden text of it all.
#include "base/suggest.h"
#include "facts/comparison.h"
#include "facts/format.h"
#include "files/json.h"
#include "files/run_read.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <string.h>

static struct run *before, *after;
static struct comparison comparison;

static void open_records(void)
{
    before = keep(run_read("tests/recorded/before.json", "before"));
    after = keep(run_read("tests/recorded/after.json", "after"));
    ck_assert(before && after);
    comparison_make(&comparison, before, after);
}

static const struct pair *pair_of(double number)
{
    for (int i = 0; i < comparison.count; i++) {
        const struct pair *pair = &comparison.pairs[i];
        if ((pair->a ? pair->a : pair->b)->number == number)
            return pair;
    }
    ck_abort_msg("no step %g", number);
    return NULL;
}

static enum verdict verdict_of(enum metric metric, double from, double to)
{
    return metric_judge(metric, from, to);
}

SUITE(compare, .set_up = open_records)

TEST(senses)
{
    ck_assert_int_eq(metric_judge(TIME_MS, 10, 5), BETTER);
    ck_assert_int_eq(metric_judge(TIME_MS, 5, 10), WORSE);
    ck_assert_int_eq(metric_judge(TIME_MS, 100, 102), SAME); // noise
    ck_assert_int_eq(metric_judge(TIME_MS, 100, 104), WORSE);
    ck_assert_int_eq(metric_judge(BANDWIDTH_GBS, 5, 10), BETTER);
    ck_assert_int_eq(metric_judge(REGISTERS, 20, 40), CHANGED);
    ck_assert_int_eq(metric_judge(REGISTERS, 20, 20), SAME);
    static const enum metric good[] = {GLD_EFFICIENCY, GST_EFFICIENCY},
                             bad[] = {LOCAL_MEMORY_OVERHEAD, BRANCH_DIVERGENCE_OVERHEAD,
                                      TOTAL_REPLAY_OVERHEAD, SHARED_REPLAY_OVERHEAD,
                                      GLOBAL_REPLAY_OVERHEAD};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        ck_assert_int_eq(verdict_of(good[i], 12.5, 100), BETTER);
        ck_assert_int_eq(verdict_of(good[i], 100, 12.5), WORSE);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(verdict_of(bad[i], 0, 42.5), WORSE);
        ck_assert_int_eq(verdict_of(bad[i], 42.5, 0), BETTER);
    }
    ck_assert_int_eq(verdict_of(GLD_EFFICIENCY, 99.98, 100), SAME);             // prints alike
    ck_assert_int_eq(verdict_of(GLD_TRANSACTIONS_PER_REQUEST, 4, 16), CHANGED); // wider loads
    ck_assert_int_eq(verdict_of(DRAM_UTILIZATION, 12.5, 100),
                     CHANGED); // bytes that move may be in vain
    ck_assert_int_eq(verdict_of(DRAM_THROUGHPUT_GBS, 100, 400), CHANGED);
    ck_assert_int_eq(metric_judge(GLOBAL_STORE_SECTORS, 32, 4), BETTER);
    ck_assert_int_eq(metric_judge(BRANCHES, 32, 4), CHANGED);
}

// What differs between two devices, or at two sizes, is neither for the code.
TEST(runs_that_are_unlike_are_not_judged)
{
    comparison_make(&comparison, before, before);
    comparison.pairs[0].b = comparison.pairs[1].b;
    ck_assert_int_eq(pair_difference(&comparison.pairs[0], BANDWIDTH_GBS).verdict, BETTER);
    snprintf(after->device.name, sizeof after->device.name, "another GPU");
    comparison_make(&comparison, before, after);
    for (int i = 0; i < comparison.count; i++)
        for (enum metric k = 0; pair_is_comparable(&comparison.pairs[i]) && k < METRICS; k++) {
            enum verdict verdict = pair_difference(&comparison.pairs[i], k).verdict;
            ck_assert(verdict != BETTER && verdict != WORSE);
        }
}

// More warps are better while they are few, and no goal in themselves after that.
TEST(the_sense_of_occupancy)
{
    ck_assert_int_eq(verdict_of(ACHIEVED_OCCUPANCY, 1.6, 49.9), BETTER);
    ck_assert_int_eq(verdict_of(ACHIEVED_OCCUPANCY, 49.9, 20), WORSE);
    ck_assert_int_eq(verdict_of(ACHIEVED_OCCUPANCY, 93, 50), CHANGED);
    ck_assert_int_eq(verdict_of(THEORETICAL_OCCUPANCY, LOW_OCCUPANCY, 100), CHANGED);
}

TEST(every_metric_has_a_name_of_its_own)
{
    for (int i = 0; i < METRICS; i++) {
        ck_assert_msg(metric_table[i].label && metric_table[i].key, "metric %d", i);
        for (int j = 0; j < i; j++) {
            ck_assert_str_ne(metric_table[i].key, metric_table[j].key);
            ck_assert_str_ne(metric_table[i].label, metric_table[j].label);
        }
    }
}

TEST(steps_are_matched_by_number)
{
    static const struct {
        double number;
        bool a, b;
    } pairs[] = {
        {1, true, false}, {3, true, true}, {4, true, true}, {5, true, true}, {6, false, true}};
    ck_assert_int_eq(comparison.count, 5);
    for (int i = 0; i < 5; i++) {
        const struct pair *pair = &comparison.pairs[i];
        ck_assert_int_eq(pair->a != NULL, pairs[i].a);
        ck_assert_int_eq(pair->b != NULL, pairs[i].b);
        ck_assert(!pair->a || pair->a->number == pairs[i].number);
        ck_assert(!pair->b || pair->b->number == pairs[i].number);
    }
    ck_assert(pair_is_comparable(pair_of(4)));
    ck_assert(!pair_is_comparable(pair_of(1)) && !pair_is_comparable(pair_of(6)));
    ck_assert(!pair_is_comparable(pair_of(5))); // it failed in one
}

// The deck's latency hiding is no step of the kit, and stands alone between two that are.
TEST(the_decks_fourth_panel_has_no_counterpart)
{
    struct run *deck = keep(run_open("gtc2012")), *kit = keep(run_open("h200"));
    ck_assert(deck && kit);
    comparison_make(&comparison, deck, kit);
    ck_assert_int_eq(comparison.count, 9);
    ck_assert_str_eq(comparison.pairs[4].a->title, "latency hiding");
    ck_assert_ptr_null(comparison.pairs[4].b);
    ck_assert(comparison.pairs[5].a && comparison.pairs[5].b);
    comparison_make(&comparison, deck, deck);
    ck_assert_int_eq(comparison.count, 5); // with itself, it matches
}

TEST(unlike_things_are_not_compared_in_silence)
{
    struct remarks remarks;
    ck_assert_int_eq(comparison.remarks.count, 2);
    assert_contains(comparison.remarks.texts[0], "The devices differ (NVIDIA H200 in A, NVIDIA GH");
    assert_contains(comparison.remarks.texts[1], "The sizes differ (n = 8192 in A, 4096 in B)");
    struct difference time = pair_difference(pair_of(4), TIME_MS);
    ck_assert(time.other_size && time.verdict == NOT_COMPARED);
    ck_assert(pair_difference(pair_of(4), INST_EXECUTED).other_size);
    ck_assert(!pair_difference(pair_of(4), BANDWIDTH_GBS).other_size);
    time = pair_difference(pair_of(3), TIME_MS);
    ck_assert(time.other_sources && time.verdict == CHANGED);
    ck_assert(!pair_difference(pair_of(3), GLD_EFFICIENCY).other_sources);
    ck_assert_int_eq(pair_difference(pair_of(3), DRAM_UTILIZATION).verdict, NOT_COMPARED);
    pair_remark(pair_of(5), &remarks);
    assert_contains(remarks.texts[0], "wrong or failed in B: the kernel did not end");
    char *complaint = after->steps[2].complaint;
    memset(complaint, 'x', COMPLAINT_SIZE - 2);
    strcpy(complaint + COMPLAINT_SIZE - 2, "!");
    pair_remark(pair_of(5), &remarks); // whole, however long
    assert_contains(remarks.texts[0], "xx!");
    pair_remark(pair_of(6), &remarks);
    assert_contains(remarks.texts[0], "Only B has this step");
    pair_remark(pair_of(3), &remarks);
    ck_assert_int_eq(remarks.count, 0);
    after->device.simulated = true;
    strcpy(after->kit, "apodkit 9");
    strcpy(before->device.toolkit, "12.8");
    comparison_make(&comparison, before, after);
    ck_assert_int_eq(comparison.remarks.count, 5);
    assert_contains(comparison.remarks.texts[0], "A is of a GPU, B of a simulated device");
    assert_contains(comparison.remarks.texts[3], "toolkits differ (12.8 in A, 13.0 in B)");
    assert_contains(comparison.remarks.texts[4],
                    "A was taken with apodkit 0.1.0, B with apodkit 9");
}

// Of one device: with the driver that did it, or for all that is known.
TEST(a_moved_roof_is_noticed)
{
    struct run a, b;
    sample_run(&a);
    sample_run(&b);
    strcpy(a.device.driver, "550.54 (CUDA 12.4)");
    memcpy(b.device.driver, a.device.driver, sizeof b.device.driver);
    a.roofs[PURE_READ] = b.roofs[PURE_READ] =
        (struct roof_result){.gbs = value_of(4300, MEASURED), .timing = a.copy};
    b.roofs[PURE_READ].gbs.number = 4180; // 2.8 %
    b.copy_gbs.number *= 0.98;
    comparison_make(&comparison, &a, &b);
    ck_assert_int_eq(comparison.remarks.count, 0);

    b.roofs[PURE_READ].gbs.number = 3000; // but the same launches: chance
    comparison_make(&comparison, &a, &b);
    ck_assert_int_eq(comparison.remarks.count, 0);

    b.roofs[PURE_READ].timing.low_ms = b.roofs[PURE_READ].timing.high_ms = 0.2;
    comparison_make(&comparison, &a, &b);
    ck_assert_int_eq(comparison.remarks.count, 1);
    ck_assert_str_eq(
        comparison.remarks.texts[0],
        "The roof moved: pure read from 4300 to 3000 GB/s (driver 550.54 (CUDA 12.4) in both).");

    b.copy_gbs.number *= 0.73;
    b.copy.launches = b.copy.low_ms = b.copy.high_ms = 0; // an older kit's run
    strcpy(b.device.driver, "580.95 (CUDA 13.0)");
    comparison_make(&comparison, &a, &b);
    ck_assert_int_eq(comparison.remarks.count, 2);
    assert_contains(comparison.remarks.texts[0], "The drivers differ");
    assert_contains(comparison.remarks.texts[1],
                    "The roof moved: the device's own copy from 4181 to 2991 GB/s, pure read",
                    "(driver 550.54 (CUDA 12.4) -> 580.95 (CUDA");

    b.n = 4096; // another size has another roof, and so has another device
    comparison_make(&comparison, &a, &b);
    ck_assert_ptr_null(strstr(comparison.remarks.texts[1], "roof"));
    b.n = a.n;
    strcpy(b.device.name, "NVIDIA H100");
    comparison_make(&comparison, &a, &b);
    ck_assert_ptr_null(strstr(comparison.remarks.texts[1], "roof"));
}

static char *print(const struct style *style, bool in_short, bool counters)
{
    FILE *file = text_begin();
    struct report report = {.file = file, .style = *style};
    if (in_short)
        report_comparison_in_short(&report, &comparison);
    else
        report_comparison(&report, &comparison, counters);
    return text_end(file);
}

TEST(changes_have_signs)
{
    static const struct style ascii = {0};
    static const struct {
        enum metric metric;
        double change;
        const char *text;
    } changes[] = {{TIME_MS, -0.5, "-500 us"},
                   {BANDWIDTH_GBS, 12.5, "+12.5 GB/s"},
                   {REGISTERS, -6, "-6"},
                   {SHARED_BYTES, 4096, "+4 KiB"},
                   {GLD_EFFICIENCY, 87.5, "+87.5"},
                   {GLD_EFFICIENCY, -0.02, ""},
                   {BRANCHES, -123456789, "-123456789"}};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        char text[FORMAT_SIZE];
        format_change(text, changes[i].metric, changes[i].change, &ascii);
        ck_assert_str_eq(text, changes[i].text);
    }
}

TEST(golden_texts, .times = 6)
{
    static const struct {
        const char *file;
        struct style style;
        bool in_short, counters;
    } texts[] = {
        {"compare-pipe.txt", {.utf8 = true}, false, false},
        {"compare-counters.txt", {.utf8 = true}, false, true},
        {"compare-ascii.txt", {0}, false, false},
        {"compare-terminal.txt", {.color = true, .utf8 = true, .marks = true}, false, false},
        {"compare-short.txt", {.utf8 = true}, true, false},
        {"compare-short-ascii.txt", {0}, true, false}};
    char *text = print(&texts[_i].style, texts[_i].in_short, texts[_i].counters);
    assert_page(text, texts[_i].style, texts[_i].file);
}

TEST(as_json)
{
    cJSON *json = read_json(keep(json_of_comparison(&comparison)));
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "steps")), 5);
    const cJSON *values = json_member(json, "steps/1/values");
    ck_assert_int_eq(cJSON_GetArraySize(values), METRICS);
    const cJSON *store = json_member(values, "gst_efficiency");
    ck_assert(json_number(store, "change") == 12.5);
    ck_assert(json_number(store, "relative") == 1);
    ck_assert_str_eq(json_string(store, "verdict"), "changed");
    const cJSON *dram = json_member(values, "dram_utilization");
    ck_assert(cJSON_IsNull(json_member(dram, "b")));
    ck_assert(cJSON_IsNull(json_member(dram, "change")));
    ck_assert_str_eq(json_string(dram, "provenance_b"), "unavailable: no counter");
    const cJSON *time = json_member(json, "steps/2/values/time_ms");
    ck_assert_str_eq(json_string(time, "verdict"), "not compared");
    ck_assert(cJSON_IsNull(json_member(time, "change")));
    const cJSON *lone = json_step(json, 0);
    ck_assert(cJSON_IsNull(json_member(lone, "n_b")));
    ck_assert_int_eq(cJSON_GetArraySize(json_member(lone, "values")), 0);
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "unlike")), 2);
}

TEST(suggestions)
{
    static const char *const known[] = {"compare", "history", "metrics", "gtc2012", "h200"};
    static const struct {
        const char *typed, *meant;
    } typos[] = {{"comapre", "compare"},
                 {"compar", "compare"},
                 {"hstory", "history"},
                 {"metrisc", "metrics"},
                 {"gtc2021", "gtc2012"},
                 {"h20", "h200"},
                 {"h2000", "h200"},
                 {"explode", NULL},
                 {"", NULL},
                 {"x", NULL},
                 {"3", NULL}};
    for (size_t i = 0; i < sizeof typos / sizeof *typos; i++) {
        const char *found = suggest(typos[i].typed, known, 5, sizeof *known);
        ck_assert_msg(found == typos[i].meant ||
                          (found && typos[i].meant && strcmp(found, typos[i].meant) == 0),
                      "'%s' suggests '%s'", typos[i].typed, found ? found : "nothing");
    }
    char long_one[300];
    memset(long_one, 'a', sizeof long_one - 1);
    long_one[sizeof long_one - 1] = '\0';
    ck_assert_ptr_null(suggest(long_one, known, 5, sizeof *known));
    const char *long_name = long_one;
    ck_assert_ptr_null(suggest("aaaa", &long_name, 1, sizeof long_name));
}
