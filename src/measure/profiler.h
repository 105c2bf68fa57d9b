// Who counts: the one interface that cupti/ (a GPU's hardware counters) and src/sim/ (the simulated
// device) implement. Exactly one of them is linked into a program.
#ifndef PROFILER_H
#define PROFILER_H

#include "facts/run.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profiler;

// Launches the work to be counted, once, on the default stream. Called once or several times: the
// hardware has fewer counters than there are counts, so the same launch is repeated.
typedef void profiler_launch(void *context);

// Opens the counters of the device that is current in the CUDA runtime. The `extra_count` names in
// `extras` (CUPTI's) are counted too. Returns NULL when nothing can be counted and says why, and
// what to do about it, in `why` (of `why_size` bytes). The caller closes what it gets.
struct profiler *profiler_open(const char *const *extras, int extra_count, char *why,
                               size_t why_size);

// Counts one launch into the step's values: those that the table of quantities has as counted, and the
// extras, in the order they were named; on the simulated device the limits too. What cannot be had is
// unavailable with its own reason; the other values are left alone (quantities_derive() fills them).
void profiler_measure(struct profiler *profiler, profiler_launch *launch, void *context,
                      struct step_result *result);

void profiler_close(struct profiler *profiler);

// Whether the device checks every access: its bounds, that its memory was written, races.
bool profiler_checks_accesses(void);

// Whether cudaFuncGetAttributes() can only estimate the registers of this kernel (the host's handle of
// its __global__ function).
bool profiler_estimates_registers(const void *kernel);

// What the device itself found wrong with the last launch that failed, in lines that may start with
// "=========" as compute-sanitizer's do; "" when it has nothing to say beyond CUDA's error.
const char *profiler_report(void);

// Fills `blocks`, of each of so many SMs, with how many of a launch's blocks run there. False with the reason
// in `why` where that is not known of each SM.
bool profiler_blocks_of_sms(uint64_t launched, int sms, uint64_t *blocks, char *why,
                            size_t why_size);

// Whether the device under this program is simulated: then every launch is counted exactly, once is
// enough, and how long it takes says nothing about a GPU.
bool profiler_simulates(void);

#endif
