// ./run export RUN...: recorded runs as CSV, a row a step.
#include "verbs/verbs.h"

#include "facts/points.h"
#include "files/csv.h"
#include "files/run_read.h"
#include "verbs/next_option.h"
#include "verbs/options.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: ./run export RUN... [--csv FILE]\n"
    "\n"
    "Writes recorded runs as comma-separated values, a row a step, for spreadsheets and for "
    "plots:\n"
    "every number that the kit has of a step, and behind each its provenance. The layout is that "
    "of\n"
    "./run sweep --csv. Each RUN is a file that ./run --json wrote, the name of a run kept with\n"
    "./run --save, or a reference (gtc2012, h200, h100).\n"
    "\n"
    "  --csv FILE     where to; - for standard output (default)\n"
    "  -h, --help     this text\n";

static enum parsed parse(int argc, char **argv, const char **csv)
{
    static const struct option options[] = {
        {"csv", required_argument, NULL, 'c'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *csv = "-";
    optind = 0;
    bool good = true;
    for (int option; good && (option = next_option(argc, argv, "h", options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return PARSED_DONE;
        }
        good = option == 'c';
        *csv = optarg;
    }
    if (good && optind == argc)
        fprintf(stderr, "apodkit: export takes the names of recorded runs\n");
    else if (good)
        return PARSED_RUN;
    fprintf(stderr, "Type `./run export --help` for the options.\n");
    return PARSED_WRONG;
}

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
    FILE *file = csv_open(csv);
    if (!file)
        return EXIT_WRONG;
    write_points_csv(file, points, count, &selection);
    return csv_close(file, csv) ? EXIT_GOOD : EXIT_WRONG;
}

int export_main(int argc, char **argv)
{
    const char *csv;
    enum parsed parsed = parse(argc, argv, &csv);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    struct point *points = NULL;
    int count = 0;
    bool good = true;
    for (int i = optind; good && i < argc; i++)
        good = add_run(argv[i], &points, &count);
    int status = good ? write_all(csv, points, count) : EXIT_USAGE;
    free(points);
    return status;
}
