// The schedulers of an SM: when each may issue again, and until when those before it keep its units and its banks of
// registers busy (machine_units.h).
#ifndef SIM_SCHEDULERS_H
#define SIM_SCHEDULERS_H

#include "base/sim_devices.h"
#include "sim/machine/machine_costs.h"
#include "sim/time/requests.h"

struct schedulers {
    const struct sim_device *device;
    double free[MAX_SCHEDULERS], unit_free[MAX_SCHEDULERS][MACHINE_UNITS];
};

// Whether what costs that needs the unit in most of its executions, by the machine code.
int needs_unit(const struct machine_cost *cost, enum machine_unit unit);

// When the scheduler's units are free for what costs that; *last becomes the one that is so last, or NO_UNIT.
double scheduler_units_free(const struct schedulers *all, unsigned scheduler,
                            const struct machine_cost *cost, enum machine_unit *last);

// From `now` on the scheduler issues so many instructions, and its units have so many turns more.
void scheduler_issue(struct schedulers *all, unsigned scheduler, double now, double instructions,
                     const double of_unit[MACHINE_UNITS]);

#endif
