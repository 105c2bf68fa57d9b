// ./run report [RUN...]: one page of HTML, to look at and to project. What a run's file does not hold, what source lines
// move and the timeline, is counted on the spot, by the simulated device that is nearest to the run's.
#include "base/output_file.h"
#include "base/platform.h"
#include "base/sim_devices.h"
#include "command_line/help.h"
#include "command_line/options.h"
#include "facts/device.h"
#include "files/html.h"
#include "files/run_files.h"
#include "files/run_read.h"
#include "verbs/inner_run.h"

#include <stdlib.h>
#include <string.h>

// The n that is counted at on the spot, at most: more says nothing else and takes longer.
enum { SEEN_N = 1024 };

static bool check(const struct options *options)
{
    if (options->word_count > MOST_REPORTED)
        fprintf(stderr, "apodkit: report shows a run, or two side by side, not %d\n",
                options->word_count);
    return options->word_count <= MOST_REPORTED;
}

// Whether the report would not be written over a file that it is made of. False after a message.
static bool spares(const struct options *options, const char *what, const char *input)
{
    if (!input || !output_is_same(options->output, input))
        return true;
    fprintf(stderr, "apodkit: -o and %s cannot both have %s\n", what, input);
    say_where_help_is(options->verb);
    return false;
}

static bool spares_all(const struct options *options)
{
    char path[KIT_PATH_SIZE];
    for (int i = 0; i < options->word_count; i++)
        if (!run_file_find(options->words[i], path) || !spares(options, "RUN", path))
            return false;
    return spares(options, "--hotspots", options->hotspots) &&
           spares(options, "--stalls", options->stalls) &&
           spares(options, "--trace", options->trace);
}

// The runs that are named; or one that is made now, with the exit status for its steps in `result`. Returns the exit
// status of opening them.
static int open_runs(const struct options *options, struct html_page *page, int *result)
{
    page->count = options->word_count ? options->word_count : 1;
    for (int i = 0; i < options->word_count; i++)
        if (!(page->runs[i] = run_open(options->words[i]))) {
            fprintf(stderr, "apodkit: no report is written: `./run --json FILE` or `./run --save "
                            "NAME` records a run that this kit can read\n");
            return EXIT_USAGE;
        }
    if (options->word_count == 0) {
        const struct inner_run asked = {.simulated = platform.simulated || device_none()};
        if (!(page->runs[0] = inner_run(&asked, "just now", result)))
            return *result != EXIT_GOOD ? *result : EXIT_WRONG;
    }
    return EXIT_GOOD;
}

// The runs' steps that this program has and that did not go wrong, which has been said. Returns how many.
static int choose_steps(const struct html_page *page, bool chosen[MAX_STEPS])
{
    int count = 0;
    for (int i = 0; i < step_count(); i++)
        for (int k = 0; k < page->count && !chosen[i]; k++) {
            const struct step_result *step = run_find(page->runs[k], step_at(i)->number);
            chosen[i] = step && !went_wrong(step);
            count += chosen[i];
        }
    return count;
}

// Reads what was recorded with the verb. False after a message.
static bool read_seen(const char *path, const char *verb, struct seen_text *seen)
{
    char why[RUN_WHY_SIZE];
    if (!path)
        return true;
    seen->json = record_text(path, RUN_MAX_BYTES, why);
    if (seen->json && html_takes(seen->json, verb))
        return true;
    if (seen->json)
        snprintf(why, sizeof why, "it is none of `./run %s --json`, or no step of it was right",
                 verb);
    fprintf(stderr, "apodkit: %s: %s\n", path, why);
    return false;
}

static void see_now(const struct inner_run *asked, struct seen_text *seen)
{
    int status;
    seen->json = inner_json(asked, &status);
    if (seen->json && *seen->json)
        return;
    free(seen->json);
    seen->json = NULL;
    snprintf(seen->why, sizeof seen->why, "`./run %s` failed, as it said when this was written",
             asked->verb);
}

static void lack(struct seen_text *seen, const char *why)
{
    snprintf(seen->why, sizeof seen->why, "%s", why);
}

// What no file was given for.
static void see_the_rest(const struct options *options, struct html_page *page)
{
    bool chosen[MAX_STEPS] = {false};
    char device[64];
    const struct device *of = &page->runs[0]->device;
    size_t n = page->runs[0]->n < SEEN_N ? page->runs[0]->n : SEEN_N;
    bool any = choose_steps(page, chosen) > 0;
    snprintf(device, sizeof device, "--sim=%s",
             sim_device_nearest(of->name, of->cc_major, of->cc_minor)->name);
    struct inner_run asked = {.simulated = true, .device = device, .n = n, .chosen = chosen};
    struct {
        const char *verb, *file;
        struct seen_text *seen;
    } parts[] = {
        {"hotspots", options->hotspots, &page->hotspots},
        {"trace", options->trace, &page->trace},
        {"stalls", options->stalls, &page->stalls},
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        asked.verb = parts[i].verb;
        if (parts[i].file)
            continue;
        if (!any)
            lack(parts[i].seen, "this program has none of the run's steps, or they went wrong");
        else
            see_now(&asked, parts[i].seen);
    }
}

static bool read_files(const struct options *options, struct html_page *page)
{
    return read_seen(options->hotspots, "hotspots", &page->hotspots) &&
           read_seen(options->stalls, "stalls", &page->stalls) &&
           read_seen(options->trace, "trace", &page->trace);
}

static int write_page(const struct options *options, const struct html_page *page)
{
    char *text = html_of_page(page);
    bool good = text && output_write(HTML_WRITING, options->output, text, strlen(text));
    free(text);
    if (good && !is_stdout(options->output))
        printf("The report is in %s: a browser shows it.\n", options->output);
    return good ? EXIT_GOOD : EXIT_WRONG;
}

static void close_page(struct html_page *page)
{
    for (int i = 0; i < page->count; i++)
        free((void *)page->runs[i]);
    free(page->hotspots.json);
    free(page->stalls.json);
    free(page->trace.json);
}

static int report(const struct options *options)
{
    struct html_page page = {.count = 0};
    if (!spares_all(options))
        return EXIT_USAGE;
    if (!output_possible(HTML_WRITING, options->output))
        return EXIT_WRONG;
    int result = EXIT_GOOD, status = open_runs(options, &page, &result);
    if (status == EXIT_GOOD && !read_files(options, &page))
        status = EXIT_USAGE;
    if (status == EXIT_GOOD && !inner_runs_unchecked())
        status = EXIT_WRONG;
    if (status == EXIT_GOOD) {
        see_the_rest(options, &page);
        status = write_page(options, &page);
        status = status == EXIT_GOOD ? result : status;
    }
    close_page(&page);
    return status;
}

static const struct option_row rows[] = {
    FIELD_ROW("o", "FILE", TEXT, output, "where to (default: report.html); - for standard output"),
    FIELD_ROW("hotspots", "FILE", TEXT, hotspots,
              "what source lines move, as ./run hotspots --json wrote it"),
    FIELD_ROW("stalls", "FILE", TEXT, stalls,
              "what warps wait for, as ./run stalls --json wrote it"),
    FIELD_ROW("trace", "FILE", TEXT, trace, "the timeline, as ./run trace --json wrote it"),
    HELP_ROWS,
};

const struct verb report_verb = {
    .name = "report",
    .summary = "one page of HTML, to look at, to project, to print: all that a run says",
    .takes = "[RUN...]",
    .about = "Writes one page of HTML that needs nothing else, no network and no script: the "
             "summary with a bar a step, the roofline, each step's panel with its memory chart and "
             "its source lines, what was promised and what came, the timeline, and where every "
             "figure comes from. RUN is a recorded run: a file of ./run --json, a saved run's name "
             "or a reference (h200, gtc2012); two stand side by side, and without any the steps "
             "are run now.",
    .notes = "A run's file holds no source lines and no timeline: unless files of them are given, "
             "the simulated device that comes nearest counts them now, at n = 1024 at most.",
    .words = RUN_WORDS,
    .options = rows,
    .defaults = &(const struct options){.output = "report.html"},
    .check = check,
    .main = report,
};
