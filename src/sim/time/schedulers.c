#include "sim/time/schedulers.h"

#include <math.h>

#include "sim/time/pipelines.h"

int needs_unit(const struct machine_cost *cost, enum machine_unit unit)
{
    return cost->of_unit[unit] >= 0.5;
}

// Registers are read in the cycle after, too, so that their banks may be a cycle behind (turn_three_registers in the
// microbenchmarks).
double scheduler_units_free(const struct schedulers *all, unsigned scheduler,
                            const struct machine_cost *cost, enum machine_unit *last)
{
    double ready = 0;
    *last = NO_UNIT;
    for (int unit = 0; unit < MACHINE_UNITS; unit++) {
        double free = all->unit_free[scheduler][unit] - is_bank((enum machine_unit)unit);
        if (needs_unit(cost, (enum machine_unit)unit) && free > ready) {
            *last = (enum machine_unit)unit;
            ready = free;
        }
    }
    return ready;
}

void scheduler_issue(struct schedulers *all, unsigned scheduler, double now, double instructions,
                     const double of_unit[MACHINE_UNITS])
{
    double cycles[MACHINE_UNITS] = {0};
    scheduler_units_cycles(all->device, of_unit, cycles);
    all->free[scheduler] = now + instructions;
    for (int unit = 0; unit < MACHINE_UNITS; unit++)
        if (cycles[unit] > 0)
            all->unit_free[scheduler][unit] =
                fmax(all->unit_free[scheduler][unit], now) + cycles[unit];
}
