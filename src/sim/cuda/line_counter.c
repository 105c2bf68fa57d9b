// The simulated device's side of line_counter.h: every launch is counted, so there is nothing to set up.
#include "measure/line_counter.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim.h"

struct line_counter {
    char nothing;
};

static struct line_counter the_counter;

struct line_counter *line_counter_open(char *why, size_t why_size)
{
    (void)why;
    (void)why_size;
    return &the_counter;
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

bool line_counter_measure(struct line_counter *counter, int ordinal, profiler_launch *launch,
                          void *context, struct source_lines *lines, char *why, size_t why_size)
{
    (void)counter;
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
        add_line(lines, &executed[i]);
    free(executed);
    source_lines_sort(lines);
    return true;
}

void line_counter_close(struct line_counter *counter)
{
    (void)counter;
}
