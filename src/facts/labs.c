#include "facts/labs.h"

#include "facts/run.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct step points[MAX_STEPS];
static struct lab candidates; // the lab that they are points of
static int candidates_step;
static char titles[MAX_STEPS][TITLE_SIZE];

const struct lab *lab_here(void)
{
    return points[0].lab;
}

bool parameter_value(const struct parameter *parameter, int place, char text[SETTING_SIZE])
{
    const char *at = parameter->values;
    for (; place > 0 && *at; place--) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    snprintf(text, SETTING_SIZE, "%.*s", (int)strcspn(at, " "), at);
    return *text != '\0';
}

void setting_text(const struct step *point, int parameter, char text[SETTING_SIZE])
{
    const struct parameter *varied = &point->lab->parameters[parameter];
    int setting = point->settings[parameter];
    if (isdigit((unsigned char)*varied->values))
        snprintf(text, SETTING_SIZE, "%d", setting);
    else
        (void)parameter_value(varied, setting, text);
}

int parameter_count_values(const struct parameter *parameter)
{
    char text[SETTING_SIZE];
    int count = 0;
    while (parameter_value(parameter, count, text))
        count++;
    return count;
}

// Runs before main(), so a mistake in a lab's file can only end the program.
static void refuse(const struct lab *lab, const char *why)
{
    fprintf(stderr, "apodkit: the lab in %s cannot be added: %s\n", lab->file, why);
    exit(EXIT_FAILURE);
}

// "loads 4, warps 16".
static void title_point(const struct step *point, char title[TITLE_SIZE])
{
    const struct lab *lab = point->lab;
    for (int i = 0, used = 0; i < lab->parameter_count; i++) {
        char text[SETTING_SIZE];
        setting_text(point, i, text);
        used += snprintf(title + used, (size_t)(TITLE_SIZE - used), "%s%s %s", i ? ", " : "",
                         lab->parameters[i].name, text);
    }
}

static void add_point(struct step *point, int number)
{
    point->number = LABS + 1 + number;
    point->stage = OPTIMISE;
    point->title = titles[number];
    title_point(point, titles[number]);
    points[number] = *point;
    step_register(&points[number]);
}

// The point at a place; the last parameter's value changes first.
static void add_setting(const struct lab *lab, int place)
{
    int number = place;
    struct step point = {
        .file = lab->file, .change = lab->question, .workload = lab->workload, .lab = lab};
    for (int i = lab->parameter_count - 1; i >= 0; i--) {
        const struct parameter *parameter = &lab->parameters[i];
        int count = parameter_count_values(parameter);
        char text[SETTING_SIZE];
        (void)parameter_value(parameter, place % count, text);
        point.settings[i] = isdigit((unsigned char)*text) ? atoi(text) : place % count;
        place /= count;
    }
    add_point(&point, number);
}

void lab_register(const struct lab *lab)
{
    int count = 1;
    if (lab_here())
        refuse(lab, "a program has one; is another linked?");
    if (lab->parameter_count < 1 || lab->parameter_count > MOST_PARAMETERS)
        refuse(lab, "it varies one parameter to four; change its last lines");
    for (int i = 0; i < lab->parameter_count; i++)
        count *= parameter_count_values(&lab->parameters[i]);
    if (count < 1 || count > MAX_STEPS)
        refuse(lab, "its parameters have no values, or too many; change its last lines");
    for (int i = 0; i < count; i++)
        add_setting(lab, i);
}

int lab_step(const struct lab *lab)
{
    return lab == &candidates ? candidates_step : 0;
}

void candidate_register(const struct step *step)
{
    static int count;
    struct step point = *step;
    if (count == 0) {
        candidates_step = step->number;
        candidates = (struct lab){.file = step->file,
                                  .question = "which of these is the fastest?",
                                  .watched = "theoretical_occupancy",
                                  .parameters = step->parameters,
                                  .workload = step->workload};
        while (step->parameters[candidates.parameter_count].name)
            candidates.parameter_count++;
    }
    if (count == MAX_STEPS)
        refuse(&candidates, "it has too many settings; raise MAX_STEPS in src/facts/steps.h");
    point.lab = &candidates;
    point.goals = NULL; // an exercise's are for what it was built with
    point.goal_count = 0;
    add_point(&point, count++);
}
