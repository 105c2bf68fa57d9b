#include "facts/stall_reasons.h"

#include <string.h>

// The names are CUPTI's (cuptiPCSamplingGetStallReasons); what they mean is described under "Warp Stall
// Reasons" in Nsight Compute's Kernel Profiling Guide.
const struct stall_reason_row stall_reasons[STALL_REASONS] = {
    [STALL_LONG_SCOREBOARD] = {"long_scoreboard", "long scoreboard",
                               "for what it loads from global or local memory"},
    [STALL_SHORT_SCOREBOARD] = {"short_scoreboard", "short scoreboard",
                                "for shared memory, or for a special function"},
    [STALL_LG_THROTTLE] = {"lg_throttle", "LG throttle",
                           "for room in the queue to global and local memory"},
    [STALL_MIO_THROTTLE] = {"mio_throttle", "MIO throttle",
                            "for room in the queue to shared memory"},
    [STALL_TEX_THROTTLE] = {"tex_throttle", "TEX throttle",
                            "for room in the queue to the texture unit"},
    [STALL_MATH_PIPE_THROTTLE] = {"math_pipe_throttle", "math pipe throttle",
                                  "for an arithmetic unit that others use"},
    [STALL_BARRIER] = {"barrier", "barrier", "for other warps of its block, at __syncthreads()"},
    [STALL_MEMBAR] = {"membar", "memory barrier", "for its earlier accesses, at a memory fence"},
    [STALL_WAIT] = {"wait", "wait", "the few cycles until it may issue again"},
    [STALL_NO_INSTRUCTION] = {"no_instructions", "no instruction",
                              "for its next instruction to be fetched"},
    [STALL_BRANCH_RESOLVE] = {"branch_resolving", "branch resolving", "for the target of a branch"},
    [STALL_DISPATCH] = {"dispatch_stall", "dispatch stall", "for the dispatcher, which held back"},
    [STALL_CONSTANT_MISS] = {"imc_miss", "IMC miss",
                             "for a constant, such as a kernel's parameter"},
    [STALL_DRAIN] = {"drain", "drain", "for its last stores to leave, after its end"},
    [STALL_SLEEPING] = {"sleeping", "sleeping", "because it asked to (__nanosleep())"},
    [STALL_TENSOR_CORE] = {"gmma", "GMMA", "for the tensor cores"},
    [STALL_MISC] = {"misc", "misc", "for something else"},
    [STALL_NOT_SELECTED] = {"not_selected", "not selected",
                            "for nothing: it was ready, another warp issued"},
    [STALL_SELECTED] = {"selected", "selected", "for nothing: it issued"},
};

static const char prefix[] = "smsp__pcsamp_warps_issue_stalled_", repeated[] = "_not_issued";

enum stall_reason stall_reason_of(const char *cupti_name)
{
    size_t length = strlen(cupti_name), tail = sizeof repeated - 1;
    if (strncmp(cupti_name, prefix, sizeof prefix - 1) != 0 ||
        (length >= tail && strcmp(cupti_name + length - tail, repeated) == 0))
        return STALL_REASONS;
    for (int i = 0; i < STALL_REASONS; i++)
        if (strcmp(cupti_name + sizeof prefix - 1, stall_reasons[i].key) == 0)
            return (enum stall_reason)i;
    return STALL_MISC;
}
