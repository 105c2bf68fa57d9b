// Kernels with control flow that parts a warp, for C and CUDA C.
#ifndef FLOW_H
#define FLOW_H

enum flow {
    NESTED_IFS,
    COLLATZ,
    EARLY_RETURN,
    BREAK_AND_CONTINUE,
    MANY_CASES,
    DO_WHILE,
    CALLS,
    LOCAL_TABLE,
    FLOWS
};

#ifdef __cplusplus
extern "C" {
#endif

// What the function gives for i, computed on the host; and a kernel that stores it for all
// i < count at the device address `out`.
unsigned flow_on_host(enum flow which, unsigned i);
void flow_launch(enum flow which, unsigned *out, unsigned count);

#ifdef __cplusplus
}
#endif

#endif
