// Named stretches of the program's work, one within the other: "step 3 per_element", and in it "upload",
// "verification", "timing".
//
// Nsight Systems and Nsight Compute show them and can choose by them: they are NVTX ranges, where the
// CUDA toolkit has its header, and cost next to nothing when no tool is attached. `./run trace` records
// them. They belong to the main thread.
#ifndef NVTX_RANGES_H
#define NVTX_RANGES_H

#include "facts/activities.h"

// Begins a range; the name is in printf's style and is cut at RANGE_NAME_SIZE.
__attribute__((format(printf, 1, 2))) void range_push(const char *format, ...);

// Ends the range that began last.
void range_pop(void);

// From now on ranges are noted here too, with times of the tracer's clock, and the tracer (instruments.h) is
// told which one the program is in; NULL ends that. No range is open at either time.
void ranges_record(struct activities *into);

#endif
