// Small CUDA programs that are all correct.
#ifndef PROGRAMS_H
#define PROGRAMS_H

enum program {
    VARIABLES,
    DYNAMIC_SHARED,
    HISTOGRAM,
    LAST_BLOCK,
    SYNCWARP,
    SAME_VALUE,
    TOLD_BY_ALL,
    BYTES,
    BYTES_OF_MANY_BLOCKS,
    STREAMS,
    EARLY_RETURN,
    EARLY_WORK,
    LOCKS,
    MESSAGES,
    ALL_OF_LAST_BLOCK,
    RETRIED_SWAP,
    READERS,
    WARP_HISTOGRAMS,
    BLOCK_VOTES,
    CLAMPED,
    ASSERTIONS,
    CACHE_HINTS,
    UPPER_LANES,
    GROUPS_OF_LANES,
    VALUES_OF_LANES,
    PROGRAMS
};

#ifdef __cplusplus
extern "C" {
#endif

// Runs one; returns 0 when its result is right and no call failed.
int program_run(enum program program);

// Runs a kernel whose assert() fails; returns what the next call says.
int program_break_assertion(void);

#ifdef __cplusplus
}
#endif

#endif
