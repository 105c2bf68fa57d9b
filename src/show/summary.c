// The device line and the summary: a row a step between the CPU's transpose and the device's copy.
#include "show/report.h"

#include "facts/format.h"

#include <string.h>

void report_device(const struct report *report, const struct run_data *run)
{
    const struct device *device = &run->device;
    char l2[FORMAT_SIZE], matrix[FORMAT_SIZE], peak[FORMAT_SIZE];
    format_bytes(l2, device->l2_bytes);
    format_bytes(matrix, run->n * run->n * sizeof(float));
    format_number(peak, device->dram_peak_gbs);

    fprintf(report->file, "%s%s%s%s: ", tone_start(&report->style, TONE_TITLE),
            device->simulated ? "" : "GPU ", device->name, tone_end(&report->style, TONE_TITLE));
    fprintf(report->file, "compute capability %d.%d, %d SMs, ", device->cc_major, device->cc_minor,
            device->sms);
    if (device->dram_peak_gbs > 0)
        fprintf(report->file, "DRAM peak %s GB/s, ", peak);
    fprintf(report->file, "L2 %s\n", l2);
    fprintf(report->file, "n = %zu: two matrices of %s each%s\n", run->n, matrix,
            device_fits_in_l2(device, run->n)
                ? ", which fit in the L2: DRAM figures say little at this size"
                : "");
}

void report_counters_note(const struct report *report, const struct run_data *run)
{
    if (*run->counters_note == '\0')
        return;
    fprintf(report->file, "Counters: ");
    const char *newline = strchr(run->counters_note, '\n');
    size_t first = newline ? (size_t)(newline - run->counters_note) : strlen(run->counters_note);
    fprintf(report->file, "%.*s\n", (int)first, run->counters_note);
    if (newline)
        put_wrapped(report->file, "  ", newline + 1);
}

// The columns: a heading, and the width that its numbers are set in.
enum column {
    TITLE,
    STAGE,
    SIZE,
    TIME,
    BANDWIDTH,
    SHARE,
    OVER_BEFORE,
    OVER_FIRST,
    LOAD,
    STORE,
    REPLAY,
    DRAM,
    OCCUPANCY,
    COLUMNS
};

static const struct {
    const char *heading;
    int width; // negative: set to the right
} columns[COLUMNS] = {
    [TITLE] = {"", 31},
    [STAGE] = {"stage", 11},
    [SIZE] = {"n", -6},
    [TIME] = {"time", -9},
    [BANDWIDTH] = {"GB/s", -7},
    [SHARE] = {"of copy", -8},
    [OVER_BEFORE] = {"x before", -9},
    [OVER_FIRST] = {"x first", -8},
    [LOAD] = {"load", -6},
    [STORE] = {"store", -6},
    [REPLAY] = {"replay", -7},
    [DRAM] = {"DRAM", -6},
    [OCCUPANCY] = {"occ.", -6},
};

typedef char cells[COLUMNS][FORMAT_SIZE];

static void put_cells(const struct report *report, cells row, enum tone tone)
{
    fprintf(report->file, "%s", tone_start(&report->style, tone));
    int last = COLUMNS - 1;
    while (last > 0 && *row[last] == '\0')
        last--;
    for (int i = 0; i <= last; i++)
        put_padded(report->file, row[i], columns[i].width);
    fprintf(report->file, "%s\n", tone_end(&report->style, tone));
}

static void put_heading(const struct report *report)
{
    cells row = {0};
    for (int i = 0; i < COLUMNS; i++)
        snprintf(row[i], FORMAT_SIZE, "%s", columns[i].heading);
    put_cells(report, row, TONE_TITLE);
}

static void fill_speed(cells row, const struct report *report, const struct run_data *run, size_t n,
                       double ms)
{
    double gbs = bandwidth_gbs(n, ms), copy = bandwidth_gbs(run->n, run->copy.median_ms);
    snprintf(row[SIZE], FORMAT_SIZE, "%zu", n);
    if (ms <= 0) { // not timed
        snprintf(row[TIME], FORMAT_SIZE, "%s", style_dash(&report->style));
        return;
    }
    format_duration(row[TIME], ms, &report->style);
    format_number(row[BANDWIDTH], gbs);
    if (copy > 0)
        format_percent(row[SHARE], 100 * gbs / copy);
}

static void put_baseline(const struct report *report, const struct run_data *run, const char *title,
                         const char *stage, const struct timing *timing)
{
    cells row = {0};
    snprintf(row[TITLE], FORMAT_SIZE, "%s", title);
    snprintf(row[STAGE], FORMAT_SIZE, "%s", stage);
    fill_speed(row, report, run, run->n, timing->median_ms);
    put_cells(report, row, TONE_PLAIN);
}

static void fill_metric(char cell[FORMAT_SIZE], const struct report *report,
                        const struct result *result, enum metric metric)
{
    const struct value *value = &result->profile.metrics[metric];
    if (value_known(value))
        format_percent(cell, value->number);
    else
        snprintf(cell, FORMAT_SIZE, "%s", style_dash(&report->style));
}

// The first verified step of the run, which speed-ups are counted from.
static const struct result *first_verified(const struct run_data *run)
{
    for (int i = 0; i < run->count; i++)
        if (run->results[i].outcome == VERIFIED)
            return &run->results[i];
    return NULL;
}

static void put_step(const struct report *report, const struct run_data *run, int place)
{
    const struct result *result = &run->results[place], *first = first_verified(run);
    const struct result *before = report_before(run, place);
    const struct step *step = step_find(result->step);
    cells row = {0};
    snprintf(row[TITLE], FORMAT_SIZE, "%d. ", step->number);
    text_append(row[TITLE], FORMAT_SIZE, step->title, columns[TITLE].width - 1);
    snprintf(row[STAGE], FORMAT_SIZE, "%s", stage_name(step->stage));
    if (result->outcome != VERIFIED) {
        snprintf(row[SIZE], FORMAT_SIZE, "%zu", result->n);
        snprintf(row[TIME], FORMAT_SIZE, "%s", result->outcome == WRONG ? "WRONG" : "FAILED");
        put_cells(report, row, TONE_BAD);
        return;
    }
    fill_speed(row, report, run, result->n,
               value_known(&result->time_ms) ? result->time_ms.number : 0);
    if (before && value_known(&result->bandwidth_gbs)) {
        double gbs = result->bandwidth_gbs.number;
        format_ratio(row[OVER_BEFORE], gbs / before->bandwidth_gbs.number, &report->style);
        format_ratio(row[OVER_FIRST], gbs / first->bandwidth_gbs.number, &report->style);
    }
    fill_metric(row[LOAD], report, result, GLD_EFFICIENCY);
    fill_metric(row[STORE], report, result, GST_EFFICIENCY);
    fill_metric(row[REPLAY], report, result, TOTAL_REPLAY_OVERHEAD);
    fill_metric(row[DRAM], report, result, DRAM_UTILIZATION);
    fill_metric(row[OCCUPANCY], report, result, ACHIEVED_OCCUPANCY);
    put_cells(report, row, TONE_PLAIN);
}

// Sizes that are multiples of it leave every guard of a tiled kernel idle.
enum { USUAL_TILE = 32, ELEMENTS_A_WORD = 4 };

static bool has_exercise(const struct run_data *run)
{
    for (int i = 0; i < run->count; i++)
        if (step_find(run->results[i].step)->goals)
            return true;
    return false;
}

static void put_deploy(const struct report *report, const struct run_data *run)
{
    int verified = 0;
    const struct result *best = NULL;
    for (int i = 0; i < run->count; i++) {
        const struct result *result = &run->results[i];
        if (result->outcome != VERIFIED)
            continue;
        verified++;
        if (value_known(&result->bandwidth_gbs) &&
            (!best || result->bandwidth_gbs.number > best->bandwidth_gbs.number))
            best = result;
    }
    char text[640], exercises[48] = "";
    if (has_exercise(run))
        snprintf(exercises, sizeof exercises, " (exercises at n = %d and %d too)", EDGES_N_BY_4,
                 EDGES_N);
    int used = snprintf(text, sizeof text, "Deploy: %d of %d step%s verified bit for bit%s. ",
                        verified, run->count, run->count == 1 ? "" : "s",
                        verified < run->count ? "; the others are not fit for use"
                        : run->device.checks_accesses
                            ? ", with intact input and no CUDA error"
                            : ", with intact guard zones and input, and no CUDA error");
    if (best)
        used += snprintf(text + used, sizeof text - (size_t)used, "The fastest is step %d. ",
                         best->step);
    if (run->n % USUAL_TILE == 0)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "Tried at n = %zu alone, a multiple of %d%s: `./run -n 1000` and `./run -n "
                     "1001` try the guards. ",
                     run->n, USUAL_TILE, exercises);
    else if (run->n % ELEMENTS_A_WORD == 0)
        used +=
            snprintf(text + used, sizeof text - (size_t)used,
                     "Tried at n = %zu alone, a multiple of %d%s: at `./run -n 1001` rows start "
                     "anywhere. ",
                     run->n, ELEMENTS_A_WORD, exercises);
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

static bool sizes_differ(const struct run_data *run)
{
    for (int i = 0; i < run->count; i++)
        if (run->results[i].n != run->n)
            return true;
    return false;
}

// Without the timing model nothing in the table is predicted: that is no word of predictions
// then.
static void put_simulated_legend(const struct report *report, const struct run_data *run)
{
    fputs("Simulated: load and store efficiency are counted exactly. ", report->file);
    if (run->copy.launches > 0)
        fputs("Times, DRAM and achieved occupancy (~ in the panels) are\npredictions of a timing "
              "model, replay rests on an estimate of machine instructions; the CPU's time is this "
              "machine's.\n",
              report->file);
    else
        fprintf(report->file,
                "Times, DRAM and achieved occupancy are not known\n(%s). Replay rests on an "
                "estimate of machine\ninstructions; the CPU's time is this machine's.\n",
                run->copy_why);
}

void report_summary(const struct report *report, const struct run_data *run)
{
    fputc('\n', report->file);
    put_heading(report);
    put_baseline(report, run, "   CPU transpose, all cores", stage_name(ASSESS), &run->cpu);
    for (int i = 0; i < run->count; i++)
        put_step(report, run, i);
    if (run->copy.median_ms > 0)
        put_baseline(report, run, "   the device's own copy", "(the roof)", &run->copy);
    fprintf(report->file,
            "GB/s: useful bytes, 2 n n 4, over time%s. load, store: efficiency. "
            "occ.: achieved occupancy.\n",
            run->device.simulated ? "" : " (median of the launches)");
    if (run->device.simulated)
        put_simulated_legend(report, run);
    if (sizes_differ(run))
        fprintf(report->file,
                "The serial step runs at n = %d at most; speed-ups compare bandwidths, so sizes "
                "may differ.\n",
                SERIAL_MAX_N);
    report_promises(report, run);
    fputc('\n', report->file);
    put_deploy(report, run);
}
