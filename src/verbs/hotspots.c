// ./run hotspots [STEP...]: which source lines move more than they need to.
#include "measure/line_counter.h"
#include "show/hotspots_page.h"
#include "verbs/instrument.h"

static struct inspected *step(struct inspection *inspection, int place)
{
    return &((struct hotspots *)inspection)->steps[place].at;
}

static void *open_counter(char *why, size_t why_size)
{
    return line_counter_open(why, why_size);
}

static bool measure(void *counter, int ordinal, profiler_launch *launch, void *context,
                    struct inspected *at, char *why, size_t why_size)
{
    return line_counter_measure(counter, ordinal, launch, context,
                                &((struct hotspot_step *)at)->lines, why, why_size);
}

static void close_counter(void *counter)
{
    line_counter_close(counter);
}

static int hotspots(const struct options *options)
{
    static const struct instrument instrument = {
        .cannot = "lines cannot be counted",
        .open = open_counter,
        .measure = measure,
        .close = close_counter,
        .json = json_of_hotspots,
        .inspector = {.size = sizeof(struct hotspots),
                      .step = step,
                      .print_device = print_hotspots_device,
                      .print_step = print_hotspots_step,
                      .print_legend = print_hotspots_legend}};
    return instrument_main(&instrument, options);
}

static const struct option_row rows[] = {
    INSTRUMENT_ROWS(ANOTHER_GPU),
};

const struct verb hotspots_verb = {
    .name = "hotspots",
    .summary = "the steps' source, with what each line moves against the least that would do",
    .takes = "[STEP...]",
    .about = "Prints the source of the steps (all, or those named), and at each line that "
             "touches memory how often it was executed, what that moved, and the least that "
             "would do: sectors of global memory, wavefronts of shared memory. The worst line of"
             " a step is marked.",
    .notes = "An execution is a warp instruction with at least one lane at work. Its ideal is "
             "the sectors that would hold the bytes its lanes asked for, were they side by side "
             "(4 for 32 floats), or its wavefronts without bank conflicts (1 for 32 floats). A "
             "warp with one lane at work so has no excess, however slow. Excess is sectors and "
             "wavefronts beyond the ideal; one of either counts as one pass. Local memory "
             "(spills, stack) is not shown: it has no ideal.\n"
             "\n"
             "On a GPU, CUPTI instruments the kernels (SASS metrics): that takes compute "
             "capability 7.5 or newer, and some patience.",
    .words = STEP_WORDS,
    .options = rows,
    .defaults = &instrument_defaults,
    .check = any_step_is_built,
    .main = hotspots,
};
