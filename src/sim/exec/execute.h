// What executes instructions: a function for each op (opcodes.h), for the warp's lanes that are set in
// `mask`, which is never 0.
#ifndef SIM_EXECUTE_H
#define SIM_EXECUTE_H

#include "sim/ptx/instruction.h"

struct warp;

typedef void execute_fn(struct warp *warp, const struct instruction *in, uint32_t mask);

#define INSTRUCTION(op, spelling, modifiers, decode, execute) execute_fn execute;
#define VARIANT(op, execute) execute_fn execute;
#include "sim/ptx/opcodes.h"

// Calls of functions that no module has: vprintf(format, values) prints on the host's standard output, lane
// by lane; __assertfail() is a fault of the first lane that makes it.
execute_fn execute_print, execute_assert;

// One lane's result of an operation (in->operation) from its operands, all as bits in the low end of 64.
typedef uint64_t scalar_fn(uint64_t a, uint64_t b, uint64_t c);
scalar_fn *scalar_of(const struct instruction *in);

// How the host's own arithmetic rounds from now on: to be set back to NEAREST.
void round_to(enum rounding rounding);

// .ftz: zero, with its sign, for a subnormal f32.
uint64_t flushed(uint64_t bits);

#endif
