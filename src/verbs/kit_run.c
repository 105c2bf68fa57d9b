#include "verbs/kit_run.h"

#include "files/run_read.h"

#include <stdio.h>
#include <stdlib.h>

struct run *kit_run(const struct kit_run *asked, int *status)
{
    char path[KIT_PATH_SIZE], n[24], numbers[MAX_STEPS][12];
    char *argv[MAX_STEPS + 12] = {path};
    *status = EXIT_NO_DEVICE;
    if (!program_path(asked->simulated, path)) {
        fprintf(stderr, "apodkit: the program with the simulated device is not built: `make` "
                        "builds it.\n");
        return NULL;
    }
    int count = 1;
    if (!asked->simulated)
        argv[count++] = "--gpu";
    argv[count++] = (char *)asked->device; // --sim, or --device of CUDA's
    argv[count++] = "--json=-";
    argv[count++] = "--no-reference";
    if (asked->simulated)
        argv[count++] = "--timeout=300"; // the host may be slow
    if (asked->n) {
        snprintf(n, sizeof n, "-n%zu", asked->n);
        argv[count++] = n;
    }
    for (int i = 0; i < step_count(); i++)
        if (asked->chosen[i]) {
            snprintf(numbers[i], sizeof numbers[i], "%d", step_at(i)->number);
            argv[count++] = numbers[i];
        }
    char *text = program_output(argv, RUN_MAX_BYTES, asked->limit_s, status);
    if (!text && *status != EXIT_TOO_LATE)
        *status = EXIT_WRONG;
    bool ran = text && *text; // else it has said why
    struct run *run = ran ? run_of_text(text, asked->simulated ? "predicted" : "just now") : NULL;
    if (ran && !run)
        *status = EXIT_WRONG;
    free(text);
    return run;
}
