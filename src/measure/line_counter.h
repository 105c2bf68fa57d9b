// Who counts accesses by source line: the interface that cupti/ (a GPU's instrumented kernels) and
// src/sim/ (the simulated device) implement. Exactly one of them is linked into a program.
#ifndef LINE_COUNTER_H
#define LINE_COUNTER_H

#include "base/source_lines.h"
#include "measure/profiler.h"

#include <stdbool.h>
#include <stddef.h>

struct line_counter;

// Gets ready to count, once a process, and before the first launch in it: a GPU's kernels are seen
// when they are loaded. No device is needed yet. NULL with the reason and what to do about it in
// `why` (of `why_size` bytes). The caller closes what it gets.
struct line_counter *line_counter_open(char *why, size_t why_size);

// Counts the accesses of one launch, on device `ordinal`, which is the current one, and waits for
// it; `lines` starts empty. May be called once. False with the reason in `why` when nothing could be
// counted; the launch may have been made all the same. Whether it succeeded is for the caller to see.
bool line_counter_measure(struct line_counter *counter, int ordinal, profiler_launch *launch,
                          void *context, struct source_lines *lines, char *why, size_t why_size);

void line_counter_close(struct line_counter *counter);

#endif
