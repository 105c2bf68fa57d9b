#include "figures.h"

#include "files/run_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run *figures_run(void)
{
    return run_open("h200");
}

const struct step_result *figures_step(const struct run *run, int number)
{
    const struct step_result *step = run_find(run, number);
    if (!step)
        fprintf(stderr, "draw: the recorded run %s has no step %d\n", run->label, number);
    return step;
}

const struct sm_limits *figures_sm(const struct run *run)
{
    if (run->device.sm.warps == 0)
        fprintf(stderr, "draw: the compute capability of %s is not known\n", run->label);
    return run->device.sm.warps > 0 ? &run->device.sm : NULL;
}

double figures_micro(const char *name)
{
    static const char path[] = "docs/runs/micro-h200.csv";
    char line[128];
    double value = -1;
    size_t length = strlen(name);
    FILE *file = fopen(path, "r");
    if (!file) {
        fprintf(stderr, "draw: cannot open %s: %s\n", path, strerror(errno));
        return -1;
    }
    while (value < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, name, length) == 0 && line[length] == ',')
            value = strtod(line + length + 1, NULL);
    fclose(file);
    if (value < 0)
        fprintf(stderr, "draw: %s has no %s\n", path, name);
    return value;
}
