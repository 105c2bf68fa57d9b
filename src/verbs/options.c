#include "verbs/options.h"

#include "facts/metric_names.h"
#include "facts/version.h"
#include "files/json.h"
#include "sim/time/devices.h"
#include "verbs/next_option.h"
#include "verbs/sim_choice.h"
#include "verbs/verbs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_REPS = 256, // beyond any character: options without a short form
    OPTION_JSON,
    OPTION_BASELINE,
    OPTION_SAVE,
    OPTION_NO_PROFILE,
    OPTION_NO_REFERENCE,
    OPTION_METRICS,
    OPTION_DEVICE,
    OPTION_TIMEOUT,
    OPTION_COLOR,
    OPTION_SUMMARY,
    OPTION_GPU,
    OPTION_SIM,
    OPTION_VERSION
};

static const struct option long_options[] = {
    {"reps", required_argument, NULL, OPTION_REPS},
    {"json", required_argument, NULL, OPTION_JSON},
    {"baseline", required_argument, NULL, OPTION_BASELINE},
    {"save", required_argument, NULL, OPTION_SAVE},
    {"no-profile", no_argument, NULL, OPTION_NO_PROFILE},
    {"no-reference", no_argument, NULL, OPTION_NO_REFERENCE},
    {"metrics", required_argument, NULL, OPTION_METRICS},
    {"device", required_argument, NULL, OPTION_DEVICE},
    {"timeout", required_argument, NULL, OPTION_TIMEOUT},
    {"color", required_argument, NULL, OPTION_COLOR},
    {"summary", no_argument, NULL, OPTION_SUMMARY},
    {"gpu", no_argument, NULL, OPTION_GPU},
    {"sim", optional_argument, NULL, OPTION_SIM},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static const char help[] =
    "Usage: ./run [STEP...] [OPTION...]    verify, measure and explain the steps (all, or those "
    "named)\n"
    "       ./run VERB [OPTION...]         see below\n"
    "\n"
    "Options\n"
    "  -n N               matrices of N x N floats, 1.." /* MAX_N */ "1048576 (default: two of "
    "them hold at least\n"
    "                     8 times the L2; the serial step stays at 1024)\n"
    "  --reps R           time R launches of each step (default: a third of a second's, 10 at "
    "least)\n"
    "  --summary          print the summary alone\n"
    "  --gpu, --sim       a GPU or nothing; the simulated device, even with a GPU (default: a GPU\n"
    "                     if one can be used, else the simulated device)\n"
    "  --sim=NAME         the simulated device as another GPU than an H200; --sim=list shows them\n"
    "  --json FILE        write everything as JSON too; - for standard output, without the report\n"
    "  --baseline RUN     compare with a recorded run afterwards: a file of --json's, a saved "
    "run's "
    "name,\n"
    "                     gtc2012 (the case study's published panels), h200 or h100 (the kit's "
    "runs)\n"
    "  --save NAME        keep the run in results/ for ./run history and ./run compare\n"
    "  --no-profile       do not read hardware counters: times only\n"
    "  --no-reference     do not run the kit's own step beside an exercise (make my4)\n"
    "  --metrics NAME,..  add metrics to the panel, by nvprof's or CUPTI's names (./run metrics)\n"
    "  --device K         use CUDA device K (default 0)\n"
    "  --timeout S        a step that does not answer for S seconds hangs (default 30); 0: wait "
    "for\n"
    "                     ever and run the steps in this process, as a debugger wants it\n"
    "  --color WHEN       auto (default), always or never; NO_COLOR is respected\n"
    "  -h, --help         this text\n"
    "  --version          the kit's version\n"
    "\n"
    "Verbs (each has its own --help)\n"
    "  compare A B        two recorded runs side by side\n"
    "  explain            what limits each step, by a timing model, beside what was measured\n"
    "  export RUN...      recorded runs as CSV, for spreadsheets and plots\n"
    "  history            the runs kept with --save, and what changed from one to the next\n"
    "  hotspots           the steps' source, with what each line moves against the least that "
    "would do\n"
    "  metrics            nvprof's metrics, the kit's definitions, CUPTI's names, and who has "
    "which\n"
    "  occupancy          the occupancy calculator: what limits the warps of a step or of given "
    "numbers\n"
    "  stalls             the steps' source, with what warps wait for at each line (a GPU only)\n"
    "  sweep              steps over a range of sizes, and of TILE and ROWS\n"
    "  trace              every copy, fill and kernel of the steps, and how many blocks the SMs "
    "ran\n"
    "\n"
    "Replay overheads are stand-ins. On Fermi and Kepler the scheduler issued an instruction "
    "again\n"
    "for each further line or bank pass; since Volta the load/store unit splits it up by itself. "
    "The\n"
    "kit counts those passes:\n"
    "  global = Rg / (inst + Rg + Rs)   Rg = max(0, tags - max(requests, data bytes / 128))\n"
    "  shared = Rs / (inst + Rg + Rs)   Rs = max(0, wavefronts - max(requests, data bytes / 128))\n"
    "Global and local cache replays have had no such event since Maxwell: the panel shows a dash.\n"
    "\n"
    "Exit status\n"
    "  0  all steps ran and every result is right\n"
    "  1  a result is wrong, or a step failed\n"
    "  2  the command line is wrong, or a recorded run that it names\n"
    "  3  there is no usable device\n";

// A number in decimal digits between `least` and `most`, and nothing else.
static bool parse_number(const char *text, long least, long most, long *number)
{
    char *end;
    errno = 0;
    if (*text < '0' || *text > '9')
        return false;
    *number = strtol(text, &end, 10);
    return *end == '\0' && errno == 0 && *number >= least && *number <= most;
}

bool number_option(const char *name, const char *text, long least, long most, long *number)
{
    if (parse_number(text, least, most, number))
        return true;
    fprintf(stderr, "apodkit: %s takes a whole number from %ld to %ld, not '%s'\n", name, least,
            most, text);
    return false;
}

bool parse_color(const char *text, enum color_when *color)
{
    static const char *const words[] = {
        [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
    for (enum color_when i = COLOR_AUTO; i <= COLOR_NEVER; i++)
        if (strcmp(text, words[i]) == 0) {
            *color = i;
            return true;
        }
    fprintf(stderr, "apodkit: --color takes auto, always or never, not '%s'\n", text);
    return false;
}

// Adds the metric whose name has `length` characters.
static bool add_metric(const char *start, size_t length, struct options *options)
{
    if (options->extra_count == MAX_EXTRAS || length >= METRIC_NAME_SIZE) {
        fprintf(stderr, "apodkit: --metrics takes at most %d names of at most %d characters\n",
                MAX_EXTRAS, METRIC_NAME_SIZE - 1);
        return false;
    }
    char *name = options->extra_names[options->extra_count];
    snprintf(name, METRIC_NAME_SIZE, "%.*s", (int)length, start);
    const char *expression = metric_expression(name);
    if (!expression) {
        fprintf(
            stderr,
            "apodkit: --metrics: '%s' is neither a name of CUPTI's nor a metric that one of its "
            "names gives.\n",
            name);
        const char *meant = metric_suggest(name);
        if (meant)
            fprintf(stderr, "Did you mean '%s'?\n", meant);
        fprintf(stderr, "`./run metrics` lists them.\n");
        return false;
    }
    for (int i = 0; i < options->extra_count; i++)
        if (strcmp(name, options->extra_names[i]) == 0)
            return true; // named twice, added once
    options->extra_expressions[options->extra_count++] = expression;
    return true;
}

static bool metrics_option(const char *list, struct options *options)
{
    for (;;) {
        size_t length = strcspn(list, ",");
        if (!add_metric(list, length, options))
            return false;
        if (list[length] == '\0')
            return true;
        list += length + 1;
    }
}

bool json_option(const char *name, const char *text, const char **value)
{
    *value = text;
    if (json_missing())
        fprintf(stderr, "apodkit: %s: %s\n", name, json_missing());
    return !json_missing();
}

bool parse_json(const char *text, const char **file)
{
    return json_option("--json", text, file);
}

bool parse_device(const char *text, int *device)
{
    long number = 0;
    bool good = number_option("--device", text, 0, 1023, &number);
    *device = (int)number;
    return good;
}

// Takes one option that was found.
static bool take_option(int option, struct options *options)
{
    long number;
    switch (option) {
    case 'n':
        if (!number_option("-n", optarg, 1, MAX_N, &number))
            return false;
        options->n = (size_t)number;
        return true;
    case OPTION_REPS:
        if (!number_option("--reps", optarg, 1, 100000, &number))
            return false;
        options->reps = (int)number;
        return true;
    case OPTION_DEVICE:
        return parse_device(optarg, &options->device);
    case OPTION_TIMEOUT:
        if (!number_option("--timeout", optarg, 0, 86400, &number))
            return false;
        options->timeout_s = (double)number;
        return true;
    case OPTION_JSON:
        return parse_json(optarg, &options->json);
    case OPTION_BASELINE:
        return json_option("--baseline", optarg, &options->baseline);
    case OPTION_SAVE:
        return json_option("--save", optarg, &options->save);
    case OPTION_METRICS:
        return metrics_option(optarg, options);
    case OPTION_COLOR:
        return parse_color(optarg, &options->color);
    case OPTION_NO_PROFILE:
        options->profile = false;
        return true;
    case OPTION_NO_REFERENCE:
        options->references = false;
        return true;
    case OPTION_GPU:
        options->choice = GPU_ONLY;
        return true;
    case OPTION_SUMMARY:
        options->summary_only = true;
        return true;
    default: // next_option() has said what is wrong
        return false;
    }
}

static void list_built_steps(void)
{
    fprintf(stderr, "This program has");
    for (int i = 0; i < step_count(); i++)
        fprintf(stderr, "%s %d", i ? "," : (step_count() == 1 ? " step" : " steps"),
                step_at(i)->number);
    fprintf(stderr, step_count() ? ".\n" : " no steps.\n");
}

bool parse_step(const char *text, bool chosen[MAX_STEPS])
{
    long number;
    if (!parse_number(text, 1, 1000000, &number)) {
        fprintf(stderr, "apodkit: '%s' is not a step's number (a verb must come first%s)\n", text,
                sim_device_find(text) ? "; a simulated device is chosen with --sim=NAME" : "");
        if (strncmp(text, "step", 4) == 0 && parse_number(text + 4, 1, 1000000, &number))
            fprintf(stderr, "Did you mean `./run %ld`?\n", number);
        else if (verb_suggest(text))
            fprintf(stderr, "Did you mean `./run %s`?\n", verb_suggest(text));
        return false;
    }
    for (int i = 0; i < step_count(); i++)
        if (step_at(i)->number == number) {
            chosen[i] = true;
            return true;
        }
    char command[MAKE_COMMAND_SIZE];
    rebuild_command(number, command);
    fprintf(stderr, "apodkit: step %ld is not built. If steps/ has it, `%s` builds it.\n", number,
            command);
    list_built_steps();
    return false;
}

static enum parsed usage(void)
{
    fprintf(stderr, "Type `./run --help` for the options.\n");
    return PARSED_WRONG;
}

enum parsed options_parse(int argc, char **argv, struct options *options)
{
    *options = (struct options){.profile = true, .references = true, .timeout_s = 30};
    optind = 0; // start afresh, also on a second call
    for (int option; (option = next_option(argc, argv, "n:h", long_options)) != -1;) {
        if (option == 'h') {
            fputs(help, stdout);
            return PARSED_DONE;
        }
        if (option == OPTION_VERSION) {
            printf("apodkit %s\n", KIT_VERSION);
            return PARSED_DONE;
        }
        if (option == OPTION_SIM) {
            enum parsed parsed = parse_sim(optarg, &options->sim_device);
            options->choice = SIMULATED_ONLY;
            if (parsed != PARSED_RUN)
                return parsed == PARSED_WRONG ? usage() : parsed;
        } else if (!take_option(option, options)) {
            return usage();
        }
    }
    for (int i = optind; i < argc; i++)
        if (!parse_step(argv[i], options->chosen))
            return usage();
    for (int i = 0; optind == argc && i < step_count(); i++)
        options->chosen[i] = true;
    if (options->baseline && options->json && strcmp(options->json, "-") == 0) {
        fprintf(stderr,
                "apodkit: --baseline prints for people, and --json - leaves them nothing: write "
                "the JSON to a file, or use `./run compare --json -`\n");
        return usage();
    }
    if (step_count() > 0)
        return PARSED_RUN;
    fprintf(stderr, "apodkit: no step is built: type `make`\n");
    return PARSED_WRONG;
}
