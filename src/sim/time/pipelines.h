// What the units that compute, and the 256 bytes that atomics update most often, add to a launch's time.
//
// Which unit takes an instruction: Nsight Compute's documentation, "Pipelines". FMA has floats and integer products,
// ALU integers without products, bits and comparisons, FP64 doubles, XU roots and the like; sums of integers may go
// through either of the first two, as ptxas writes them (an IMAD by 1): where there is machine code it says which. How many
// lanes a cycle: the table "Throughput of Native Arithmetic Instructions" of the CUDA C++ Programming Guide, and turn_* in the
// microbenchmarks, which constants that are looked up (LDC) are of. Atomics on the same 256 bytes queue
// at one slice of the L2, which updates each word of a sector at most once a pass: atomics_* in the microbenchmarks.
#ifndef SIM_PIPELINES_H
#define SIM_PIPELINES_H

#include "base/sim_devices.h"
#include "sim/machine/machine_units.h"
#include "sim/state/launch.h"

// Cycles for which the busiest of an SM's units has to do with the launch, where `busy_sms` share it.
double units_cycles(const struct launch *launch, const struct sim_device *device, double busy_sms);

// Cycles for which a scheduler's part of each unit is busy with so many turns of it.
void scheduler_units_cycles(const struct sim_device *device, const double of_unit[MACHINE_UNITS],
                            double cycles[MACHINE_UNITS]);

// Cycles for which the slice of the L2 whose 256 bytes the launch updates most often is busy with them.
double atomics_cycles(const struct launch *launch, const struct sim_device *device);

#endif
