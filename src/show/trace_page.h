// What ./run trace prints: everything that a device did for the steps, in order, with its
// times, and how many of a step's blocks ran on the SMs.
#ifndef TRACE_PAGE_H
#define TRACE_PAGE_H

#include "base/source_file.h"
#include "base/style.h"
#include "facts/trace.h"

#include <stdio.h>

// What struct inspector (inspect.h) asks of a verb; `inspection` is of struct trace and `at` of struct
// traced_step.
void print_trace_device(FILE *file, const struct style *style, const struct inspection *inspection);
void print_trace_step(FILE *file, const struct style *style, const struct inspected *at,
                      const struct source_file *source);
void print_trace_legend(FILE *file, const struct inspection *inspection);

#endif
