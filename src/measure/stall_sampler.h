// Who samples what warps wait for: cupti/stall_sampler.c (a GPU's PC sampling), or where nothing can be,
// stall_sampler_missing.c beside it. Exactly one of them is linked into a program.
#ifndef STALL_SAMPLER_H
#define STALL_SAMPLER_H

#include "facts/stall_samples.h"
#include "measure/profiler.h"

#include <stdbool.h>
#include <stddef.h>

struct stall_sampler;

// Gets ready to sample, once a process, and before the first launch in it: a GPU's kernels are seen
// when they are loaded. No device is needed yet. NULL with the reason and what to do about it in
// `why` (of `why_size` bytes). The caller closes what it gets.
struct stall_sampler *stall_sampler_open(char *why, size_t why_size);

// Samples launches on device `ordinal`, which is the current one: as many as give enough samples, and
// waits for them. `samples` starts empty. May be called once. False with the reason in `why` when
// nothing could be sampled; launches may have been made all the same. Whether they succeeded is for the
// caller to see.
bool stall_sampler_measure(struct stall_sampler *sampler, int ordinal, profiler_launch *launch,
                           void *context, struct stall_samples *samples, char *why,
                           size_t why_size);

void stall_sampler_close(struct stall_sampler *sampler);

#endif
