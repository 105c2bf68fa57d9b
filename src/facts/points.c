#include "facts/points.h"

#include "base/suggest.h"

#include <stdio.h>
#include <string.h>

static bool add(struct selection *selection, enum quantity quantity)
{
    for (int i = 0; i < selection->count; i++)
        if (selection->quantities[i] == quantity)
            return true;
    selection->quantities[selection->count++] = quantity;
    return true;
}

static bool add_name(struct selection *selection, const char *name)
{
    const char *keys[QUANTITIES];
    int count = 0;
    for (enum quantity i = REGISTERS; i < QUANTITIES; i++) {
        keys[count++] = quantity_key(i);
        if (strcmp(name, quantity_key(i)) == 0)
            return add(selection, i);
    }
    const char *meant = suggest(name, keys, (size_t)count);
    fprintf(stderr, "apodkit: --metrics: '%s' is none of the kit's metrics and counts.", name);
    if (meant)
        fprintf(stderr, " Did you mean '%s'?\n", meant);
    else
        fprintf(stderr, " They are those of the JSON: %s, %s, ... (./run metrics lists them)\n",
                metric_key(GST_EFFICIENCY), metric_key(DRAM_UTILIZATION));
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
    for (enum quantity i = REGISTERS; i < QUANTITIES; i++)
        (void)add(selection, i);
}

static struct value share_of_copy(const struct value *bandwidth, const struct value *copy)
{
    if (!value_known(bandwidth))
        return *bandwidth;
    if (!value_known(copy))
        return *copy;
    bool modelled = bandwidth->provenance == MODELLED || copy->provenance == MODELLED;
    return value_of(100 * bandwidth->number / copy->number,
                    modelled ? MODELLED : bandwidth->provenance);
}

void point_drop_numbers(struct point *point)
{
    struct value none = value_unavailable("the result is wrong, or there is none");
    for (enum quantity i = 0; i < QUANTITIES; i++)
        point->values[i] = none;
    point->share = none;
}

void point_take(struct point *point, const struct record *record, const struct record_step *step)
{
    point->step = step->number;
    memcpy(point->title, step->title, sizeof point->title);
    point->n = step->n;
    memcpy(point->device, record->device, sizeof point->device);
    point->rightness = step->rightness;
    memcpy(point->error, step->error, sizeof point->error);
    memcpy(point->values, step->values, sizeof point->values);
    point->copy_gbs = record->copy_gbs > 0
                          ? value_of(record->copy_gbs, record->simulated ? MODELLED : MEASURED)
                          : value_unavailable("the copy's bandwidth is not in the file");
    point->share = share_of_copy(&point->values[BANDWIDTH_GBS], &point->copy_gbs);
    if (point->rightness == NOT_RIGHT)
        point_drop_numbers(point);
}
