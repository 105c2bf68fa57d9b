// Whether what another process left in shared memory can be read at all: a step runs there too, and may have written
// over it. Sound is what has its texts ended, its places and kinds in range, and its numbers finite, so that whoever
// reads it comes to no harm; whether it is true, nobody can tell. To be asked of a copy that nobody writes to.
#ifndef SHARED_RESULTS_H
#define SHARED_RESULTS_H

#include "facts/hotspots.h"
#include "facts/run.h"
#include "facts/stalls.h"
#include "facts/trace.h"
#include "facts/tuning_verdicts.h"

// Whether the text of at most `size` bytes ends in them.
bool text_sound(const char *text, size_t size);

bool timing_sound(const struct timing *timing);
bool value_sound(const struct value *value);
bool roofs_sound(const struct roof_result roofs[ROOFS]);
bool device_sound(const struct device *device);
bool launch_needs_sound(const struct launch_needs *needs);

// Of a step that was tried.
bool step_result_sound(const struct step_result *step);

// Of a candidate, whose number is not in question.
bool candidate_sound(const struct candidate *candidate);

// Of what was looked at closely. The step and its n are not in question.
bool inspection_sound(const struct inspection *inspection);
bool hotspot_step_sound(const struct inspected *hotspot_step);
bool stalls_step_sound(const struct inspected *stalls_step);
bool traced_step_sound(const struct inspected *traced_step);

#endif
