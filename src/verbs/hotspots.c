// ./run hotspots [STEP...]: which source lines move more than they need to.
#include "verbs/verbs.h"

#include "show/hotspots_page.h"
#include "verbs/instrument.h"

static const char help[] =
    "Usage: ./run hotspots [STEP...] [OPTION...]\n"
    "\n"
    "Prints the source of the steps (all, or those named), and at each line that touches memory\n"
    "how often it was executed, what that moved, and the least that would do: sectors of global\n"
    "memory, wavefronts of shared memory. The worst line of a step is marked.\n"
    "\n"
    "  -n N                 matrices of N x N floats (default: as ./run; the serial step stays\n"
    "                       at 1024)\n"
    "  --gpu, --sim[=NAME]  a GPU or nothing; the simulated device, as another GPU (--sim=list)\n"
    "  --device K           CUDA device K (default 0)\n"
    "  --timeout S          a step that does not answer for S seconds hangs (default 60)\n"
    "  --json FILE          as JSON; - for standard output\n"
    "  --color WHEN         auto (default), always or never\n"
    "  -h, --help           this text\n"
    "\n"
    "An execution is a warp instruction with at least one lane at work. Its ideal is the sectors\n"
    "that would hold the bytes its lanes asked for, were they side by side (4 for 32 floats), or\n"
    "its wavefronts without bank conflicts (1 for 32 floats). A warp with one lane at work so has\n"
    "no excess, however slow. Excess is sectors and wavefronts beyond the ideal; one of either\n"
    "counts as one pass. Local memory (spills, stack) is not shown: it has no ideal.\n"
    "\n"
    "On a GPU, CUPTI instruments the kernels (SASS metrics): that takes compute capability 7.5 or\n"
    "newer, and some patience.\n";

static struct inspected *step(struct inspection *inspection, int place)
{
    return &((struct hotspots *)inspection)->steps[place].at;
}

int hotspots_main(int argc, char **argv)
{
    const struct instrument_verb hotspots = {.verb = "hotspots",
                                             .help = help,
                                             .cannot = "lines cannot be counted",
                                             .timeout_s = 60,
                                             .instrument = instruments.lines,
                                             .why_not = instruments.why_not.lines,
                                             .seen = offsetof(struct hotspot_step, lines),
                                             .json = json_of_hotspots,
                                             .inspector = {.size = sizeof(struct hotspots),
                                                           .step = step,
                                                           .print_device = print_hotspots_device,
                                                           .print_step = print_hotspots_step,
                                                           .print_legend = print_hotspots_legend}};
    return instrument_main(&hotspots, argc, argv);
}
