// What warps wait for on the simulated device: the timing model knows it of every warp at every cycle.
#include "sim/cuda/instruments.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

#include "sim/sim.h"

static bool measure(void *opened, int ordinal, watched_launch *launch, void *context, void *seen,
                    char *why, size_t why_size)
{
    struct stall_samples *samples = seen;
    (void)opened, (void)ordinal;
    sim_counts_reset();
    sim_watch_stalls(samples);
    launch(context);
    (void)cudaDeviceSynchronize(); // an error stays with the runtime, for the caller
    sim_watch_stalls(NULL);
    samples->is_modelled = true;
    samples->launches = 1;
    samples->period = 1;
    stall_samples_sort(samples);
    snprintf(why, why_size, "%s", sim_prediction_total().why);
    return !*why;
}

const struct line_instrument sim_stalls = {
    .open = sim_open_nothing, .measure = measure, .close = sim_close_nothing};
