#include "facts/activities.h"

#include <stdio.h>
#include <string.h>

static int find_name(struct activities *activities, const char *kernel)
{
    for (int i = 0; i < activities->name_count; i++)
        if (strncmp(activities->names[i], kernel, FUNCTION_NAME_SIZE - 1) == 0)
            return i;
    if (activities->name_count == MAX_KERNELS)
        return -1;
    snprintf(activities->names[activities->name_count], FUNCTION_NAME_SIZE, "%s", kernel);
    return activities->name_count++;
}

int activities_add(struct activities *activities, const struct activity *activity,
                   const char *kernel)
{
    int name = kernel ? find_name(activities, kernel) : 0;
    if (name < 0 || activities->count == MAX_ACTIVITIES) {
        activities->lost++;
        return -1;
    }
    activities->list[activities->count] = *activity;
    activities->list[activities->count].name = name;
    return activities->count++;
}

// By insertion: they come nearly in order, and equal ones must stay as they are.
void activities_sort(struct activities *activities)
{
    for (int i = 1; i < activities->count; i++) {
        struct activity activity = activities->list[i];
        int place = i;
        for (; place > 0 && activity.timed != UNAVAILABLE &&
               activities->list[place - 1].timed != UNAVAILABLE &&
               activities->list[place - 1].start_ns > activity.start_ns;
             place--)
            activities->list[place] = activities->list[place - 1];
        activities->list[place] = activity;
    }
}

void activity_name(const struct activities *activities, const struct activity *activity,
                   char name[FUNCTION_NAME_SIZE])
{
    if (activity->kind == ACTIVITY_KERNEL)
        function_name(activities->names[activity->name], name);
    else if (activity->kind == ACTIVITY_FILL)
        snprintf(name, FUNCTION_NAME_SIZE, "[CUDA memset]");
    else
        snprintf(name, FUNCTION_NAME_SIZE, "[CUDA memcpy %s]",
                 copy_direction_name(activity->direction));
}

const char *activity_phase(const struct activities *activities, const struct activity *activity)
{
    return activity->range >= 0 ? activities->ranges[activity->range].name : "";
}

const char *copy_direction_name(enum copy_direction direction)
{
    static const char *const names[] = {[COPY_TO_DEVICE] = "HtoD",
                                        [COPY_TO_HOST] = "DtoH",
                                        [COPY_IN_DEVICE] = "DtoD",
                                        [COPY_ELSEWHERE] = "other"};
    return names[direction];
}

double activity_gbs(const struct activity *activity)
{
    bool timed = activity->timed != UNAVAILABLE && activity->duration_ns > 0;
    return timed ? (double)activity->bytes / activity->duration_ns : 0;
}
