// Why a warp did not issue an instruction when it was looked at.
#ifndef STALL_REASONS_H
#define STALL_REASONS_H

// Named as Nsight Compute names them.
enum stall_reason {
    STALL_LONG_SCOREBOARD,
    STALL_SHORT_SCOREBOARD,
    STALL_LG_THROTTLE,
    STALL_MIO_THROTTLE,
    STALL_TEX_THROTTLE,
    STALL_MATH_PIPE_THROTTLE,
    STALL_BARRIER,
    STALL_MEMBAR,
    STALL_WAIT,
    STALL_NO_INSTRUCTION,
    STALL_BRANCH_RESOLVE,
    STALL_DISPATCH,
    STALL_CONSTANT_MISS,
    STALL_DRAIN,
    STALL_SLEEPING,
    STALL_TENSOR_CORE,
    STALL_MISC,         // what the hardware itself calls so, or a reason that is not known here
    STALL_NOT_SELECTED, // not waiting: it could have issued
    STALL_SELECTED,     // not waiting: it issued
    STALL_REASONS
};

// The reason of one of CUPTI's names ("smsp__pcsamp_warps_issue_stalled_long_scoreboard");
// STALL_REASONS when it is no reason: a name that ends in "_not_issued" counts the samples again in
// which the scheduler issued nothing from any warp.
enum stall_reason stall_reason_of(const char *cupti_name);

struct stall_reason_row {
    const char *key;     // "long_scoreboard", in CUPTI's names and for programs
    const char *name;    // "long scoreboard"
    const char *meaning; // what the warp was waiting for, in plain words
};

extern const struct stall_reason_row stall_reasons[STALL_REASONS];

#endif
