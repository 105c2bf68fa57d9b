// One size of a kernel's work, the transpose or another: the matrices on the device, and what the output must be.
//
// The matrices' guards (guarded_matrix.h) hold the poison, as does the output before each verified launch, so that stray
// writes and missing ones show.
#ifndef PROBLEM_H
#define PROBLEM_H

#include "facts/failure.h"
#include "measure/guarded_matrix.h"
#include "measure/timing.h"
#include "steps/step.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct problem {
    size_t n;
    struct guarded in, out;
    const struct workload *workload; // NULL: the transpose
    uint32_t *expected;              // host: what the work makes of the input, n * n
    uint32_t *fetched;               // host: the last matrix read back, with its guards
};

// Makes the matrices, uploads the input and transposes it on the CPU. When `cpu` is not NULL, it
// gets the time of three such transposes. A failure leaves nothing behind: false, with the reason.
bool problem_open(struct problem *problem, size_t n, struct timing *cpu,
                  char failure[FAILURE_SIZE]);

// Has the output expected to be what `workload` makes of the input (NULL: the transpose), and computes that where it is
// another one than before.
void problem_expect(struct problem *problem, const struct workload *workload);

// Frees everything. Harmless on a zeroed problem; on a lost device, the device's part stays.
void problem_close(struct problem *problem);

// The matrices' addresses on the device.
const float *problem_input(const struct problem *problem);
float *problem_output(const struct problem *problem);

// Starts the device's own copy of the input into the output on the default stream.
cudaError_t problem_launch_copy(const struct problem *problem);

// Makes the input and its guards on the device what they were at first, whatever was written there.
bool problem_restore_input(struct problem *problem, char failure[FAILURE_SIZE]);

// Fills the output and its guards with the poison.
bool problem_poison_output(struct problem *problem, char failure[FAILURE_SIZE]);

// Whether the output is the work's, bit for bit or within its tolerance, and nothing else was written: neither the
// guards nor the input. `tile` is the side of the kernel's tiles, or 0. If not, `complaint` (of
// `size` bytes) says what is wrong, where first, how often, and what that suggests; of a changed input
// before anything else. A failure to
// read the matrices back counts as wrong, with the reason.
bool problem_verify(struct problem *problem, size_t tile, char *complaint, size_t size);

#endif
