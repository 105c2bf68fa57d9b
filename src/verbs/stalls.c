// ./run stalls [STEP...]: what warps wait for, by source line.
#include "measure/stall_sampler.h"
#include "show/stalls_page.h"
#include "verbs/instrument.h"

static struct inspected *step(struct inspection *inspection, int place)
{
    return &((struct stalls *)inspection)->steps[place].at;
}

static void *open_sampler(char *why, size_t why_size)
{
    return stall_sampler_open(why, why_size);
}

static bool measure(void *sampler, int ordinal, profiler_launch *launch, void *context,
                    struct inspected *at, char *why, size_t why_size)
{
    return stall_sampler_measure(sampler, ordinal, launch, context,
                                 &((struct stalls_step *)at)->samples, why, why_size);
}

static void close_sampler(void *sampler)
{
    stall_sampler_close(sampler);
}

static int stalls(const struct options *options)
{
    static const struct instrument instrument = {
        .cannot = "stalls cannot be sampled",
        .open = open_sampler,
        .measure = measure,
        .close = close_sampler,
        .json = json_of_stalls,
        .inspector = {.size = sizeof(struct stalls),
                      .step = step,
                      .print_device = print_stalls_device,
                      .print_step = print_stalls_step,
                      .print_legend = print_stalls_legend}};
    return instrument_main(&instrument, options);
}

static const struct option_row rows[] = {
    INSTRUMENT_ROWS("a GPU or nothing; the simulated device, which says that it cannot"),
};

const struct verb stalls_verb = {
    .name = "stalls",
    .summary = "the steps' source, with what warps wait for at each line (a GPU only)",
    .takes = "[STEP...]",
    .about = "Prints the source of the steps (all, or those named), and at each line how often a"
             " warp was found there and what it waited for. A GPU's schedulers take the samples "
             "(CUPTI's PC sampling: compute capability 7.5 or newer); the simulated device has "
             "none.",
    .notes = "A sample counts on the line of the instruction that waits: the one that needs the "
             "data, not the one that asked for it.",
    .words = STEP_WORDS,
    .options = rows,
    .defaults = &instrument_defaults,
    .check = any_step_is_built,
    .main = stalls,
};
