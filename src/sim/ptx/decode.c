#include "sim/ptx/decode.h"

#include <string.h>

void not_supported(struct loader *loader)
{
    load_fail(loader, "%s is not supported by the simulated device", loader->opcode);
}

const struct operand *get_operand(struct loader *loader, const struct statement *statement, int i)
{
    if (i >= statement->operand_count)
        load_fail(loader, "%s needs more operands", loader->opcode);
    return &statement->operands[i];
}

static unsigned lane_width(enum type type)
{
    return type_size(type);
}

slot any_register(struct loader *loader, const struct operand *operand, uint8_t *width)
{
    if (operand->kind != OPERAND_REGISTER || operand->symbol->type == PRED || operand->negated)
        load_fail(loader, "%s needs a register that is no predicate", loader->opcode);
    *width = (uint8_t)type_size(operand->symbol->type);
    return register_slot(loader, operand->symbol);
}

slot write_slot(struct loader *loader, const struct operand *operand, enum type type)
{
    if (operand->kind != OPERAND_REGISTER || operand->negated ||
        (operand->symbol->type == PRED) != (type == PRED) ||
        type_size(operand->symbol->type) != lane_width(type))
        load_fail(loader, "%s: an operand is not a register of the right size", loader->opcode);
    return register_slot(loader, operand->symbol);
}

static slot variable_address(struct loader *loader, const struct symbol *symbol, unsigned width)
{
    if (symbol->kind != SYMBOL_VARIABLE)
        load_fail(loader, "%s: the address of '%s' is not supported", loader->opcode, symbol->name);
    switch (symbol->space) {
    case LOCAL:
    case PARAM:
        return load_constant(loader, CONSTANT_LOCAL, symbol->address, width);
    case KERNEL_PARAM:
        return load_constant(loader, CONSTANT_PARAM_ADDRESS, symbol->address, width);
    case SHARED:
        if (symbol->size == UINT64_MAX)
            return load_constant(loader, CONSTANT_SPECIAL, DYNAMIC_SMEM_BASE, width);
        return load_constant(loader, CONSTANT_BITS, symbol->address, width);
    default:
        return load_constant(loader, CONSTANT_BITS, symbol->address, width);
    }
}

// mov.u32 %r1, variable+8: a variable's address that is moved on.
static slot displaced(struct loader *loader, const struct operand *operand, unsigned width)
{
    struct symbol moved = *operand->symbol;
    if (operand->displacement && moved.space == SHARED && moved.size == UINT64_MAX)
        load_fail(loader, "%s: a displacement from dynamic shared memory is not supported here",
                  loader->opcode);
    moved.address += (uint64_t)operand->displacement;
    return variable_address(loader, &moved, width);
}

static uint64_t literal(struct loader *loader, const struct operand *operand, enum type type)
{
    if (operand->float_width && operand->float_width != (int)type_size(type))
        load_fail(loader, "%s: a literal is not of the right size", loader->opcode);
    if (type == PRED)
        return operand->number ? UINT32_MAX : 0;
    if (type_size(type) == 8)
        return operand->number;
    return operand->number & (((uint64_t)1 << 8 * type_size(type)) - 1);
}

slot read_slot(struct loader *loader, const struct operand *operand, enum type type)
{
    switch (operand->kind) {
    case OPERAND_NUMBER:
        return load_constant(loader, CONSTANT_BITS, literal(loader, operand, type),
                             type_size(type));
    case OPERAND_SPECIAL:
        if (operand->special >= CLOCK || type_size(type) < 4 || type == PRED)
            load_fail(loader, "%s cannot read this special register", loader->opcode);
        return load_constant(loader, CONSTANT_SPECIAL, operand->special, type_size(type));
    case OPERAND_SYMBOL:
        if (type_size(type) < 4 || type == PRED)
            load_fail(loader, "%s: an address does not fit", loader->opcode);
        return displaced(loader, operand, type_size(type));
    case OPERAND_REGISTER:
        if ((operand->symbol->type == PRED) == (type == PRED) &&
            type_size(operand->symbol->type) == lane_width(type))
            return register_slot(loader, operand->symbol);
        break;
    default:
        break;
    }
    load_fail(loader, "%s: an operand is not of the right kind or size", loader->opcode);
}

slot address_slot(struct loader *loader, const struct operand *operand, uint8_t *width,
                  int64_t *offset)
{
    if (operand->kind != OPERAND_ADDRESS)
        load_fail(loader, "%s needs an address in brackets", loader->opcode);
    *offset = operand->displacement;
    *width = 8;
    if (!operand->symbol)
        return load_constant(loader, CONSTANT_BITS, 0, 8);
    if (operand->symbol->kind != SYMBOL_REGISTER)
        return variable_address(loader, operand->symbol, 8);
    unsigned size = type_size(operand->symbol->type);
    if (operand->symbol->type == PRED || size < 4)
        load_fail(loader, "%s: an address register has 32 or 64 bits", loader->opcode);
    *width = (uint8_t)size;
    return register_slot(loader, operand->symbol);
}

enum type last_type(struct loader *loader, const struct statement *statement)
{
    for (int i = statement->modifier_count - 1; i >= 0; i--)
        if (type_named(statement->modifiers[i]) != NO_TYPE)
            return type_named(statement->modifiers[i]);
    load_fail(loader, "%s names no type that the simulated device supports", loader->opcode);
}

enum type first_type(struct loader *loader, const struct statement *statement)
{
    for (int i = 0; i < statement->modifier_count; i++)
        if (type_named(statement->modifiers[i]) != NO_TYPE)
            return type_named(statement->modifiers[i]);
    return last_type(loader, statement);
}

static int is_word_of(const char *word, const char *words)
{
    size_t length = strlen(word);
    for (const char *at = words; *at;) {
        size_t next = strcspn(at, " ");
        if (next == length && memcmp(at, word, length) == 0)
            return 1;
        at += next + (at[next] == ' ');
    }
    return 0;
}

void allow_modifiers(struct loader *loader, const struct statement *statement, const char *allowed)
{
    for (int i = 0; i < statement->modifier_count; i++) {
        const char *modifier = statement->modifiers[i];
        if (type_named(modifier) == NO_TYPE && !is_word_of(modifier, allowed))
            load_fail(loader, "%s: .%s is not supported by the simulated device", loader->opcode,
                      modifier);
    }
}

void decode_statement(struct loader *loader, const struct statement *statement)
{
    uint32_t first = loader->length;
    if (!decode_memory(loader, statement) && !decode_move(loader, statement) &&
        !decode_comparison(loader, statement) && !decode_control(loader, statement) &&
        !decode_exchange(loader, statement) && !decode_arithmetic(loader, statement))
        not_supported(loader);
    for (uint32_t i = first; i < loader->length && statement->guard; i++) {
        loader->code[i].guard = register_slot(loader, statement->guard);
        loader->code[i].guard_negated = (uint8_t)statement->guard_negated;
    }
}
