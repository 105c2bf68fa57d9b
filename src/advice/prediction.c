#include "advice/prediction.h"

#include "advice/advice.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A subject's number is a metric of the step, or one over another.
static const struct {
    const char *key, *question;
    enum metric metric, over;
} subjects[SUBJECTS] = {
    [ASKED_GAIN] = {"gain", "gain over %s (x)", METRICS, METRICS},
    [ASKED_LIMIT] = {"limit", "what limits it (a letter)", METRICS, METRICS},
    [ASKED_TIME] = {"time_ms", "duration (ms, us)", TIME_MS, METRICS},
    [ASKED_LOAD_SECTORS] = {"load_sectors", "global load sectors/request",
                            GLD_TRANSACTIONS_PER_REQUEST, METRICS},
    [ASKED_STORE_SECTORS] = {"store_sectors", "global store sectors/request",
                             GST_TRANSACTIONS_PER_REQUEST, METRICS},
    [ASKED_STORE_EFFICIENCY] = {"store_efficiency", "global store efficiency (%%)", GST_EFFICIENCY,
                                METRICS},
    [ASKED_WAVEFRONTS] = {"wavefronts", "shared wavefronts/access, on average", SHARED_WAVEFRONTS,
                          SHARED_REQUESTS},
    [ASKED_DRAM_SHARE] = {"dram_share", "DRAM utilization (%% of the peak)", DRAM_UTILIZATION,
                          METRICS},
    [ASKED_OCCUPANCY] = {"occupancy", "theoretical occupancy (%%)", THEORETICAL_OCCUPANCY, METRICS},
};

// What the walkthrough says to write down before each step's panel: a test compares the two. Step 5 has no limit, since no
// sum before its panel says what the advice makes of it. A step that the lesson has not gets the last row.
static const struct {
    int step;
    enum subject asked[MAX_QUESTIONS];
    int count;
} lesson[] = {
    {1, {ASKED_TIME, ASKED_LIMIT}, 2},
    {2, {ASKED_GAIN, ASKED_TIME, ASKED_LIMIT, ASKED_LOAD_SECTORS, ASKED_STORE_SECTORS}, 5},
    {3, {ASKED_GAIN, ASKED_LIMIT, ASKED_LOAD_SECTORS, ASKED_STORE_SECTORS, ASKED_DRAM_SHARE}, 5},
    {4, {ASKED_GAIN, ASKED_LIMIT, ASKED_STORE_SECTORS, ASKED_WAVEFRONTS}, 4},
    {5, {ASKED_GAIN, ASKED_WAVEFRONTS, ASKED_DRAM_SHARE, ASKED_OCCUPANCY}, 4},
    {6, {ASKED_GAIN, ASKED_LIMIT, ASKED_STORE_SECTORS, ASKED_WAVEFRONTS, ASKED_OCCUPANCY}, 5},
    {7, {ASKED_GAIN, ASKED_LIMIT, ASKED_STORE_SECTORS, ASKED_DRAM_SHARE}, 4},
    {8, {ASKED_GAIN, ASKED_LIMIT, ASKED_STORE_SECTORS, ASKED_STORE_EFFICIENCY}, 4},
    {0, {ASKED_GAIN, ASKED_LIMIT, ASKED_LOAD_SECTORS, ASKED_STORE_SECTORS, ASKED_DRAM_SHARE}, 5},
};

const char *subject_key(enum subject subject)
{
    return subjects[subject].key;
}

enum subject subject_find(const char *key)
{
    enum subject subject = 0;
    while (subject < SUBJECTS && strcmp(subjects[subject].key, key) != 0)
        subject++;
    return subject;
}

// The limiters by their letters, from 'a'; LIMITER_UNKNOWN behind the last.
static enum limiter limiter_of_letter(char letter)
{
    int place = tolower((unsigned char)letter) - 'a' + 1;
    return place > LIMITER_UNKNOWN && place < LIMITERS ? (enum limiter)place : LIMITER_UNKNOWN;
}

void prediction_question(char text[FORMAT_SIZE], const struct run *run, int place,
                         enum subject subject)
{
    const struct step_result *before = verified_before(run, place);
    char label[STEP_LABEL_SIZE];
    snprintf(text, FORMAT_SIZE, subjects[subject].question,
             before ? step_label(before->number, label) : "");
}

// ---- What came ---------------------------------------------------------------------------------

static bool find_gain(const struct run *run, int place, struct prediction *prediction)
{
    const struct step_result *before = verified_before(run, place);
    if (!before)
        return false;
    struct value speedup = speedup_over(&run->steps[place], before);
    if (value_known(&speedup))
        prediction->came = speedup.number;
    return value_known(&speedup);
}

// The timing model says it, or the advice; where both do, either is right.
static bool find_limit(const struct run *run, int place, struct prediction *prediction)
{
    const struct step_result *step = &run->steps[place];
    struct findings findings = findings_of(run, step);
    struct advice list[MAX_ADVICE];
    enum limiter modelled = step->limits.limiter,
                 advised = advise(&findings, list) > 0 ? list[0].limiter : LIMITER_UNKNOWN;
    prediction->came = modelled ? modelled : advised;
    prediction->came_too = advised ? advised : modelled;
    return prediction->came != LIMITER_UNKNOWN;
}

static bool find_number(const struct step_result *step, struct prediction *prediction)
{
    enum metric metric = subjects[prediction->subject].metric,
                over = subjects[prediction->subject].over;
    const struct value *value = &step->values[metric];
    if (!value_known(value))
        return false;
    prediction->came = value->number;
    if (over == METRICS)
        return true;
    const struct value *whole = &step->values[over];
    if (!value_known(whole) || whole->number <= 0)
        return false;
    prediction->came /= whole->number;
    return true;
}

int prediction_questions(const struct run *run, int place, struct prediction list[MAX_QUESTIONS])
{
    int row = 0, count = 0;
    if (run->steps[place].outcome != VERIFIED)
        return 0;
    while (lesson[row].step && lesson[row].step != run->steps[place].number)
        row++;
    for (int i = 0; i < lesson[row].count; i++) {
        struct prediction *prediction = &list[count];
        *prediction = (struct prediction){.subject = lesson[row].asked[i]};
        count += prediction->subject == ASKED_GAIN    ? find_gain(run, place, prediction)
                 : prediction->subject == ASKED_LIMIT ? find_limit(run, place, prediction)
                                                      : find_number(&run->steps[place], prediction);
    }
    return count;
}

// ---- Answers -----------------------------------------------------------------------------------

enum answer_unit { RATIO, TIME, SHARE };

// The units that an answer may have behind its number.
static const struct {
    enum answer_unit unit;
    const char *sign;
    double factor;
} units[] = {{RATIO, "", 1},     {RATIO, "x", 1},    {RATIO, "×", 1},    {RATIO, "k", 1e3},
             {RATIO, "M", 1e6},  {TIME, "ns", 1e-6}, {TIME, "us", 1e-3}, {TIME, "µs", 1e-3},
             {TIME, "μs", 1e-3}, {TIME, "ms", 1},    {TIME, "s", 1e3},   {SHARE, "", 1},
             {SHARE, "%", 1}};

static const char *const accepted[] = {
    [RATIO] = "a number: 16, 2.5x, 1.2k, 2.1M",
    [TIME] = "a time with its unit: 265 us, 8.5 ms, 1.2 s",
    [SHARE] = "a percentage: 12.5 or 12.5%",
};

static enum answer_unit unit_of(enum subject subject)
{
    if (subjects[subject].metric == METRICS)
        return RATIO;
    enum unit unit = metric_table[subjects[subject].metric].unit;
    return unit == MILLISECONDS ? TIME : unit == PERCENT ? SHARE : RATIO;
}

// Digits, and what follows them.
static bool parse_number(const char *text, enum answer_unit unit, double *number)
{
    size_t length = strspn(text, "0123456789.");
    char digits[32], *end;
    if (length == 0 || length >= sizeof digits)
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)length, text);
    *number = strtod(digits, &end);
    text += length + strspn(text + length, " \t");
    for (size_t i = 0; *end == '\0' && i < sizeof units / sizeof *units; i++)
        if (units[i].unit == unit && strcmp(units[i].sign, text) == 0) {
            *number *= units[i].factor;
            return *number > 0 || unit == SHARE;
        }
    return false;
}

// A letter of the list, or the key that the JSON has.
static bool parse_limiter(const char *text, double *number)
{
    *number = text[0] && !text[1] ? limiter_of_letter(text[0]) : limiter_find(text);
    return *number != LIMITER_UNKNOWN;
}

bool prediction_answer(struct prediction *prediction, const char *text, char why[ANSWER_WHY_SIZE])
{
    char answer[64];
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        length--;
    snprintf(answer, sizeof answer, "%.*s", length < sizeof answer ? (int)length : 63, text);
    if (strcmp(answer, "?") == 0)
        return true;
    bool is_limit = prediction->subject == ASKED_LIMIT;
    enum answer_unit unit = unit_of(prediction->subject);
    prediction->answered =
        length < sizeof answer && (is_limit ? parse_limiter(answer, &prediction->predicted)
                                            : parse_number(answer, unit, &prediction->predicted));
    if (prediction->answered)
        return true;
    prediction->predicted = 0;
    if (is_limit)
        snprintf(why, ANSWER_WHY_SIZE, "a letter from a to %c is wanted, or ? to skip it",
                 'a' + LIMITERS - 2);
    else
        snprintf(why, ANSWER_WHY_SIZE, "%s; or ? to skip it", accepted[unit]);
    return false;
}

double prediction_ratio(const struct prediction *prediction)
{
    return prediction->subject != ASKED_LIMIT && prediction->answered && prediction->came > 0
               ? prediction->predicted / prediction->came
               : 0;
}

bool prediction_is_right(const struct prediction *prediction)
{
    double off = fabs(prediction->predicted - prediction->came);
    if (!prediction->answered)
        return false;
    if (prediction->subject == ASKED_LIMIT)
        return prediction->predicted == prediction->came ||
               prediction->predicted == prediction->came_too;
    return off <= NEAR_PREDICTION / 100.0 * prediction->came ||
           (unit_of(prediction->subject) == SHARE && off <= NEAR_POINTS);
}

void format_prediction(char text[FORMAT_SIZE], enum subject subject, double number,
                       const struct style *style)
{
    if (subject == ASKED_LIMIT)
        snprintf(text, FORMAT_SIZE, "%s", limiters[(enum limiter)number].name);
    else if (subject == ASKED_GAIN)
        format_ratio(text, number, style);
    else if (subjects[subject].over != METRICS)
        format_number(text, number);
    else
        format_metric(text, subjects[subject].metric, number, style);
}

// ---- Of many -----------------------------------------------------------------------------------

static int ascending(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

struct calibration predictions_calibrate(const struct prediction_record *records, int count)
{
    struct calibration all = {0};
    double factors[MAX_STEPS * MAX_QUESTIONS];
    for (int i = 0; i < count * MAX_QUESTIONS; i++) {
        const struct prediction_record *record = &records[i / MAX_QUESTIONS];
        const struct prediction *prediction = &record->list[i % MAX_QUESTIONS];
        if (i % MAX_QUESTIONS >= record->count || !prediction->answered)
            continue;
        bool right = prediction_is_right(prediction);
        double ratio = prediction_ratio(prediction);
        all.answered++;
        all.right += right;
        if (ratio == 0)
            continue;
        factors[all.numbers++] = ratio >= 1 ? ratio : 1 / ratio;
        all.too_much += !right && ratio > 1;
        all.too_little += !right && ratio < 1;
    }
    qsort(factors, (size_t)all.numbers, sizeof *factors, ascending);
    if (all.numbers > 0)
        all.median = (factors[(all.numbers - 1) / 2] + factors[all.numbers / 2]) / 2;
    return all;
}
