// The instruments that CUPTI gives, a source file each.
#ifndef CUPTI_INSTRUMENTS_H
#define CUPTI_INSTRUMENTS_H

#include "measure/instruments.h"

extern const struct counters cupti_counters;      // counters.c
extern const struct line_instrument cupti_lines;  // line_counter.c
extern const struct line_instrument cupti_stalls; // stall_sampler.c
extern const struct tracer cupti_tracer;          // tracer.c
extern const struct chips cupti_chips;            // chips.c

#endif
