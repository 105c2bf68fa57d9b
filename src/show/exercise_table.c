// The table of an exercise: yours, the reference's, the goal.
#include "advice/exercise_goals.h"
#include "facts/format.h"
#include "show/report.h"

#include <math.h>
#include <stdio.h>

enum { VERDICT_SIZE = 640, HELP_SIZE = 64 };

// The widths of the columns, by the page's.
static const struct layout {
    int page, label, yours, reference, goal;
} layouts[] = {{108, 34, 24, 24, 24}, {80, 30, 14, 14, 20}, {0, 24, 14, 0, 20}};

enum { WHOLE_N = 1024 }; // which blocks, tiles and sectors divide

// "at least 1014 GB/s"; "100%", which is the most there is; a dash when the reference is not known.
static void format_goal(char text[FORMAT_SIZE], const struct aim *aim, const struct style *style)
{
    char number[FORMAT_SIZE];
    bool is_share = metric_table[aim->metric].unit == PERCENT;
    bool is_the_end = is_share && aim->value == (aim->bound == AT_LEAST ? 100 : 0);
    format_metric(number, aim->metric, aim->value, style);
    if (aim->metric == BANDWIDTH_GBS && !value_known(&aim->reference))
        snprintf(text, FORMAT_SIZE, "%s", style_dash(style));
    else
        snprintf(text, FORMAT_SIZE, "%s%.40s",
                 is_the_end               ? ""
                 : aim->bound == AT_LEAST ? "at least "
                                          : "at most ",
                 number);
}

static void put_cells(const struct report *report, const char *label, const char *yours,
                      const char *reference, const char *goal, enum tone tone)
{
    FILE *file = report->file;
    const struct layout *layout = layouts;
    char name[FORMAT_SIZE] = "";
    while (page_width(file) < layout->page)
        layout++;
    text_append(name, sizeof name, label, layout->label);
    fprintf(file, "  ");
    put_padded(file, name, layout->label);
    fputs(tone_start(&report->style, tone), file);
    put_padded(file, yours, -layout->yours);
    fputs(tone_end(&report->style, tone), file);
    if (layout->reference)
        put_padded(file, reference, -layout->reference);
    if (*goal)
        put_padded(file, goal, -layout->goal);
    fputc('\n', file);
}

static void put_value(const struct report *report, enum metric metric, const struct value *yours,
                      const struct value *reference, const char *goal, enum judgement judgement)
{
    char mine[FORMAT_SIZE], other[FORMAT_SIZE];
    format_value(mine, metric, yours, &report->style);
    format_value(other, metric, reference, &report->style);
    enum tone tone = judgement == REACHED   ? TONE_GOOD
                     : judgement == NOT_YET ? TONE_BAD
                                            : TONE_PLAIN;
    put_cells(report, metric_table[metric].label, mine, other, goal, tone);
}

static void put_rows(const struct report *report, const struct run *run,
                     const struct exercise_result *exercise)
{
    const struct step_result *yours = &run->steps[exercise->place];
    struct value none = no_reference();
    put_cells(report, "", "yours", "reference", "goal", TONE_PLAIN);
    put_value(report, TIME_MS, &yours->values[TIME_MS],
              exercise->reference ? &exercise->reference->values[TIME_MS] : &none, "", NOT_JUDGED);
    for (int i = 0; i < exercise->count; i++) {
        const struct aim *aim = &exercise->aims[i];
        char goal[FORMAT_SIZE];
        format_goal(goal, aim, &report->style);
        put_value(report, aim->metric, &aim->yours, &aim->reference, goal, aim->judgement);
    }
}

// "Global Store Efficiency is 12.5%, the goal is 100%"
static int write_miss(char *text, size_t size, const struct aim *aim)
{
    static const struct style plain = {0};
    char yours[FORMAT_SIZE], goal[FORMAT_SIZE];
    if (aim->metric == BANDWIDTH_GBS)
        return snprintf(text, size, "the bandwidth is %.0f%% of the reference's, the goal is %d%%",
                        floor(100 * aim->yours.number / aim->reference.number), // 89.9 is not 90
                        ENOUGH_OF_REFERENCE);
    format_metric(yours, aim->metric, aim->yours.number, &plain);
    format_goal(goal, aim, &plain);
    return snprintf(text, size, "%s is %s, the goal is %s", metric_table[aim->metric].label, yours,
                    goal);
}

static void write_misses(char text[VERDICT_SIZE], const struct exercise_result *exercise)
{
    int used = snprintf(text, VERDICT_SIZE, "Not yet");
    const char *separator = ": ";
    for (int i = 0; i < exercise->count; i++) {
        if (exercise->aims[i].judgement != NOT_YET)
            continue;
        used += snprintf(text + used, VERDICT_SIZE - (size_t)used, "%s", separator);
        used += write_miss(text + used, VERDICT_SIZE - (size_t)used, &exercise->aims[i]);
        separator = "; ";
    }
    snprintf(text + used, VERDICT_SIZE - (size_t)used, ".");
}

static const char *why_not_judged(const struct exercise_result *exercise)
{
    for (int i = 0; i < exercise->count; i++) {
        const struct aim *aim = &exercise->aims[i];
        if (!value_known(&aim->yours))
            return aim->yours.why;
        if (aim->metric == BANDWIDTH_GBS && !value_known(&aim->reference))
            return aim->reference.why;
    }
    return "a number is missing";
}

static void write_reached(char *text, size_t size, const struct exercise_result *exercise, size_t n)
{
    bool in_full = true;
    for (int i = 0; i < exercise->count; i++)
        in_full = in_full && !exercise->aims[i].as_the_reference;
    if (in_full)
        snprintf(text, size, "Goal reached.");
    else
        snprintf(text, size,
                 "Goal reached, as far as the reference reaches it at n = %zu: n = %d, say, allows "
                 "all of it.",
                 n, WHOLE_N);
}

// Where help is to be had.
static const char *write_help(double number, char text[HELP_SIZE])
{
    if (number > SOLUTIONS)
        snprintf(text, HELP_SIZE, "docs/answers.md has the answer.");
    else
        snprintf(text, HELP_SIZE, "`make hint%g` helps.", number);
    return text;
}

static void put_verdict(const struct report *report, const struct exercise_result *exercise,
                        const struct step_result *yours)
{
    char text[VERDICT_SIZE + HELP_SIZE], misses[VERDICT_SIZE], help[HELP_SIZE];
    switch (exercise->judgement) {
    case REACHED:
        write_reached(text, sizeof text, exercise, yours->n);
        break;
    case NOT_YET:
        write_misses(misses, exercise);
        snprintf(text, sizeof text, "%s %s", misses, write_help(yours->number, help));
        break;
    case NOT_JUDGED:
        if (yours->n < LEAST_JUDGED_N)
            snprintf(
                text, sizeof text,
                "Not judged: n = %zu is too small to tell one kernel from another: it takes %d.",
                yours->n, LEAST_JUDGED_N);
        else if (exercise->unknown_metric)
            snprintf(text, sizeof text, "Not judged: the kit has no metric '%.40s', a goal.",
                     exercise->unknown_metric);
        else
            snprintf(text, sizeof text, "Not judged: %s.", why_not_judged(exercise));
        break;
    }
    put_wrapped(report->file, "  ", text);
}

void report_exercise(const struct report *report, const struct run *run,
                     const struct exercise_result *exercise)
{
    const struct step_result *yours = &run->steps[exercise->place];
    const struct step *step = step_of(yours), *reference = step_reference(step->number);
    const struct style *style = &report->style;
    char heading[512], help[HELP_SIZE];
    bool is_solution = step->number > SOLUTIONS;
    snprintf(heading, sizeof heading, "%s %d: %s%s%s", is_solution ? "Mystery" : "Exercise",
             step->number - (is_solution ? SOLUTIONS : 0), step->file,
             reference ? " beside the reference, " : "", reference ? reference->file : "");
    fprintf(report->file, "\n%s", tone_start(style, TONE_TITLE));
    put_wrapped(report->file, "", heading);
    fputs(tone_end(style, TONE_TITLE), report->file);
    if (yours->outcome != VERIFIED) {
        fprintf(report->file, "  Not judged: it %s. %s\n",
                yours->outcome == WRONG ? "gave a wrong result" : "failed",
                write_help(step->number, help));
        return;
    }
    put_rows(report, run, exercise);
    fputc('\n', report->file);
    put_verdict(report, exercise, yours);
}
