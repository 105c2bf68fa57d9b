// A lab's points as a table for people: a row a point, with a bar as long as its bandwidth.
#include "facts/format.h"
#include "facts/labs.h"
#include "facts/points.h"
#include "show/report.h"

#include <math.h>
#include <string.h>

enum {
    SETTING_WIDTH = 8,
    TIME_WIDTH = 11,
    RATE_WIDTH = 13,
    SHARE_WIDTH = 8,
    BAR = 12,
    GAP = 2,
    LIMIT_WIDTH = GAP + sizeof "shared memory" - 1 // behind the theoretical occupancy
};

static int column_width(enum metric metric)
{
    return GAP + (int)strlen(metric_table[metric].key);
}

// The first of those that are watched, as many as the page has room for.
static struct selection fitting(const struct lab *lab, const struct selection *watched, int page)
{
    struct selection shown = *watched;
    int used = lab->parameter_count * SETTING_WIDTH + TIME_WIDTH + RATE_WIDTH + SHARE_WIDTH + GAP +
               BAR + (metric_is_chosen(watched, THEORETICAL_OCCUPANCY) ? LIMIT_WIDTH : 0);
    for (shown.count = 0; shown.count < watched->count; shown.count++) {
        used += column_width(watched->metric_table[shown.count]);
        if (used > page)
            break;
    }
    return shown;
}

static void put_headings(const struct report *report, const struct lab *lab,
                         const struct selection *watched)
{
    fprintf(report->file, "\n%s", tone_start(&report->style, TONE_FAINT));
    for (int i = 0; i < lab->parameter_count; i++)
        put_padded(report->file, lab->parameters[i].name, -SETTING_WIDTH);
    put_padded(report->file, "time", -TIME_WIDTH);
    put_padded(report->file, "bandwidth", -RATE_WIDTH);
    put_padded(report->file, "of copy", -SHARE_WIDTH);
    put_padded(report->file, "", watched->count > 0 ? BAR + GAP : 0);
    for (int i = 0; i < watched->count; i++)
        put_padded(report->file, metric_table[watched->metric_table[i]].key,
                   -column_width(watched->metric_table[i]));
    fprintf(report->file, "%s\n", tone_end(&report->style, TONE_FAINT));
}

static void put_metric(const struct report *report, const struct step_result *point,
                       enum metric metric, int width)
{
    char text[FORMAT_SIZE];
    format_value(text, metric, &point->values[metric], &report->style);
    put_padded(report->file, text, -width);
}

static double fastest_gbs(const struct run *run)
{
    const struct step_result *fastest = run_fastest(run);
    return fastest ? fastest->values[BANDWIDTH_GBS].number : 0;
}

static void put_numbers(const struct report *report, const struct run *run,
                        const struct step_result *point, const struct selection *watched)
{
    struct value share = share_of_copy(run, point);
    const struct value *gbs = &point->values[BANDWIDTH_GBS];
    int length = value_known(gbs) ? (int)lround(gbs->number / fastest_gbs(run) * BAR) : 0;
    char text[FORMAT_SIZE];
    put_metric(report, point, TIME_MS, TIME_WIDTH);
    put_metric(report, point, BANDWIDTH_GBS, RATE_WIDTH);
    format_percent(text, share.number);
    put_padded(report->file, value_known(&share) ? text : style_dash(&report->style), -SHARE_WIDTH);
    int end = watched->count > 0 ? BAR : length; // no line ends in blanks
    fputs(end > 0 ? "  " : "", report->file);
    for (int i = 0; i < end; i++)
        fputc(i < length ? '#' : ' ', report->file);
    for (int i = 0; i < watched->count; i++)
        put_metric(report, point, watched->metric_table[i], column_width(watched->metric_table[i]));
    if (value_known(&point->values[THEORETICAL_OCCUPANCY]) &&
        metric_is_chosen(watched, THEORETICAL_OCCUPANCY))
        fprintf(report->file, "  %s", occupancy_limit_name(point->occupancy_limit));
    fputc('\n', report->file);
}

static void put_point(const struct report *report, const struct run *run,
                      const struct step_result *point, const struct selection *watched)
{
    const struct step *step = step_of(point);
    char lead[MOST_PARAMETERS * SETTING_SIZE + 16] = "", text[SETTING_SIZE];
    for (int i = 0; i < step->lab->parameter_count; i++) {
        setting_text(step, i, text);
        snprintf(lead + strlen(lead), SETTING_SIZE, "%*s", SETTING_WIDTH, text);
    }
    if (point->outcome == VERIFIED) {
        fputs(lead, report->file);
        put_numbers(report, run, point, watched);
        return;
    }
    strcat(lead, point->outcome == NOT_KNOWN ? "  left out: " : "  NOT RIGHT: ");
    put_wrapped(report->file, lead, point->complaint);
}

static void put_parameters(FILE *file, const struct lab *lab)
{
    char text[COMPLAINT_SIZE];
    for (int i = 0, used = 0; i < lab->parameter_count && used < COMPLAINT_SIZE; i++)
        used += snprintf(text + used, (size_t)(COMPLAINT_SIZE - used), "%s%s: %s", i ? "; " : "",
                         lab->parameters[i].name, lab->parameters[i].meaning);
    put_wrapped(file, "", text);
}

static const char legend[] =
    "bandwidth, and the bar: useful bytes over time. of copy: of the device's own copy's";

void report_lab(const struct report *report, const struct run *run, const struct lab *lab,
                const struct selection *watched)
{
    const struct style *style = &report->style;
    char name[STEP_NAME_SIZE], lead[STEP_NAME_SIZE + 8];
    step_name(lab->file, name);
    snprintf(lead, sizeof lead, "Lab %s: ", name);
    fprintf(report->file, "\n%s", tone_start(style, TONE_TITLE));
    put_wrapped(report->file, lead, lab->question);
    fputs(tone_end(style, TONE_TITLE), report->file);
    put_parameters(report->file, lab);
    struct selection shown = fitting(lab, watched, bounded_page_width(report->file));
    put_headings(report, lab, &shown);
    for (int i = 0; i < run->count; i++) {
        bool begins =
            i > 0 && lab->parameter_count > 1 &&
            step_of(&run->steps[i])->settings[0] != step_of(&run->steps[i - 1])->settings[0];
        fputs(begins ? "\n" : "", report->file);
        put_point(report, run, &run->steps[i], &shown);
    }
    char text[sizeof legend + 20];
    snprintf(text, sizeof text, "%s%s.", legend, run->device.simulated ? ". ~ is modelled" : "");
    fputc('\n', report->file);
    put_wrapped(report->file, "", text);
    if (run->device.simulated && lab->unmodelled)
        put_wrapped(report->file, "", lab->unmodelled);
    if (shown.count < watched->count)
        fprintf(report->file, "%d of the metrics %s no room here: --csv FILE has them all.\n",
                watched->count - shown.count, watched->count - shown.count == 1 ? "has" : "have");
}
