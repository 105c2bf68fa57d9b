#include "facts/comparison.h"

#include "base/untrusted_text.h"
#include "facts/format.h"
#include "facts/median.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void remark(struct remarks *remarks,
                                                         const char *format, ...)
{
    if (remarks->count == MAX_REMARKS)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(remarks->texts[remarks->count], REMARK_SIZE, format, arguments);
    va_end(arguments);
    foreign_trim(remarks->texts[remarks->count++]);
}

enum verdict metric_judge(enum metric metric, double from, double to)
{
    const struct metric_row *row = &metric_table[metric];
    double change = fabs(to - from);
    if (is_unseen(row->unit, change) || change <= row->noise / 100 * fmax(fabs(from), fabs(to)))
        return SAME;
    if (row->sense == NEUTRAL ||
        (row->sense == ENOUGH_IS_GOOD && from >= row->low && to >= row->low))
        return CHANGED;
    return (to > from) == (row->sense != LESS_IS_BETTER) ? BETTER : WORSE;
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {[SAME] = "same",       [BETTER] = "better",
                                        [WORSE] = "worse",     [NOT_COMPARED] = "not compared",
                                        [CHANGED] = "changed", [TOO_FEW] = "too few launches"};
    return names[verdict];
}

// Whether two timings of the same work may be of one median, for all that their launches say.
static bool intervals_meet(const struct timing *a, const struct timing *b)
{
    return timing_has_interval(a) && timing_has_interval(b) && a->low_ms <= b->high_ms &&
           b->low_ms <= a->high_ms;
}

static const char *kind_name(const struct run *run)
{
    return run->device.simulated ? "a simulated device" : "a GPU";
}

static void remark_runs(struct comparison *comparison)
{
    const struct run *a = comparison->a, *b = comparison->b;
    struct remarks *remarks = &comparison->remarks;
    if (a->device.simulated != b->device.simulated)
        remark(remarks,
               "A is of %s, B of %s: counts are exact on a simulated device but for machine "
               "instructions (part of the replay overheads), and measured on a GPU.",
               kind_name(a), kind_name(b));
    if (strcmp(a->device.name, b->device.name) != 0)
        remark(remarks,
               "The devices differ (%.127s in A, %.127s in B): so will the numbers, whatever the "
               "code.",
               a->device.name, b->device.name);
    if (a->n != b->n)
        remark(remarks,
               "The sizes differ (n = %zu in A, %zu in B): times and counts are not compared, and "
               "the other numbers depend on the size too. `./run -n %zu` measures at A's size.",
               a->n, b->n, a->n);
    if (*a->device.toolkit && *b->device.toolkit &&
        strcmp(a->device.toolkit, b->device.toolkit) != 0)
        remark(remarks, "The CUDA toolkits differ (%s in A, %s in B): so may the machine code.",
               a->device.toolkit, b->device.toolkit);
    if (*a->device.driver && *b->device.driver && strcmp(a->device.driver, b->device.driver) != 0)
        remark(remarks, "The drivers differ (%s in A, %s in B).", a->device.driver,
               b->device.driver);
    if (strcmp(a->kit, b->kit) != 0)
        remark(remarks, "A was taken with %.63s, B with %.63s: a metric's definition may differ.",
               a->kit, b->kit);
}

// Says where a roof of the same device lies elsewhere, unless chance may have moved it. Returns what `text` holds then.
static int add_moved_roof(char text[REMARK_SIZE], int used, const char *label,
                          const struct roof_result *a, const struct roof_result *b)
{
    if (!value_known(&a->gbs) || !value_known(&b->gbs) ||
        metric_judge(BANDWIDTH_GBS, a->gbs.number, b->gbs.number) == SAME ||
        intervals_meet(&a->timing, &b->timing))
        return used;
    char from[FORMAT_SIZE], to[FORMAT_SIZE];
    format_number(from, a->gbs.number);
    format_number(to, b->gbs.number);
    int more = snprintf(text + used, REMARK_SIZE - (size_t)used, "%s %s from %.20s to %.20s GB/s",
                        used ? "," : "The roof moved:", label, from, to);
    return used + more < REMARK_SIZE ? used + more : used;
}

static void remark_roofs(struct comparison *comparison)
{
    const struct run *a = comparison->a, *b = comparison->b;
    char text[REMARK_SIZE] = "";
    if (a->device.simulated || b->device.simulated || a->n != b->n ||
        strcmp(a->device.name, b->device.name) != 0)
        return;
    int used = add_moved_roof(text, 0, "the device's own copy",
                              &(struct roof_result){a->copy_gbs, a->copy},
                              &(struct roof_result){b->copy_gbs, b->copy});
    for (enum roof i = 0; i < ROOFS; i++)
        used = add_moved_roof(text, used, roof_rows[i].label, &a->roofs[i], &b->roofs[i]);
    const char *driver_a = *a->device.driver ? a->device.driver : "not known";
    const char *driver_b = *b->device.driver ? b->device.driver : "not known";
    if (used && strcmp(driver_a, driver_b) == 0)
        remark(&comparison->remarks, "%s (driver %s in both).", text, driver_a);
    else if (used)
        remark(&comparison->remarks, "%s (driver %s -> %s).", text, driver_a, driver_b);
}

void comparison_make(struct comparison *comparison, const struct run *a, const struct run *b)
{
    *comparison = (struct comparison){.a = a, .b = b};
    if (a && b)
        remark_runs(comparison);
    if (a && b)
        remark_roofs(comparison);
    int count_a = a ? a->count : 0, count_b = b ? b->count : 0;
    for (int i = 0, j = 0; i < count_a || j < count_b;) {
        const struct step_result *of_a = i < count_a ? &a->steps[i] : NULL;
        const struct step_result *of_b = j < count_b ? &b->steps[j] : NULL;
        if (of_a && of_b && of_a->number != of_b->number) { // the lower number comes alone
            of_b = of_a->number < of_b->number ? NULL : of_b;
            of_a = of_b ? NULL : of_a;
        }
        i += of_a != NULL;
        j += of_b != NULL;
        comparison->pairs[comparison->count++] = (struct pair){
            of_a, of_b,
            of_a && of_b && (strcmp(a->device.name, b->device.name) != 0 || of_a->n != of_b->n)};
    }
}

bool pair_is_comparable(const struct pair *pair)
{
    return pair->a && pair->b && !went_wrong(pair->a) && !went_wrong(pair->b);
}

static bool same_launch(const struct pair *pair)
{
    return !pair->a->launched || !pair->b->launched ||
           memcmp(pair->a->block, pair->b->block, sizeof pair->a->block) == 0;
}

static bool has_too_few(const struct pair *pair)
{
    return timing_has_too_few(&pair->a->timing) || timing_has_too_few(&pair->b->timing);
}

static bool rests_on_time(enum metric metric)
{
    return metric == TIME_MS || metric == BANDWIDTH_GBS || metric == DRAM_THROUGHPUT_GBS ||
           metric == DRAM_UTILIZATION;
}

// Whether the two may be one and the same, for all that their launches say. Of other sizes the times are no measure.
static bool may_be_chance(const struct pair *pair, enum metric metric)
{
    return rests_on_time(metric) && pair->a->n == pair->b->n &&
           intervals_meet(&pair->a->timing, &pair->b->timing);
}

static void remark_wrong(struct remarks *remarks, const char *which, const struct step_result *step)
{
    if (step && went_wrong(step))
        remark(remarks, "Not compared: the step is wrong or failed in %s: %s", which,
               step->complaint);
}

void pair_remark(const struct pair *pair, struct remarks *remarks)
{
    *remarks = (struct remarks){0};
    if (!pair->a || !pair->b)
        remark(remarks, "Only %s has this step: there is nothing to compare it with.",
               pair->a ? "A" : "B");
    remark_wrong(remarks, "A", pair->a);
    remark_wrong(remarks, "B", pair->b);
    if (!pair_is_comparable(pair))
        return;
    if (strcmp(pair->a->title, pair->b->title) != 0)
        remark(remarks, "The titles differ: \"%s\" in A, \"%s\" in B.", pair->a->title,
               pair->b->title);
    if (pair->a->n != pair->b->n)
        remark(remarks, "n is %zu in A and %zu in B: the time and the counts are not compared.",
               pair->a->n, pair->b->n);
    if (has_too_few(pair))
        remark(remarks,
               "Launches that were timed: %d in A, %d in B. Too few, of which the times tell "
               "nothing: `./run --reps %d` or more does.",
               pair->a->timing.launches, pair->b->timing.launches, MEDIAN_LAUNCHES);
    if (!same_launch(pair))
        remark(remarks, "The blocks differ: another geometry, not the same launch.");
}

struct difference pair_difference(const struct pair *pair, enum metric metric)
{
    const struct value *a = &pair->a->values[metric], *b = &pair->b->values[metric];
    struct difference difference = {.a = a, .b = b, .verdict = NOT_COMPARED};
    if (!value_known(a) || !value_known(b))
        return difference;
    difference.other_sources = a->provenance != b->provenance;
    difference.other_size = pair->a->n != pair->b->n && metric_table[metric].grows_with_n;
    difference.change = b->number - a->number;
    difference.ratio = a->number != 0 ? b->number / a->number : 0;
    if (difference.other_size)
        return difference;
    difference.verdict = rests_on_time(metric) && has_too_few(pair) ? TOO_FEW
                         : may_be_chance(pair, metric)              ? SAME
                                                       : metric_judge(metric, a->number, b->number);
    if (pair->unlike && (difference.verdict == BETTER || difference.verdict == WORSE))
        difference.verdict = CHANGED;
    return difference;
}
