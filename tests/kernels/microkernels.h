// The microkernels, for C and CUDA C.
#ifndef MICROKERNELS_H
#define MICROKERNELS_H

enum microkernel {
    G_STRIDE,
    G_STSTRIDE,
    G_OFF,
    G_BCAST,
    G_V4,
    G_V2,
    G_HALF,
    G_PERM,
    G_BYTES,
    S_STRIDE,
    S_STSTRIDE,
    S_V4,
    S_V2,
    S_BCAST,
    D_DIV,
    T_ELEM,
    T_PAD32X8,
    T_TILE16,
};

#ifdef __cplusplus
extern "C"
#endif
    // Starts a microkernel with its argument; `in` and `out` are device addresses of floats.
    void
    microkernel_launch(enum microkernel kernel, float *out, const float *in, int argument);

#endif
