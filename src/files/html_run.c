// What the report says of a run as a whole: its device, a row and a bar a step, what was promised, where figures are from.
#include "advice/promises.h"
#include "facts/format.h"
#include "files/html_view.h"

#include <math.h>

static void add_fact(cJSON *facts, const char *name, const char *text)
{
    if (*text == '\0')
        return;
    cJSON *fact = json_object(facts, NULL);
    json_add(fact, "name", name);
    json_add(fact, "text", text);
}

static void add_device(cJSON *object, const struct run *run)
{
    const struct device *device = &run->device;
    cJSON *facts = json_array(object, "facts");
    char text[FORMAT_SIZE] = "";
    add_fact(facts, "Device", device->name);
    add_fact(facts, "Kind", device->simulated ? "simulated: counts, and a model's times" : "GPU");
    if (device->cc_major > 0)
        snprintf(text, sizeof text, "%d.%d", device->cc_major, device->cc_minor);
    add_fact(facts, "Compute capability", text);
    snprintf(text, sizeof text, "%d", device->sms);
    add_fact(facts, "SMs", device->sms ? text : "");
    format_metric(text, BANDWIDTH_GBS, device->dram_peak_gbs, &html_style);
    add_fact(facts, "DRAM peak", device->dram_peak_gbs > 0 ? text : "");
    format_bytes(text, device->l2_bytes);
    add_fact(facts, "L2", device->l2_bytes ? text : "");
    add_fact(facts, "Driver", device->driver);
    add_fact(facts, "CUDA toolkit", device->toolkit);
    snprintf(text, sizeof text, "%zu", run->n);
    add_fact(facts, "n", text);
    add_fact(facts, "Recorded by", run->kit);
    add_fact(facts, "Recorded at", run->saved_time);
    add_fact(facts, "Source", run->source);
}

// How many of the run's figures are measured, counted and so on.
static void add_origins(cJSON *object, const struct run *run)
{
    int counts[PROVENANCES] = {0};
    for (int i = 0; i < run->count; i++)
        for (enum metric k = 0; k < METRICS && !went_wrong(&run->steps[i]); k++)
            counts[run->steps[i].values[k].provenance]++;
    cJSON *origins = json_array(object, "origins");
    for (enum provenance i = 0; i < PROVENANCES; i++) {
        if (counts[i] == 0)
            continue;
        cJSON *origin = json_object(origins, NULL);
        json_add(origin, "name", provenance_name(i));
        json_add(origin, "count", counts[i]);
    }
}

const char *html_wrong(const struct step_result *step)
{
    return went_wrong(step) ? "WRONG or FAILED" : "";
}

double html_most_gbs(const struct run *run)
{
    double most = run->copy_gbs.number;
    for (int i = 0; i < run->count; i++)
        if (!went_wrong(&run->steps[i]))
            most = fmax(most, run->steps[i].values[BANDWIDTH_GBS].number);
    return most;
}

static void add_bar(cJSON *row, double gbs, double most)
{
    html_add_place(row, "percent", most > 0 ? 100 * gbs / most : 0);
}

static void add_speedup(cJSON *row, const char *key, const struct step_result *step,
                        const struct step_result *slower)
{
    char text[FORMAT_SIZE] = "";
    if (slower) {
        struct value speedup = speedup_over(step, slower);
        if (value_known(&speedup))
            format_ratio(text, speedup.number, &html_style);
    }
    json_add(row, key, text);
}

static void add_step(cJSON *row, const struct run *run, int place, double most)
{
    const struct step_result *step = &run->steps[place];
    struct value share = share_of_copy(run, step);
    char label[STEP_LABEL_SIZE], text[FORMAT_SIZE] = "";
    json_add(row, "label", step_label(step->number, label));
    json_add(row, "title", step->title);
    json_add(row, "step", step->number);
    json_add(row, "n", step->n);
    json_add(row, "wrong", html_wrong(step));
    if (went_wrong(step))
        return;
    html_add_figure(json_object(row, "time"), TIME_MS, &step->values[TIME_MS]);
    html_add_figure(json_object(row, "gbs"), BANDWIDTH_GBS, &step->values[BANDWIDTH_GBS]);
    if (value_known(&share))
        format_percent(text, share.number);
    json_add(row, "share", text);
    add_bar(row, step->values[BANDWIDTH_GBS].number, most);
    add_speedup(row, "over_before", step, verified_before(run, place));
    cJSON *metrics = json_array(row, "metrics");
    for (int i = 1; summary_column(i) < METRICS; i++)
        html_add_figure(json_object(metrics, NULL), summary_column(i),
                        &step->values[summary_column(i)]);
}

static void add_copy(cJSON *object, const struct run *run, double most)
{
    if (!value_known(&run->copy_gbs))
        return;
    cJSON *copy = json_object(object, "copy");
    html_add_figure(copy, BANDWIDTH_GBS, &run->copy_gbs);
    add_bar(copy, run->copy_gbs.number, most);
}

static void add_promises(cJSON *object, const struct run *run)
{
    struct promise list[MAX_STEPS];
    int count = promises_of(run, list);
    cJSON *promises = json_array(object, "promises");
    for (int i = 0; i < count; i++) {
        cJSON *row = json_object(promises, NULL);
        char label[STEP_LABEL_SIZE], text[FORMAT_SIZE] = "";
        json_add(row, "label", step_label(list[i].step->number, label));
        json_add(row, "n", list[i].step->n);
        if (list[i].next && list[i].next->n != list[i].step->n)
            json_add(row, "next_n", list[i].next->n);
        json_add(row, "limit", list[i].advice.limit);
        if (list[i].advice.gain > 0)
            format_ratio(text, list[i].advice.gain, &html_style);
        json_add(row, "gain", text);
        format_value(text, TIME_MS, &list[i].advice.bound_ms, &html_style);
        json_add(row, "bound", list[i].advice.gain > 0 ? text : "");
        json_add(row, "next", list[i].next ? step_label(list[i].next->number, label) : "");
        format_ratio(text, list[i].came, &html_style);
        json_add(row, "came", list[i].next ? text : "");
        json_add(row, "changed_more", list[i].changed_more);
    }
}

void html_add_summary(cJSON *object, const struct run *run, double most)
{
    json_add(object, "run", run->label);
    json_add(object, "device", run->device.name);
    json_add(object, "n", run->n);
    add_device(object, run);
    add_origins(object, run);
    cJSON *columns = json_array(object, "columns");
    for (int i = 1; summary_column(i) < METRICS; i++) {
        cJSON *column = json_object(columns, NULL);
        json_add(column, "heading", metric_table[summary_column(i)].column);
        json_add(column, "title", metric_table[summary_column(i)].label);
    }
    cJSON *rows = json_array(object, "rows");
    for (int i = 0; i < run->count; i++)
        add_step(json_object(rows, NULL), run, i, most);
    add_copy(object, run, most);
    add_promises(object, run);
    html_add_roofline(object, run);
    html_add_instructions(object, run);
}
