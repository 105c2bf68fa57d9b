// ./run compare A B: two recorded runs side by side.
#include "verbs/verbs.h"

#include "facts/comparison.h"
#include "files/csv.h"
#include "files/json.h"
#include "files/run_read.h"
#include "show/report.h"
#include "verbs/next_option.h"
#include "verbs/options.h"

#include <stdlib.h>
#include <string.h>

static const char help[] =
    "Usage: ./run compare A B [--counters] [--csv FILE] [--json FILE] [--color WHEN]\n"
    "\n"
    "Prints two recorded runs side by side, and what changed from A to B. Each is a file that\n"
    "./run --json wrote, the name of a run kept with ./run --save, or a reference:\n"
    "  gtc2012        the case study's published panels, on a Kepler GPU at n = 1024\n"
    "  h200, h100     the kit's own runs on an NVIDIA H200 and an H100\n"
    "Steps are matched by their numbers. What is unlike (device, size, provenance) is said.\n"
    "\n"
    "  --counters     the counts too, not the metrics alone\n"
    "  --csv FILE     as CSV, a row a number of each step, counts included; - for standard output\n"
    "  --json FILE    as JSON, counts included; - for standard output\n"
    "  --color WHEN   auto (default), always or never\n"
    "  -h, --help     this text\n";

struct request {
    const char *a, *b, *csv, *json;
    bool counters;
    enum color_when color;
};

static bool take_names(int argc, char **argv, struct request *request)
{
    if (argc - optind != 2) {
        fprintf(stderr, "apodkit: compare takes two recorded runs, not %d\n", argc - optind);
        return false;
    }
    request->a = argv[optind];
    request->b = argv[optind + 1];
    if (request->csv && request->json) {
        fprintf(stderr, "apodkit: compare writes CSV or JSON, not both\n");
        return false;
    }
    return true;
}

static enum parsed parse(int argc, char **argv, struct request *request)
{
    static const struct option options[] = {
        {"counters", no_argument, NULL, 'c'},   {"csv", required_argument, NULL, 's'},
        {"json", required_argument, NULL, 'j'}, {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},       {NULL, 0, NULL, 0},
    };
    *request = (struct request){0};
    optind = 0;
    bool good = true;
    for (int option; good && (option = next_option(argc, argv, "h", options)) != -1;) {
        switch (option) {
        case 'h':
            fputs(help, stdout);
            return PARSED_DONE;
        case 'c':
            request->counters = true;
            break;
        case 's':
            request->csv = optarg;
            break;
        case 'j':
            request->json = optarg;
            break;
        case 'w':
            good = parse_color(optarg, &request->color);
            break;
        default:
            good = false;
        }
    }
    if (good && take_names(argc, argv, request))
        return PARSED_RUN;
    fprintf(stderr, "Type `./run compare --help` for the options.\n");
    return PARSED_WRONG;
}

static bool write_csv(const char *name, const struct comparison *comparison)
{
    FILE *file = csv_open(name);
    if (file)
        write_comparison_csv(file, comparison);
    return file && csv_close(file, name);
}

static int print(const struct request *request, const struct run *a, const struct run *b)
{
    struct comparison comparison;
    comparison_make(&comparison, a, b);
    if (request->csv)
        return write_csv(request->csv, &comparison) ? EXIT_GOOD : EXIT_WRONG;
    if (request->json)
        return json_finish(request->json, json_of_comparison(&comparison)) ? EXIT_GOOD : EXIT_WRONG;
    struct report report = {.file = stdout, .style = style_for(stdout, request->color)};
    report_comparison(&report, &comparison, request->counters);
    return EXIT_GOOD;
}

int compare_main(int argc, char **argv)
{
    struct request request;
    enum parsed parsed = parse(argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    struct run *a = run_open(request.a);
    struct run *b = a ? run_open(request.b) : NULL;
    int status = b ? print(&request, a, b) : EXIT_USAGE;
    free(a);
    free(b);
    return status;
}
