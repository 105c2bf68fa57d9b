// The generated part that holds recorded runs side by side: a row a run, a column a step.
#include "tables.h"

#include "facts/format.h"
#include "recorded.h"

#include <stdlib.h>
#include <string.h>

// Who says so: a published run names its maker, a simulated device its model.
static const char *origin_of(const struct run *run)
{
    return run->device.simulated ? "modelled" : *run->source ? run->kit : "measured";
}

static void put_gbs(FILE *out, double gbs, bool modelled)
{
    char text[FORMAT_SIZE];
    format_number(text, gbs);
    if (gbs > 0)
        fprintf(out, " %s%s |", modelled ? "~" : "", text);
    else
        fprintf(out, " – |");
}

static double gbs_of_step(const struct run *run, int number)
{
    const struct step_result *step = run_find(run, number);
    return step ? step->values[BANDWIDTH_GBS].number : 0; // 0 of one that is not known
}

// The device's name without what the column beside it says, or what all of them have in front.
static const char *short_name(const struct run *run)
{
    static const char *const prefixes[] = {"Simulated device ", "NVIDIA "};
    const char *name = run->device.name;
    for (int i = 0; i < 2; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            name += strlen(prefixes[i]);
    return name;
}

static void put_row(FILE *out, const struct run *run, int steps, const char *to_root)
{
    fprintf(out, "| %s | [%s](%sdocs/runs/%s.json) | %zu |", short_name(run), origin_of(run),
            to_root, run->label, run->n);
    for (int step = 1; step <= steps; step++)
        put_gbs(out, gbs_of_step(run, step), run->device.simulated);
    put_gbs(out, run->copy_gbs.number, run->device.simulated);
    fputc('\n', out);
}

static void put_heading(FILE *out, int steps)
{
    fprintf(out, "| useful GB/s | | n |");
    for (int step = 1; step <= steps; step++)
        fprintf(out, " step %d |", step);
    fprintf(out, " copy |\n|---|---|---:|");
    for (int step = 0; step <= steps; step++)
        fprintf(out, "---:|");
    fputc('\n', out);
}

bool write_bandwidths(const struct words *words, const char *to_root, FILE *out, char *why)
{
    struct run *records[MAX_WORDS] = {NULL};
    int steps = 0, runs = 0;
    snprintf(why, BLOCK_WHY_SIZE, "bandwidths takes recorded runs");
    for (; runs < words->count && (records[runs] = run_open(words->word[runs])); runs++) {
        int last = (int)records[runs]->steps[records[runs]->count - 1].number;
        steps = last > steps ? last : steps;
    }
    bool good = runs > 0 && runs == words->count;
    if (good)
        put_heading(out, steps);
    for (int i = 0; i < runs; i++) {
        if (good)
            put_row(out, records[i], steps, to_root);
        free(records[i]);
    }
    return good;
}
