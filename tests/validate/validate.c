// How far the timing model is off: predicted runs against recorded ones, a row a step, then a row a group
// and size, then the largest errors against the bounds that the model is meant to keep.
//
//   validate GROUP RECORDED PREDICTED [RECORDED PREDICTED...] [GROUP ...]
//
// GROUP is steps (the lesson), variants, blind, unseen, heldout or fresh (tests/variants, ...), or kepler (the case study's
// panels); the rest are files of `./run --json`, a group's recorded ones all of one GPU. `make validate` makes the predictions
// and types it, once for each GPU that was measured: the bounds are the same for all of them.
// Exit status: 0 also when a bound is missed, which the last lines say; 1 when a prediction is missing
// or wrong, 2 for what cannot be read.
#include "facts/format.h"
#include "files/run_read.h"
#include "tallies.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// What is judged, and the bound that the model is meant to keep: of times in percent of the recorded
// one, of shares in points. A criterion of no bound says how far off the model is, no more.
enum criterion {
    STEPS_TIME, // time, DRAM and occupancy follow each other in this order
    STEPS_DRAM,
    STEPS_OCCUPANCY,
    STEPS_ORDER,
    SMALL_TIME,
    SMALL_DRAM,
    SMALL_OCCUPANCY,
    SERIAL_TIME,
    VARIANTS_TIME,
    VARIANTS_DRAM,
    VARIANTS_OCCUPANCY,
    BLIND_TIME,
    BLIND_DRAM,
    BLIND_OCCUPANCY,
    UNSEEN_TIME,
    UNSEEN_DRAM,
    UNSEEN_OCCUPANCY,
    HELDOUT_TIME,
    HELDOUT_DRAM,
    HELDOUT_OCCUPANCY,
    FRESH_TIME,
    FRESH_DRAM,
    FRESH_OCCUPANCY,
    KEPLER_TIME,
    KEPLER_DRAM,
    KEPLER_OCCUPANCY,
    KEPLER_ORDER,
    KEPLER_LOAD,
    KEPLER_STORE,
    KEPLER_THEORETICAL,
    KEPLER_REPLAY,
    CRITERIA,
    UNJUDGED = CRITERIA
};

static const struct {
    const char *of, *what;
    double bound; // INFINITY: none
    const char *bound_name;
} criteria[CRITERIA] = {
    [STEPS_TIME] = {"steps 2.., n >= 4096", "time", 25, "within 25%"},
    [STEPS_DRAM] = {"", "DRAM utilization", 10, "within 10 points"},
    [STEPS_OCCUPANCY] = {"", "achieved occupancy", 10, "within 10 points"},
    [STEPS_ORDER] = {"", "order of their times", 0, "same, beyond 3%"},
    [SMALL_TIME] = {"steps 2.., smaller n", "time", INFINITY, "none"},
    [SMALL_DRAM] = {"", "DRAM utilization", INFINITY, "none"},
    [SMALL_OCCUPANCY] = {"", "achieved occupancy", INFINITY, "none"},
    [SERIAL_TIME] = {"step 1", "time", 50, "within 50%"},
    [VARIANTS_TIME] = {"variants", "time", 35, "within 35%"},
    [VARIANTS_DRAM] = {"", "DRAM utilization", INFINITY, "none"},
    [VARIANTS_OCCUPANCY] = {"", "achieved occupancy", INFINITY, "none"},
    [BLIND_TIME] = {"blind set", "time", 45, "within 45%"},
    [BLIND_DRAM] = {"", "DRAM utilization", INFINITY, "none"},
    [BLIND_OCCUPANCY] = {"", "achieved occupancy", INFINITY, "none"},
    [UNSEEN_TIME] = {"unseen set", "time", 45, "within 45%"},
    [UNSEEN_DRAM] = {"", "DRAM utilization", INFINITY, "none"},
    [UNSEEN_OCCUPANCY] = {"", "achieved occupancy", INFINITY, "none"},
    [HELDOUT_TIME] = {"held-out set", "time", 45, "within 45%"},
    [HELDOUT_DRAM] = {"", "DRAM utilization", INFINITY, "none"},
    [HELDOUT_OCCUPANCY] = {"", "achieved occupancy", INFINITY, "none"},
    [FRESH_TIME] = {"fresh set", "time", 45, "within 45%"},
    [FRESH_DRAM] = {"", "DRAM utilization", INFINITY, "none"},
    [FRESH_OCCUPANCY] = {"", "achieved occupancy", INFINITY, "none"},
    [KEPLER_TIME] = {"the deck's panels", "time", INFINITY, "none"},
    [KEPLER_DRAM] = {"", "DRAM utilization", INFINITY, "none"},
    [KEPLER_OCCUPANCY] = {"", "achieved occupancy", 10, "within 10 points"},
    [KEPLER_ORDER] = {"", "order of their times", 0, "same, beyond 3%"},
    [KEPLER_LOAD] = {"", "load efficiency", 0, "exact"},
    [KEPLER_STORE] = {"", "store efficiency", 0, "exact"},
    [KEPLER_THEORETICAL] = {"", "theoretical occupancy", 0, "exact"},
    [KEPLER_REPLAY] = {"", "replay", INFINITY, "none"},
};

// What became of a criterion.
struct outcome_of {
    int judged, missed;
    double worst; // the error that is largest, with its sign
    char where[64];
};

enum group { STEPS, VARIANTS, BLIND, UNSEEN, HELDOUT, FRESH, KEPLER, GROUPS };

static const struct {
    const char *name, *title;
    enum criterion first, order; // a group's criteria end where the next one's begin
} groups[GROUPS] = {
    [STEPS] = {"steps", "The steps", STEPS_TIME, STEPS_ORDER},
    [VARIANTS] = {"variants", "Transposes that the model was not made with", VARIANTS_TIME,
                  UNJUDGED},
    [BLIND] = {"blind", "Transposes that only ever judge the model", BLIND_TIME, UNJUDGED},
    [UNSEEN] = {"unseen", "Transposes by somebody who did not know the model", UNSEEN_TIME,
                UNJUDGED},
    [HELDOUT] = {"heldout", "Held-out transposes, by somebody who did not know the model",
                 HELDOUT_TIME, UNJUDGED},
    [FRESH] = {"fresh", "Fresh transposes, by another who did not know it", FRESH_TIME, UNJUDGED},
    [KEPLER] = {"kepler", "The case study's panels", KEPLER_TIME, KEPLER_ORDER},
};

struct validation {
    struct report report;
    struct tally *tallies; // as many as there are runs, but for the panels
    int tally_count;
    struct outcome_of outcomes[CRITERIA];
    char devices[GROUPS][128]; // whose runs each group's are; "" of a group that is not judged
    int missing;               // steps without a prediction that there should be
    int refused;               // steps of which the model says that it has none
};

static const char *dash(const struct validation *validation)
{
    return style_text(&validation->report.style, "–", "-");
}

// Notes an error. Whether it misses its criterion's bound.
static bool judge(struct validation *validation, enum criterion criterion, double error,
                  const struct step_result *step)
{
    if (criterion == UNJUDGED)
        return false;
    struct outcome_of *outcome = &validation->outcomes[criterion];
    bool missed = fabs(error) > criteria[criterion].bound;
    outcome->missed += missed;
    if (outcome->judged++ == 0 || fabs(error) > fabs(outcome->worst)) {
        outcome->worst = error;
        snprintf(outcome->where, sizeof outcome->where, "step %g, n = %zu", step->number, step->n);
    }
    return missed;
}

static void put_toned(const struct validation *validation, const char *text, int width, bool bad)
{
    const struct report *report = &validation->report;
    fputs(bad ? tone_start(&report->style, TONE_BAD) : "", report->file);
    put_padded(report->file, text, width);
    fputs(bad ? tone_end(&report->style, TONE_BAD) : "", report->file);
}

static void put_value(const struct validation *validation, const struct step_result *step,
                      enum metric metric, int width)
{
    const struct value none = {.provenance = UNAVAILABLE};
    char text[FORMAT_SIZE];
    format_unmarked(text, metric, step ? &step->values[metric] : &none, &validation->report.style);
    put_padded(validation->report.file, text, -width);
}

// The predicted value's distance from the recorded one: a dash where one is missing; with a mark when
// it misses its bound.
static void put_error(struct validation *validation, const struct pair *pair, enum metric metric,
                      enum criterion criterion, int width)
{
    char text[FORMAT_SIZE];
    bool in_points = metric_table[metric].unit == PERCENT, missed = false;
    struct difference difference = {.verdict = NOT_COMPARED};
    if (pair_is_comparable(pair))
        difference = pair_difference(pair, metric);
    if (difference.verdict == NOT_COMPARED) {
        snprintf(text, sizeof text, "%s", dash(validation));
    } else {
        double error = in_points ? difference.change : 100 * (difference.ratio - 1);
        missed = judge(validation, criterion, error, pair->a);
        snprintf(text, sizeof text, in_points ? "%s%+.1f" : "%s%+.1f%%", missed ? "!" : "",
                 fabs(error) < 0.05 ? 0 : error);
    }
    put_toned(validation, text, -width, missed);
}

enum { TITLE_WIDTH = 33, N_WIDTH = 6, TIME_WIDTH = 9, ERROR_WIDTH = 8, SHARE_WIDTH = 6 };

static void put_title(const struct validation *validation, const struct step_result *step)
{
    char title[FORMAT_SIZE];
    snprintf(title, sizeof title, "%g. ", step->number);
    text_append(title, sizeof title, step->title, TITLE_WIDTH - 1);
    put_padded(validation->report.file, title, TITLE_WIDTH);
}

// Why there is nothing to compare, or what limits the step.
static const char *last_word(const struct validation *validation, const struct pair *pair)
{
    if (!pair->a)
        return "no record";
    if (!pair->b)
        return "no prediction";
    if (went_wrong(pair->b))
        return "wrong result";
    return pair->b->limits.limiter ? limiters[pair->b->limits.limiter].key : dash(validation);
}

static bool is_serial(enum group group, const struct step_result *step)
{
    return group == STEPS && step->number == 1;
}

// The columns of a row, as they follow each other in enum criterion.
enum column { TIME, DRAM, OCCUPANCY };

static enum criterion criterion_of(enum group group, const struct step_result *step,
                                   enum column column)
{
    if (is_serial(group, step))
        return column == TIME ? SERIAL_TIME : UNJUDGED;
    bool small = group == STEPS && step->n < LARGE_N;
    return (small ? SMALL_TIME : groups[group].first) + column;
}

static void put_row(struct validation *validation, enum group group, const struct pair *pair)
{
    static const enum metric metric_table[] = {
        [TIME] = TIME_MS, [DRAM] = DRAM_UTILIZATION, [OCCUPANCY] = ACHIEVED_OCCUPANCY};
    const struct step_result *step = pair->a ? pair->a : pair->b;
    put_title(validation, step);
    fprintf(validation->report.file, "%*zu", N_WIDTH, step->n);
    for (enum column i = TIME; i <= OCCUPANCY; i++) {
        int width = i == TIME ? TIME_WIDTH : SHARE_WIDTH;
        put_value(validation, pair->b, metric_table[i], width);
        put_value(validation, pair->a, metric_table[i], width);
        put_error(validation, pair, metric_table[i], criterion_of(group, step, i),
                  i == TIME ? ERROR_WIDTH : SHARE_WIDTH + 1);
    }
    fprintf(validation->report.file, "  %s\n", last_word(validation, pair));
}

static void put_heading(const struct validation *validation, enum group group)
{
    const struct report *report = &validation->report;
    fprintf(report->file, "%s%s, on %s%s\n%*s%*s%*s%*s\n", tone_start(&report->style, TONE_TITLE),
            groups[group].title, validation->devices[group], tone_end(&report->style, TONE_TITLE),
            TITLE_WIDTH + N_WIDTH + 2 * TIME_WIDTH, "time", ERROR_WIDTH, "",
            3 * SHARE_WIDTH + 1 - SHARE_WIDTH - 1, "DRAM", 3 * SHARE_WIDTH + 1, "occupancy");
    put_padded(report->file, "", TITLE_WIDTH);
    fprintf(report->file, "%*s%*s%*s%*s", N_WIDTH, "n", TIME_WIDTH, "model", TIME_WIDTH, "real",
            ERROR_WIDTH, "off by");
    for (int i = 0; i < 2; i++)
        fprintf(report->file, "%*s%*s%*s", SHARE_WIDTH, "model", SHARE_WIDTH, "real",
                SHARE_WIDTH + 1, "off");
    fputs("  limited by\n", report->file);
}

static bool is_predicted(const struct pair *pair)
{
    return pair_is_comparable(pair) && value_known(&pair->b->values[TIME_MS]);
}

// The model says that it cannot tell: a block that drew all of the work is no prediction of many that share it.
static bool is_refused(const struct pair *pair)
{
    return pair_is_comparable(pair) &&
           strstr(pair->b->values[TIME_MS].why, "draw work from a counter");
}

// Times that differ by less than they repeat within have no order.
static bool are_ordered(const struct step_result *one, const struct step_result *other)
{
    double ratio = one->values[TIME_MS].number / other->values[TIME_MS].number;
    return beyond_noise(fmax(ratio, 1 / ratio)) > 0;
}

// Whether two steps are in the order of the recorded times, for every two that are judged by it.
static void judge_order(struct validation *validation, struct tally *tally, enum group group,
                        const struct comparison *comparison)
{
    for (int i = 0; i < comparison->count; i++)
        for (int j = i + 1; j < comparison->count; j++) {
            const struct pair *one = &comparison->pairs[i], *other = &comparison->pairs[j];
            if (!is_predicted(one) || !is_predicted(other) || one->a->n != other->a->n ||
                is_serial(group, one->a) || !are_ordered(one->a, other->a))
                continue;
            double real = one->a->values[TIME_MS].number - other->a->values[TIME_MS].number;
            double model = one->b->values[TIME_MS].number - other->b->values[TIME_MS].number;
            bool same = real * model > 0; // what the model has alike is in no order
            tally->pairs++;
            tally->ordered += same;
            if (group != STEPS || one->a->n >= LARGE_N)
                judge(validation, groups[group].order, same ? 0 : 1, other->a);
        }
}

// The deck's panels beyond times: what is counted, which must be exact, and the replays.
static void put_panels(struct validation *validation, const struct comparison *comparison)
{
    static const struct {
        enum metric metric;
        const char *heading;
        enum criterion criterion;
    } columns[] = {{GLD_EFFICIENCY, "load eff.", KEPLER_LOAD},
                   {GST_EFFICIENCY, "store eff.", KEPLER_STORE},
                   {THEORETICAL_OCCUPANCY, "theor. occ.", KEPLER_THEORETICAL},
                   {TOTAL_REPLAY_OVERHEAD, "replay", KEPLER_REPLAY}};
    enum { COLUMNS = sizeof columns / sizeof *columns };
    FILE *file = validation->report.file;
    put_padded(file, "", TITLE_WIDTH);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(file, "%*s", 3 * (SHARE_WIDTH + 1), columns[c].heading);
    fputc('\n', file);
    put_padded(file, "", TITLE_WIDTH);
    for (int c = 0; c < COLUMNS; c++)
        fprintf(file, "%*s%*s%*s", SHARE_WIDTH + 1, "model", SHARE_WIDTH + 1, "real",
                SHARE_WIDTH + 1, "off");
    fputc('\n', file);
    for (int i = 0; i < comparison->count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        if (!pair->a)
            continue;
        put_title(validation, pair->a);
        for (int c = 0; c < COLUMNS; c++) {
            enum metric metric = columns[c].metric;
            put_value(validation, pair->b, metric, SHARE_WIDTH + 1);
            put_value(validation, pair->a, metric, SHARE_WIDTH + 1);
            put_error(validation, pair, metric, columns[c].criterion, SHARE_WIDTH + 1);
        }
        fputc('\n', file);
    }
}

// The deck's latency hiding, numbered between two steps of the kit: no prediction can be asked for.
static bool has_no_counterpart(enum group group, const struct step_result *step)
{
    return group == KEPLER && step->number != floor(step->number);
}

static void put_runs(struct validation *validation, enum group group,
                     const struct comparison *comparison)
{
    const struct step_result *lone = NULL;
    struct tally *tally = &validation->tallies[validation->tally_count];
    *tally = (struct tally){
        .group = groups[group].name, .device = validation->devices[group], .n = comparison->a->n};
    validation->tally_count += group != KEPLER; // which are of one size and fewer numbers
    for (int i = 0; i < comparison->count; i++) {
        const struct pair *pair = &comparison->pairs[i];
        put_row(validation, group, pair);
        if (!pair->a) // predicted, but not recorded at this size: nothing to hold it against
            continue;
        if (has_no_counterpart(group, pair->a))
            lone = pair->a;
        else
            validation->missing += !is_predicted(pair) && !is_refused(pair);
        validation->refused += is_refused(pair);
        if (is_predicted(pair) && !is_serial(group, pair->a))
            tally_pair(tally, pair);
    }
    judge_order(validation, tally, group, comparison);
    if (group == KEPLER)
        put_panels(validation, comparison);
    if (lone) {
        char text[160];
        snprintf(text, sizeof text,
                 "Nothing is predicted of %g: its kernel is no step of the kit (a padded tile "
                 "whose stores still conflict).",
                 lone->number);
        put_wrapped(validation->report.file, "", text);
    }
}

// Takes the run into its group, whose heading stands before the first. False when it is another GPU's.
static bool join_group(struct validation *validation, enum group group, const struct run *real)
{
    char *device = validation->devices[group];
    if (*device && strcmp(device, real->device.name) != 0) {
        fprintf(
            stderr,
            "validate: %s is of the %s, the runs before it of the %s: give one GPU's at a time\n",
            real->label, real->device.name, device);
        return false;
    }
    if (!*device) {
        snprintf(device, sizeof validation->devices[group], "%s", real->device.name);
        put_heading(validation, group);
    }
    return true;
}

// A recorded run and its prediction. A prediction that was not made leaves rows with dashes.
static bool validate_pair(struct validation *validation, enum group group, const char *recorded,
                          const char *predicted)
{
    struct run *real = run_read(recorded, recorded);
    bool made = access(predicted, F_OK) == 0;
    struct run *model = real && made ? run_read(predicted, predicted) : NULL;
    if (real && !made)
        fprintf(stderr, "validate: there is no prediction %s: was there too little memory?\n",
                predicted);
    bool good = real && (model || !made) && join_group(validation, group, real);
    if (good) {
        struct comparison comparison;
        comparison_make(&comparison, real, model);
        put_runs(validation, group, &comparison);
    }
    free(real);
    free(model);
    return good;
}

static void put_outcome(const struct validation *validation, enum group group,
                        enum criterion criterion)
{
    const struct outcome_of *outcome = &validation->outcomes[criterion];
    FILE *file = validation->report.file;
    bool is_order = criterion == STEPS_ORDER || criterion == KEPLER_ORDER;
    char verdict[32] = "no such run";
    if (outcome->missed)
        snprintf(verdict, sizeof verdict, "MISSED by %d of %d", outcome->missed, outcome->judged);
    else if (outcome->judged)
        snprintf(verdict, sizeof verdict,
                 isinf(criteria[criterion].bound) ? "of all %d" : "kept by all %d",
                 outcome->judged);
    char of[64] = "";
    const char *name;
    int length = short_name(validation->devices[group], &name);
    if (*criteria[criterion].of)
        snprintf(of, sizeof of, "%.*s, %s", length, name, criteria[criterion].of);
    put_padded(file, of, 27);
    put_padded(file, criteria[criterion].what, 22);
    put_padded(file, criteria[criterion].bound_name, 17);
    bool last = outcome->judged == 0 || (is_order && !outcome->missed);
    put_toned(validation, verdict, last ? 0 : 19, outcome->missed);
    if (is_order && outcome->missed)
        fprintf(file, "%s is out of order", outcome->where);
    else if (!last)
        fprintf(file, "worst %+.1f, %s", outcome->worst == 0 ? 0 : outcome->worst, outcome->where);
    fputc('\n', file);
}

static void put_outcomes(const struct validation *validation)
{
    const struct report *report = &validation->report;
    int bounds = 0, missed = 0, unjudged = 0;
    fprintf(report->file,
            "off: the model against the real one, of times in percent, of shares in points; ! "
            "where a bound is missed.\n\n%s%-49s%s%s\n",
            tone_start(&report->style, TONE_TITLE), "The largest errors", "bound",
            tone_end(&report->style, TONE_TITLE));
    for (enum group group = 0; group < GROUPS; group++) {
        enum criterion end = group + 1 < GROUPS ? groups[group + 1].first : CRITERIA;
        if (!*validation->devices[group])
            continue;
        for (enum criterion i = groups[group].first; i < end; i++) {
            put_outcome(validation, group, i);
            if (isinf(criteria[i].bound))
                continue;
            bounds++;
            missed += validation->outcomes[i].missed > 0;
            unjudged += validation->outcomes[i].judged == 0;
        }
    }
    fprintf(report->file, "%d of %d bounds are missed", missed, bounds);
    if (unjudged)
        fprintf(report->file, ", %d are not judged", unjudged);
    if (validation->missing)
        fprintf(report->file, ", %d rows have no prediction", validation->missing);
    if (validation->refused)
        fprintf(report->file, ", the model gives none to %d rows", validation->refused);
    fputs(".\n", report->file);
}

static bool find_group(const char *name, enum group *group)
{
    for (enum group i = 0; i < GROUPS; i++)
        if (strcmp(name, groups[i].name) == 0) {
            *group = i;
            return true;
        }
    return false;
}

static int validate(struct validation *validation, int argc, char **argv)
{
    enum group group = GROUPS;
    for (int i = 1; i == 1 || i < argc; i += 2) {
        if (i < argc && find_group(argv[i], &group))
            i++;
        if (group == GROUPS || i + 1 >= argc) {
            fprintf(stderr, "usage: validate steps|variants|blind|unseen|heldout|fresh|kepler "
                            "RECORDED PREDICTED ...\n");
            return EXIT_USAGE;
        }
        if (!validate_pair(validation, group, argv[i], argv[i + 1]))
            return EXIT_USAGE;
        if (i + 2 == argc || find_group(argv[i + 2], &(enum group){GROUPS}))
            fputc('\n', stdout);
    }
    put_tallies(&validation->report, validation->tallies, validation->tally_count);
    put_outcomes(validation);
    return validation->missing ? EXIT_WRONG : EXIT_GOOD;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    struct validation validation = {
        .report = {.file = stdout, .style = style_for(stdout, COLOR_AUTO)},
        .tallies = calloc((size_t)argc + 1, sizeof(struct tally))};
    if (!validation.tallies) {
        fputs("validate: no memory left\n", stderr);
        return EXIT_USAGE;
    }
    int status = validate(&validation, argc, argv);
    free(validation.tallies);
    return status;
}
