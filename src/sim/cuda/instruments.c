#include "sim/cuda/instruments.h"

#include "base/platform.h"
#include "sim/sim.h"

const struct platform platform = {.simulated = true,
                                  .checks_accesses = sim_checks,
                                  .estimates_registers = sim_registers_are_estimated,
                                  .report = sim_last_report,
                                  .leave_reports = sim_leave_reports};

const struct instruments instruments = {
    .counters = &sim_counters,
    .lines = &sim_lines,
    .stalls = &sim_stalls,
    .tracer = &sim_tracer,
    .launches_follow = sim_launches_follow,
    .blocks_on_sm = sim_blocks_on_sm,
    .why_not = {
        .chips = "this program has no CUPTI, which knows the chips\n"
                 "Install the CUDA toolkit with CUPTI, 12.6 update 2 or newer, and build again.",
    }};
