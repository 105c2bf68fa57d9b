// The device line and the summary: a row a step between the CPU's transpose and the device's copy.
#include "show/report.h"

#include "facts/format.h"
#include "facts/matrix_size.h"

#include <stdlib.h>
#include <string.h>

void report_device(const struct report *report, const struct run *run)
{
    const struct device *device = &run->device;
    char l2[FORMAT_SIZE], matrix[FORMAT_SIZE], peak[FORMAT_SIZE];
    format_bytes(l2, device->l2_bytes);
    format_bytes(matrix, run->n * run->n * sizeof(float));
    format_number(peak, device->dram_peak_gbs);

    char text[sizeof device->name + 4 * FORMAT_SIZE];
    fputs(tone_start(&report->style, TONE_TITLE), report->file);
    snprintf(text, sizeof text, "%s%s%s: compute capability %d.%d, %d SMs, %s%s%sL2 %s\n",
             device->simulated ? "" : "GPU ", device->name, tone_end(&report->style, TONE_TITLE),
             device->cc_major, device->cc_minor, device->sms,
             device->dram_peak_gbs > 0 ? "DRAM peak " : "", device->dram_peak_gbs > 0 ? peak : "",
             device->dram_peak_gbs > 0 ? " GB/s, " : "", l2);
    put_text(report->file, text);
    snprintf(text, sizeof text, "n = %zu: two matrices of %s each%s\n", run->n, matrix,
             matrix_size_fits_in_l2(device, run->n)
                 ? ", which fit in the L2: DRAM figures say little at this size"
                 : "");
    put_text(report->file, text);
}

void report_counters_note(const struct report *report, const struct run *run, bool stands_in)
{
    if (*run->counters_note == '\0')
        return;
    fprintf(report->file, "Counters: ");
    const char *newline = strchr(run->counters_note, '\n');
    size_t first = newline ? (size_t)(newline - run->counters_note) : strlen(run->counters_note);
    fprintf(report->file, "%.*s\n", (int)first, run->counters_note);
    if (newline)
        put_wrapped(report->file, "  ", newline + 1);
    if (stands_in)
        put_wrapped(report->file, "  ",
                    "In their place stands what the simulated device counts of the same launches; "
                    "the times are the GPU's. --no-profile leaves the counts out.");
}

// The columns: a heading, and the width that its numbers are set in. Those of metrics follow, as the
// table of metrics has them.
enum column {
    TITLE,
    STAGE,
    SIZE,
    TIME,
    BANDWIDTH,
    SHARE,
    OVER_BEFORE,
    OVER_FIRST,
    METRIC_COLUMNS,
    COLUMNS = METRIC_COLUMNS + MOST_COLUMNS
};

static const struct {
    const char *heading;
    int width; // negative: set to the right
} columns[METRIC_COLUMNS] = {
    [TITLE] = {"", 31},
    [STAGE] = {"stage", 11},
    [SIZE] = {"n", -6},
    [TIME] = {"time", -9},
    [BANDWIDTH] = {"GB/s", -7},
    [SHARE] = {"of copy", -8},
    [OVER_BEFORE] = {"x before", -9},
    [OVER_FIRST] = {"x first", -8},
};

static const char *heading_of(int column)
{
    return column < METRIC_COLUMNS
               ? columns[column].heading
               : metric_table[summary_column(column - METRIC_COLUMNS + 1)].column;
}

// What goes first where the page is narrow; then the metrics, from the last one, and then of the titles' width.
static const enum column dispensable[] = {STAGE, OVER_FIRST};
enum { DISPENSABLE = sizeof dispensable / sizeof *dispensable };

static int usual_width(int column)
{
    if (column < METRIC_COLUMNS)
        return columns[column].width;
    int heading = (int)strlen(heading_of(column));
    return heading < 6 ? -6 : -(heading + 1);
}

static int column_count(void)
{
    int count = METRIC_COLUMNS;
    while (count < COLUMNS && summary_column(count - METRIC_COLUMNS + 1) < METRICS)
        count++;
    return count;
}

// The widths of the columns on a page; 0: it is not shown.
static void fit_columns(int page, int widths[COLUMNS])
{
    int count = column_count(), all = 0;
    for (int i = 0; i < count; i++)
        all += abs(widths[i] = usual_width(i));
    for (int i = 0; i < DISPENSABLE + count - METRIC_COLUMNS && all > page; i++) {
        int column = i < DISPENSABLE ? (int)dispensable[i] : count - 1 - (i - DISPENSABLE);
        all -= abs(widths[column]);
        widths[column] = 0;
    }
    widths[TITLE] -= all > page ? all - page : 0;
}

typedef char cells[COLUMNS][FORMAT_SIZE];

static void put_cells(const struct report *report, cells row, enum tone tone)
{
    int widths[COLUMNS] = {0}, last = COLUMNS - 1;
    char title[FORMAT_SIZE] = "";
    fit_columns(page_width(report->file), widths);
    fprintf(report->file, "%s", tone_start(&report->style, tone));
    while (last > 0 && (*row[last] == '\0' || widths[last] == 0))
        last--;
    text_append(title, sizeof title, row[TITLE], widths[TITLE] - 1);
    put_padded(report->file, title, widths[TITLE]);
    for (int i = TITLE + 1; i <= last; i++)
        put_padded(report->file, widths[i] ? row[i] : "", widths[i]);
    fprintf(report->file, "%s\n", tone_end(&report->style, tone));
}

static void put_heading(const struct report *report)
{
    cells row = {0};
    for (int i = 0; i < METRIC_COLUMNS || summary_column(i - METRIC_COLUMNS + 1) < METRICS; i++)
        snprintf(row[i], FORMAT_SIZE, "%s", heading_of(i));
    put_cells(report, row, TONE_TITLE);
}

static void fill_speed(cells row, const struct report *report, const struct run *run,
                       const struct step_result *step)
{
    struct value share = share_of_copy(run, step);
    snprintf(row[SIZE], FORMAT_SIZE, "%zu", step->n);
    if (!value_known(&step->values[TIME_MS])) {
        snprintf(row[TIME], FORMAT_SIZE, "%s", style_dash(&report->style));
        return;
    }
    format_duration(row[TIME], step->values[TIME_MS].number, &report->style);
    format_number(row[BANDWIDTH], step->values[BANDWIDTH_GBS].number);
    if (value_known(&share))
        format_percent(row[SHARE], share.number);
}

// What the CPU or the device's own copy takes, as if it were a step.
static void put_baseline(const struct report *report, const struct run *run, const char *title,
                         const char *stage, double ms)
{
    cells row = {0};
    struct step_result baseline = {.n = run->n};
    if (ms > 0) {
        baseline.values[TIME_MS] = value_of(ms, MEASURED);
        baseline.values[BANDWIDTH_GBS] = value_of(bandwidth_gbs(run->n, ms), MEASURED);
    }
    snprintf(row[TITLE], FORMAT_SIZE, "%s", title);
    snprintf(row[STAGE], FORMAT_SIZE, "%s", stage);
    fill_speed(row, report, run, &baseline);
    put_cells(report, row, TONE_PLAIN);
}

static void fill_speedup(char *cell, const struct report *report, const struct step_result *step,
                         const struct step_result *slower)
{
    struct value speedup = speedup_over(step, slower);
    if (value_known(&speedup))
        format_ratio(cell, speedup.number, &report->style);
}

static void put_step(const struct report *report, const struct run *run, int place)
{
    const struct step_result *result = &run->steps[place], *first = verified_after(run, -1);
    const struct step_result *before = verified_before(run, place);
    const struct step *step = step_of(result);
    cells row = {0};
    step_ordinal(step->number, row[TITLE]);
    text_append(row[TITLE], FORMAT_SIZE, step->title, columns[TITLE].width - 1);
    snprintf(row[STAGE], FORMAT_SIZE, "%s", stage_name(step->stage));
    if (result->outcome != VERIFIED) {
        snprintf(row[SIZE], FORMAT_SIZE, "%zu", result->n);
        bool left_out = is_left_out(result);
        snprintf(row[TIME], FORMAT_SIZE, "%s",
                 left_out                   ? "left out"
                 : result->outcome == WRONG ? "WRONG"
                                            : "FAILED");
        put_cells(report, row, left_out ? TONE_FAINT : TONE_BAD);
        return;
    }
    fill_speed(row, report, run, result);
    if (before) {
        fill_speedup(row[OVER_BEFORE], report, result, before);
        fill_speedup(row[OVER_FIRST], report, result, first);
    }
    for (int i = 1; summary_column(i) < METRICS; i++)
        format_unmarked(row[METRIC_COLUMNS + i - 1], summary_column(i), // the panel has the marks
                        &result->values[summary_column(i)], &report->style);
    put_cells(report, row, TONE_PLAIN);
}

// Sizes that are multiples of it leave every guard of a tiled kernel idle.
enum { USUAL_TILE = 32, ELEMENTS_A_WORD = 4 };

// By the largest tolerance of them.
static const char *how_verified(const struct run *run)
{
    for (int i = 0; i < run->count; i++) {
        const struct workload *workload = step_of(&run->steps[i])->workload;
        if (workload && workload->tolerance > 0)
            return "within its tolerance";
    }
    return "bit for bit";
}

static bool has_exercise(const struct run *run)
{
    for (int i = 0; i < run->count; i++)
        if (step_of(&run->steps[i])->goals || step_of(&run->steps[i])->workload)
            return true;
    return false;
}

// The lesson's steps do; a program of other kernels has none of them.
static bool is_transposing(const struct run *run)
{
    return run->count == 0 || run->steps[0].number < OWN_KERNEL;
}

static void put_deploy(const struct report *report, const struct run *run)
{
    int verified = 0, tried = 0;
    size_t n = 0; // the serial step's may be smaller than the others'
    const struct step_result *best = run_fastest(run);
    for (int i = 0; i < run->count; i++) {
        if (is_left_out(&run->steps[i]))
            continue;
        verified += run->steps[i].outcome == VERIFIED;
        tried++;
        n = run->steps[i].n > n ? run->steps[i].n : n;
    }
    char text[640], exercises[48] = "", label[STEP_LABEL_SIZE];
    if (has_exercise(run))
        snprintf(exercises, sizeof exercises, " (%s at n = %d and %d too)",
                 is_transposing(run) ? "exercises" : "and", EDGES_N_BY_4, EDGES_N);
    int used = snprintf(
        text, sizeof text, "Deploy: %d of %d %s%s verified %s%s. ", verified, tried,
        is_transposing(run) ? "step" : "kernel", tried == 1 ? "" : "s", how_verified(run),
        verified < tried              ? "; the others are not fit for use"
        : run->device.checks_accesses ? ", with intact input and no CUDA error"
                                      : ", with intact guard zones and input, and no CUDA error");
    if (best)
        used += snprintf(text + used, sizeof text - (size_t)used, "The fastest is %s. ",
                         step_label(best->number, label));
    if (n > 0 && n % USUAL_TILE == 0)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "Tried at n = %zu alone, a multiple of %d%s: `./run -n 1000` and `./run "
                         "-n 1001` try the guards. ",
                         n, USUAL_TILE, exercises);
    else if (n > 0 && n % ELEMENTS_A_WORD == 0)
        used += snprintf(
            text + used, sizeof text - (size_t)used,
            "Tried at n = %zu alone, a multiple of %d%s: at `./run -n 1001` rows start anywhere. ",
            n, ELEMENTS_A_WORD, exercises);
    snprintf(text + used, sizeof text - (size_t)used, "%s",
             run->device.checks_accesses
                 ? "Every access was checked for its bounds, for memory that nobody wrote and for "
                   "races, every barrier for threads that miss it."
             : run->device.simulated
                 ? "Accesses were not checked: APODKIT_SIM_CHECKS is 0."
                 : "Not checked here: memory errors and races that left no trace; "
                   "`compute-sanitizer --tool memcheck ./run --no-profile` looks for them "
                   "(racecheck, initcheck and synccheck too).");
    put_wrapped(report->file, "", text);
}

static bool sizes_differ(const struct run *run)
{
    for (int i = 0; i < run->count; i++)
        if (run->steps[i].n != run->n)
            return true;
    return false;
}

// What replay rests on: an estimate, unless the instructions of all steps are counted.
static const char *instructions_of(const struct run *run)
{
    for (int i = 0; i < run->count; i++)
        if (run->steps[i].values[INST_EXECUTED].provenance != COUNTED)
            return "an estimate of machine";
    return "counted machine";
}

// Without the timing model nothing in the table is predicted: that is no word of predictions
// then.
static void put_simulated_legend(const struct report *report, const struct run *run)
{
    char text[WHY_SIZE + 320];
    if (value_known(&run->copy_gbs))
        snprintf(text, sizeof text,
                 "Simulated: load and store efficiency are counted exactly. Times, DRAM and "
                 "achieved occupancy (~ in the panels) are\npredictions of a timing model, replay "
                 "rests on %s instructions; the CPU's time is this machine's.\n",
                 instructions_of(run));
    else
        snprintf(text, sizeof text,
                 "Simulated: load and store efficiency are counted exactly. Times, DRAM and "
                 "achieved occupancy are not known\n(%s). Replay rests on %s\n"
                 "instructions; the CPU's time is this machine's.\n",
                 run->copy_gbs.why, instructions_of(run));
    put_text(report->file, text);
}

// Which roof the column "of copy" is of, and what other kernels make of the same memory, where it was measured.
static void put_roofs(const struct report *report, const struct run *run)
{
    char text[400], gbs[FORMAT_SIZE];
    int others = 0;
    if (run->device.simulated || !value_known(&run->copy_gbs))
        return;
    format_number(gbs, run->copy_gbs.number);
    int used = snprintf(text, sizeof text, "of copy: of the device's own copy, %.20s GB/s%s%s.",
                        gbs, *run->device.driver ? " with driver " : "", run->device.driver);
    for (enum roof i = 0; i < ROOFS; i++) {
        if (!value_known(&run->roofs[i].gbs))
            continue;
        format_number(gbs, run->roofs[i].gbs.number);
        used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %.20s GB/s",
                         others++ ? "," : " Beside it:", roof_rows[i].label, gbs);
    }
    snprintf(text + used, sizeof text - (size_t)used, "%s", others ? "." : "");
    put_wrapped(report->file, "", text);
}

// How well the launches tell the medians: of the step where they do it worst; "" where it is not known of any.
static void format_certainty(char text[FORMAT_SIZE], const struct report *report,
                             const struct run *run)
{
    const struct timing *worst = NULL;
    for (int i = 0; i < run->count; i++) {
        const struct timing *timing = &run->steps[i].timing;
        if (timing_has_interval(timing) &&
            (!worst || (timing->high_ms - timing->low_ms) / timing->median_ms >
                           (worst->high_ms - worst->low_ms) / worst->median_ms))
            worst = timing;
    }
    char interval[FORMAT_SIZE];
    *text = '\0';
    if (!worst)
        return;
    format_interval(interval, worst, &report->style);
    snprintf(text, FORMAT_SIZE, ", known within %.20s or better", interval);
}

void report_summary(const struct report *report, const struct run *run)
{
    fputc('\n', report->file);
    put_heading(report);
    if (is_transposing(run))
        put_baseline(report, run, "   CPU transpose, all cores", stage_name(ASSESS),
                     run->cpu.median_ms);
    for (int i = 0; i < run->count; i++)
        put_step(report, run, i);
    if (run->copy.median_ms > 0)
        put_baseline(report, run, "   the device's own copy", "(the roof)", run->copy.median_ms);
    char text[256], certainty[FORMAT_SIZE];
    format_certainty(certainty, report, run);
    snprintf(text, sizeof text,
             "GB/s: useful bytes%s, over time%s%s%s.%sload, store: efficiency. "
             "occ.: achieved occupancy.\n",
             is_transposing(run) ? ", 2 n n 4" : "",
             run->device.simulated ? "" : " (median of the launches", certainty,
             run->device.simulated ? "" : ")", *certainty ? "\n" : " ");
    put_text(report->file, text);
    put_roofs(report, run);
    if (run->count > 0 && counts_stand_in(run, &run->steps[run->count - 1]))
        put_text(report->file, "load, store, replay, DRAM and occ. were counted by the simulated "
                               "device: ~ in the panels is what a model says.\n");
    if (run->device.simulated)
        put_simulated_legend(report, run);
    snprintf(text, sizeof text,
             "The serial step runs at n = %d at most; speed-ups compare bandwidths, so sizes may "
             "differ.\n",
             SERIAL_MAX_N);
    if (sizes_differ(run))
        put_text(report->file, text);
    report_promises(report, run);
    fputc('\n', report->file);
    put_deploy(report, run);
}
