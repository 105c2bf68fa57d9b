// Accesses by source line on the simulated device: every launch is counted, so there is nothing to set up.
#include "sim/cuda/instruments.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim.h"

static void *open_nothing(char *why, size_t why_size)
{
    static char nothing;
    (void)why;
    (void)why_size;
    return &nothing;
}

static void close_nothing(void *opened)
{
    (void)opened;
}

// The kinds of access are the same, under both names.
_Static_assert((int)SIM_GLOBAL_LOAD == GLOBAL_LOAD && (int)SIM_GLOBAL_STORE == GLOBAL_STORE &&
                   (int)SIM_GLOBAL_OTHER == GLOBAL_OTHER && (int)SIM_SHARED_LOAD == SHARED_LOAD &&
                   (int)SIM_SHARED_STORE == SHARED_STORE && (int)SIM_SHARED_OTHER == SHARED_OTHER,
               "sim.h and source_lines.h name the same kinds in the same order");

static void add_line(struct source_lines *lines, const struct sim_line *line)
{
    for (int kind = 0; kind < SIM_ACCESSES; kind++)
        if (line->accesses[kind].requests)
            source_lines_add(lines, line->file,
                             (struct line_access){.line = line->line,
                                                  .kind = (enum access_kind)kind,
                                                  .executions = line->accesses[kind].requests,
                                                  .passes = line->accesses[kind].passes,
                                                  .ideal = line->accesses[kind].ideal});
}

static bool measure(void *opened, int ordinal, watched_launch *launch, void *context, void *seen,
                    char *why, size_t why_size)
{
    (void)opened;
    (void)ordinal;
    sim_counts_reset();
    launch(context);
    (void)cudaDeviceSynchronize(); // an error stays with the runtime, for the caller
    size_t count;
    struct sim_line *executed = sim_counts_lines(&count);
    if (!executed && sim_counts_total().launches) {
        snprintf(why, why_size, "no memory left for the counts: close other programs");
        return false;
    }
    for (size_t i = 0; i < count; i++)
        add_line(seen, &executed[i]);
    free(executed);
    source_lines_sort(seen);
    return true;
}

const struct line_instrument sim_lines = {
    .open = open_nothing, .measure = measure, .close = close_nothing};
