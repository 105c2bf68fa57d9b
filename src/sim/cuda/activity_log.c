// What the device did, for who wants to know: the simulated counterpart of a GPU's activity records.
#include <stdio.h>
#include <stdlib.h>

#include "sim/cuda/runtime.h"

static struct {
    int is_on;
    int tag;
    struct sim_activity *activities;
    size_t count, capacity;
    size_t lost; // no memory was left for them
} noted;

void log_activity(struct sim_activity activity)
{
    if (!noted.is_on)
        return;
    if (noted.count == noted.capacity) {
        size_t capacity = 2 * noted.capacity + 64;
        struct sim_activity *more = realloc(noted.activities, capacity * sizeof *more);
        if (!more) {
            noted.lost++;
            return;
        }
        noted.activities = more;
        noted.capacity = capacity;
    }
    activity.tag = noted.tag;
    activity.ms = runtime.clock_ms - activity.start_ms;
    if (!runtime.model) // the clock goes on for some of what is done only, and so says nothing
        snprintf(activity.why, sizeof activity.why,
                 "the timing model is off: APODKIT_SIM_MODEL is 0");
    noted.activities[noted.count++] = activity;
}

void sim_log_start(void)
{
    pthread_mutex_lock(&runtime.lock);
    noted.is_on = 1;
    noted.tag = -1;
    noted.count = noted.lost = 0;
    pthread_mutex_unlock(&runtime.lock);
}

void sim_log_stop(void)
{
    pthread_mutex_lock(&runtime.lock);
    noted.is_on = 0;
    pthread_mutex_unlock(&runtime.lock);
}

void sim_log_tag(int tag)
{
    pthread_mutex_lock(&runtime.lock);
    noted.tag = tag;
    pthread_mutex_unlock(&runtime.lock);
}

const struct sim_activity *sim_log(size_t *count, size_t *lost)
{
    pthread_mutex_lock(&runtime.lock);
    *count = noted.count;
    *lost = noted.lost;
    pthread_mutex_unlock(&runtime.lock);
    return noted.activities;
}

double sim_clock_ms(void)
{
    pthread_mutex_lock(&runtime.lock);
    double ms = runtime.clock_ms;
    pthread_mutex_unlock(&runtime.lock);
    return ms;
}
