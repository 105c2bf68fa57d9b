// Statements to instructions: one function for each family, tried in turn.
#ifndef SIM_DECODE_H
#define SIM_DECODE_H

#include "sim/ptx/loader.h"

// Each returns 0 when the statement's opcode is not of its family.
int decode_arithmetic(struct loader *loader, const struct statement *statement);
int decode_move(struct loader *loader, const struct statement *statement);
int decode_comparison(struct loader *loader, const struct statement *statement);
int decode_memory(struct loader *loader, const struct statement *statement);
int decode_control(struct loader *loader, const struct statement *statement);
int decode_exchange(struct loader *loader, const struct statement *statement);

// Operand `i`, which must be there.
const struct operand *get_operand(struct loader *loader, const struct statement *statement, int i);

// The slot of a value to read, of `width` bytes a lane; of PRED, of 32 bits. A register must have
// that width.
slot read_slot(struct loader *loader, const struct operand *operand, enum type type);

// The slot of a register to write, and its width in *width when the caller takes any.
slot write_slot(struct loader *loader, const struct operand *operand, enum type type);
slot any_register(struct loader *loader, const struct operand *operand, uint8_t *width);

// The vector that holds a variable's address, plus its displacement in *offset.
slot address_slot(struct loader *loader, const struct operand *operand, uint8_t *width,
                  int64_t *offset);

// The statement's last type modifier, and the one before it. Fails when there is none.
enum type last_type(struct loader *loader, const struct statement *statement);
enum type first_type(struct loader *loader, const struct statement *statement);

// Fails unless every modifier is a type or one of the words in `allowed`, separated by spaces.
void allow_modifiers(struct loader *loader, const struct statement *statement, const char *allowed);

// What the function's instructions tell of each other when it is complete: a plain load that only
// starts a compare-and-swap on the same address is no race with others' swaps.
void mark_retried_loads(struct loader *loader);

__attribute__((noreturn)) void not_supported(struct loader *loader);

#endif
