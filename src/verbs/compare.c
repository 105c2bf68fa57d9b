// ./run compare A B: two recorded runs side by side.
#include "command_line/options.h"
#include "facts/comparison.h"
#include "files/csv.h"
#include "files/json.h"
#include "files/run_read.h"
#include "show/report.h"

#include <stdlib.h>

static bool check(const struct options *options)
{
    if (options->word_count != 2)
        fprintf(stderr, "apodkit: compare takes two recorded runs, not %d\n", options->word_count);
    else if (options->csv && options->json)
        fprintf(stderr, "apodkit: compare writes CSV or JSON, not both\n");
    else
        return true;
    return false;
}

static int print(const struct options *options, const struct run *a, const struct run *b)
{
    struct comparison comparison;
    comparison_make(&comparison, a, b);
    if (options->csv)
        return write_comparison_csv(options->csv, &comparison) ? EXIT_GOOD : EXIT_WRONG;
    if (options->json)
        return json_finish(options->json, json_of_comparison(&comparison)) ? EXIT_GOOD : EXIT_WRONG;
    struct report report = {.file = stdout, .style = style_for(stdout, options->color)};
    report_comparison(&report, &comparison, options->counters);
    return EXIT_GOOD;
}

static int compare(const struct options *options)
{
    struct run *a = run_open(options->words[0]);
    struct run *b = a ? run_open(options->words[1]) : NULL;
    int status = b ? print(options, a, b) : EXIT_USAGE;
    free(a);
    free(b);
    return status;
}

static const struct option_row rows[] = {
    FIELD_ROW("counters", NULL, SET, counters, "the counts too, not the metrics alone"),
    CSV_ROW("as CSV, a row a number of each step, counts included; - for standard output"),
    JSON_ROW("as JSON, counts included; - for standard output"),
    COLOR_AND_HELP_ROWS,
};

const struct verb compare_verb = {
    .name = "compare",
    .summary = "two recorded runs side by side",
    .takes = "A B",
    .about =
        "Prints two recorded runs side by side, and what changed from A to B. Each is a file that "
        "./run --json wrote, the name of a run kept with ./run --save, or a reference:\n"
        "  gtc2012        the case study's published panels, on a Kepler GPU at n = 1024\n"
        "  h200, h100     the kit's own runs on an NVIDIA H200 and an H100\n"
        "Steps are matched by their numbers. What is unlike (device, size, provenance) is said.",
    .words = RUN_WORDS,
    .options = rows,
    .check = check,
    .main = compare,
};
