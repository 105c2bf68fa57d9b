#include "command_line/options.h"

#include "base/compute_capability.h"
#include "base/output_file.h"
#include "command_line/help.h"
#include "command_line/manual.h"
#include "command_line/next_option.h"
#include "command_line/sim_option.h"
#include "facts/metric_names.h"
#include "facts/version.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_OPTIONS = 32, WITHOUT_LETTER = 256 }; // beyond any character

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

static bool parse_color(const char *text, enum color_when *color)
{
    for (*color = COLOR_AUTO; *color <= COLOR_NEVER; ++*color)
        if (strcmp(text, color_words[*color]) == 0)
            return true;
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
        fprintf(stderr,
                "apodkit: --metrics: '%s' is neither a name of CUPTI's nor a metric that one of "
                "its names gives.\n",
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

static bool parse_arch(const char *text, const struct compute_capability **arch)
{
    int major, minor, length = 0;
    *arch = NULL;
    if (strlen(text) < 8 && sscanf(text, "%2d.%1d%n", &major, &minor, &length) == 2 &&
        text[length] == '\0')
        *arch = compute_capability_find(major, minor);
    if (*arch)
        return true;
    fprintf(stderr, "apodkit: --arch takes a compute capability, not '%s':", text);
    for (int i = 0; i < compute_capability_count; i++)
        fprintf(stderr, " %d.%d", compute_capabilities[i].major, compute_capabilities[i].minor);
    fputc('\n', stderr);
    return false;
}

static bool choose(enum device_choice wanted, enum device_choice *choice)
{
    bool contradicted = *choice != GPU_IF_ANY && *choice != wanted;
    if (contradicted)
        fprintf(stderr, "apodkit: --gpu and --sim contradict each other: give one of them\n");
    *choice = wanted;
    return !contradicted;
}

static enum parsed parsed_if(bool good)
{
    return good ? PARSED_RUN : PARSED_WRONG;
}

// Whether the option may be given: once, if its values do not add up. False after a message.
static bool may_be_given(const struct option_row *row, bool *is_given)
{
    bool is_second = *is_given && row->value && row->kind != OPTION_METRICS;
    *is_given = true;
    if (is_second)
        fprintf(stderr,
                "apodkit: %s%s is given twice, and only one can hold: leave out the other\n",
                row->name[1] ? "--" : "-", row->name);
    return !is_second;
}

// Takes what was given for an option, NULL without a value.
static enum parsed take(const struct option_row *row, const char *text, struct options *options)
{
    static_assert(sizeof(size_t) == sizeof(long), "a NUMBER is of either type");
    void *field = (char *)options + row->offset;
    char name[32];
    switch (row->kind) {
    case OPTION_NUMBER:
        snprintf(name, sizeof name, "%s%s", row->name[1] ? "--" : "-", row->name);
        return parsed_if(number_option(name, text, row->least, row->most, field));
    case OPTION_TEXT:
    case OPTION_RECORDED_RUN:
        *(const char **)field = text;
        return PARSED_RUN;
    case OPTION_INPUT:
        *(const char **)field = text ? text : "-";
        return PARSED_RUN;
    case OPTION_SET:
    case OPTION_CLEAR:
        *(bool *)field = row->kind == OPTION_SET;
        return PARSED_RUN;
    case OPTION_GPU:
        return parsed_if(choose(GPU_ONLY, &options->choice));
    case OPTION_SIM:
        if (!choose(SIMULATED_ONLY, &options->choice))
            return PARSED_WRONG;
        return parse_sim(text, &options->sim_device);
    case OPTION_COLOR:
        return parsed_if(parse_color(text, &options->color));
    case OPTION_ARCH:
        return parsed_if(parse_arch(text, &options->arch));
    case OPTION_METRICS:
        return parsed_if(metrics_option(text, options));
    case OPTION_SELECTION:
        return parsed_if(selection_parse(text, &options->selection));
    case OPTION_HELP:
        print_help(options->verb);
        return PARSED_DONE;
    case OPTION_VERSION:
        printf("apodkit %s\n", KIT_VERSION);
        return PARSED_DONE;
    case OPTION_MANUAL:
        print_manual();
        return PARSED_DONE;
    }
    return PARSED_WRONG;
}

bool is_stdout(const char *file)
{
    return file && output_is_stdout(file);
}

bool any_step_is_built(const struct options *options)
{
    (void)options;
    if (step_count() == 0)
        fprintf(stderr, "apodkit: no step is built: type `make`\n");
    return step_count() > 0;
}

static void list_built_steps(void)
{
    char label[STEP_LABEL_SIZE];
    fprintf(stderr, "This program has");
    if (step_count() > 0 && !has_lesson()) {
        fprintf(stderr, " no step of the lesson, but %s; `make` builds the lesson.\n",
                step_label(step_at(0)->number, label));
        return;
    }
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
    char command[MAKE_COMMAND_SIZE], label[STEP_LABEL_SIZE];
    rebuild_command(number, command);
    fprintf(stderr, "apodkit: %s is not built. If it is there, `%s` builds it.\n",
            step_label((double)number, label), command);
    list_built_steps();
    return false;
}

// What getopt_long() is to know of the rows. The value of an option is its letter, or WITHOUT_LETTER and its place.
static void list_options(const struct option_row *rows, struct option options[MAX_OPTIONS + 1],
                         char letters[MAX_OPTIONS])
{
    int count = 0, used = 0;
    for (int i = 0; rows[i].name; i++) {
        const char *value = rows[i].value;
        if (rows[i].name[1])
            options[count++] = (struct option){.name = rows[i].name,
                                               .has_arg = !value          ? no_argument
                                                          : *value == '[' ? optional_argument
                                                                          : required_argument,
                                               .val = WITHOUT_LETTER + i};
        else
            used += snprintf(letters + used, MAX_OPTIONS - (size_t)used, "%s%s", rows[i].name,
                             value ? ":" : "");
    }
    options[count] = (struct option){.name = NULL};
}

static const struct option_row *row_of(const struct option_row *rows, int option)
{
    if (option >= WITHOUT_LETTER)
        return &rows[option - WITHOUT_LETTER];
    while (rows->name[0] != option || rows->name[1])
        rows++;
    return rows;
}

static bool take_words(struct options *options)
{
    const struct verb *verb = options->verb;
    if (verb->words == NO_WORDS && options->word_count > 0) {
        fprintf(stderr, "apodkit: %s takes no argument '%s'\n", verb->name, options->words[0]);
        return false;
    }
    if (verb->words != STEP_WORDS)
        return !verb->take_words || verb->take_words(options);
    options->names_steps = options->word_count > 0;
    bool all = !options->names_steps;
    for (int i = 0; i < options->word_count; i++)
        if (strcmp(options->words[i], ALL_STEPS) == 0)
            all = true;
        else if (!parse_step(options->words[i], options->chosen))
            return false;
    for (int i = 0; all && i < step_count(); i++)
        options->chosen[i] = true;
    return true;
}

// The verb's arguments, argv[0] being its name.
static enum parsed parse(int argc, char **argv, struct options *options)
{
    const struct verb *verb = options->verb;
    struct option known[MAX_OPTIONS + 1];
    char letters[MAX_OPTIONS];
    bool is_given[MAX_OPTIONS] = {false}; // by the rows
    enum parsed parsed = PARSED_RUN;
    list_options(verb->options, known, letters);
    optind = 0; // start afresh, also on a second call
    for (int option;
         parsed == PARSED_RUN && (option = next_option(argc, argv, letters, known)) != -1;) {
        if (option == '?') // next_option() has said what is wrong
            return PARSED_WRONG;
        const struct option_row *row = row_of(verb->options, option);
        parsed = may_be_given(row, &is_given[row - verb->options]) ? take(row, optarg, options)
                                                                   : PARSED_WRONG;
    }
    options->words = argv + optind;
    options->word_count = argc - optind;
    if (parsed == PARSED_RUN && (!take_words(options) || (verb->check && !verb->check(options))))
        parsed = PARSED_WRONG;
    return parsed;
}

enum parsed options_parse(int argc, char **argv, struct options *options)
{
    const struct verb *verb = argc > 1 ? verb_find(argv[1]) : NULL;
    int skipped = verb != NULL;
    verb = verb ? verb : &run_verb;
    *options = verb->defaults ? *verb->defaults : (struct options){0};
    options->verb = verb;
    options->argv = argv;
    enum parsed parsed = parse(argc - skipped, argv + skipped, options);
    if (parsed == PARSED_WRONG)
        say_where_help_is(verb);
    return parsed;
}
