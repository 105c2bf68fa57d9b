#include "cupti/instruments.h"

#include "base/platform.h"

const struct platform platform = {.simulated = false};

// Nor does instrumented machine code (SASS metrics, by SM) say the blocks of each SM: CUPTI 13.0 gives one SM's
// count for all.
const struct instruments instruments = {
    .counters = &cupti_counters,
    .lines = &cupti_lines,
    .stalls = &cupti_stalls,
    .tracer = &cupti_tracer,
    .chips = &cupti_chips,
    .why_not.blocks_on_sm = "CUPTI counts the blocks of the busiest and of the idlest SM alone",
};
