#define _POSIX_C_SOURCE 200809L // setenv
#include "verbs/inner_run.h"

#include "base/programs.h"
#include "files/run_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 12 };

// The command line behind the program's path.
struct command {
    char path[KIT_PATH_SIZE], n[24], numbers[MAX_STEPS][NUMBER_SIZE];
    char *argv[MAX_STEPS + 12];
    int count;
};

static void add(struct command *command, const char *word)
{
    command->argv[command->count++] = (char *)word;
}

static void make_command(struct command *command, const struct inner_run *asked)
{
    command->argv[command->count++] = command->path;
    if (asked->verb)
        add(command, asked->verb);
    else
        add(command, "--no-reference");
    if (!asked->simulated)
        add(command, "--gpu");
    if (asked->device)
        add(command, asked->device); // --sim=t4 says --sim, too
    else if (asked->simulated)
        add(command, "--sim");
    add(command, "--json=-");
    if (asked->simulated)
        add(command, "--timeout=300"); // the host may be slow
    if (asked->n) {
        snprintf(command->n, sizeof command->n, "-n%zu", asked->n);
        add(command, command->n);
    }
    for (int i = 0; asked->chosen && i < step_count(); i++)
        if (asked->chosen[i]) {
            snprintf(command->numbers[i], NUMBER_SIZE, "%d", step_at(i)->number);
            add(command, command->numbers[i]);
        }
}

char *inner_json(const struct inner_run *asked, int *status)
{
    struct command command = {.count = 0};
    *status = EXIT_NO_DEVICE;
    if (asked->program)
        snprintf(command.path, sizeof command.path, "%s", asked->program);
    else if (!program_path(asked->simulated, command.path)) {
        fprintf(stderr, "apodkit: the program with the simulated device is not built: `make` "
                        "builds it.\n");
        return NULL;
    }
    make_command(&command, asked);
    char *text = program_output(command.argv, RUN_MAX_BYTES, asked->limit_s, status);
    if (!text && *status != EXIT_TOO_LATE)
        *status = EXIT_WRONG;
    return text;
}

struct run *inner_run(const struct inner_run *asked, const char *label, int *status)
{
    char *text = inner_json(asked, status);
    bool ran = text && *text; // else it has said why
    struct run *run = ran ? run_of_text(text, label) : NULL;
    if (ran && !run)
        *status = EXIT_WRONG;
    free(text);
    return run;
}

bool inner_runs_unchecked(void)
{
    if (setenv("APODKIT_SIM_CHECKS", "0", 0) == 0)
        return true;
    fprintf(stderr, "apodkit: the environment cannot hold APODKIT_SIM_CHECKS: %s\n",
            strerror(errno));
    return false;
}
