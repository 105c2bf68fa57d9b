// The simulated device's tracer: the runtime's log of what the device did.
#include "sim/cuda/instruments.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"

static const double ns_per_ms = 1e6;
static struct activities *wanted;
static double origin_ms;

static bool start(struct activities *into, char *why, size_t why_size)
{
    (void)why;
    (void)why_size;
    wanted = into;
    origin_ms = sim_clock_ms();
    sim_log_start();
    return true;
}

static void enter(int range)
{
    sim_log_tag(range);
}

static double now(void)
{
    return (sim_clock_ms() - origin_ms) * ns_per_ms;
}

static enum copy_direction direction_of(const struct sim_activity *seen)
{
    return seen->to_device && seen->from_device ? COPY_IN_DEVICE
           : seen->to_device                    ? COPY_TO_DEVICE
           : seen->from_device                  ? COPY_TO_HOST
                                                : COPY_ELSEWHERE;
}

static void add(const struct sim_activity *seen)
{
    static const enum activity_kind kinds[] = {
        [SIM_KERNEL] = ACTIVITY_KERNEL, [SIM_COPY] = ACTIVITY_COPY, [SIM_FILL] = ACTIVITY_FILL};
    struct activity activity = {.kind = kinds[seen->kind],
                                .timed = *seen->why            ? UNAVAILABLE
                                         : seen->timed_by_host ? MEASURED
                                                               : MODELLED,
                                .start_ns = (seen->start_ms - origin_ms) * ns_per_ms,
                                .duration_ns = seen->ms * ns_per_ms,
                                .stream = seen->stream,
                                .range = seen->tag,
                                .registers = seen->registers,
                                .registers_estimated = seen->registers_are_estimated,
                                .static_shared = seen->static_shared,
                                .dynamic_shared = seen->dynamic_shared,
                                .direction = direction_of(seen),
                                .bytes = seen->bytes};
    memcpy(activity.grid, seen->grid, sizeof activity.grid);
    memcpy(activity.block, seen->block, sizeof activity.block);
    if (*seen->why && !*wanted->untimed)
        snprintf(wanted->untimed, sizeof wanted->untimed, "%s", seen->why);
    (void)activities_add(wanted, &activity, seen->kind == SIM_KERNEL ? seen->name : NULL);
}

static bool stop(char *why, size_t why_size)
{
    (void)why;
    (void)why_size;
    (void)cudaDeviceSynchronize(); // an error stays with the runtime, for the caller
    sim_log_stop();
    size_t count, lost;
    const struct sim_activity *seen = sim_log(&count, &lost);
    for (size_t i = 0; i < count; i++)
        add(&seen[i]);
    wanted->lost += lost;
    activities_sort(wanted);
    return true;
}

const struct tracer sim_tracer = {.start = start, .enter = enter, .now = now, .stop = stop};
