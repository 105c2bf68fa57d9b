#include "figures.h"

#include "base/compute_capability.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct record *figures_run(void)
{
    return record_open("h200");
}

const struct record_step *figures_step(const struct record *run, int number)
{
    for (int i = 0; i < run->count; i++)
        if (run->steps[i].number == number)
            return &run->steps[i];
    fprintf(stderr, "draw: the recorded run %s has no step %d\n", run->label, number);
    return NULL;
}

const struct sm_limits *figures_sm(const struct record *run)
{
    const struct compute_capability *found = compute_capability_find(run->cc_major, run->cc_minor);
    if (!found)
        fprintf(stderr, "draw: compute capability %d.%d of %s is not known\n", run->cc_major,
                run->cc_minor, run->label);
    return found ? &found->sm : NULL;
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
