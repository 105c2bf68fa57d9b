// Counters that are refused: what the simulated device counts of the same launches stands in for them, so that a lesson
// goes on where the driver keeps the counters to itself. Times stay the GPU's own.
#ifndef REFUSED_COUNTERS_H
#define REFUSED_COUNTERS_H

#include "facts/run.h"

// How long the simulated device may take, in seconds: what it has not counted by then is left out.
enum { STAND_IN_S = 20 };

// Whether counts of the run would be stood in for: it is of a GPU whose counters were asked for and are refused, and there
// is a program with the simulated device.
bool stand_in_wanted(const struct run *run, bool counters_are_asked_for);

// Has the simulated device count the verified steps of the run, those whose place is `first` first, and takes the counts
// over. Each keeps its provenance; a step that is left out says why.
void stand_in_count(struct run *run, const bool first[]);

// Takes over what was counted of the same step elsewhere, if the launch is the same. Of a simulated device that is not
// the GPU itself (`is_the_gpu`) nothing that rests on its size: DRAM, occupancy, blocks per SM.
void stand_in_take(struct step_result *step, const struct step_result *counted, bool is_the_gpu,
                   const struct device *device);

#endif
