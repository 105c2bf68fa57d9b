// ./run history: the runs that were kept with --save, one a row.
#include "facts/history.h"

#include "command_line/options.h"
#include "facts/format.h"
#include "files/json.h"
#include "files/run_files.h"
#include "files/run_read.h"

#include <stdlib.h>
#include <string.h>

static int older_first(const void *a, const void *b)
{
    const struct run *one = ((const struct history_entry *)a)->run;
    const struct run *other = ((const struct history_entry *)b)->run;
    int by_time = strcmp(one->saved_time, other->saved_time);
    return by_time ? by_time : strcmp(one->label, other->label);
}

// The same step in the latest of the first `count` runs that have it, or NULL.
static const struct step_result *step_before(const struct history *history, size_t count,
                                             double number)
{
    while (count-- > 0) {
        const struct step_result *step = run_find(history->entries[count].run, number);
        if (step)
            return step;
    }
    return NULL;
}

static void find_changes(struct history *history)
{
    for (size_t i = 0; i < history->count; i++) {
        struct history_entry *entry = &history->entries[i];
        for (int s = 0; s < entry->run->count; s++) {
            const struct step_result *step = &entry->run->steps[s];
            const struct step_result *before = step_before(history, i, step->number);
            entry->changes[s] = !before                                           ? FILE_FIRST
                                : !*before->file_hash || !*step->file_hash        ? FILE_UNKNOWN
                                : strcmp(before->file_hash, step->file_hash) == 0 ? FILE_SAME
                                                                                  : FILE_CHANGED;
        }
    }
}

// False after a message when the runs cannot even be listed. One that cannot be read is left out, after
// a message, and counted.
static bool read_history(struct history *history)
{
    struct run_names names;
    *history = (struct history){0};
    if (!run_names_list(SAVED_RUNS, &names))
        return false;
    if (names.count > 0)
        history->entries = calloc(names.count, sizeof *history->entries);
    if (names.count > 0 && !history->entries)
        fprintf(stderr, "apodkit: the host has no memory for %zu runs\n", names.count);
    bool good = names.count == 0 || history->entries;
    for (size_t i = 0; good && i < names.count; i++) {
        char path[KIT_PATH_SIZE];
        struct run *run =
            run_file_path(SAVED_RUNS, names.names[i], path) ? run_read(path, names.names[i]) : NULL;
        if (run)
            history->entries[history->count++] =
                (struct history_entry){.run = run, .fastest = run_fastest(run)};
        history->unreadable += !run;
    }
    run_names_free(&names);
    if (history->count > 0)
        qsort(history->entries, history->count, sizeof *history->entries, older_first);
    find_changes(history);
    return good;
}

static void free_history(struct history *history)
{
    for (size_t i = 0; i < history->count; i++)
        free(history->entries[i].run);
    free(history->entries);
}

enum column { WHEN, NAME, DEVICE, SIZE, FASTEST, TIME, BANDWIDTH, SHARE, CHANGES, COLUMNS };

static const struct {
    const char *heading;
    int width; // negative: set to the right
} columns[COLUMNS] = {
    [WHEN] = {"when (UTC)", 17},        [NAME] = {"name", 16},
    [DEVICE] = {"device", 21},          [SIZE] = {"n", -6},
    [FASTEST] = {"  fastest step", 24}, [TIME] = {"time", -10},
    [BANDWIDTH] = {"GB/s", -7},         [SHARE] = {"of copy", -8},
    [CHANGES] = {"  changed", 12},
};

typedef char cells[COLUMNS][FORMAT_SIZE];

// The widths of the columns on this page: the step gives some of its own, then others are left out (0).
static void fit_columns(int widths[COLUMNS])
{
    enum { SPARE = 8 }; // of the step's name
    static const enum column dispensable[] = {DEVICE, SHARE, BANDWIDTH, WHEN};
    int page = page_width(stdout), all = 0;
    for (int i = 0; i < COLUMNS; i++)
        all += abs(widths[i] = columns[i].width);
    for (size_t i = 0; i < sizeof dispensable / sizeof *dispensable && all > page + SPARE; i++) {
        all -= abs(widths[dispensable[i]]);
        widths[dispensable[i]] = 0;
    }
    widths[FASTEST] -= all > page + SPARE ? SPARE : all > page ? all - page : 0;
}

static void put_cells(cells row, const struct style *style, enum tone tone)
{
    int widths[COLUMNS];
    char fastest[FORMAT_SIZE] = "";
    fit_columns(widths);
    text_append(fastest, sizeof fastest, row[FASTEST], widths[FASTEST] - 1);
    fputs(tone_start(style, tone), stdout);
    for (int i = 0; i < CHANGES; i++)
        put_padded(stdout, widths[i] == 0 ? "" : i == FASTEST ? fastest : row[i], widths[i]);
    printf("%s%s\n", row[CHANGES], tone_end(style, tone));
}

// A cell's text, cut to leave a blank before the next column.
static void set_cell(cells row, enum column column, const char *text)
{
    text_append(row[column], FORMAT_SIZE, text, abs(columns[column].width) - 1);
}

// Without what many names begin with, so that what tells them apart is not cut off.
static void set_device(cells row, const struct run *run)
{
    static const char simulated[] = "Simulated device ", maker[] = "NVIDIA ";
    const char *name = run->device.name;
    if (strncmp(name, simulated, sizeof simulated - 1) == 0)
        name += sizeof simulated - 1;
    if (strncmp(name, maker, sizeof maker - 1) == 0)
        name += sizeof maker - 1;
    char text[FORMAT_SIZE + sizeof run->device.name];
    snprintf(text, sizeof text, "%s%s", run->device.simulated ? "sim " : "", name);
    set_cell(row, DEVICE, text);
}

static void fill_fastest(cells row, const struct history_entry *entry, const struct style *style)
{
    const struct step_result *step = entry->fastest;
    char title[TITLE_SIZE + STEP_LABEL_SIZE + 2], ordinal[STEP_LABEL_SIZE];
    if (!step) { // nothing was timed, or nothing was right
        set_cell(row, FASTEST, style_text(style, "  –", "  -"));
        return;
    }
    snprintf(title, sizeof title, "  %s%s", step_ordinal(step->number, ordinal), step->title);
    set_cell(row, FASTEST, title);
    char text[FORMAT_SIZE];
    format_metric(text, TIME_MS, step->values[TIME_MS].number, style);
    snprintf(row[TIME], FORMAT_SIZE, "%s%.50s",
             provenance_mark(step->values[BANDWIDTH_GBS].provenance),
             value_known(&step->values[TIME_MS]) ? text : "");
    struct value share = share_of_copy(entry->run, step);
    format_number(row[BANDWIDTH], step->values[BANDWIDTH_GBS].number);
    if (value_known(&share))
        format_percent(row[SHARE], share.number);
}

static bool is_told(enum file_change change, bool first)
{
    return change != FILE_SAME && !(first && change == FILE_FIRST);
}

// "4 6", "1-8" of steps that follow each other, "4 6?" when it is not known of step 6, "-" when no file changed.
static void fill_changes(cells row, const struct history_entry *entry, bool first,
                         const struct style *style)
{
    static const char *const marks[] = {
        [FILE_UNKNOWN] = "?", [FILE_FIRST] = "+", [FILE_CHANGED] = ""};
    char text[256] = "", label[STEP_LABEL_SIZE];
    for (int i = 0, last; i < entry->run->count; i = last + 1) {
        const struct step_result *steps = entry->run->steps;
        enum file_change change = entry->changes[last = i];
        double number = steps[i].number;
        while (number < OWN_KERNEL && last + 1 < entry->run->count &&
               entry->changes[last + 1] == change &&
               steps[last + 1].number == steps[last].number + 1)
            last++;
        if (!is_told(change, first))
            continue;
        size_t used = strlen(text);
        if (number >= OWN_KERNEL)
            step_label(number, label);
        else if (last > i)
            snprintf(label, sizeof label, "%g-%g", number, steps[last].number);
        else
            snprintf(label, sizeof label, "%g", number);
        snprintf(text + used, sizeof text - used, " %s%s", label, marks[change]);
    }
    snprintf(row[CHANGES], FORMAT_SIZE, " ");
    set_cell(row, CHANGES, *text ? text : first ? " (first)" : style_text(style, " –", " -"));
}

static void print_history(const struct history *history, const struct style *style)
{
    if (history->count == 0 && history->unreadable > 0) {
        printf("%zu run%s kept, and none can be read (see above).\n", history->unreadable,
               history->unreadable == 1 ? " was" : "s were");
        return;
    }
    if (history->count == 0) {
        printf("No run was kept yet: `./run --save NAME` keeps one.\n");
        return;
    }
    cells heading = {0};
    for (int i = 0; i < COLUMNS; i++)
        snprintf(heading[i], FORMAT_SIZE, "%s", columns[i].heading);
    put_cells(heading, style, TONE_TITLE);
    for (size_t i = 0; i < history->count; i++) {
        const struct history_entry *entry = &history->entries[i];
        cells row = {0};
        set_cell(row, WHEN, entry->run->saved_time);
        row[WHEN][10] = ' ';  // 2026-01-31T12:00:00Z without the T
        row[WHEN][16] = '\0'; // and the seconds
        set_cell(row, NAME, entry->run->label);
        set_device(row, entry->run);
        snprintf(row[SIZE], FORMAT_SIZE, "%zu", entry->run->n);
        fill_fastest(row, entry, style);
        fill_changes(row, entry, i == 0, style);
        put_cells(row, style, TONE_PLAIN);
    }
    put_text(stdout,
             "changed: steps whose files differ from those of the run before that had them; 6+ was "
             "not there\nbefore, of 6? it is not known. A time with ~ is modelled.\n");
}

static int history(const struct options *options)
{
    struct history history;
    if (!read_history(&history))
        return EXIT_USAGE;
    struct style style = style_for(stdout, options->color);
    int status = history.unreadable > 0 ? EXIT_USAGE : EXIT_GOOD;
    if (!options->json)
        print_history(&history, &style);
    else if (!json_finish(options->json, json_of_history(&history)))
        status = EXIT_WRONG;
    free_history(&history);
    return status;
}

static const struct option_row rows[] = {
    LAST_ROWS,
};

const struct verb history_verb = {
    .name = "history",
    .summary = "the runs kept with --save, and what changed from one to the next",
    .about = "Lists the runs that ./run --save NAME has kept, oldest first: the fastest step of "
             "each, and the steps whose files were changed since the run before that had them. "
             "`./run compare NAME NAME` compares two of them.",
    .notes = "The runs are JSON files in results/, or in the folder that APODKIT_RESULTS names.",
    .options = rows,
    .main = history,
};
