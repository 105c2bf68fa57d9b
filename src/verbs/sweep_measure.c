#define _POSIX_C_SOURCE 200809L // fileno, strsignal
#include "verbs/sweep.h"

#include "base/child.h"
#include "base/memory_file.h"
#include "base/platform.h"
#include "base/progress.h"
#include "base/untrusted_text.h"
#include "command_line/options.h"
#include "files/run_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void point_fail(struct point *point, const char *said)
{
    static const char ours[] = "apodkit: ";
    size_t length = strlen(said);
    while (length > 0 && said[length - 1] == '\n')
        length--;
    size_t start = length;
    while (start > 0 && said[start - 1] != '\n')
        start--;
    if (strncmp(said + start, ours, sizeof ours - 1) == 0)
        start += sizeof ours - 1;
    point->step.outcome = FAILED;
    char line[COMPLAINT_SIZE];
    snprintf(line, sizeof line, "%.*s", (int)(length - start), said + start);
    foreign_copy(point->step.complaint, COMPLAINT_SIZE, line);
    point_drop_numbers(point);
    point->copy_gbs = point->share; // nor was there a copy
}

// ./run's arguments for a point, up to NULL.
struct command {
    char program[KIT_PATH_SIZE], step[32], n[32], json[32], device[32], reps[32], timeout[32];
    char *argv[20];
    int count;
};

static void add_word(struct command *command, const char *word)
{
    command->argv[command->count++] = (char *)word; // execv() changes none of them
}

static void add_option(struct command *command, const char *name, const char *value)
{
    add_word(command, name);
    add_word(command, value);
}

static bool make_command(struct command *command, const struct options *options,
                         const struct point *point, struct geometry geometry, int file)
{
    command->count = 0;
    snprintf(command->step, sizeof command->step, "%g", point->step.number);
    snprintf(command->n, sizeof command->n, "%zu", point->step.n);
    snprintf(command->json, sizeof command->json, "/dev/fd/%d", file);
    snprintf(command->device, sizeof command->device, "%ld", options->device);
    snprintf(command->reps, sizeof command->reps, "%ld", options->reps);
    snprintf(command->timeout, sizeof command->timeout, "%ld", options->timeout_s);
    add_word(command, command->program);
    add_word(command, command->step);
    add_option(command, "-n", command->n);
    add_option(command, "--json", command->json);
    add_word(command, "--summary");
    add_word(command, "--no-reference");
    if (!platform.simulated &&
        options->selection.count == 0) // nor would counts stand in for refused ones
        add_word(command, "--no-profile");
    add_word(command,
             platform.simulated ? "--sim" : "--gpu"); // not the other one of another geometry
    add_option(command, "--device", command->device);
    add_option(command, "--timeout", command->timeout);
    if (options->reps)
        add_option(command, "--reps", command->reps);
    add_word(command, NULL);
    return geometry_program(geometry, command->program);
}

// The run wrote its JSON: the point's values are in it.
static void take_record(struct point *point, const char *name)
{
    struct run *run = run_read(name, "of a point");
    if (run && run->count == 1 && run->steps[0].number == point->step.number &&
        run->steps[0].n == point->step.n)
        point_take(point, run, &run->steps[0]);
    else
        point_fail(point, "its run wrote no record of this step and size");
    free(run);
}

// What the run says that wrote no JSON.
static int take_failure(struct point *point, const struct child_end *end)
{
    char text[80];
    if (end->error || end->signal) {
        snprintf(text, sizeof text, "its run %s: %.40s",
                 end->error ? "cannot be started" : "was ended",
                 end->error ? strerror(end->error) : strsignal(end->signal));
        point_fail(point, text);
        return EXIT_GOOD;
    }
    point_fail(point, *end->said ? end->said : "its run ended without a word");
    if (end->status != EXIT_USAGE && end->status != EXIT_NO_DEVICE)
        return EXIT_GOOD;
    progress_wipe();
    fputs(end->said, stderr);
    return end->status;
}

// The record goes through a file without a name, so that none is left behind.
static int measure(const struct options *options, struct point *point, struct geometry geometry)
{
    FILE *file = memory_file();
    struct command command;
    struct child_end end;
    if (!file || !make_command(&command, options, point, geometry, fileno(file))) {
        char text[128];
        snprintf(text, sizeof text, "there is no file for its record, or no program: %s",
                 strerror(errno));
        point_fail(point, text);
        if (file)
            fclose(file);
        return EXIT_GOOD;
    }
    (void)child_run(command.argv, &end);
    int status = EXIT_GOOD;
    if (!end.error && fseek(file, 0, SEEK_END) == 0 && ftell(file) > 0)
        take_record(point, command.json);
    else
        status = take_failure(point, &end);
    fclose(file);
    return status;
}

int sweep_measure(const struct options *options, struct sweep *sweep)
{
    int status = EXIT_GOOD;
    for (int i = 0; status == EXIT_GOOD && i < sweep->count; i++) {
        struct point *point = &sweep->points[i];
        char now[80], label[STEP_LABEL_SIZE];
        snprintf(now, sizeof now, "%s, n = %zu", step_label(point->step.number, label),
                 point->step.n);
        progress_show(i, sweep->count, now);
        if (!went_wrong(&point->step))
            status = measure(options, point, sweep->geometries[i]);
    }
    progress_wipe();
    return status;
}
