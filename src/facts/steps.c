#include "facts/steps.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct step *steps[MAX_STEPS];
static const struct step *references[MAX_STEPS]; // at the place of each exercise in `steps`
static int count;

// Runs before main(), so a mistake in the set of files can only end the program.
static void refuse(const struct step *step, const char *why)
{
    char label[STEP_LABEL_SIZE];
    fprintf(stderr, "apodkit: %s in %s cannot be added: %s\n", step_label(step->number, label),
            step->file, why);
    exit(EXIT_FAILURE);
}

// The place of the step with this number, -1 when there is none.
static int place_of(int number)
{
    for (int i = 0; i < count; i++)
        if (steps[i]->number == number)
            return i;
    return -1;
}

// Of an exercise and the step with its number, which are linked in any order.
static void pair(int place, const struct step *step)
{
    const struct step *there = steps[place];
    if (references[place] || !step->goals == !there->goals)
        refuse(step, "another file has that number; change one of the two STEP(...) lines (a file "
                     "in my/ ends with EXERCISE(...), as the one in steps/exercises/ does)");
    steps[place] = step->goals ? step : there;
    references[place] = step->goals ? there : step;
}

void step_register(const struct step *step)
{
    if (step->number < 1)
        refuse(step, "steps are numbered from 1; change the number in its last line");
    if (step->workload && !(step->workload->tolerance >= 0 && step->workload->tolerance < 1))
        refuse(step, "its tolerance is no share, 0 or more and below 1, of an element; change its "
                     "last line");
    int place = place_of(step->number);
    if (place >= 0) {
        pair(place, step);
        return;
    }
    if (count == MAX_STEPS)
        refuse(step, "there are too many; raise MAX_STEPS in src/facts/steps.h");
    for (place = count++; place > 0 && steps[place - 1]->number > step->number; place--) {
        steps[place] = steps[place - 1];
        references[place] = references[place - 1];
    }
    steps[place] = step;
    references[place] = NULL;
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
    int place = place_of(number);
    return place < 0 ? NULL : steps[place];
}

const struct step *step_reference(int number)
{
    int place = place_of(number);
    return place < 0 ? NULL : references[place];
}

bool is_mystery(double number)
{
    return number > MYSTERIES && number < SOLUTIONS;
}

const char *step_label(double number, char text[STEP_LABEL_SIZE])
{
    if (number == OWN_KERNEL)
        snprintf(text, STEP_LABEL_SIZE, "your kernel");
    else if (number >= FOREIGN_KERNELS)
        snprintf(text, STEP_LABEL_SIZE, "kernel");
    else if (is_mystery(number))
        snprintf(text, STEP_LABEL_SIZE, "mystery %g", number - MYSTERIES);
    else if (number > LABS)
        snprintf(text, STEP_LABEL_SIZE, "point %g", number - LABS);
    else if (number > SOLUTIONS)
        snprintf(text, STEP_LABEL_SIZE, "my mystery %g", number - SOLUTIONS);
    else
        snprintf(text, STEP_LABEL_SIZE, "step %g", number);
    return text;
}

const char *step_prefix(double number, const char *dot, char text[STEP_LABEL_SIZE])
{
    *text = '\0';
    if (number < OWN_KERNEL)
        snprintf(text, STEP_LABEL_SIZE, "Step %g %s ", number, dot);
    return text;
}

const char *step_ordinal(double number, char text[STEP_LABEL_SIZE])
{
    *text = '\0';
    if (number < OWN_KERNEL)
        snprintf(text, STEP_LABEL_SIZE, "%g. ", number);
    return text;
}

bool has_lesson(void)
{
    return count > 0 && steps[0]->number < OWN_KERNEL;
}

static void lab_command(const char *file, char command[MAKE_COMMAND_SIZE])
{
    char name[STEP_NAME_SIZE];
    step_name(file, name);
    snprintf(command, MAKE_COMMAND_SIZE, "make lab-%s", name);
}

// Builds the kernel of that number alone; an own one or a lab's of that file.
static void kernel_command(long number, const char *file, char command[MAKE_COMMAND_SIZE])
{
    if (number == OWN_KERNEL)
        snprintf(command, MAKE_COMMAND_SIZE, "make own SOURCE=%s", file);
    else if (is_mystery((double)number))
        snprintf(command, MAKE_COMMAND_SIZE, "make mystery%ld", number - MYSTERIES);
    else if (number > LABS)
        lab_command(file, command);
    else
        snprintf(command, MAKE_COMMAND_SIZE, "make mymystery%ld", number - SOLUTIONS);
}

void rebuild_command(long upto, char command[MAKE_COMMAND_SIZE])
{
    const struct step *last = count > 0 ? steps[count - 1] : NULL;
    if (upto >= OWN_KERNEL) {
        kernel_command(upto, upto > LABS ? "labs/NAME.cu" : "my/kernel.cu", command);
        return;
    }
    if (upto == 0 && last && !has_lesson()) {
        kernel_command(last->number, last->file, command);
        return;
    }
    int used = snprintf(command, MAKE_COMMAND_SIZE, "make"), mine = 0;
    for (int i = 0; i < count; i++)
        if (steps[i]->goals) {
            mine = steps[i]->number;
            used += snprintf(command + used, MAKE_COMMAND_SIZE - (size_t)used, " my%d", mine);
        }
    if (upto == 0 && mine > 0)
        upto = steps[count - 1]->number;
    if (upto > 0 && upto != mine)
        snprintf(command + used, MAKE_COMMAND_SIZE - (size_t)used, " step%ld", upto);
}

bool step_has_parameter(const struct step *step, const char *name)
{
    const struct parameter *parameter = step->parameters;
    while (parameter && parameter->name && strcmp(parameter->name, name) != 0)
        parameter++;
    return parameter && parameter->name;
}

const char *step_lacks(const struct step *step)
{
    return step->lab && step->lab->lacks ? step->lab->lacks(step->settings) : NULL;
}

void step_start(const struct step *step, float *out, const float *in, size_t n)
{
    if (step->launch)
        step->launch(out, in, n);
    else
        step->lab->launch(out, in, n, step->settings);
}

void step_name(const char *file, char name[STEP_NAME_SIZE])
{
    const char *slash = strrchr(file, '/');
    const char *start = slash ? slash + 1 : file;
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
