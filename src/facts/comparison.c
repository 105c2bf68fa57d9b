#include "facts/comparison.h"

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
    vsnprintf(remarks->texts[remarks->count++], REMARK_SIZE, format, arguments);
    va_end(arguments);
}

static const char *kind_name(const struct record *record)
{
    return record->simulated ? "a simulated device" : "a GPU";
}

static void remark_runs(struct comparison *comparison)
{
    const struct record *a = comparison->a, *b = comparison->b;
    struct remarks *remarks = &comparison->remarks;
    if (a->simulated != b->simulated)
        remark(remarks,
               "A is of %s, B of %s: counts are exact on a simulated device but for machine "
               "instructions (part of the replay overheads), and measured on a GPU.",
               kind_name(a), kind_name(b));
    if (strcmp(a->device, b->device) != 0)
        remark(remarks,
               "The devices differ (%.100s in A, %.100s in B): so will the numbers, whatever the "
               "code.",
               a->device, b->device);
    if (a->n != b->n)
        remark(
            remarks,
            "The sizes differ (n = %zu in A, %zu in B): times and counts are not compared, and the "
            "other numbers depend on the size too. `./run -n %zu` measures at A's size.",
            a->n, b->n, a->n);
    if (*a->toolkit && *b->toolkit && strcmp(a->toolkit, b->toolkit) != 0)
        remark(remarks, "The CUDA toolkits differ (%s in A, %s in B): so may the machine code.",
               a->toolkit, b->toolkit);
    if (*a->driver && *b->driver && strcmp(a->driver, b->driver) != 0)
        remark(remarks, "The drivers differ (%s in A, %s in B).", a->driver, b->driver);
    if (strcmp(a->kit, b->kit) != 0)
        remark(remarks, "A was taken with %.60s, B with %.60s: a metric's definition may differ.",
               a->kit, b->kit);
}

void comparison_make(struct comparison *comparison, const struct record *a, const struct record *b)
{
    *comparison = (struct comparison){.a = a, .b = b};
    remark_runs(comparison);
    for (int i = 0, j = 0; i < a->count || j < b->count;) {
        const struct record_step *of_a = i < a->count ? &a->steps[i] : NULL;
        const struct record_step *of_b = j < b->count ? &b->steps[j] : NULL;
        if (of_a && of_b && of_a->number != of_b->number) { // the lower number comes alone
            of_b = of_a->number < of_b->number ? NULL : of_b;
            of_a = of_b ? NULL : of_a;
        }
        i += of_a != NULL;
        j += of_b != NULL;
        comparison->pairs[comparison->count++] = (struct pair){of_a, of_b};
    }
}

bool pair_is_comparable(const struct pair *pair)
{
    return pair->a && pair->b && pair->a->rightness != NOT_RIGHT && pair->b->rightness != NOT_RIGHT;
}

static bool same_launch(const struct pair *pair)
{
    return !pair->a->launched || !pair->b->launched ||
           memcmp(pair->a->block, pair->b->block, sizeof pair->a->block) == 0;
}

static void remark_wrong(struct remarks *remarks, const char *which, const struct record_step *step)
{
    if (step && step->rightness == NOT_RIGHT)
        remark(remarks, "Not compared: the step is wrong or failed in %s: %.200s", which,
               step->error);
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
    if (!same_launch(pair))
        remark(remarks, "The blocks differ: another geometry, not the same launch.");
}

struct difference pair_difference(const struct pair *pair, enum quantity quantity)
{
    const struct value *a = &pair->a->values[quantity], *b = &pair->b->values[quantity];
    struct difference difference = {.a = a, .b = b, .verdict = NOT_COMPARED};
    if (!value_known(a) || !value_known(b))
        return difference;
    difference.other_sources = a->provenance != b->provenance;
    difference.other_size = pair->a->n != pair->b->n && quantity_grows_with_n(quantity);
    difference.change = b->number - a->number;
    difference.ratio = a->number != 0 ? b->number / a->number : 0;
    if (!difference.other_size)
        difference.verdict = quantity_judge(quantity, a->number, b->number);
    return difference;
}
