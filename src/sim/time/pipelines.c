#include "sim/time/pipelines.h"

#include <math.h>

#include "sim/exec/trace.h"
#include "sim/ptx/operations.h"

enum { CONSTANT_LANES = 16 }; // of look-ups, an SM

// Kinds of work; SUMS may go where FLOATS and PRODUCTS go, and where BITS go.
enum work { NO_WORK, SUMS, BITS, PRODUCTS, FLOATS, DOUBLES, SPECIAL, WORKS };

// Lanes of an SM that do it in a cycle.
struct lanes {
    int major, minor; // from this compute capability on
    double integers, products, floats, doubles, special;
};

static const struct lanes table[] = {
    {3, 5, 160, 32, 192, 64, 32}, {7, 0, 64, 64, 64, 32, 16}, {7, 5, 64, 64, 64, 2, 16},
    {8, 0, 64, 64, 64, 32, 16},   {8, 6, 64, 64, 128, 2, 16}, {9, 0, 64, 64, 128, 64, 16},
};

static const struct lanes *lanes_of(const struct sim_device *device)
{
    const struct lanes *found = table;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (device->major * 10 + device->minor >= table[i].major * 10 + table[i].minor)
            found = &table[i];
    return found;
}

static enum work work_of_float(const struct instruction *in, enum arithmetic kind)
{
    return in->type == F64 ? DOUBLES : kind == ROOT ? SPECIAL : FLOATS;
}

static enum work work_of(const struct instruction *in)
{
    enum arithmetic kind = operations[in->operation].kind;
    switch (in->op) {
    case OP_CARRY:
        return SUMS;
    case OP_SETP:
    case OP_SET:
    case OP_SELECT:
    case OP_LOGIC3:
        return BITS;
    case OP_ARITHMETIC:
    case OP_CAREFUL:
        if (type_is_float(in->type))
            return work_of_float(in, kind);
        return kind == ADD || kind == SUB || kind == SHIFT_LEFT ? SUMS
               : kind == OTHER                                  ? BITS
                                                                : PRODUCTS;
    default:
        return NO_WORK;
    }
}

// Of the launch, in warps' machine instructions, as the PTX has them.
static void count_work(const struct launch *launch, double work[WORKS])
{
    for (const struct function *f = launch->module->functions; f; f = f->next)
        for (size_t i = 0; i < f->length; i++) {
            const struct instruction *in = &f->code[i];
            if (launch->counters[in->index].executed)
                work[work_of(in)] += (double)launch->counters[in->index].executed *
                                     machine_cost_of(launch, in).instructions;
        }
}

// Cycles of an SM that so many turns of each unit take.
static void add_up_units(const struct sim_device *device, const double of_unit[MACHINE_UNITS],
                         double cycles[MACHINE_UNITS])
{
    const struct lanes *l = lanes_of(device);
    cycles[NO_UNIT] = 0;
    cycles[BIT_UNIT] = of_unit[BIT_UNIT] / l->integers * LANES;
    cycles[PRODUCT_UNIT] = of_unit[PRODUCT_UNIT] / l->products * LANES;
    cycles[FLOAT_UNIT] = (of_unit[PRODUCT_UNIT] + of_unit[FLOAT_UNIT]) / l->floats * LANES;
    cycles[DOUBLE_UNIT] = of_unit[DOUBLE_UNIT] / l->doubles * LANES;
    cycles[SPECIAL_UNIT] = of_unit[SPECIAL_UNIT] / l->special * LANES;
    cycles[CONSTANT_UNIT] = of_unit[CONSTANT_UNIT] / CONSTANT_LANES * LANES;
    cycles[LOAD_STORE_UNIT] = 0; // load_store_unit.h has its time
    cycles[EVEN_REGISTERS] = of_unit[EVEN_REGISTERS] / device->timing.schedulers;
    cycles[ODD_REGISTERS] = of_unit[ODD_REGISTERS] / device->timing.schedulers;
}

void scheduler_units_cycles(const struct sim_device *device, const double of_unit[MACHINE_UNITS],
                            double cycles[MACHINE_UNITS])
{
    add_up_units(device, of_unit, cycles);
    for (int unit = 0; unit < MACHINE_UNITS; unit++)
        cycles[unit] *= device->timing.schedulers;
}

// Turns of the launch, where there is machine code.
static void count_units(const struct launch *launch, double of_unit[MACHINE_UNITS])
{
    for (size_t i = 0; i < launch->kernel->length; i++)
        for (int unit = 0; unit < MACHINE_UNITS; unit++)
            of_unit[unit] += launch->machine.costs[i].of_unit[unit] *
                             (double)launch->counters[launch->kernel->code[i].index].executed;
}

double units_cycles(const struct launch *launch, const struct sim_device *device, double busy_sms)
{
    if (launch->machine.costs) {
        double of_unit[MACHINE_UNITS] = {0}, cycles[MACHINE_UNITS], busiest = 0;
        count_units(launch, of_unit);
        add_up_units(device, of_unit, cycles);
        for (int unit = 0; unit < MACHINE_UNITS; unit++)
            busiest = fmax(busiest, cycles[unit]);
        return busiest / busy_sms;
    }
    const struct lanes *l = lanes_of(device);
    double work[WORKS] = {0}, fma = 0;
    count_work(launch, work);
    fma = work[PRODUCTS] + work[FLOATS];
    double busiest = fmax(work[PRODUCTS] / l->products, fma / l->floats);
    busiest = fmax(busiest, work[BITS] / l->integers);
    busiest = fmax(busiest, (work[SUMS] + work[BITS] + fma) / (l->integers + l->floats));
    busiest =
        fmax(busiest, (work[SUMS] + work[BITS] + work[PRODUCTS]) / (l->integers + l->products));
    busiest = fmax(busiest, work[DOUBLES] / l->doubles);
    busiest = fmax(busiest, work[SPECIAL] / l->special);
    return busiest * LANES / busy_sms;
}

double atomics_cycles(const struct launch *launch, const struct sim_device *device)
{
    return device->timing.atomic_pass * trace_most_passes(launch->trace);
}
