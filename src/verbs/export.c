// ./run export RUN...: recorded runs as CSV, a row a step.
#include "command_line/options.h"
#include "facts/points.h"
#include "files/csv.h"
#include "files/run_read.h"

#include <stdlib.h>
#include <string.h>

// Adds the points of one run behind `count` others. False after a message.
static bool add_run(const char *name, struct point **points, int *count)
{
    struct run *run = run_open(name);
    if (!run)
        return false;
    size_t all = (size_t)(*count + run->count);
    struct point *grown = realloc(*points, (all + 1) * sizeof **points);
    if (!grown)
        fprintf(stderr, "apodkit: the host has no memory for %zu rows\n", all);
    else
        *points = grown;
    for (int i = 0; grown && i < run->count; i++) {
        struct point *point = &grown[(*count)++];
        *point = (struct point){.tile = 0};
        memcpy(point->run, run->label, sizeof point->run);
        point_take(point, run, &run->steps[i]);
    }
    free(run);
    return grown != NULL;
}

static int write_all(const char *csv, const struct point *points, int count)
{
    struct selection selection;
    selection_of_all(&selection);
    return write_points_csv(csv, points, count, &selection) ? EXIT_GOOD : EXIT_WRONG;
}

static bool check(const struct options *options)
{
    if (options->word_count == 0)
        fprintf(stderr, "apodkit: export takes the names of recorded runs\n");
    return options->word_count > 0;
}

static int export(const struct options *options)
{
    struct point *points = NULL;
    int count = 0;
    bool good = true;
    for (int i = 0; good && i < options->word_count; i++)
        good = add_run(options->words[i], &points, &count);
    int status = good ? write_all(options->csv, points, count) : EXIT_USAGE;
    free(points);
    return status;
}

static const struct option_row rows[] = {
    CSV_ROW("where to; - for standard output (default)"),
    HELP_ROWS,
};

const struct verb export_verb = {
    .name = "export",
    .summary = "recorded runs as CSV, for spreadsheets and plots",
    .takes = "RUN...",
    .about = "Writes recorded runs as comma-separated values, a row a step, for spreadsheets and"
             " for plots: every number that the kit has of a step, and behind each its "
             "provenance. The layout is that of ./run sweep --csv. Each RUN is a file that ./run"
             " --json wrote, the name of a run kept with ./run --save, or a reference (gtc2012, "
             "h200, h100).",
    .words = RUN_WORDS,
    .options = rows,
    .defaults = &(const struct options){.csv = "-"},
    .check = check,
    .main = export,
};
