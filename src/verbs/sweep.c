// ./run sweep STEP... n=RANGE: steps over a range of sizes, and of geometries.
#include "verbs/sweep.h"

#include "facts/run.h"
#include "files/csv.h"
#include "files/json.h"
#include "verbs/next_option.h"
#include "verbs/sim_choice.h"
#include "verbs/verbs.h"

#include <stdlib.h>
#include <string.h>

static const char default_metrics[] =
    "gld_efficiency,gst_efficiency,dram_utilization,achieved_occupancy";

static const char help[] =
    "Usage: ./run sweep STEP... n=RANGE [TILE=RANGE] [ROWS=RANGE] [OPTION...]\n"
    "\n"
    "Verifies and measures the steps at every n of the range: time, bandwidth, share of the "
    "device's\n"
    "own copy at that n, and metrics. Each point is a run of its own; one that fails is shown as "
    "such,\n"
    "and the others go on.\n"
    "\n"
    "A range is a list with commas between its items, each a number or a progression:\n"
    "  n=1000,2000,4000      these\n"
    "  n=1024:16384:*2       1024, 2048, 4096, 8192, 16384 (x2 where the shell takes a star for "
    "files)\n"
    "  n=1000:5000:+1000     1000, 2000, 3000, 4000, 5000\n"
    "TILE=8,16,32 and ROWS=4,8 build the steps that have them anew for each pair, with make and "
    "in\n"
    "folders of their own; ./run stays what it is. One that is not given is 32 or 8. Variables of "
    "make\n"
    "(CC, CUDA_HOME) are taken from the environment.\n"
    "\n"
    "  --metrics NAME,..    other metrics and counts, by their names in the JSON (default:\n"
    "                       gld_efficiency,gst_efficiency,dram_utilization,achieved_occupancy)\n"
    "  --csv FILE           as CSV too; - for standard output, without the table\n"
    "  --json FILE          as JSON too; likewise\n"
    "  --gpu, --sim[=NAME]  a GPU or nothing; the simulated device, as another GPU (--sim=list)\n"
    "  --device K           CUDA device K (default 0)\n"
    "  --reps R             time R launches of each point\n"
    "  --timeout S          a step that does not answer for S seconds hangs (default 30)\n"
    "  --color WHEN         auto (default), always or never\n"
    "  -h, --help           this text\n"
    "\n"
    "At most 200 points. Exit status 1 when a point is wrong or failed.\n";

// An option that a point's run gets as it is, once it is known to be good.
static bool hand_on(const char *name, long least, long most, const char **value)
{
    long number;
    *value = optarg;
    return number_option(name, optarg, least, most, &number);
}

static bool take_option(int option, struct sweep_request *request)
{
    switch (option) {
    case 't':
        return selection_parse(optarg, &request->selection);
    case 'c':
        request->csv = optarg;
        return true;
    case 'j':
        return parse_json(optarg, &request->json);
    case 'g':
        request->choice = GPU_ONLY;
        return true;
    case 'd':
        return hand_on("--device", 0, 1023, &request->device);
    case 'r':
        return hand_on("--reps", 1, 100000, &request->reps);
    case 'o':
        return hand_on("--timeout", 1, 86400, &request->timeout);
    case 'w':
        return parse_color(optarg, &request->color);
    default: // next_option() has said what is wrong
        return false;
    }
}

// "n=...", "TILE=..." or "ROWS=...".
static bool take_range(const char *word, struct sweep_request *request)
{
    const struct {
        const char *name;
        size_t most;
        struct range *range;
    } known[] = {
        {"n=", MAX_N, &request->n}, {"TILE=", 32, &request->tile}, {"ROWS=", 32, &request->rows}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t length = strlen(known[i].name);
        char why[RANGE_WHY_SIZE];
        if (strncmp(word, known[i].name, length) != 0)
            continue;
        if (known[i].range->count > 0)
            snprintf(why, sizeof why, "it is given twice");
        else if (range_parse(word + length, 1, known[i].most, known[i].range, why))
            return true;
        fprintf(stderr, "apodkit: %s: %s\n", word, why);
        return false;
    }
    fprintf(stderr, "apodkit: a sweep varies n, TILE and ROWS, not '%s'\n", word);
    return false;
}

static bool take_words(int argc, char **argv, struct sweep_request *request)
{
    bool any_step = false;
    for (int i = 0; i < argc; i++) {
        bool is_range = strchr(argv[i], '=') != NULL;
        any_step |= !is_range;
        if (!(is_range ? take_range(argv[i], request) : parse_step(argv[i], request->chosen)))
            return false;
    }
    for (int i = 0; !any_step && i < step_count(); i++)
        request->chosen[i] = true;
    if (request->n.count == 0)
        fprintf(stderr, "apodkit: a sweep needs sizes: n=1024:16384:*2, or n=4096 for one\n");
    else if (request->csv && request->json && strcmp(request->csv, "-") == 0 &&
             strcmp(request->json, "-") == 0)
        fprintf(stderr, "apodkit: --csv and --json cannot both have standard output\n");
    else if (json_missing())
        fprintf(stderr, "apodkit: sweep: %s\n", json_missing()); // the points' records are JSON
    else
        return true;
    return false;
}

static enum parsed parse(int argc, char **argv, struct sweep_request *request)
{
    static const struct option options[] = {
        {"metrics", required_argument, NULL, 't'},
        {"csv", required_argument, NULL, 'c'},
        {"json", required_argument, NULL, 'j'},
        {"gpu", no_argument, NULL, 'g'},
        {"sim", optional_argument, NULL, 'm'},
        {"device", required_argument, NULL, 'd'},
        {"reps", required_argument, NULL, 'r'},
        {"timeout", required_argument, NULL, 'o'},
        {"color", required_argument, NULL, 'w'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    *request = (struct sweep_request){0};
    enum parsed parsed =
        selection_parse(default_metrics, &request->selection) ? PARSED_RUN : PARSED_WRONG;
    optind = 0;
    for (int option;
         parsed == PARSED_RUN && (option = next_option(argc, argv, "h", options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return PARSED_DONE;
        }
        if (option == 'm') {
            request->choice = SIMULATED_ONLY;
            parsed = parse_sim(optarg, &request->sim_device);
        } else if (!take_option(option, request)) {
            parsed = PARSED_WRONG;
        }
    }
    if (parsed == PARSED_RUN && !take_words(argc - optind, argv + optind, request))
        parsed = PARSED_WRONG;
    if (parsed == PARSED_WRONG)
        fprintf(stderr, "Type `./run sweep --help` for the options.\n");
    return parsed;
}

// Makes this the program of the device that the points are to run on. Where there is no GPU at all, goes
// on as the simulated program. False after a message.
static bool choose_program(const struct sweep_request *request, char **argv)
{
    if (!program_choose(request->choice, request->sim_device, argv))
        return false;
    if (device_none())
        program_without_gpu(request->choice, argv);
    return true;
}

static void list_steps(const bool places[MAX_STEPS], const char *before, const char *behind)
{
    bool any = false;
    for (int i = 0; i < step_count(); i++) {
        if (!places[i])
            continue;
        printf("%s %d", any ? "," : before, step_at(i)->number);
        any = true;
    }
    if (any)
        printf("%s\n", behind);
}

static void print_table(const struct sweep_request *request, const struct sweep *sweep)
{
    struct style style = style_for(stdout, request->color);
    const char *device = "";
    bool modelled = false;
    for (int i = 0; i < sweep->count; i++) {
        device = *device ? device : sweep->points[i].device;
        modelled |= sweep->points[i].step.values[TIME_MS].provenance == MODELLED;
    }
    printf("%s\n", device);
    print_points(stdout, &style, sweep->points, sweep->count, &request->selection);
    printf(
        "\nGB/s: useful bytes, 2 n n 4, over time. of copy: of the device's own copy at that n.\n");
    if (modelled)
        printf("~ is before what the timing model predicts.\n");
    list_steps(sweep->without_geometry, "Without what is swept, and so as in ./run: step", ".");
    char limit[80];
    snprintf(limit, sizeof limit, ": serial, and left out beyond n = %d.", SERIAL_MAX_N);
    list_steps(sweep->too_large_for, "Step", limit);
}

// Prints and writes what was asked for. False after a message.
static bool hand_out(const struct sweep_request *request, const struct sweep *sweep, FILE *csv)
{
    bool silent = (request->csv && strcmp(request->csv, "-") == 0) ||
                  (request->json && strcmp(request->json, "-") == 0);
    if (!silent)
        print_table(request, sweep);
    if (csv)
        write_points_csv(csv, sweep->points, sweep->count, &request->selection);
    bool good = !csv || csv_close(csv, request->csv);
    if (request->json && !json_finish(request->json, json_of_points(sweep->points, sweep->count,
                                                                    &request->selection)))
        good = false;
    return good;
}

static bool all_right(const struct sweep *sweep)
{
    int wrong = 0;
    for (int i = 0; i < sweep->count; i++)
        wrong += went_wrong(&sweep->points[i].step);
    if (wrong > 0)
        fprintf(stderr, "apodkit: %d of %d points are wrong or failed\n", wrong, sweep->count);
    return wrong == 0;
}

static int run_sweep(const struct sweep_request *request, struct sweep *sweep)
{
    if (!sweep_plan(request, sweep))
        return EXIT_USAGE;
    if (request->json && !json_writable(request->json))
        return EXIT_WRONG;
    FILE *csv = request->csv ? csv_open(request->csv) : NULL;
    if (request->csv && !csv)
        return EXIT_WRONG;
    int status = sweep_build(sweep) ? sweep_measure(request, sweep) : EXIT_WRONG;
    if (status != EXIT_GOOD) {
        if (csv)
            (void)csv_close(csv, request->csv);
        return status;
    }
    bool handed_out = hand_out(request, sweep, csv);
    return all_right(sweep) && handed_out ? EXIT_GOOD : EXIT_WRONG;
}

int sweep_main(int argc, char **argv)
{
    struct sweep_request request;
    enum parsed parsed = parse(argc, argv, &request);
    if (parsed != PARSED_RUN)
        return parsed == PARSED_DONE ? EXIT_GOOD : EXIT_USAGE;
    if (!choose_program(&request, argv - 1))
        return EXIT_NO_DEVICE;
    struct sweep *sweep = malloc(sizeof *sweep);
    if (!sweep) {
        fprintf(stderr, "apodkit: the host has no memory for the points\n");
        return EXIT_WRONG;
    }
    int status = run_sweep(&request, sweep);
    free(sweep);
    return status;
}
