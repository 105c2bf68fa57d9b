// What ./run tune found, for people: a row a candidate, the fastest first.
#include "facts/format.h"
#include "facts/tuning_verdicts.h"
#include "show/report.h"

#include <string.h>

enum { SETTING_WIDTH = 8, TIME_WIDTH = 10, SHARE_WIDTH = 8 };

// The fastest first; who has no time comes last, in the order of the program.
static bool comes_before(const struct candidate *a, const struct candidate *b)
{
    bool a_timed = a->timing.launches > 0, b_timed = b->timing.launches > 0;
    if (!a_timed || !b_timed)
        return a_timed && !b_timed;
    bool a_leads = a->state == CANDIDATE_FASTEST, b_leads = b->state == CANDIDATE_FASTEST;
    return a_leads != b_leads ? a_leads : a->behind.median_ms < b->behind.median_ms;
}

static void sort(const struct tuning *tuning, int order[MAX_STEPS])
{
    for (int i = 0; i < tuning->count; i++) {
        int at = i;
        while (at > 0 && comes_before(&tuning->candidates[i], &tuning->candidates[order[at - 1]])) {
            order[at] = order[at - 1];
            at--;
        }
        order[at] = i;
    }
}

static void put_duration(const struct report *report, double ms, bool modelled)
{
    char text[FORMAT_SIZE], marked[FORMAT_SIZE + 1];
    format_duration(text, ms, &report->style);
    snprintf(marked, sizeof marked, "%s%s", modelled ? provenance_mark(MODELLED) : "", text);
    put_padded(report->file, ms > 0 ? marked : style_dash(&report->style), -TIME_WIDTH);
}

// Of the simulated device there is nothing to say between what it lies.
static int behind_width(const struct tuning *tuning)
{
    return tuning->rounds > 0 ? 2 + (int)strlen("1.012 1.008..1.016")
                              : 2 + (int)strlen("over fastest");
}

static void put_headings(const struct report *report, const struct tuning *tuning)
{
    const struct lab *lab = lab_here();
    fprintf(report->file, "\n%s", tone_start(&report->style, TONE_FAINT));
    for (int i = 0; i < lab->parameter_count; i++)
        put_padded(report->file, lab->parameters[i].name, -SETTING_WIDTH);
    if (tuning->model_n > 0)
        put_padded(report->file, "predicted", -TIME_WIDTH);
    put_padded(report->file, "time", -TIME_WIDTH);
    if (tuning->rounds > 0)
        put_padded(report->file, "of copy", -SHARE_WIDTH);
    put_padded(report->file, "over fastest", -behind_width(tuning));
    fprintf(report->file, "%s\n", tone_end(&report->style, TONE_FAINT));
}

// What the table says of it behind its numbers.
static const char *verdict(const struct tuning *tuning, const struct candidate *candidate)
{
    switch (candidate->state) {
    case CANDIDATE_FASTEST:
        return "  fastest";
    case CANDIDATE_LEVEL:
        return tuning->rounds > 0 ? "  level with it" : "  the same";
    default:
        return "";
    }
}

// "1.012 1.008..1.016".
static void put_behind(const struct report *report, const struct tuning *tuning,
                       const struct candidate *candidate)
{
    const struct timing *behind = &candidate->behind;
    char text[FORMAT_SIZE];
    if (candidate->state == CANDIDATE_FASTEST || tuning->rounds == 0)
        snprintf(text, sizeof text, "%.3f", behind->median_ms);
    else
        snprintf(text, sizeof text, "%.3f %.3f..%.3f", behind->median_ms, behind->low_ms,
                 behind->high_ms);
    put_padded(report->file, text, -behind_width(tuning));
}

static void put_candidate(const struct report *report, const struct tuning *tuning,
                          const struct candidate *candidate)
{
    const struct step *point = step_find(candidate->number);
    bool timed = candidate->timing.launches > 0;
    char text[FORMAT_SIZE];
    for (int i = 0; i < point->lab->parameter_count; i++) {
        char setting[SETTING_SIZE];
        setting_text(point, i, setting);
        put_padded(report->file, setting, -SETTING_WIDTH);
    }
    if (tuning->model_n > 0)
        put_duration(report, candidate->predicted_ms, true);
    if (candidate->state == CANDIDATE_SLOW) {
        fputs("  not timed: predicted to be far slower\n", report->file);
        return;
    }
    if (!timed) {
        const char *lead = candidate->state == CANDIDATE_LACKING ? "  left out: " : "  NOT RIGHT: ";
        put_wrapped(report->file, lead, candidate->complaint);
        return;
    }
    put_duration(report, candidate->timing.median_ms, tuning->device.simulated);
    if (tuning->rounds > 0) {
        format_percent(text, candidate->share);
        put_padded(report->file, text, -SHARE_WIDTH);
    }
    put_behind(report, tuning, candidate);
    fprintf(report->file, "%s\n", verdict(tuning, candidate));
}

// What the model saved, and whether it would have thrown away the fastest.
static void put_saving(const struct report *report, const struct tuning *tuning)
{
    int slow = 0, fastest = tuning_fastest(tuning);
    char text[512];
    for (int i = 0; i < tuning->count; i++)
        slow += tuning_is_slow(tuning, i);
    if (*tuning->why_no_model)
        snprintf(text, sizeof text, "The model was not asked: %s.", tuning->why_no_model);
    else if (tuning_count(tuning, CANDIDATE_SLOW) > 0)
        snprintf(text, sizeof text,
                 "The model predicts, at n = %zu, %d of %d to take more than %g times as long as "
                 "the best of them: they were not timed (--all times them).",
                 tuning->model_n, slow, tuning->count, model_margin);
    else
        snprintf(text, sizeof text, "The model would have left out %d of %d%s.", slow,
                 tuning->count,
                 slow == 0                                         ? ""
                 : fastest >= 0 && tuning_is_slow(tuning, fastest) ? ", and the fastest with them"
                                                                   : ", and not the fastest");
    put_wrapped(report->file, "", text);
}

static void put_rounds(const struct report *report, const struct tuning *tuning)
{
    int level = tuning_count(tuning, CANDIDATE_LEVEL);
    char text[256];
    snprintf(text, sizeof text,
             "Launched in turns, %d rounds for the fastest: %s. over fastest: the median of the "
             "quotients of a round, and between what it lies (%d%%).",
             tuning->rounds,
             level > 0 ? "the launches do not tell it from those that are level"
                       : "it is ahead of all others by more than the noise",
             MEDIAN_CONFIDENCE);
    fputc('\n', report->file);
    put_wrapped(report->file, "", text);
}

void report_tuning(const struct report *report, const struct tuning *tuning)
{
    const struct lab *lab = lab_here();
    const struct style *style = &report->style;
    char name[STEP_NAME_SIZE], label[STEP_LABEL_SIZE] = "lab";
    int order[MAX_STEPS];
    step_name(lab->file, name);
    if (lab_step(lab) > 0)
        step_label(lab_step(lab), label);
    fprintf(report->file, "%sTuning %s %s: %s, n = %zu%s\n", tone_start(style, TONE_TITLE), label,
            name, tuning->device.name, tuning->n, tone_end(style, TONE_TITLE));
    for (int i = 0; i < lab->parameter_count; i++)
        fprintf(report->file, "  %s: %s\n", lab->parameters[i].name, lab->parameters[i].meaning);
    put_headings(report, tuning);
    sort(tuning, order);
    for (int i = 0; i < tuning->count; i++)
        put_candidate(report, tuning, &tuning->candidates[order[i]]);
    if (tuning->rounds > 0)
        put_rounds(report, tuning);
    if (tuning->model_n > 0 || *tuning->why_no_model)
        put_saving(report, tuning);
}
