// The panel of one step: the rows of the 2012 deck's, in its order and with its names, and beside
// each value that of the step before and the change.
#include "show/report.h"

#include "advice/advice.h"
#include "advice/reading.h"
#include "facts/format.h"
#include "facts/quantity.h"

#include <math.h>
#include <string.h>

enum { LABEL_WIDTH = 34, VALUE_WIDTH = 24, CHANGE_WIDTH = 14 };

// What is printed: this step and, if there is one, the step to compare it with.
struct panel {
    FILE *file;
    const struct style *style;
    const struct run_data *run;
    const struct result *now, *before;
};

struct row {
    const char *label;
    char value[FORMAT_SIZE], before[FORMAT_SIZE], change[FORMAT_SIZE];
    enum tone tone; // of the change
    bool bad;       // the value gets a mark
};

const struct result *report_before(const struct run_data *run, int place)
{
    for (int i = place - 1; i >= 0; i--)
        if (run->results[i].outcome == VERIFIED)
            return &run->results[i];
    return NULL;
}

static void put_row(const struct panel *panel, const struct row *row)
{
    const struct style *style = panel->style;
    const char *mark = !row->bad ? "" : style->marks ? "⚠ " : "! ";
    enum tone tone = row->bad ? TONE_BAD : TONE_PLAIN;
    char value[FORMAT_SIZE + 8];
    snprintf(value, sizeof value, "%s%s", mark, row->value);

    fprintf(panel->file, "  ");
    put_padded(panel->file, row->label, LABEL_WIDTH);
    fprintf(panel->file, "%s", tone_start(style, tone));
    put_padded(panel->file, value, -VALUE_WIDTH);
    fprintf(panel->file, "%s", tone_end(style, tone));
    if (panel->before) {
        fprintf(panel->file, "%s", tone_start(style, TONE_FAINT));
        put_padded(panel->file, row->before, -VALUE_WIDTH);
        fprintf(panel->file, "%s", tone_end(style, TONE_FAINT));
        if (*row->change) {
            fprintf(panel->file, "%s", tone_start(style, row->tone));
            put_padded(panel->file, row->change, -CHANGE_WIDTH);
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

static void format_time(char text[FORMAT_SIZE], const struct panel *panel,
                        const struct result *result)
{
    char duration[FORMAT_SIZE];
    format_duration(duration, result->time_ms.number, panel->style);
    if (value_known(&result->time_ms))
        snprintf(text, FORMAT_SIZE, "%s%.40s", provenance_mark(result->time_ms.provenance),
                 duration);
    else
        snprintf(text, FORMAT_SIZE, "%s", style_dash(panel->style));
}

static void format_bandwidth(char text[FORMAT_SIZE], const struct panel *panel,
                             const struct result *result)
{
    char gbs[FORMAT_SIZE];
    format_number(gbs, result->bandwidth_gbs.number);
    if (value_known(&result->bandwidth_gbs))
        snprintf(text, FORMAT_SIZE, "%s%.40s GB/s",
                 provenance_mark(result->bandwidth_gbs.provenance), gbs);
    else
        snprintf(text, FORMAT_SIZE, "%s", style_dash(panel->style));
}

static void put_duration(const struct panel *panel)
{
    struct row row = {.label = "Duration"};
    format_time(row.value, panel, panel->now);
    if (panel->before) {
        format_time(row.before, panel, panel->before);
        if (panel->before->n != panel->now->n)
            snprintf(row.change, sizeof row.change, "n was %zu", panel->before->n);
    }
    put_row(panel, &row);
}

static void put_bandwidth(const struct panel *panel)
{
    struct row row = {.label = "Bandwidth (useful bytes)"};
    const struct value *now = &panel->now->bandwidth_gbs;
    format_bandwidth(row.value, panel, panel->now);
    if (panel->before)
        format_bandwidth(row.before, panel, panel->before);
    if (panel->before && value_known(now) && value_known(&panel->before->bandwidth_gbs)) {
        double ratio = now->number / panel->before->bandwidth_gbs.number;
        char factor[FORMAT_SIZE];
        format_ratio(factor, ratio >= 1 ? ratio : 1 / ratio, panel->style);
        if (ratio > 0.995 && ratio < 1.005) {
            snprintf(row.change, sizeof row.change, "the same");
        } else {
            snprintf(row.change, sizeof row.change, "%.32s %s", factor,
                     ratio >= 1 ? "faster" : "slower");
            row.tone = ratio >= 1 ? TONE_GOOD : TONE_BAD;
        }
    }
    put_row(panel, &row);
}

static void put_dimensions(const struct panel *panel, const char *label, size_t offset)
{
    struct row row = {.label = label};
    char size[FORMAT_SIZE];
    format_dimensions(size, (const unsigned *)((const char *)panel->now + offset));
    if (panel->now->launch.count > 1)
        snprintf(row.value, sizeof row.value, "%.40s 1 of %u", size, panel->now->launch.count);
    else
        memcpy(row.value, size, sizeof row.value);
    if (panel->before)
        format_dimensions(row.before, (const unsigned *)((const char *)panel->before + offset));
    put_row(panel, &row);
}

// Registers are the machine compiler's matter: without its code they can only be estimated.
static void format_registers(char text[FORMAT_SIZE], const struct result *result)
{
    snprintf(text, FORMAT_SIZE, "%s%d", result->registers_estimated ? "estimated " : "",
             result->registers);
}

static void put_registers(const struct panel *panel)
{
    struct row row = {.label = "Registers/Thread"};
    format_registers(row.value, panel->now);
    if (panel->before) {
        int change = panel->now->registers - panel->before->registers;
        format_registers(row.before, panel->before);
        if (change != 0)
            snprintf(row.change, sizeof row.change, "%+d", change);
    }
    put_row(panel, &row);
}

static void put_shared(const struct panel *panel)
{
    struct row row = {.label = "Shared Memory/Block"};
    format_bytes(row.value, panel->now->shared_bytes);
    if (panel->before)
        format_bytes(row.before, panel->before->shared_bytes);
    put_row(panel, &row);
}

static void format_metric(char text[FORMAT_SIZE], const struct panel *panel,
                          const struct result *result, enum metric metric)
{
    const struct value *metrics = result->profile.metrics;
    if (!value_known(&metrics[metric])) {
        snprintf(text, FORMAT_SIZE, "%s", style_dash(panel->style));
        return;
    }
    if (metric == GLD_TRANSACTIONS_PER_REQUEST || metric == GST_TRANSACTIONS_PER_REQUEST) {
        format_number(text, metrics[metric].number);
        return;
    }
    char percent[FORMAT_SIZE];
    const char *mark = provenance_mark(metrics[metric].provenance);
    format_percent(percent, metrics[metric].number);
    if (metric == THEORETICAL_OCCUPANCY) // computed, on every device
        snprintf(text, FORMAT_SIZE, "%.20s (by %s)", percent, limit_name(result->occupancy.limit));
    else if (metric == DRAM_UTILIZATION && value_known(&metrics[DRAM_THROUGHPUT_GBS])) {
        char gbs[FORMAT_SIZE];
        format_number(gbs, metrics[DRAM_THROUGHPUT_GBS].number);
        snprintf(text, FORMAT_SIZE, "%s%.20s (%.20s GB/s)", mark, percent, gbs);
    } else {
        snprintf(text, FORMAT_SIZE, "%s%.40s", mark, percent);
    }
}

static void put_metric(const struct panel *panel, const char *label, enum metric metric)
{
    struct row row = {.label = label, .bad = metric_is_bad(panel->run, panel->now, metric)};
    format_metric(row.value, panel, panel->now, metric);
    if (panel->before) {
        const struct value *now = &panel->now->profile.metrics[metric];
        const struct value *then = &panel->before->profile.metrics[metric];
        format_metric(row.before, panel, panel->before, metric);
        double change = now->number - then->number;
        if (value_known(now) && value_known(then) && fabs(change) >= 0.05) {
            snprintf(row.change, sizeof row.change, "%+.1f", change);
            enum verdict verdict = quantity_judge(FIRST_METRIC + metric, then->number, now->number);
            row.tone = verdict == BETTER ? TONE_GOOD : verdict == WORSE ? TONE_BAD : TONE_PLAIN;
        }
    }
    put_row(panel, &row);
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
    const struct limits *limits = &panel->now->profile.limits;
    if (limits->limiter == LIMITER_UNKNOWN)
        return;
    double busy = limiter_busy(limits);
    fprintf(panel->file, "  ");
    put_padded(panel->file, "Limited by", LABEL_WIDTH);
    fprintf(panel->file, "%s", limiter_name(limits->limiter));
    if (busy >= 0)
        fprintf(panel->file, ", busy %.0f%% of the time", busy);
    fputc('\n', panel->file);
}

static void put_extras(const struct panel *panel)
{
    const struct profile *now = &panel->now->profile;
    if (now->extra_count > 0)
        put_section(panel, "Added");
    for (int i = 0; i < now->extra_count; i++) {
        const struct value *value = &now->extras[i].value;
        const char *text = style_dash(panel->style);
        char number[FORMAT_SIZE];
        if (value_known(value)) {
            format_number(number, value->number);
            text = number;
        }
        fprintf(panel->file, "    ");
        put_padded(panel->file, now->extras[i].name, LABEL_WIDTH + VALUE_WIDTH - 1 - 16);
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
    fprintf(panel->file, "  %s: %s\n", name, value->why);
}

// What stands for what, when a step launches more than one kernel.
static void put_launches(const struct panel *panel)
{
    char text[320];
    if (panel->now->launch.count < 2)
        return;
    snprintf(
        text, sizeof text,
        "The step makes %u launches. Grid, block, registers and shared memory are of the largest "
        "(most threads), theoretical occupancy is the highest of any; all else is of them "
        "together.",
        panel->now->launch.count);
    put_wrapped(panel->file, "  ", text);
}

static void put_reasons(const struct panel *panel)
{
    const struct profile *profile = &panel->now->profile;
    const struct value *last = &panel->now->time_ms; // the same reason in a row is given once
    put_reason(panel, "time_ms", last);
    for (int i = 0; i < METRICS; i++) {
        const struct value *value = &profile->metrics[i];
        if (value_known(value) || strcmp(last->why, value->why) != 0)
            put_reason(panel, metric_key(i), value);
        last = value_known(value) ? last : value;
    }
    for (int i = 0; i < profile->extra_count; i++)
        put_reason(panel, profile->extras[i].name, &profile->extras[i].value);
}

static void put_rows(const struct panel *panel)
{
    put_duration(panel);
    put_bandwidth(panel);
    put_dimensions(panel, "Grid Size", offsetof(struct result, launch.grid));
    put_dimensions(panel, "Block Size", offsetof(struct result, launch.block));
    put_registers(panel);
    put_shared(panel);
    put_section(panel, "Memory");
    put_metric(panel, "  Global Load Efficiency", GLD_EFFICIENCY);
    put_metric(panel, "  Global Store Efficiency", GST_EFFICIENCY);
    put_metric(panel, "  Global Load Sectors/Request", GLD_TRANSACTIONS_PER_REQUEST);
    put_metric(panel, "  Global Store Sectors/Request", GST_TRANSACTIONS_PER_REQUEST);
    put_metric(panel, "  Local Memory Overhead", LOCAL_MEMORY_OVERHEAD);
    put_metric(panel, "  DRAM Utilization", DRAM_UTILIZATION);
    put_section(panel, "Instruction");
    put_metric(panel, "  Branch Divergence Overhead", BRANCH_DIVERGENCE_OVERHEAD);
    put_metric(panel, "  Total Replay Overhead", TOTAL_REPLAY_OVERHEAD);
    put_metric(panel, "  Shared Memory Replay Overhead", SHARED_REPLAY_OVERHEAD);
    put_metric(panel, "  Global Memory Replay Overhead", GLOBAL_REPLAY_OVERHEAD);
    put_cache_replay(panel, "  Global Cache Replay Overhead");
    put_cache_replay(panel, "  Local Cache Replay Overhead");
    put_section(panel, "Occupancy");
    put_metric(panel, "  Achieved", ACHIEVED_OCCUPANCY);
    put_metric(panel, "  Theoretical", THEORETICAL_OCCUPANCY);
    put_limiter(panel);
    put_extras(panel);
}

static void put_heading(const struct panel *panel)
{
    const struct step *step = step_find(panel->now->step);
    const struct style *style = panel->style;
    const char *separator = style_text(style, "·", "-");
    fprintf(panel->file, "\n%sStep %d %s %s %s %s%s\n", tone_start(style, TONE_TITLE), step->number,
            separator, stage_name(step->stage), separator, step->title,
            tone_end(style, TONE_TITLE));
    fprintf(panel->file, "  %s: %s\n", step->file, step->change);
}

static void put_columns(const struct panel *panel)
{
    struct row row = {.label = ""};
    snprintf(row.value, sizeof row.value, "step %d", panel->now->step);
    if (panel->before) {
        snprintf(row.before, sizeof row.before, "step %d", panel->before->step);
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

void report_panel(const struct report *report, const struct run_data *run, int place)
{
    struct panel panel = {.file = report->file,
                          .style = &report->style,
                          .run = run,
                          .now = &run->results[place],
                          .before = report_before(run, place)};
    put_heading(&panel);
    if (panel.now->outcome != VERIFIED) {
        put_failure(&panel);
        return;
    }
    put_columns(&panel);
    put_rows(&panel);
    put_launches(&panel);
    put_reasons(&panel);
    char reading[READING_SIZE];
    read_step(run, panel.now, panel.before, reading);
    fputc('\n', panel.file);
    if (*reading)
        put_wrapped(panel.file, "  ", reading);
    struct findings findings = findings_of_result(run, panel.now);
    put_advice(panel.file, panel.style, "  ", &findings);
}
