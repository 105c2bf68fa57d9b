#include "sim/time/warp_registers.h"

#include <math.h>
#include <stddef.h>

double register_ready(const struct warp_registers *registers, slot at)
{
    return at == NO_SLOT ? 0 : registers->ready[at / SLOT_BYTES];
}

enum { OTHERS = 5, MOST_REGISTERS = OTHERS + MAX_VECTOR };

static int vector_of(const struct instruction *in, slot registers[MAX_VECTOR])
{
    int count = in->vector > 1 ? in->vector : 0;
    for (int i = 0; i < count; i++)
        registers[i] = in->v[i];
    return count;
}

// The registers that an instruction reads, or writes. Returns how many; NO_SLOT may be among them.
static int read_by(const struct instruction *in, slot registers[MOST_REGISTERS])
{
    const slot others[OTHERS] = {in->guard, in->q, in->a, in->b, in->c};
    for (int i = 0; i < OTHERS; i++)
        registers[i] = others[i];
    return OTHERS + (in->is_load ? 0 : vector_of(in, registers + OTHERS));
}

static int written_by(const struct instruction *in, slot registers[MOST_REGISTERS])
{
    registers[0] = in->d;
    return 1 + (in->is_load ? vector_of(in, registers + 1) : 0);
}

double operands_ready(const struct warp_registers *registers, const struct instruction *in)
{
    slot reads[MOST_REGISTERS];
    double ready = 0;
    for (int i = read_by(in, reads) - 1; i >= 0; i--)
        ready = fmax(ready, register_ready(registers, reads[i]));
    return ready;
}

void set_ready(struct warp_registers *registers, const struct instruction *in, double time)
{
    slot writes[MOST_REGISTERS];
    for (int i = written_by(in, writes) - 1; i >= 0; i--)
        if (writes[i] != NO_SLOT)
            registers->ready[writes[i] / SLOT_BYTES] = time;
}

void set_producer(struct warp_registers *registers, const struct instruction *in,
                  struct producer producer)
{
    slot writes[MOST_REGISTERS];
    for (int i = written_by(in, writes) - 1; i >= 0; i--)
        if (writes[i] != NO_SLOT)
            registers->producers[writes[i] / SLOT_BYTES] = producer;
}

struct producer last_producer(const struct warp_registers *registers, const struct instruction *in)
{
    slot last = NO_SLOT, reads[MOST_REGISTERS];
    int count = read_by(in, reads);
    for (int i = 0; i < count; i++)
        if (register_ready(registers, reads[i]) > register_ready(registers, last))
            last = reads[i];
    return last == NO_SLOT ? (struct producer){NULL, STALL_WAIT}
                           : registers->producers[last / SLOT_BYTES];
}
