// ./run stalls [STEP...]: what warps wait for, by source line.
#include "facts/shared_results.h"
#include "files/json.h"
#include "verbs/hotspots_and_stalls.h"

static int stalls(const struct options *options)
{
    const struct line_verb verb = {.cannot = "stalls cannot be sampled",
                                   .instrument = instruments.stalls,
                                   .why_not = instruments.why_not.stalls,
                                   .seen = offsetof(struct stalls_step, samples),
                                   .json = json_of_stalls,
                                   .inspector = {.size = sizeof(struct stalls),
                                                 .step_size = sizeof(struct stalls_step),
                                                 .is_sound = stalls_step_sound,
                                                 .steps = offsetof(struct stalls, steps),
                                                 .page = &stalls_page}};
    return line_verb_main(&verb, options);
}

const struct verb stalls_verb = {
    .name = "stalls",
    .summary = "the steps' source, with what warps wait for at each line, and because of which",
    .takes = "[STEP...]",
    .about = "Prints the source of the steps (all, or those named), and at each line how often a"
             " warp was found there, what it waited for and because of which line. A GPU's "
             "schedulers take the samples (CUPTI's PC sampling: compute capability 7.5 or newer); "
             "on the simulated device the timing model predicts them.",
    .notes = "A sample counts on the line of the instruction that waits: the one that needs the "
             "data, not the one that asked for it.",
    .words = STEP_WORDS,
    .options = line_verb_rows,
    .defaults = &line_verb_defaults,
    .check = any_step_is_built,
    .main = stalls,
};
