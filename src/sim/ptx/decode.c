#include "sim/ptx/decode.h"

#include <string.h>

void not_supported(struct loader *loader)
{
    load_fail(loader, "%s is not supported by the simulated device", loader->opcode);
}

const struct operand *get_operand(struct loader *loader, int i)
{
    if (i >= loader->statement->operand_count)
        load_fail(loader, "%s needs more operands", loader->opcode);
    return &loader->statement->operands[i];
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
        type_size(operand->symbol->type) != type_size(type))
        load_fail(loader, "%s: an operand is not a register of the right size", loader->opcode);
    return register_slot(loader, operand->symbol);
}

slot write_operand(struct loader *loader, int i, enum type type)
{
    return write_slot(loader, get_operand(loader, i), type);
}

slot write_second(struct loader *loader, const struct operand *operand)
{
    struct operand second = {.kind = OPERAND_REGISTER, .symbol = operand->second};
    return operand->second ? write_slot(loader, &second, PRED) : NO_SLOT;
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
            type_size(operand->symbol->type) == type_size(type))
            return register_slot(loader, operand->symbol);
        break;
    default:
        break;
    }
    load_fail(loader, "%s: an operand is not of the right kind or size", loader->opcode);
}

slot read_operand(struct loader *loader, int i, enum type type)
{
    return read_slot(loader, get_operand(loader, i), type);
}

slot address_slot(struct loader *loader, int i, uint8_t *width, int64_t *offset)
{
    const struct operand *operand = get_operand(loader, i);
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

enum type last_type(struct loader *loader)
{
    const struct statement *statement = loader->statement;
    for (int i = statement->modifier_count - 1; i >= 0; i--)
        if (type_named(statement->modifiers[i]) != NO_TYPE)
            return type_named(statement->modifiers[i]);
    load_fail(loader, "%s names no type that the simulated device supports", loader->opcode);
}

enum type first_type(struct loader *loader)
{
    const struct statement *statement = loader->statement;
    for (int i = 0; i < statement->modifier_count; i++)
        if (type_named(statement->modifiers[i]) != NO_TYPE)
            return type_named(statement->modifiers[i]);
    return last_type(loader);
}

// Copies the next of the words, which spaces separate; 0 when there is none.
static int next_word(const char **words, char word[MODIFIER_SIZE])
{
    size_t length = strcspn(*words, " ");
    memcpy(word, *words, length);
    word[length] = 0;
    *words += length + ((*words)[length] == ' ');
    return length > 0;
}

int has_modifier(const struct loader *loader, const char *name)
{
    const struct statement *statement = loader->statement;
    for (int i = 0; i < statement->modifier_count; i++)
        if (strcmp(statement->modifiers[i], name) == 0)
            return 1;
    return 0;
}

unsigned which_modifier(const struct loader *loader, const char *names)
{
    char name[MODIFIER_SIZE];
    unsigned place = 0;
    while (next_word(&names, name) && !has_modifier(loader, name))
        place++;
    return place;
}

static int is_word_of(const char *word, const char *words)
{
    char other[MODIFIER_SIZE];
    while (next_word(&words, other))
        if (strcmp(word, other) == 0)
            return 1;
    return 0;
}

void allow_modifiers(struct loader *loader, const char *allowed)
{
    for (int i = 0; i < loader->statement->modifier_count; i++) {
        const char *modifier = loader->statement->modifiers[i];
        if (type_named(modifier) == NO_TYPE && !is_word_of(modifier, allowed))
            load_fail(loader, "%s: .%s is not supported by the simulated device", loader->opcode,
                      modifier);
    }
}

static const struct opcode {
    const char *spelling, *modifiers;
    enum op op;
    decode_fn *decode;
} opcodes[] = {
#define INSTRUCTION(op, spelling, modifiers, decode, execute)                                      \
    {spelling, modifiers, OP_##op, decode},
#define SPELLING(op, spelling, modifiers, decode) {spelling, modifiers, OP_##op, decode},
#include "sim/ptx/opcodes.h"
};

static const struct opcode *find_opcode(const char *spelling)
{
    static const struct opcode arithmetic = {"", NULL, OP_ARITHMETIC, decode_arithmetic};
    for (size_t i = 0; i < sizeof opcodes / sizeof *opcodes; i++)
        if (strcmp(opcodes[i].spelling, spelling) == 0)
            return &opcodes[i];
    return &arithmetic;
}

void decode_statement(struct loader *loader, const struct statement *statement)
{
    const struct opcode *opcode = find_opcode(statement->opcode);
    struct instruction *in = load_instruction(loader, opcode->op);
    loader->statement = statement;
    if (opcode->modifiers)
        allow_modifiers(loader, opcode->modifiers);
    opcode->decode(loader, in);
    if (statement->guard) {
        in->guard = register_slot(loader, statement->guard);
        in->guard_negated = (uint8_t)statement->guard_negated;
    }
}
