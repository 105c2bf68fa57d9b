// A step's figures read aloud, in a sentence: what the step changed. What to try next is advice.h's.
#ifndef READING_H
#define READING_H

#include "facts/run_data.h"

#include <stdbool.h>

enum { READING_SIZE = 320 };

// Thresholds beyond which a value is bad and gets a mark; percentages. The 2012 deck marks a store
// efficiency of 12.5, a DRAM utilization of 6.5 and replay overheads of 83 and more, discusses one
// of 30.4, and is content with 17.6 and with an occupancy of 49.8.
enum { LOW_EFFICIENCY = 75, LOW_DRAM_UTILIZATION = 25, LOW_OCCUPANCY = 40, HIGH_OVERHEAD = 25 };

// Whether the metric has a number that is bad. With matrices that fit in the L2, a low DRAM
// utilization is not.
bool metric_is_bad(const struct run_data *run, const struct result *result, enum metric metric);

// Writes the reading of `result`, measured after `before` (NULL: nothing to compare with); "" where
// nothing is known.
void read_step(const struct run_data *run, const struct result *result, const struct result *before,
               char text[READING_SIZE]);

#endif
