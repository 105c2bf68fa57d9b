// How far the timing model is off: predicted runs against recorded ones, a row a step, then a row a group
// and size, then the largest errors against the bounds that the model is meant to keep.
//
//   validate GROUP RECORDED PREDICTED [RECORDED PREDICTED...] [GROUP ...]
//
// GROUP is steps (the lesson), a set of transposes (tests/variants, tests/blind, ...), or kepler (the case study's panels);
// the rest are files of `./run --json`, a group's recorded ones all of one GPU. `make validate` makes the predictions
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

// What is judged of a group: the first ones of these, as many as it says.
enum criterion { TIME, DRAM, OCCUPANCY, ORDER, LOAD, STORE, THEORETICAL, REPLAY, CRITERIA };

static const struct {
    const char *what;
    enum metric metric; // for an order, the times'
} criteria[CRITERIA] = {
    [TIME] = {"time", TIME_MS},
    [DRAM] = {"DRAM utilization", DRAM_UTILIZATION},
    [OCCUPANCY] = {"achieved occupancy", ACHIEVED_OCCUPANCY},
    [ORDER] = {"order of their times", TIME_MS},
    [LOAD] = {"load efficiency", GLD_EFFICIENCY},
    [STORE] = {"store efficiency", GST_EFFICIENCY},
    [THEORETICAL] = {"theoretical occupancy", THEORETICAL_OCCUPANCY},
    [REPLAY] = {"replay", TOTAL_REPLAY_OVERHEAD},
};

// The steps' rows of smaller matrices and of the serial step are judged apart.
enum group {
    STEPS,
    SMALL_STEPS,
    SERIAL_STEP,
    VARIANTS,
    BLIND,
    UNSEEN,
    HELDOUT,
    FRESH,
    GUEST,
    STRANGER,
    VISITOR,
    KEPLER,
    GROUPS
};

// The bounds that the model is meant to keep: of times in percent of the recorded one, of shares in points. Without
// one it is said how far off the model is, no more.
enum { NONE = 0, EXACT = -1 };

static const struct {
    const char *name, *title; // NULL: a part of the group before
    const char *of;
    int judged;
    double bounds[CRITERIA];
} groups[GROUPS] = {
    [STEPS] = {"steps", "The steps", "steps 2.., n >= 4096", 4, {25, 10, 10, EXACT}},
    [SMALL_STEPS] = {NULL, NULL, "steps 2.., smaller n", 3, {NONE}},
    [SERIAL_STEP] = {NULL, NULL, "step 1", 1, {50}},
    [VARIANTS] = {"variants", "Transposes that the model was not made with", "variants", 3, {35}},
    [BLIND] = {"blind", "Transposes that only ever judge the model", "blind set", 3, {45}},
    [UNSEEN] =
        {"unseen", "Transposes by somebody who did not know the model", "unseen set", 3, {45}},
    [HELDOUT] = {"heldout",
                 "Held-out transposes, by somebody who did not know the model",
                 "held-out set",
                 3,
                 {45}},
    [FRESH] = {"fresh", "Fresh transposes, by another who did not know it", "fresh set", 3, {45}},
    [GUEST] = {"guest", "Guest transposes, by a third who did not know it", "guest set", 3, {45}},
    [STRANGER] =
        {"stranger", "Stranger transposes, by a fourth who did not", "stranger set", 3, {45}},
    [VISITOR] = {"visitor", "Visiting transposes, by a fifth who did not", "visitor set", 3, {45}},
    [KEPLER] = {"kepler",
                "The case study's panels",
                "the deck's panels",
                8,
                {NONE, NONE, 10, EXACT, EXACT, EXACT, EXACT}},
};

// What became of a criterion of a group.
struct outcome_of {
    int judged, missed;
    double worst; // the error that is largest, with its sign
    char where[64];
};

struct validation {
    struct report report;
    struct tally *tallies; // as many as there are runs, but for the panels
    int tally_count;
    struct outcome_of outcomes[GROUPS][CRITERIA];
    char devices[GROUPS][128]; // whose runs each group's are; "" of a group that is not judged
    int missing;               // steps without a prediction that there should be
    int refused;               // steps of which the model says that it has none
};

static const char *dash(const struct validation *validation)
{
    return style_text(&validation->report.style, "–", "-");
}

static bool is_bounded(enum group group, enum criterion criterion)
{
    return groups[group].bounds[criterion] != NONE;
}

// Notes an error. Whether it misses its criterion's bound.
static bool judge(struct validation *validation, enum group group, enum criterion criterion,
                  double error, const struct step_result *step)
{
    if ((int)criterion >= groups[group].judged)
        return false;
    struct outcome_of *outcome = &validation->outcomes[group][criterion];
    bool missed =
        is_bounded(group, criterion) && fabs(error) > fmax(0, groups[group].bounds[criterion]);
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
static void put_error(struct validation *validation, const struct pair *pair, enum group group,
                      enum criterion criterion, int width)
{
    enum metric metric = criteria[criterion].metric;
    char text[FORMAT_SIZE];
    bool in_points = metric_table[metric].unit == PERCENT, missed = false;
    struct difference difference = {.verdict = NOT_COMPARED};
    if (pair_is_comparable(pair))
        difference = pair_difference(pair, metric);
    if (difference.verdict == NOT_COMPARED) {
        snprintf(text, sizeof text, "%s", dash(validation));
    } else {
        double error = in_points ? difference.change : 100 * (difference.ratio - 1);
        missed = judge(validation, group, criterion, error, pair->a);
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

static enum group part_of(enum group group, const struct step_result *step)
{
    if (is_serial(group, step))
        return SERIAL_STEP;
    return group == STEPS && step->n < LARGE_N ? SMALL_STEPS : group;
}

static void put_row(struct validation *validation, enum group group, const struct pair *pair)
{
    const struct step_result *step = pair->a ? pair->a : pair->b;
    put_title(validation, step);
    fprintf(validation->report.file, "%*zu", N_WIDTH, step->n);
    for (enum criterion i = TIME; i <= OCCUPANCY; i++) {
        int width = i == TIME ? TIME_WIDTH : SHARE_WIDTH;
        put_value(validation, pair->b, criteria[i].metric, width);
        put_value(validation, pair->a, criteria[i].metric, width);
        put_error(validation, pair, part_of(group, step), i,
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
            judge(validation, part_of(group, one->a), ORDER, same ? 0 : 1, other->a);
        }
}

// The deck's panels beyond times: what is counted, which must be exact, and the replays.
static void put_panels(struct validation *validation, const struct comparison *comparison)
{
    static const char *const headings[CRITERIA] = {[LOAD] = "load eff.",
                                                   [STORE] = "store eff.",
                                                   [THEORETICAL] = "theor. occ.",
                                                   [REPLAY] = "replay"};
    FILE *file = validation->report.file;
    put_padded(file, "", TITLE_WIDTH);
    for (enum criterion i = LOAD; i < CRITERIA; i++)
        fprintf(file, "%*s", 3 * (SHARE_WIDTH + 1), headings[i]);
    fputc('\n', file);
    put_padded(file, "", TITLE_WIDTH);
    for (enum criterion i = LOAD; i < CRITERIA; i++)
        fprintf(file, "%*s%*s%*s", SHARE_WIDTH + 1, "model", SHARE_WIDTH + 1, "real",
                SHARE_WIDTH + 1, "off");
    fputc('\n', file);
    for (int p = 0; p < comparison->count; p++) {
        const struct pair *pair = &comparison->pairs[p];
        if (!pair->a)
            continue;
        put_title(validation, pair->a);
        for (enum criterion i = LOAD; i < CRITERIA; i++) {
            put_value(validation, pair->b, criteria[i].metric, SHARE_WIDTH + 1);
            put_value(validation, pair->a, criteria[i].metric, SHARE_WIDTH + 1);
            put_error(validation, pair, KEPLER, i, SHARE_WIDTH + 1);
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

static void bound_name(char name[32], enum group group, enum criterion criterion)
{
    double bound = groups[group].bounds[criterion];
    bool in_points = metric_table[criteria[criterion].metric].unit == PERCENT;
    if (!is_bounded(group, criterion))
        snprintf(name, 32, "none");
    else if (criterion == ORDER)
        snprintf(name, 32, "same, beyond 3%%");
    else if (bound == EXACT)
        snprintf(name, 32, "exact");
    else
        snprintf(name, 32, in_points ? "within %g points" : "within %g%%", bound);
}

static void put_outcome(const struct validation *validation, enum group group,
                        enum criterion criterion, const char *device)
{
    const struct outcome_of *outcome = &validation->outcomes[group][criterion];
    FILE *file = validation->report.file;
    char verdict[32] = "no such run", of[64] = "", bound[32];
    bound_name(bound, group, criterion);
    if (outcome->missed)
        snprintf(verdict, sizeof verdict, "MISSED by %d of %d", outcome->missed, outcome->judged);
    else if (outcome->judged)
        snprintf(verdict, sizeof verdict,
                 is_bounded(group, criterion) ? "kept by all %d" : "of all %d", outcome->judged);
    const char *name;
    int length = short_name(device, &name);
    if (criterion == TIME)
        snprintf(of, sizeof of, "%.*s, %s", length, name, groups[group].of);
    put_padded(file, of, 27);
    put_padded(file, criteria[criterion].what, 22);
    put_padded(file, bound, 17);
    bool last = outcome->judged == 0 || (criterion == ORDER && !outcome->missed);
    put_toned(validation, verdict, last ? 0 : 19, outcome->missed);
    if (criterion == ORDER && outcome->missed)
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
    const char *device = "";
    for (enum group group = 0; group < GROUPS; group++) {
        device = groups[group].name ? validation->devices[group] : device;
        for (enum criterion i = 0; *device && (int)i < groups[group].judged; i++) {
            put_outcome(validation, group, i, device);
            bounds += is_bounded(group, i);
            missed += validation->outcomes[group][i].missed > 0;
            unjudged += is_bounded(group, i) && validation->outcomes[group][i].judged == 0;
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
        if (groups[i].name && strcmp(name, groups[i].name) == 0) {
            *group = i;
            return true;
        }
    return false;
}

static void put_usage(void)
{
    const char *before = "usage: validate ";
    for (enum group i = 0; i < GROUPS; i++)
        if (groups[i].name) {
            fprintf(stderr, "%s%s", before, groups[i].name);
            before = "|";
        }
    fputs(" RECORDED PREDICTED ...\n", stderr);
}

static int validate(struct validation *validation, int argc, char **argv)
{
    enum group group = GROUPS;
    for (int i = 1; i == 1 || i < argc; i += 2) {
        if (i < argc && find_group(argv[i], &group))
            i++;
        if (group == GROUPS || i + 1 >= argc) {
            put_usage();
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
