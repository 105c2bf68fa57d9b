// The registers of a warp: when the value of each is there, and, where somebody asks for waits, what brings it.
#ifndef SIM_WARP_REGISTERS_H
#define SIM_WARP_REGISTERS_H

#include "facts/stall_reasons.h"
#include "sim/ptx/instruction.h"

// What brings a register's value; who waits for that waits for this reason.
struct producer {
    const struct instruction *in;
    enum stall_reason reason;
};

// Both by register slot, of the caller's; `producers` is NULL where nobody asks.
struct warp_registers {
    double *ready; // INFINITY: not known yet
    struct producer *producers;
};

// When the register's value is there; 0 for NO_SLOT.
double register_ready(const struct warp_registers *registers, slot at);

// When all that the instruction reads is there.
double operands_ready(const struct warp_registers *registers, const struct instruction *in);

// What the instruction writes is there at `time`, and who brings it.
void set_ready(struct warp_registers *registers, const struct instruction *in, double time);
void set_producer(struct warp_registers *registers, const struct instruction *in,
                  struct producer producer);

// Who brings the last of what it reads.
struct producer last_producer(const struct warp_registers *registers, const struct instruction *in);

#endif
