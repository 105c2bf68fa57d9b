// ./run hotspots [STEP...]: which source lines move more than they need to.
#include "facts/shared_results.h"
#include "files/json.h"
#include "verbs/hotspots_and_stalls.h"

static int hotspots(const struct options *options)
{
    const struct line_verb verb = {.cannot = "lines cannot be counted",
                                   .instrument = instruments.lines,
                                   .why_not = instruments.why_not.lines,
                                   .seen = offsetof(struct hotspot_step, lines),
                                   .json = json_of_hotspots,
                                   .inspector = {.size = sizeof(struct hotspots),
                                                 .step_size = sizeof(struct hotspot_step),
                                                 .is_sound = hotspot_step_sound,
                                                 .steps = offsetof(struct hotspots, steps),
                                                 .page = &hotspots_page}};
    return line_verb_main(&verb, options);
}

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
    .options = line_verb_rows,
    .defaults = &line_verb_defaults,
    .check = any_step_is_built,
    .main = hotspots,
};
