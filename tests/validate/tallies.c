#include "tallies.h"

#include <math.h>
#include <string.h>

enum { TALLY_WIDTH = 15 };

int short_name(const char *device, const char **name)
{
    static const char maker[] = "NVIDIA ";
    *name = strncmp(device, maker, strlen(maker)) == 0 ? device + strlen(maker) : device;
    return (int)strcspn(*name, " ");
}

// One number of a step, or two added (METRICS: none); -1 where one is not known.
static double number_of(const struct step_result *step, const enum metric which[2])
{
    double sum = 0;
    for (int i = 0; i < 2 && which[i] != METRICS; i++) {
        if (!value_known(&step->values[which[i]]))
            return -1;
        sum += step->values[which[i]].number;
    }
    return sum;
}

static const struct {
    const char *heading;
    enum metric which[2];
    bool in_points;
    size_t least_n; // smaller matrices fit in the L2: few bytes move, by chance
} told[ERRORS] = {{"time, %", {TIME_MS, METRICS}, false, 1},
                  {"DRAM, points", {DRAM_UTILIZATION, METRICS}, true, 1},
                  {"its bytes, %", {DRAM_READ_BYTES, DRAM_WRITE_BYTES}, false, LARGE_N},
                  {"occup., points", {ACHIEVED_OCCUPANCY, METRICS}, true, 1},
                  {"instruct., %", {INST_EXECUTED, METRICS}, false, 1}};

static void tally_errors(struct tally *tally, const struct pair *pair)
{
    for (int i = 0; i < ERRORS; i++) {
        double real = number_of(pair->a, told[i].which), model = number_of(pair->b, told[i].which);
        if (tally->n < told[i].least_n || real < 0 || model < 0 ||
            (real == 0 && !told[i].in_points))
            continue;
        double error = told[i].in_points ? model - real : 100 * (model / real - 1);
        tally->errors[i].count++;
        tally->errors[i].sum += fabs(error);
        if (fabs(error) > fabs(tally->errors[i].worst))
            tally->errors[i].worst = error;
    }
}

// What limits the kernel by what was counted and timed: each part of the GPU is as busy as the model has it for
// an event, with the events that there were, in the time that it took. DRAM's share was measured.
static enum limiter counted_limiter(const struct pair *pair)
{
    static const enum metric events[RESOURCES][2] = {
        [RESOURCE_ISSUE] = {INST_EXECUTED, METRICS},
        [RESOURCE_SHARED] = {SHARED_WAVEFRONTS, METRICS},
        [RESOURCE_GLOBAL] = {GLOBAL_TAGS, METRICS},
        [RESOURCE_L2] = {GLOBAL_LOAD_SECTORS, GLOBAL_STORE_SECTORS},
        [RESOURCE_DRAM] = {METRICS},
        [RESOURCE_LAUNCH] = {METRICS},
        [RESOURCE_ARITHMETIC] = {INST_EXECUTED, METRICS},
        [RESOURCE_ATOMICS] = {METRICS}};
    struct limits limits = pair->b->limits;
    double slower = pair->a->values[TIME_MS].number / pair->b->values[TIME_MS].number;
    for (enum resource i = 0; i < RESOURCES; i++) {
        double real = number_of(pair->a, events[i]), model = number_of(pair->b, events[i]);
        limits.busy[i] = fmin(limits.busy[i] * (model > 0 ? real / model : 1) / slower, 100);
    }
    limits.busy[RESOURCE_DRAM] = pair->a->values[DRAM_UTILIZATION].number;
    set_limiter(&limits, pair->a->values);
    return limits.limiter;
}

static void tally_limiter(struct tally *tally, const struct pair *pair)
{
    enum limiter named = pair->b->limits.limiter;
    if (named == LIMITER_UNKNOWN || !value_known(&pair->a->values[INST_EXECUTED]))
        return;
    tally->limiters++;
    tally->wrong_limiters += counted_limiter(pair) != named;
}

void tally_pair(struct tally *tally, const struct pair *pair)
{
    tally_errors(tally, pair);
    tally_limiter(tally, pair);
}

static void put_tally(const struct report *report, const struct tally *tally)
{
    FILE *file = report->file;
    const char *dash = style_text(&report->style, "–", "-");
    char n[24] = "all", text[64];
    if (tally->n)
        snprintf(n, sizeof n, "%zu", tally->n);
    fprintf(file, "%-8s%6s", tally->group, n);
    for (int i = 0; i < ERRORS; i++) {
        int count = tally->errors[i].count;
        if (count > 0)
            snprintf(text, sizeof text, "%.1f%+8.1f", tally->errors[i].sum / count,
                     tally->errors[i].worst);
        put_padded(file, count > 0 ? text : dash, -TALLY_WIDTH);
    }
    if (tally->pairs > 0)
        snprintf(text, sizeof text, "%.1f%% of %d", 100.0 * tally->ordered / tally->pairs,
                 tally->pairs);
    put_padded(file, tally->pairs > 0 ? text : dash, -TALLY_WIDTH);
    snprintf(text, sizeof text, "%d of %d", tally->wrong_limiters, tally->limiters);
    put_padded(file, text, -TALLY_WIDTH);
    fputc('\n', file);
}

static void tally_add(struct tally *sum, const struct tally *tally)
{
    for (int i = 0; i < ERRORS; i++) {
        sum->errors[i].count += tally->errors[i].count;
        sum->errors[i].sum += tally->errors[i].sum;
        if (fabs(tally->errors[i].worst) > fabs(sum->errors[i].worst))
            sum->errors[i].worst = tally->errors[i].worst;
    }
    sum->pairs += tally->pairs;
    sum->ordered += tally->ordered;
    sum->limiters += tally->limiters;
    sum->wrong_limiters += tally->wrong_limiters;
}

void put_tallies(const struct report *report, const struct tally *tallies, int count)
{
    const struct tally *end = tallies + count;
    const char *name;
    if (count == 0)
        return;
    int length = short_name(tallies->device, &name);
    fprintf(report->file, "%sHow far off, %.*s: mean and worst%s\n",
            tone_start(&report->style, TONE_TITLE), length, name,
            tone_end(&report->style, TONE_TITLE));
    fprintf(report->file, "%8s%6s", "", "n");
    for (int i = 0; i < ERRORS; i++)
        fprintf(report->file, "%*s", TALLY_WIDTH, told[i].heading);
    fprintf(report->file, "%*s%*s\n", TALLY_WIDTH, "pairs in order", TALLY_WIDTH, "wrong limiters");
    for (const struct tally *t = tallies; t < end;) {
        struct tally sum = {.group = t->group};
        for (; t < end && t->group == sum.group; t++) {
            put_tally(report, t);
            tally_add(&sum, t);
        }
        put_tally(report, &sum);
    }
    put_wrapped(report->file, "",
                "Of steps, step 1 is left out. Pairs: those whose times differ by more than 3%. A "
                "limiter is wrong where what was counted and timed names another.");
    fputc('\n', report->file);
}
