// Statements to instructions: what decoders share.
#ifndef SIM_DECODE_H
#define SIM_DECODE_H

#include "sim/ptx/loader.h"

// Completes an instruction from its statement, loader->statement: its op is the opcode's already.
typedef void decode_fn(struct loader *loader, struct instruction *in);

// The decoders that opcodes.h names, and that of the opcodes which it has not.
#define INSTRUCTION(op, spelling, modifiers, decode, execute) decode_fn decode;
#define SPELLING(op, spelling, modifiers, decode) decode_fn decode;
#include "sim/ptx/opcodes.h"
decode_fn decode_arithmetic;

// Operand `i`, which must be there.
const struct operand *get_operand(struct loader *loader, int i);

// The slot of a value to read, of the type's width a lane; of PRED, of 32 bits. A register must have
// that width.
slot read_slot(struct loader *loader, const struct operand *operand, enum type type);
slot read_operand(struct loader *loader, int i, enum type type);

// The slot of a register to write, and its width in *width when the caller takes any.
slot write_slot(struct loader *loader, const struct operand *operand, enum type type);
slot write_operand(struct loader *loader, int i, enum type type);
slot any_register(struct loader *loader, const struct operand *operand, uint8_t *width);

// The slot of the second predicate of %p|%q, or NO_SLOT.
slot write_second(struct loader *loader, const struct operand *operand);

// The vector that holds a variable's address, plus its displacement in *offset.
slot address_slot(struct loader *loader, int i, uint8_t *width, int64_t *offset);

// The statement's last type modifier, and the first one. Fail when there is none.
enum type last_type(struct loader *loader);
enum type first_type(struct loader *loader);

// Whether the statement has the modifier.
int has_modifier(const struct loader *loader, const char *name);

// The place of the first one among `names`, separated by spaces, that the statement has; their number when
// it has none.
unsigned which_modifier(const struct loader *loader, const char *names);

// Fails unless every modifier is a type or one of the words in `allowed`, separated by spaces.
void allow_modifiers(struct loader *loader, const char *allowed);

// What the function's instructions tell of each other when it is complete: a plain load that only
// starts a compare-and-swap on the same address, or reads where atomics are made, is no race with them.
void mark_fresh_loads(struct loader *loader);

__attribute__((noreturn)) void not_supported(struct loader *loader);

#endif
