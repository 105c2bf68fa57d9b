#include "command_line/complete.h"

#include "base/sim_devices.h"
#include "base/style.h"
#include "command_line/verb.h"
#include "facts/labs.h"
#include "facts/metric_names.h"
#include "facts/metric_table.h"
#include "facts/steps.h"
#include "files/run_files.h"

#include <string.h>

static void offer(const char *start, const char *word)
{
    if (strncmp(word, start, strlen(start)) == 0)
        puts(word);
}

static void offer_recorded_runs(const char *start)
{
    for (enum run_folder folder = REFERENCE_RUNS; folder <= SAVED_RUNS; folder++) {
        struct run_names names;
        if (!run_names_list(folder, &names))
            continue;
        for (size_t i = 0; i < names.count; i++)
            offer(start, names.names[i]);
        run_names_free(&names);
    }
}

static void offer_metrics(const char *start)
{
    for (enum metric i = FIRST_METRIC; i < METRICS; i++) {
        const char *name = metric_table[i].nvprof ? metric_table[i].nvprof : metric_table[i].key;
        if (metric_expression(name))
            offer(start, name);
    }
    for (int i = 0; i < nvprof_metric_count; i++)
        offer(start, nvprof_metrics[i].name);
}

static void offer_options(const char *start, const struct verb *verb)
{
    for (const struct option_row *row = verb->options; row->name; row++) {
        char option[64];
        snprintf(option, sizeof option, "%s%s", row->name[1] ? "--" : "-", row->name);
        offer(start, option);
    }
}

// The lab of this program, and what it varies.
static void offer_lab(const char *start, const struct lab *lab)
{
    char word[STEP_NAME_SIZE + 1];
    step_name(lab->file, word);
    offer(start, word);
    for (int i = 0; i < lab->parameter_count; i++) {
        snprintf(word, sizeof word, "%s=", lab->parameters[i].name);
        offer(start, word);
    }
}

static void offer_words(const char *start, const struct verb *verb)
{
    static const char *const ranges[] = {"n=", "TILE=", "ROWS="};
    bool sweeps = verb->words == STEP_AND_RANGE_WORDS, steps = sweeps || verb->words == STEP_WORDS;
    for (int i = 0; steps && i < step_count(); i++) {
        char number[12];
        snprintf(number, sizeof number, "%d", step_at(i)->number);
        offer(start, number);
    }
    if (verb->words == STEP_WORDS)
        offer(start, ALL_STEPS);
    for (int i = 0; sweeps && i < 3; i++)
        offer(start, ranges[i]);
    if (verb->words == RUN_WORDS)
        offer_recorded_runs(start);
    if (verb->words == LAB_WORDS && lab_here())
        offer_lab(start, lab_here());
}

static void offer_values(const char *start, enum option_kind kind)
{
    switch (kind) {
    case OPTION_SIM:
        for (int i = 0; i < sim_device_count; i++)
            offer(start, sim_devices[i].name);
        offer(start, "list");
        break;
    case OPTION_RECORDED_RUN:
        offer_recorded_runs(start);
        break;
    case OPTION_METRICS:
        offer_metrics(start);
        break;
    case OPTION_SELECTION:
        for (enum metric i = REGISTERS; i < METRICS; i++)
            offer(start, metric_table[i].key);
        break;
    case OPTION_COLOR:
        for (enum color_when i = COLOR_AUTO; i <= COLOR_NEVER; i++)
            offer(start, color_words[i]);
        break;
    default:
        break;
    }
}

// The row of "--json" or "-n" that takes a value; NULL when it is none. One that may be left out stands behind "=".
static const struct option_row *row_with_value(const struct verb *verb, const char *word,
                                               bool equals)
{
    size_t dashes = strspn(word, "-");
    for (const struct option_row *row = verb->options; row->name; row++)
        if (dashes == (row->name[1] ? 2 : 1) && strcmp(word + dashes, row->name) == 0)
            return row->value && (equals || *row->value != '[') ? row : NULL;
    return NULL;
}

void complete(int count, char *const *words)
{
    const struct verb *verb = count > 1 ? verb_find(words[0]) : NULL;
    bool starts = count == 1;
    verb = verb ? verb : &run_verb;
    const char *start = count > 0 ? words[--count] : "";
    bool equals = strcmp(start, "=") == 0;
    if (equals)
        start = "";
    else if (count > 0 && strcmp(words[count - 1], "=") == 0)
        equals = count-- > 0;
    const struct option_row *row =
        count > 0 ? row_with_value(verb, words[count - 1], equals) : NULL;
    if (row)
        offer_values(start, row->kind);
    else if (*start == '-')
        offer_options(start, verb);
    else if (!equals)
        offer_words(start, verb);
    for (size_t i = 0; starts && verbs[i]; i++)
        offer(start, verbs[i]->name);
}
