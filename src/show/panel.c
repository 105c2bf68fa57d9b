// The panel of one step: the rows of the 2012 deck's, in its order and with its names, and beside
// each value that of the step before and the change.
#include "show/report.h"

#include "advice/findings.h"
#include "advice/step_sentence.h"
#include "facts/comparison.h"
#include "facts/format.h"
#include "facts/matrix_size.h"

#include <math.h>
#include <string.h>

// The widths of the columns, by the page's: where there is no place for it, the step before has none.
static const struct layout {
    int page, label, value, before, change;
} layouts[] = {{98, 34, 24, 24, 14}, {80, 31, 20, 13, 14}, {0, 31, 14, 0, 13}};

// What is printed: this step and, if there is one, the step to compare it with.
struct panel {
    FILE *file;
    const struct style *style;
    const struct run *run;
    const struct step_result *now, *before;
    const struct layout *layout;
};

struct row {
    const char *label;
    char value[FORMAT_SIZE], before[FORMAT_SIZE], change[FORMAT_SIZE];
    enum tone tone; // of the change
    bool bad;       // the value gets a mark
};

static void put_row(const struct panel *panel, const struct row *row)
{
    const struct style *style = panel->style;
    const char *mark = !row->bad ? "" : style->marks ? "⚠ " : "! ";
    enum tone tone = row->bad ? TONE_BAD : TONE_PLAIN;
    char value[FORMAT_SIZE + 8];
    snprintf(value, sizeof value, "%s%s", mark, row->value);

    fprintf(panel->file, "  ");
    put_padded(panel->file, row->label, panel->layout->label);
    fprintf(panel->file, "%s", tone_start(style, tone));
    put_padded(panel->file, value, -panel->layout->value);
    fprintf(panel->file, "%s", tone_end(style, tone));
    if (panel->before) {
        fprintf(panel->file, "%s", tone_start(style, TONE_FAINT));
        put_padded(panel->file, panel->layout->before ? row->before : "", -panel->layout->before);
        fprintf(panel->file, "%s", tone_end(style, TONE_FAINT));
        if (*row->change) {
            fprintf(panel->file, "%s", tone_start(style, row->tone));
            put_padded(panel->file, row->change, -panel->layout->change);
            fprintf(panel->file, "%s", tone_end(style, row->tone));
        }
    }
    fputc('\n', panel->file);
}

static void put_section(const struct panel *panel, const char *name)
{
    fprintf(panel->file, "  %s%s%s\n", tone_start(panel->style, TONE_TITLE), name,
            tone_end(panel->style, TONE_TITLE));
}

// What the metric is made of, or what binds it, in parentheses; "" for most.
static void format_aside(char text[FORMAT_SIZE], const struct panel *panel,
                         const struct step_result *result, enum metric metric)
{
    const struct value *throughput = &result->values[DRAM_THROUGHPUT_GBS];
    char number[FORMAT_SIZE];
    *text = '\0';
    if (!value_known(&result->values[metric]))
        return;
    if (metric == THEORETICAL_OCCUPANCY) {
        snprintf(text, FORMAT_SIZE, " (by %s)", occupancy_limit_name(result->occupancy_limit));
    } else if (metric == DRAM_UTILIZATION && value_known(throughput)) {
        format_metric(number, DRAM_THROUGHPUT_GBS, throughput->number, panel->style);
        snprintf(text, FORMAT_SIZE, " (%.40s)", number);
    }
}

static void format_cell(char text[FORMAT_SIZE], const struct panel *panel,
                        const struct step_result *result, enum metric metric, int width)
{
    const struct value *value = &result->values[metric];
    char number[FORMAT_SIZE], aside[FORMAT_SIZE];
    if (metric == REGISTERS) // the machine compiler's matter: without its code an estimate
        snprintf(number, sizeof number, "%s%.0f", value->provenance == MODELLED ? "estimated " : "",
                 value->number);
    else
        format_value(number, metric, value, panel->style);
    format_aside(aside, panel, result, metric);
    if (text_width(number) + text_width(aside) > width)
        *aside = '\0';
    snprintf(text, FORMAT_SIZE, "%.30s%.30s", number, aside);
}

static void fill_cells(struct row *row, const struct panel *panel, enum metric metric)
{
    row->label = metric_table[metric].label;
    format_cell(row->value, panel, panel->now, metric, panel->layout->value - (row->bad ? 2 : 0));
    if (panel->before)
        format_cell(row->before, panel, panel->before, metric, panel->layout->before);
}

static void put_duration(const struct panel *panel)
{
    struct row row = {0};
    fill_cells(&row, panel, TIME_MS);
    if (panel->before && panel->before->n != panel->now->n)
        snprintf(row.change, sizeof row.change, "n was %zu", panel->before->n);
    put_row(panel, &row);
}

// How well the launches tell their median; where that is not known, there is no row.
static void put_interval(const struct panel *panel)
{
    struct row row = {.label = INTERVAL_LABEL};
    format_interval(row.value, &panel->now->timing, panel->style);
    if (panel->before)
        format_interval(row.before, &panel->before->timing, panel->style);
    if (*row.value)
        put_row(panel, &row);
}

static void put_bandwidth(const struct panel *panel)
{
    struct row row = {0};
    const struct value *now = &panel->now->values[BANDWIDTH_GBS];
    fill_cells(&row, panel, BANDWIDTH_GBS);
    if (panel->before && value_known(now) && value_known(&panel->before->values[BANDWIDTH_GBS])) {
        double ratio = now->number / panel->before->values[BANDWIDTH_GBS].number;
        char factor[FORMAT_SIZE];
        format_ratio(factor, ratio >= 1 ? ratio : 1 / ratio, panel->style);
        if (beyond_noise(ratio) == 0) { // as the sentence below the panel says it
            snprintf(row.change, sizeof row.change, "within %d%%", NOISE_OF_TIME);
        } else {
            snprintf(row.change, sizeof row.change, "%.32s %s", factor,
                     ratio >= 1 ? "faster" : "slower");
            row.tone = ratio >= 1 ? TONE_GOOD : TONE_BAD;
        }
    }
    put_row(panel, &row);
}

static void put_dimensions(const struct panel *panel, const char *label, const unsigned now[3],
                           const unsigned *before)
{
    struct row row = {.label = label};
    char size[FORMAT_SIZE];
    format_dimensions(size, now);
    if (panel->now->launches > 1)
        snprintf(row.value, sizeof row.value, "%.40s 1 of %u", size, panel->now->launches);
    else
        memcpy(row.value, size, sizeof row.value);
    if (before)
        format_dimensions(row.before, before);
    put_row(panel, &row);
}

static void put_registers(const struct panel *panel)
{
    struct row row = {0};
    fill_cells(&row, panel, REGISTERS);
    if (panel->before) {
        double change =
            panel->now->values[REGISTERS].number - panel->before->values[REGISTERS].number;
        if (change != 0)
            snprintf(row.change, sizeof row.change, "%+.0f", change);
    }
    put_row(panel, &row);
}

static void put_shared(const struct panel *panel)
{
    struct row row = {0};
    fill_cells(&row, panel, SHARED_BYTES);
    put_row(panel, &row);
}

static void put_metric(const struct panel *panel, enum metric metric)
{
    const struct metric_row *its = &metric_table[metric];
    bool fits_in_l2 = matrix_size_fits_in_l2(&panel->run->device, panel->now->n);
    struct row row = {.bad = metric_is_bad(metric, &panel->now->values[metric], fits_in_l2)};
    char label[FORMAT_SIZE];
    fill_cells(&row, panel, metric);
    snprintf(label, sizeof label, "  %s", its->section_row ? its->section_row : its->label);
    row.label = label;
    if (panel->before) {
        const struct value *now = &panel->now->values[metric];
        const struct value *then = &panel->before->values[metric];
        double change = now->number - then->number;
        if (value_known(now) && value_known(then) && fabs(change) >= 0.05) {
            snprintf(row.change, sizeof row.change, "%+.1f", change);
            enum verdict verdict = metric_judge(metric, then->number, now->number);
            row.tone = verdict == BETTER ? TONE_GOOD : verdict == WORSE ? TONE_BAD : TONE_PLAIN;
        }
    }
    put_row(panel, &row);
}

static void put_metrics(const struct panel *panel, enum section section, const char *name)
{
    put_section(panel, name);
    for (enum metric i = FIRST_METRIC; i < FIRST_COUNT; i++)
        if (metric_table[i].section == section)
            put_metric(panel, i);
}

// nvprof's L1-miss replays of Fermi and Kepler: no such event exists since Maxwell.
static void put_cache_replay(const struct panel *panel, const char *label)
{
    struct row row = {.label = label};
    snprintf(row.value, sizeof row.value, "%s", style_dash(panel->style));
    if (panel->before)
        memcpy(row.before, row.value, sizeof row.before);
    put_row(panel, &row);
}

// What the timing model says; on a GPU there is none.
static void put_limiter(const struct panel *panel)
{
    const struct limits *limits = &panel->now->limits;
    if (limits->limiter == LIMITER_UNKNOWN || is_mystery(panel->now->number))
        return;
    double busy = limiter_busy(limits);
    char text[FORMAT_SIZE + 64] = "", lead[FORMAT_SIZE];
    int used = snprintf(text, sizeof text, "%s", limiters[limits->limiter].name);
    if (busy >= 0)
        snprintf(text + used, sizeof text - (size_t)used, ", busy %.0f%% of the time", busy);
    snprintf(lead, sizeof lead, "  %-*s", panel->layout->before ? panel->layout->label : 12,
             "Limited by");
    put_wrapped(panel->file, lead, text);
}

static void put_extras(const struct panel *panel)
{
    if (panel->run->extra_count > 0)
        put_section(panel, "Added");
    for (int i = 0; i < panel->run->extra_count; i++) {
        const struct value *value = &panel->now->extras[i];
        const char *text = style_dash(panel->style);
        char number[FORMAT_SIZE];
        if (value_known(value)) {
            format_number(number, value->number);
            text = number;
        }
        fprintf(panel->file, "    ");
        put_padded(panel->file, panel->run->extra_names[i],
                   panel->layout->label + panel->layout->value - 2 - 16 + 1);
        put_padded(panel->file, text, -16);
        fputc('\n', panel->file);
    }
}

// Why there is a dash, unless it is the one reason that the counters' note at the top gives.
static void put_reason(const struct panel *panel, const char *name, const struct value *value)
{
    size_t length = strlen(value->why);
    if (value_known(value) || strncmp(value->why, panel->run->counters_note, length) == 0)
        return;
    char lead[FORMAT_SIZE];
    snprintf(lead, sizeof lead, "  %s: ", name);
    put_wrapped(panel->file, lead, value->why);
}

// What stands for what, when a step launches more than one kernel.
static void put_launches(const struct panel *panel)
{
    char text[320];
    if (panel->now->launches < 2)
        return;
    snprintf(text, sizeof text,
             "The step makes %u launches. Grid, block, registers and shared memory are of the "
             "largest (most threads), theoretical occupancy is the highest of any; all else is of "
             "them together.",
             panel->now->launches);
    put_wrapped(panel->file, "  ", text);
}

// Of a GPU whose counters are refused: who has counted instead.
static void put_stand_in(const struct panel *panel)
{
    if (counts_stand_in(panel->run, panel->now))
        put_wrapped(
            panel->file, "  ",
            "Duration, bandwidth and launch are the GPU's. The other numbers were counted by the "
            "simulated device in the same launch: exactly, and where ~ stands by a model.");
}

static void put_reasons(const struct panel *panel)
{
    const struct step_result *now = panel->now;
    const struct value *last = &now->values[TIME_MS]; // the same reason in a row is given once
    put_reason(panel, metric_table[TIME_MS].key, last);
    for (enum metric i = FIRST_METRIC; i < FIRST_COUNT; i++) {
        const struct value *value = &now->values[i];
        if (metric_table[i].section == NO_SECTION)
            continue;
        if (value_known(value) || strcmp(last->why, value->why) != 0)
            put_reason(panel, metric_table[i].key, value);
        last = value_known(value) ? last : value;
    }
    for (int i = 0; i < panel->run->extra_count; i++)
        put_reason(panel, panel->run->extra_names[i], &now->extras[i]);
}

static void put_rows(const struct panel *panel)
{
    const struct step_result *now = panel->now, *before = panel->before;
    put_duration(panel);
    put_interval(panel);
    put_bandwidth(panel);
    put_dimensions(panel, "Grid Size", now->grid, before ? before->grid : NULL);
    put_dimensions(panel, "Block Size", now->block, before ? before->block : NULL);
    put_registers(panel);
    put_shared(panel);
    put_metrics(panel, IN_MEMORY, "Memory");
    put_metrics(panel, IN_INSTRUCTION, "Instruction");
    put_cache_replay(panel, "  Global Cache Replay Overhead");
    put_cache_replay(panel, "  Local Cache Replay Overhead");
    put_metrics(panel, IN_OCCUPANCY, "Occupancy");
    put_limiter(panel);
    put_extras(panel);
}

static void put_heading(const struct panel *panel)
{
    const struct step_result *now = panel->now;
    const struct step *step = step_of(now); // of an imported kernel NULL
    const struct style *style = panel->style;
    const char *separator = style_text(style, "·", "-");
    char prefix[STEP_LABEL_SIZE], text[512];
    fprintf(panel->file, "\n%s%s%s%s%s%s%s%s\n", tone_start(style, TONE_TITLE),
            step_prefix(now->number, separator, prefix), step ? stage_name(step->stage) : "",
            step ? " " : "", step ? separator : "", step ? " " : "", now->title,
            tone_end(style, TONE_TITLE));
    if (!step)
        return;
    snprintf(text, sizeof text, "%s: %s", step->file, step->change);
    put_wrapped(panel->file, "  ", text);
}

static void put_columns(const struct panel *panel)
{
    struct row row = {.label = ""};
    step_label(panel->now->number, row.value);
    if (panel->before) {
        step_label(panel->before->number, row.before);
        snprintf(row.change, sizeof row.change, "change");
    }
    put_row(panel, &row);
}

static void put_failure(const struct panel *panel)
{
    enum outcome outcome = panel->now->outcome;
    fprintf(panel->file, "  %s%s at n = %zu%s\n", tone_start(panel->style, TONE_BAD),
            outcome == WRONG ? "WRONG RESULT" : "FAILED", panel->now->n,
            tone_end(panel->style, TONE_BAD));
    put_wrapped(panel->file, "  ", panel->now->complaint);
}

static const char mystery_text[] =
    "What limits it? Say so by this panel, look at the source, and predict how much faster it can "
    "be; then `./run explain` tells how busy each part of the GPU is.";

void report_panel(const struct report *report, const struct run *run, int place)
{
    bool is_foreign = run->steps[place].number >= FOREIGN_KERNELS; // has to do with no other
    struct panel panel = {.file = report->file,
                          .style = &report->style,
                          .run = run,
                          .now = &run->steps[place],
                          .before = is_foreign ? NULL : verified_before(run, place),
                          .layout = layouts};
    while (page_width(panel.file) < panel.layout->page)
        panel.layout++;
    put_heading(&panel);
    if (went_wrong(panel.now)) {
        put_failure(&panel);
        return;
    }
    if (is_left_out(panel.now)) {
        put_wrapped(panel.file, "  left out: ", panel.now->complaint);
        return;
    }
    put_columns(&panel);
    put_rows(&panel);
    put_launches(&panel);
    put_stand_in(&panel);
    put_reasons(&panel);
    char reading[SENTENCE_SIZE];
    step_sentence(run, panel.now, panel.before, reading);
    fputc('\n', panel.file);
    if (*reading)
        put_wrapped(panel.file, "  ", reading);
    if (is_foreign)
        return;
    if (is_mystery(panel.now->number)) {
        put_wrapped(panel.file, "  ", mystery_text);
        return;
    }
    struct findings findings = findings_of(run, panel.now);
    report_advice(report, &findings);
}
