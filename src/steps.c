#include "steps.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct step *steps[MAX_STEPS];
static int count;

// Runs before main(), so a mistake in the set of files can only end the program.
static void refuse(const struct step *step, const char *why)
{
    fprintf(stderr, "apodkit: step %d in %s cannot be added: %s\n", step->number, step->file, why);
    exit(EXIT_FAILURE);
}

void step_register(const struct step *step)
{
    if (step->number < 1)
        refuse(step, "steps are numbered from 1; change the number in its STEP(...) line");
    if (step_find(step->number))
        refuse(step, "another file has that number; change one of the two STEP(...) lines");
    if (count == MAX_STEPS)
        refuse(step, "there are too many; raise MAX_STEPS in src/steps.h");

    int place = count++;
    for (; place > 0 && steps[place - 1]->number > step->number; place--)
        steps[place] = steps[place - 1];
    steps[place] = step;
}

int step_count(void)
{
    return count;
}

const struct step *step_at(int place)
{
    return steps[place];
}

const struct step *step_find(int number)
{
    for (int i = 0; i < count; i++)
        if (steps[i]->number == number)
            return steps[i];
    return NULL;
}

void step_name(const struct step *step, char name[STEP_NAME_SIZE])
{
    const char *slash = strrchr(step->file, '/');
    const char *start = slash ? slash + 1 : step->file;
    if (strncmp(start, "step", 4) == 0) {
        start += 4;
        while (isdigit((unsigned char)*start) || *start == '_')
            start++;
    }
    snprintf(name, STEP_NAME_SIZE, "%.*s", (int)strcspn(start, "."), start);
}

const char *stage_name(enum stage stage)
{
    static const char *const names[] = {"Assess", "Parallelise", "Optimise", "Deploy"};
    return names[stage];
}
