// ./run lab NAME: a kernel at every setting of what it varies.
#define _POSIX_C_SOURCE 200809L // getline
#include "facts/labs.h"

#include "verbs/run_options.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

// ---- Which labs there are: the files of labs/ ---------------------------------------------------------

// False after a message. globfree() gives them back.
static bool find_labs(glob_t *files)
{
    char pattern[KIT_PATH_SIZE];
    if (kit_path("labs/*.cu", pattern) && glob(pattern, 0, NULL, files) == 0)
        return true;
    fprintf(stderr, "apodkit: the kit has no labs: there is no labs/*.cu in its folder\n");
    return false;
}

// The question, from the first line: "// Lab bytes: how many bytes ...?"
static void print_lab(const char *path)
{
    char name[STEP_NAME_SIZE], lead[STEP_NAME_SIZE + 16], *line = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    const char *question = "";
    if (file && getline(&line, &size, file) > 0 && strstr(line, ": "))
        question = strstr(line, ": ") + 2;
    step_name(path, name);
    snprintf(lead, sizeof lead, "  %-12s ", name);
    put_wrapped(stdout, lead, question);
    free(line);
    if (file)
        fclose(file);
}

static int list_labs(void)
{
    glob_t files;
    if (!find_labs(&files))
        return EXIT_USAGE;
    printf("Labs: make lab-NAME && ./run lab NAME\n");
    for (size_t i = 0; i < files.gl_pathc; i++)
        print_lab(files.gl_pathv[i]);
    globfree(&files);
    return EXIT_GOOD;
}

// Why the lab of that name is not this program's.
static void refuse_name(const char *typed)
{
    glob_t files;
    char name[STEP_NAME_SIZE];
    bool known = false;
    if (!find_labs(&files))
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        step_name(files.gl_pathv[i], name);
        known |= strcmp(name, typed) == 0;
    }
    if (known)
        fprintf(stderr, "apodkit: the lab '%s' is not in this program: type `make lab-%s`\n", typed,
                typed);
    else
        fprintf(stderr, "apodkit: there is no lab '%s'. The labs are:", typed);
    for (size_t i = 0; !known && i < files.gl_pathc; i++) {
        step_name(files.gl_pathv[i], name);
        fprintf(stderr, " %s%s", name, i + 1 < files.gl_pathc ? "" : "\n");
    }
    globfree(&files);
}

// ---- Which of its points --------------------------------------------------------------------------------

static bool refuse_value(const struct parameter *parameter, const char *value)
{
    fprintf(stderr, "apodkit: %s=%s: %s is one of %s, or several with commas between them\n",
            parameter->name, value, parameter->meaning, parameter->values);
    return false;
}

// Keeps of the chosen points those whose parameter has one of the values, "1,4".
static bool keep_values(const struct lab *lab, int parameter, const char *values,
                        bool chosen[MAX_STEPS])
{
    const struct parameter *varied = &lab->parameters[parameter];
    bool kept[MAX_STEPS] = {0}, any = false;
    for (bool more = true; more; values += more) {
        char text[SETTING_SIZE], value[SETTING_SIZE];
        bool found = false;
        size_t length = strcspn(values, ",");
        snprintf(value, sizeof value, "%.*s", (int)length, values);
        for (int i = 0; i < step_count(); i++) {
            setting_text(step_at(i), parameter, text);
            bool matches = strcmp(text, value) == 0;
            found |= matches;
            kept[i] |= matches && chosen[i];
            any |= kept[i];
        }
        if (!found)
            return refuse_value(varied, value);
        values += length;
        more = *values == ',';
    }
    if (!any)
        fprintf(stderr, "apodkit: %s is given twice: all of its values go behind one =\n",
                varied->name);
    memcpy(chosen, kept, sizeof kept);
    return any;
}

// "loads=1,4".
static bool take_word(const struct lab *lab, const char *word, bool chosen[MAX_STEPS])
{
    for (int i = 0; i < lab->parameter_count; i++) {
        size_t length = strlen(lab->parameters[i].name);
        if (strncmp(word, lab->parameters[i].name, length) == 0 && word[length] == '=')
            return keep_values(lab, i, word + length + 1, chosen);
    }
    fprintf(stderr, "apodkit: this lab varies");
    for (int i = 0; i < lab->parameter_count; i++)
        fprintf(stderr, "%s %s", i ? " and" : "", lab->parameters[i].name);
    fprintf(stderr, ", not '%s': type for example %s=%.*s\n", word, lab->parameters[0].name,
            (int)strcspn(lab->parameters[0].values, " "), lab->parameters[0].values);
    return false;
}

static bool take_words(struct options *options)
{
    const struct lab *lab = lab_here();
    char name[STEP_NAME_SIZE] = "";
    if (options->word_count == 0)
        return true;
    if (lab)
        step_name(lab->file, name);
    if (!lab || strcmp(name, options->words[0]) != 0) {
        refuse_name(options->words[0]);
        return false;
    }
    options->lab = lab;
    for (int i = 0; i < step_count(); i++)
        options->chosen[i] = true;
    for (int i = 1; i < options->word_count; i++)
        if (!take_word(lab, options->words[i], options->chosen))
            return false;
    options->profile = options->selection.count > 0 || *lab->watched;
    return options->selection.count > 0 || !*lab->watched ||
           selection_parse(lab->watched, &options->selection);
}

static int lab(const struct options *options)
{
    return options->lab ? run_main(options) : list_labs();
}

static const struct options lab_defaults = {.profile = true, .timeout_s = 60};

static const struct option_row rows[] = {
    N_ROW("matrices of N x N floats (default: as ./run)"),
    PLAIN_ROW("metrics", "NAME,..", SELECTION,
              "other metrics and counts than the lab's, by their names in the JSON"),
    CSV_ROW("as CSV too, a row a point; - for standard output, without the table"),
    JSON_ROW("as JSON too, as of any run; likewise"),
    DEVICE_ROWS(ANOTHER_GPU),
    REPS_ROW(1, 100000, "time R launches of each point"),
    TIMEOUT_ROW(1, "60", ""),
    COLOR_AND_HELP_ROWS,
};

const struct verb lab_verb = {
    .name = "lab",
    .summary = "an experiment beside the lesson: a kernel at every setting of what it varies",
    .takes = "[NAME [PARAMETER=VALUE,...]...]",
    .about = "Verifies and measures the points of a lab, which `make lab-NAME` builds: one kernel "
             "with as many loads in flight, bytes an access or threads a block as it varies. "
             "Without a name, lists the labs. A page on each is in labs/NAME.md.\n"
             "\n"
             "  ./run lab bytes                      every point\n"
             "  ./run lab bytes loads=1,16 warps=4   these\n"
             "\n"
             "The points are the program's steps, from number 301 on: `./run 301`, `./run explain "
             "305` and the other verbs take them too.",
    .notes = "Exit status 1 when a point is wrong or failed. A point that the device cannot have "
             "is left out by name; with no point left, it is 3.",
    .words = LAB_WORDS,
    .options = rows,
    .defaults = &lab_defaults,
    .take_words = take_words,
    .main = lab,
};
