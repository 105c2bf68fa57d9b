// Measuring the roofs, on the matrices of a run.
#ifndef ROOFS_H
#define ROOFS_H

#include "facts/run.h"
#include "measure/problem.h"

// Whether this program has the kernels for it.
bool roofs_known(void);

// Launches the roof's kernel once on the default stream, over as much of an n x n matrix as 16 bytes an access cover:
// the bytes that roof_bytes() says. Returns the runtime's error.
cudaError_t roof_launch_once(enum roof roof, const struct problem *problem);
double roof_bytes(enum roof roof, size_t n);

// Times each roof's kernel `reps` times (0: a fixed few); the output holds no matrix after it. Where this program has no
// such kernels, or the matrix is too small, they are unavailable, with the reason. False when a kernel fails.
bool measure_roofs(const struct problem *problem, int reps, struct roof_result roofs[ROOFS],
                   char failure[FAILURE_SIZE]);

#endif
