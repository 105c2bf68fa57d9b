// The simulated device's instruments, a source file each.
#ifndef SIM_INSTRUMENTS_H
#define SIM_INSTRUMENTS_H

#include "measure/instruments.h"

extern const struct counters sim_counters;      // counters.c
extern const struct line_instrument sim_lines;  // line_counter.c
extern const struct line_instrument sim_stalls; // stall_sampler.c
extern const struct tracer sim_tracer;          // tracer.c

// How what needs no setting up is opened and closed: line_counter.c
void *sim_open_nothing(char *why, size_t why_size);
void sim_close_nothing(void *opened);

#endif
