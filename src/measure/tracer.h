// Who notes what the device does: the interface that cupti/ (a GPU's activity records) and src/sim/ (the
// simulated device's log) implement. Exactly one of them is linked into a program. It takes time, so
// what is traced is not the place to time kernels with events.
#ifndef TRACER_H
#define TRACER_H

#include "facts/activities.h"

#include <stdbool.h>
#include <stddef.h>

// Starts, once a process and before its first CUDA call. `into` starts empty and must last until
// tracer_stop(). False with the reason and what to do about it in `why` (of `why_size` bytes).
bool tracer_start(struct activities *into, char *why, size_t why_size);

// The range, by its place, that asks for what is launched from now on; -1 for none.
void tracer_enter(int range);

// Nanoseconds since the start, on the clock of the activities: of the host, or of the simulated device.
double tracer_now(void);

// Waits for the device, stops, and leaves the activities sorted. An error of the device stays with the
// runtime. False with the reason in `why` when what was noted is not to be trusted.
bool tracer_stop(char *why, size_t why_size);

#endif
