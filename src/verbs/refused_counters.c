#define _POSIX_C_SOURCE 200809L // setenv
#include "verbs/refused_counters.h"

#include "base/progress.h"
#include "base/sim_devices.h"
#include "measure/timing.h"
#include "verbs/inner_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool stand_in_wanted(const struct run *run, bool counters_are_asked_for)
{
    char path[KIT_PATH_SIZE];
    return counters_are_asked_for && *run->counters_note && !run->device.simulated &&
           program_path(true, path);
}

static bool rests_on_the_device(enum metric metric)
{
    return metric == DRAM_READ_BYTES || metric == DRAM_WRITE_BYTES || metric == DRAM_UTILIZATION ||
           metric == ACHIEVED_OCCUPANCY || metric == BLOCKS_PER_SM_MAX ||
           metric == BLOCKS_PER_SM_MIN;
}

static bool same_launch(const struct step_result *a, const struct step_result *b)
{
    return a->launched && b->launched && a->n == b->n && a->launches == b->launches &&
           memcmp(a->grid, b->grid, sizeof a->grid) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0;
}

void stand_in_take(struct step_result *step, const struct step_result *counted, bool is_the_gpu,
                   const struct device *device)
{
    if (counted->outcome != VERIFIED || !same_launch(step, counted)) {
        drop_counts(step, counted->outcome == VERIFIED
                              ? "counters are refused, and the simulated device launches otherwise"
                              : "counters are refused, and on the simulated device the step fails");
        return;
    }
    for (enum metric i = 0; i < METRICS; i++)
        if (metric_table[i].is_counted && (is_the_gpu || !rests_on_the_device(i)))
            step->values[i] = counted->values[i];
    metrics_derive(step->values, device->dram_peak_gbs);
}

// The steps that nobody has counted yet, of those in `among` (NULL: of all), by their places in the lesson. Returns how
// many.
static int choose(const struct run *run, const bool among[], const bool done[],
                  bool chosen[MAX_STEPS])
{
    int count = 0;
    for (int i = 0; i < step_count(); i++) {
        int place = run_place(run, step_at(i)->number);
        chosen[i] = place < run->count && run->steps[place].outcome == VERIFIED && !done[place] &&
                    (!among || among[place]);
        count += chosen[i];
    }
    return count;
}

static void count_chosen(struct run *run, const bool chosen[], int limit_s, bool done[])
{
    const struct sim_device *nearest =
        sim_device_nearest(run->device.name, run->device.cc_major, run->device.cc_minor);
    char device[64];
    int status;
    snprintf(device, sizeof device, "--sim=%s", nearest->name);
    struct inner_run asked = {
        .simulated = true, .device = device, .n = run->n, .chosen = chosen, .limit_s = limit_s};
    struct run *counted = inner_run(&asked, "counted", &status);
    for (int i = 0; counted && i < run->count; i++) {
        const struct step_result *step = run_find(counted, run->steps[i].number);
        if (!step || done[i])
            continue;
        stand_in_take(&run->steps[i], step, sim_device_is(nearest, run->device.name), &run->device);
        done[i] = true;
    }
    free(counted);
}

void stand_in_count(struct run *run, const bool first[])
{
    bool chosen[MAX_STEPS], done[MAX_STEPS] = {false};
    char why[WHY_SIZE];
    double until = seconds_now() + STAND_IN_S;
    // The steps' results are verified all the same.
    if (setenv("APODKIT_SIM_CHECKS", "0", 0) != 0)
        return;
    progress_say("counting on the simulated device");
    for (int round = 0; round < 2; round++) {
        int left_s = (int)ceil(until - seconds_now());
        if (left_s > 0 && choose(run, round == 0 ? first : NULL, done, chosen) > 0)
            count_chosen(run, chosen, left_s, done);
    }
    progress_wipe();
    snprintf(why, sizeof why,
             "counters are refused, and the simulated device gave none at n = %zu within %d s: "
             "take a smaller -n",
             run->n, STAND_IN_S);
    for (int i = 0; i < run->count; i++)
        if (run->steps[i].outcome == VERIFIED && !done[i])
            drop_counts(&run->steps[i], why);
}
