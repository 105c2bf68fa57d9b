// ./run import FILE: what Nsight Compute measured, as a recorded run.
#include "base/output_file.h"
#include "base/source_file.h"
#include "command_line/options.h"
#include "facts/version.h"
#include "files/json.h"
#include "files/ncu_run.h"
#include "files/ncu_value.h"
#include "files/run_files.h"
#include "files/run_read.h"
#include "files/save.h"
#include "show/report.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_of_a_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// Whether a __global__ function of that name is defined in the source.
static bool defines_kernel(const char *source, const char *kernel)
{
    static const char mark[] = "__global__";
    size_t length = strlen(kernel);
    for (const char *at = strstr(source, mark); at; at = strstr(at, mark)) {
        at += strlen(mark);
        const char *end = at + strcspn(at, "(");
        if (end - at > (ptrdiff_t)length && strncmp(end - length, kernel, length) == 0 &&
            !is_of_a_name(end[-(ptrdiff_t)length - 1]))
            return true;
    }
    return false;
}

// The sources of the kit's steps, by their places; NULL where one cannot be read.
struct sources {
    char *texts[MAX_STEPS];
};

static void open_sources(struct sources *sources)
{
    char why[RUN_WHY_SIZE];
    for (int i = 0; i < step_count(); i++) {
        struct source_file file = source_file_find(step_at(i)->file);
        sources->texts[i] =
            file.state == SOURCE_MISSING ? NULL : record_text(file.path, RUN_MAX_BYTES, why);
    }
}

static int step_of_kernel(void *context, const char *kernel)
{
    const struct sources *sources = context;
    for (int i = 0; i < step_count(); i++)
        if (sources->texts[i] && defines_kernel(sources->texts[i], kernel))
            return step_at(i)->number;
    return 0;
}

// What the file is called without its folder and what stands behind its point. False where a run cannot be called so.
static bool name_after(const char *file, char name[RUN_NAME_SIZE])
{
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    int length = (int)strcspn(base, ".");
    return snprintf(name, RUN_NAME_SIZE, "%.*s", length, base) < RUN_NAME_SIZE &&
           run_name_is_good(name);
}

static struct run *read_file(const char *file, size_t n)
{
    char why[NCU_WHY_SIZE] = "";
    struct sources sources = {{NULL}};
    struct run *run = calloc(1, sizeof *run);
    char *text = run ? record_text(file, NCU_MAX_BYTES, why) : NULL;
    open_sources(&sources);
    bool good = text && ncu_parse(text, n, step_of_kernel, &sources, run, why);
    for (int i = 0; i < step_count(); i++)
        free(sources.texts[i]);
    free(text);
    if (good)
        return run;
    fprintf(stderr, "apodkit: importing %s: %s\n", file,
            run ? why : "the host has no memory for it");
    free(run);
    return NULL;
}

static void describe(struct run *run, const char *file)
{
    snprintf(run->label, sizeof run->label, "%s", file);
    snprintf(run->kit, sizeof run->kit, "apodkit " KIT_VERSION);
    snprintf(run->source, sizeof run->source,
             "measured by Nsight Compute, read from %.500s. Its times are those of profiled "
             "launches, at the clocks that ncu sets unless --clock-control none was given.",
             file);
}

// Of each kernel what ncu knows, as a run has it.
static void print_steps(const struct options *options, const struct run *run)
{
    struct report report = {.file = stdout, .style = style_for(stdout, options->color)};
    for (int i = 0; i < run->count; i++)
        report_panel(&report, run, i);
    putchar('\n');
    for (int i = 0; i < run->count; i++) {
        const struct step_result *step = &run->steps[i];
        int counts = 0, known = 0;
        for (enum metric q = 0; q < METRICS; q++)
            if (metric_table[q].is_counted) {
                counts++;
                known += value_known(&step->values[q]);
            }
        char label[STEP_LABEL_SIZE];
        printf("%s: %s, %d launch%s, %d of %d metrics\n",
               step->number < FOREIGN_KERNELS ? step_label(step->number, label) : "kernel",
               step->title, step->timing.launches, step->timing.launches == 1 ? "" : "es", known,
               counts);
    }
}

static int print_names(void)
{
    char names[4096];
    if (!ncu_metric_names(names, sizeof names)) {
        fprintf(stderr, "apodkit: the metrics' names take more than %zu bytes\n", sizeof names);
        return EXIT_WRONG;
    }
    printf("%s\n", names);
    return EXIT_GOOD;
}

static int keep(const struct options *options, struct run *run)
{
    char name[RUN_NAME_SIZE];
    bool saves = options->save || !options->json;
    if (options->save)
        snprintf(name, sizeof name, "%s", options->save);
    else if (saves && !name_after(options->words[0], name)) {
        fprintf(stderr, "apodkit: no run can be called after %s: give it a name with -o NAME\n",
                options->words[0]);
        return EXIT_USAGE;
    }
    if (saves && !options->save && !save_possible(name))
        return EXIT_USAGE;
    if (options->json && !json_finish(options->json, json_of_run(run)))
        return EXIT_WRONG;
    if (!is_stdout(options->json))
        print_steps(options, run);
    if (!saves)
        return EXIT_GOOD;
    if (!save_run(name, run))
        return EXIT_WRONG;
    if (!is_stdout(options->json))
        printf("Kept as the run %s: `./run compare h200 %s`, for one, takes it.\n", name, name);
    return EXIT_GOOD;
}

static bool check(const struct options *options)
{
    if (options->names ? options->word_count != 0 : options->word_count != 1) {
        fprintf(stderr,
                "apodkit: import takes one file that `ncu --csv --page raw` wrote, not %d%s\n",
                options->word_count, options->names ? ", and --names none" : "");
        return false;
    }
    if (options->names || !options->json || !output_is_same(options->json, options->words[0]))
        return true;
    fprintf(stderr, "apodkit: --json %s would be written over the file that is read\n",
            options->json);
    return false;
}

static int import(const struct options *options)
{
    if (options->names)
        return print_names();
    struct run *run = read_file(options->words[0], options->n);
    if (!run)
        return EXIT_USAGE;
    describe(run, options->words[0]);
    int status = keep(options, run);
    free(run);
    return status;
}

static const struct option_row rows[] = {
    FIELD_ROW("o", "RUN", TEXT, save, NULL),
    FIELD_ROW("save", "RUN", TEXT, save,
              "the name to keep the run under in results/ (default: the file's)"),
    N_ROW("the matrices are of N x N floats (default: as a transpose's stored bytes say)"),
    FIELD_ROW("names", NULL, SET, names,
              "print the metrics that a run has, for ncu's --metrics, and import nothing"),
    JSON_ROW("the run as JSON, and not kept unless -o is given; - for standard output"),
    COLOR_AND_HELP_ROWS,
};

const struct verb import_verb = {
    .name = "import",
    .summary = "what Nsight Compute measured, as a recorded run",
    .takes = "FILE",
    .about = "Reads what `ncu --csv --page raw` wrote as a run that compare, explain --recorded, "
             "export and history take, and prints its panels. Kernels of the kit's are its steps, "
             "others have their own names. Of several launches of a kernel the time is the median, "
             "and the counts are those of the first. What ncu was not asked for is unavailable.",
    .notes = "All that a run has of the steps comes from\n"
             "  ncu --csv --page raw --print-units base --clock-control none \\\n"
             "      --metrics $(./run import --names) \\\n"
             "      --nvtx --nvtx-include \"verified launch/\" --log-file ncu.csv \\\n"
             "      ./run all --no-profile --timeout 0",
    .words = FILE_WORDS,
    .options = rows,
    .check = check,
    .main = import,
};
