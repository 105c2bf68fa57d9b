// ./run stalls [STEP...]: what warps wait for, by source line.
#include "verbs/verbs.h"

#include "show/stalls_page.h"
#include "verbs/instrument.h"

static const char help[] =
    "Usage: ./run stalls [STEP...] [OPTION...]\n"
    "\n"
    "Prints the source of the steps (all, or those named), and at each line how often a warp was\n"
    "found there and what it waited for. A GPU's schedulers take the samples (CUPTI's PC "
    "sampling:\n"
    "compute capability 7.5 or newer); the simulated device has none.\n"
    "\n"
    "  -n N                 matrices of N x N floats (default: as ./run; the serial step stays\n"
    "                       at 1024)\n"
    "  --gpu, --sim[=NAME]  a GPU or nothing; the simulated device, which says that it cannot\n"
    "  --device K           CUDA device K (default 0)\n"
    "  --timeout S          a step that does not answer for S seconds hangs (default 60)\n"
    "  --json FILE          as JSON; - for standard output\n"
    "  --color WHEN         auto (default), always or never\n"
    "  -h, --help           this text\n"
    "\n"
    "A sample counts on the line of the instruction that waits: the one that needs the data, not\n"
    "the one that asked for it.\n";

static struct inspected *step(struct inspection *inspection, int place)
{
    return &((struct stalls *)inspection)->steps[place].at;
}

int stalls_main(int argc, char **argv)
{
    const struct instrument_verb stalls = {.verb = "stalls",
                                           .help = help,
                                           .cannot = "stalls cannot be sampled",
                                           .timeout_s = 60,
                                           .instrument = instruments.stalls,
                                           .why_not = instruments.why_not.stalls,
                                           .seen = offsetof(struct stalls_step, samples),
                                           .json = json_of_stalls,
                                           .inspector = {.size = sizeof(struct stalls),
                                                         .step = step,
                                                         .print_device = print_stalls_device,
                                                         .print_step = print_stalls_step,
                                                         .print_legend = print_stalls_legend}};
    return instrument_main(&stalls, argc, argv);
}
