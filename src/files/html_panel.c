// A step's panel: every number that the run has of it, beside the step before; what that means, and what to try next.
#include "advice/advice.h"
#include "advice/step_sentence.h"
#include "facts/comparison.h"
#include "facts/format.h"
#include "facts/matrix_size.h"
#include "files/html_view.h"

#include <math.h>

void html_add_figure(cJSON *object, enum metric metric, const struct value *value)
{
    char text[FORMAT_SIZE];
    format_value(text, metric, value, &html_style);
    json_add(object, "key", metric_table[metric].key);
    json_add(object, "text", value_known(value) ? text : "unavailable");
    json_add(object, "exact", value);
    json_add(object, "provenance", provenance_name(value->provenance));
    json_add(object, "why", value_known(value) ? "" : value->why);
}

void html_add_place(cJSON *object, const char *key, double pixels)
{
    json_add(object, key, round(10 * pixels) / 10);
}

// From a to b; nothing where the two are not compared.
static void add_change(cJSON *object, const struct pair *pair, enum metric metric)
{
    struct difference difference = pair_difference(pair, metric);
    enum unit unit = metric_table[metric].unit;
    char text[FORMAT_SIZE] = "";
    if (difference.verdict == NOT_COMPARED)
        return;
    if (difference.verdict != SAME && difference.ratio > 0 &&
        (unit == MILLISECONDS || unit == GB_PER_SECOND || unit == EVENTS))
        format_ratio(text, difference.ratio, &html_style);
    else if (difference.verdict != SAME)
        format_change(text, metric, difference.change, &html_style);
    json_add(object, "change", difference.verdict == SAME ? "same" : text);
    json_add(object, "verdict", verdict_name(difference.verdict));
}

static void add_row(cJSON *rows, const struct run *run, const struct pair *pair, enum metric metric)
{
    cJSON *row = json_object(rows, NULL);
    html_add_figure(row, metric, &pair->b->values[metric]);
    json_add(row, "label", metric_table[metric].label);
    json_add(row, "bad",
             metric_is_bad(metric, &pair->b->values[metric],
                           matrix_size_fits_in_l2(&run->device, pair->b->n)));
    json_add_bool(row, "is_compared", pair->a != NULL);
    if (!pair->a)
        return;
    char text[FORMAT_SIZE];
    format_value(text, metric, &pair->a->values[metric], &html_style);
    json_add(row, "before", text);
    add_change(row, pair, metric);
}

static void add_rows(cJSON *object, const struct run *run, const struct pair *pair)
{
    static const char *const names[] = {[NO_SECTION] = "More",
                                        [IN_MEMORY] = "Memory",
                                        [IN_INSTRUCTION] = "Instruction",
                                        [IN_OCCUPANCY] = "Occupancy"};
    static const enum section order[] = {IN_MEMORY, IN_INSTRUCTION, IN_OCCUPANCY, NO_SECTION};
    cJSON *sections = json_array(object, "sections"), *section = json_object(sections, NULL);
    json_add(section, "name", "Launch");
    cJSON *rows = json_array(section, "rows");
    for (enum metric i = 0; i < FIRST_METRIC; i++)
        add_row(rows, run, pair, i);
    for (int k = 0; k < 4; k++) {
        section = json_object(sections, NULL);
        json_add(section, "name", names[order[k]]);
        rows = json_array(section, "rows");
        for (enum metric i = FIRST_METRIC; i < FIRST_COUNT; i++)
            if (metric_table[i].section == order[k])
                add_row(rows, run, pair, i);
    }
    cJSON *counts = json_array(object, "counts");
    for (enum metric i = FIRST_COUNT; i < METRICS; i++)
        add_row(counts, run, pair, i);
}

static void add_advice(cJSON *object, const struct run *run, const struct step_result *step)
{
    struct advice list[MAX_ADVICE];
    struct findings findings = findings_of(run, step);
    int count = advice_shown(list, advise(&findings, list));
    cJSON *array = json_array(object, "advice");
    for (int i = 0; i < count; i++) {
        cJSON *advice = json_object(array, NULL);
        char bound[FORMAT_SIZE], gain[FORMAT_SIZE];
        json_add(advice, "limit", list[i].limit);
        json_add(advice, "because", list[i].because);
        json_add(advice, "next", list[i].next);
        if (list[i].gain == 0)
            continue;
        format_value(bound, TIME_MS, &list[i].bound_ms, &html_style);
        format_ratio(gain, list[i].gain, &html_style);
        json_add(advice, "bound", bound);
        json_add(advice, "gain", gain);
    }
}

static void add_head(cJSON *object, const struct step_result *step)
{
    char label[STEP_LABEL_SIZE], size[FORMAT_SIZE];
    json_add(object, "label", step_label(step->number, label));
    json_add(object, "title", step->title);
    json_add(object, "n", step->n);
    json_add(object, "step", step->number);
    json_add(object, "launched", step->launched);
    format_dimensions(size, step->grid);
    json_add(object, "grid", size);
    format_dimensions(size, step->block);
    json_add(object, "block", size);
}

void html_add_panel(cJSON *object, const struct run *run, int place)
{
    const struct step_result *step = &run->steps[place];
    struct pair pair = {.a = verified_before(run, place), .b = step};
    char reading[SENTENCE_SIZE] = "", before[STEP_LABEL_SIZE];
    add_head(object, step);
    json_add(object, "wrong",
             went_wrong(step) && *step->complaint ? step->complaint : html_wrong(step));
    if (went_wrong(step))
        return;
    json_add(object, "before", pair.a ? step_label(pair.a->number, before) : "");
    add_rows(object, run, &pair);
    step_sentence(run, step, pair.a, reading);
    json_add(object, "reading", reading);
    if (!is_mystery(step->number))
        add_advice(object, run, step);
    html_add_memory(object, step);
}

static void add_remarks(cJSON *object, const struct remarks *remarks)
{
    cJSON *array = json_array(object, "remarks");
    for (int i = 0; i < remarks->count; i++)
        json_add(array, NULL, remarks->texts[i]);
}

// A row a step: the times and what they became.
void html_add_comparison(cJSON *object, const struct run *a, const struct run *b)
{
    struct comparison comparison;
    comparison_make(&comparison, a, b);
    json_add(object, "a", a->label);
    json_add(object, "b", b->label);
    add_remarks(object, &comparison.remarks);
    cJSON *rows = json_array(object, "pairs");
    for (int i = 0; i < comparison.count; i++) {
        const struct pair *pair = &comparison.pairs[i];
        cJSON *row = json_object(rows, NULL);
        add_head(row, pair->b ? pair->b : pair->a);
        const struct step_result *both[] = {pair->a, pair->b};
        for (int k = 0; k < 2; k++) {
            if (both[k])
                json_add(row, k ? "n_b" : "n_a", both[k]->n);
            if (both[k] && went_wrong(both[k]))
                json_add(row, k ? "wrong_b" : "wrong_a", html_wrong(both[k]));
            else if (both[k]) {
                html_add_figure(json_object(row, k ? "time_b" : "time_a"), TIME_MS,
                                &both[k]->values[TIME_MS]);
                html_add_figure(json_object(row, k ? "gbs_b" : "gbs_a"), BANDWIDTH_GBS,
                                &both[k]->values[BANDWIDTH_GBS]);
            }
        }
        if (pair_is_comparable(pair))
            add_change(row, pair, BANDWIDTH_GBS);
    }
}
