// Accesses by source line on the simulated device: every launch is counted, so there is nothing to set up.
#include "sim/cuda/instruments.h"

#include <cuda_runtime_api.h>

#include "sim/sim.h"

void *sim_open_nothing(char *why, size_t why_size)
{
    static char nothing;
    (void)why, (void)why_size;
    return &nothing;
}

void sim_close_nothing(void *opened)
{
    (void)opened;
}

static bool measure(void *opened, int ordinal, watched_launch *launch, void *context, void *seen,
                    char *why, size_t why_size)
{
    (void)opened, (void)ordinal, (void)why, (void)why_size;
    sim_counts_reset();
    launch(context);
    (void)cudaDeviceSynchronize(); // an error stays with the runtime, for the caller
    sim_counts_lines(seen);
    return true;
}

const struct line_instrument sim_lines = {
    .open = sim_open_nothing, .measure = measure, .close = sim_close_nothing};
