#include "facts/points.h"

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

bool metric_is_chosen(const struct selection *selection, enum metric metric)
{
    for (int i = 0; i < selection->count; i++)
        if (selection->metric_table[i] == metric)
            return true;
    return false;
}

static bool add(struct selection *selection, enum metric metric)
{
    if (!metric_is_chosen(selection, metric))
        selection->metric_table[selection->count++] = metric;
    return true;
}

static bool add_name(struct selection *selection, const char *name)
{
    for (enum metric i = REGISTERS; i < METRICS; i++)
        if (strcmp(name, metric_table[i].key) == 0)
            return add(selection, i);
    const char *meant =
        suggest(name, &metric_table[REGISTERS].key, METRICS - REGISTERS, sizeof *metric_table);
    fprintf(stderr, "apodkit: --metrics: '%s' is none of the kit's metrics and counts.", name);
    if (meant)
        fprintf(stderr, " Did you mean '%s'?\n", meant);
    else
        fprintf(stderr, " They are those of the JSON: %s, %s, ... (./run metrics lists them)\n",
                metric_table[GST_EFFICIENCY].key, metric_table[DRAM_UTILIZATION].key);
    return false;
}

bool selection_parse(const char *names, struct selection *selection)
{
    *selection = (struct selection){0};
    for (;;) {
        char name[METRIC_NAME_SIZE];
        size_t length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (!add_name(selection, name))
            return false;
        if (names[length] == '\0')
            return true;
        names += length + 1;
    }
}

void selection_of_all(struct selection *selection)
{
    *selection = (struct selection){0};
    for (enum metric i = REGISTERS; i < METRICS; i++)
        (void)add(selection, i);
}

void point_drop_numbers(struct point *point)
{
    point->share = value_unavailable("the result is wrong, or there is none");
    for (enum metric i = 0; i < METRICS; i++)
        point->step.values[i] = point->share;
}

void point_take(struct point *point, const struct run *run, const struct step_result *step)
{
    point->step = *step;
    memcpy(point->device, run->device.name, sizeof point->device);
    point->copy_gbs = run->copy_gbs;
    point->share = share_of_copy(run, step);
    if (went_wrong(step))
        point_drop_numbers(point);
}
