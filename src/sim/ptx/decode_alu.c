// Arithmetic, conversion, moves and comparisons.
#include <stdio.h>
#include <string.h>

#include "sim/exec/alu.h"
#include "sim/exec/warp.h"
#include "sim/ptx/decode.h"

static int rounding_of(const struct statement *statement, const char *suffix)
{
    static const struct {
        const char *name;
        enum rounding rounding;
    } names[] = {{"rn", NEAREST}, {"rz", TOWARD_ZERO}, {"rm", DOWN}, {"rp", UP}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[8];
        snprintf(name, sizeof name, "%s%s", names[i].name, suffix);
        if (has_modifier(statement, name))
            return (int)names[i].rounding;
    }
    return -1;
}

// The operation's name in the tables: without what does not change it, and with b32 for a type
// that has no row of its own.
static const struct operation *look_up(const struct statement *statement, enum type type)
{
    static const char *const kept[] = {"hi", "wide", "shiftamt", "l", "r", "wrap", "clamp"};
    static const char *const names[] = {
        [B8] = "b8",   [B16] = "b16",     [B32] = "b32", [B64] = "b64",
        [U8] = "u8",   [U16] = "u16",     [U32] = "u32", [U64] = "u64",
        [S8] = "s8",   [S16] = "s16",     [S32] = "s32", [S64] = "s64",
        [F16] = "f16", [F16X2] = "f16x2", [F32] = "f32", [F64] = "f64"};
    char stem[128], name[160];
    int used = snprintf(stem, sizeof stem, "%s", statement->opcode);
    for (int i = 0; i < statement->modifier_count; i++)
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (strcmp(statement->modifiers[i], kept[k]) == 0 && used < 64)
                used += snprintf(stem + used, sizeof stem - (size_t)used, ".%s", kept[k]);
    if (has_modifier(statement, "sat") && !type_is_float(type))
        snprintf(stem + used, sizeof stem - (size_t)used, ".sat");
    if (type == PRED || type == NO_TYPE)
        return NULL;
    snprintf(name, sizeof name, "%s.%s", stem, names[type]);
    const struct operation *operation = find_operation(name);
    if (!operation && !type_is_float(type)) {
        snprintf(name, sizeof name, "%s.b%u", stem, 8 * type_size(type));
        operation = find_operation(name);
    }
    return operation;
}

static enum type bits_of(unsigned width)
{
    return width == 2 ? B16 : width == 4 ? B32 : B64;
}

// addc, add.cc, ...: returns 0 for the forms without a carry.
static int decode_carry(struct loader *loader, const struct statement *statement, enum type type)
{
    static const struct {
        const char *opcode;
        enum carry operation;
    } names[] = {{"add", CARRY_ADD},  {"addc", CARRY_ADD},    {"sub", CARRY_SUB},
                 {"subc", CARRY_SUB}, {"mad", CARRY_MAD_LOW}, {"madc", CARRY_MAD_LOW}};
    size_t i = 0, count = sizeof names / sizeof *names;
    while (i < count && strcmp(names[i].opcode, statement->opcode) != 0)
        i++;
    int takes = i < count && i % 2 == 1, sets = has_modifier(statement, "cc");
    if (i == count || (!takes && !sets))
        return 0;
    allow_modifiers(loader, statement, "cc lo hi");
    if (type_is_float(type) || type == PRED || type_size(type) < 4)
        not_supported(loader);
    slot d = write_slot(loader, get_operand(loader, statement, 0), type);
    slot a = read_slot(loader, get_operand(loader, statement, 1), type);
    slot b = read_slot(loader, get_operand(loader, statement, 2), type), c = NO_SLOT;
    if (names[i].operation == CARRY_MAD_LOW)
        c = read_slot(loader, get_operand(loader, statement, 3), type);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a, in->b = b, in->c = c;
    in->width_d = in->width_a = in->width_b = in->width_c = (uint8_t)type_size(type);
    in->type = (uint8_t)type;
    in->takes_carry = (uint8_t)takes, in->sets_carry = (uint8_t)sets;
    in->bitwise = has_modifier(statement, "hi") ? CARRY_MAD_HIGH : names[i].operation;
    in->execute = execute_carry;
    return 1;
}

int decode_arithmetic(struct loader *loader, const struct statement *statement)
{
    enum type type = last_type(loader, statement);
    if (decode_carry(loader, statement, type))
        return 1;
    const struct operation *operation = look_up(statement, type);
    if (!operation)
        return 0;
    allow_modifiers(loader, statement,
                    "lo hi wide sat rn rz rm rp ftz approx full shiftamt l r wrap clamp");
    slot s[5] = {NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT, NO_SLOT};
    int count = operation->width[3] ? 4 : operation->width[2] ? 3 : 2;
    int has_fifth = strcmp(statement->opcode, "bfi") == 0; // its length
    if (statement->operand_count != count + has_fifth)
        load_fail(loader, "%s needs %d operands", loader->opcode, count + has_fifth);
    s[0] = write_slot(loader, get_operand(loader, statement, 0), bits_of(operation->width[0]));
    for (int i = 1; i < count; i++)
        s[i] = read_slot(loader, get_operand(loader, statement, i), bits_of(operation->width[i]));
    if (has_fifth)
        s[4] = read_slot(loader, get_operand(loader, statement, 4), B32);
    struct instruction *in = load_instruction(loader);
    int rounding = rounding_of(statement, "");
    in->d = s[0], in->a = s[1], in->b = s[2], in->c = s[3], in->q = s[4];
    in->width_d = operation->width[0], in->width_a = operation->width[1];
    in->width_b = operation->width[2], in->width_c = operation->width[3];
    in->type = (uint8_t)type;
    in->rounding = (uint8_t)(rounding < 0 ? NEAREST : rounding);
    in->flush = type == F32 && has_modifier(statement, "ftz");
    if ((type == F16 || type == F16X2) &&
        (in->rounding != NEAREST || has_modifier(statement, "ftz")))
        not_supported(loader);
    in->saturate = type_is_float(type) && has_modifier(statement, "sat");
    in->use.scalar = operation->scalar;
    int careful = !operation->lanes || in->rounding != NEAREST || in->flush || in->saturate;
    in->execute = careful ? execute_careful : operation->lanes;
    return 1;
}

static void decode_convert(struct loader *loader, const struct statement *statement)
{
    enum type to = first_type(loader, statement), from = last_type(loader, statement);
    allow_modifiers(loader, statement, "rn rz rm rp rni rzi rmi rpi ftz sat");
    int halves = to == F16 || from == F16;
    if (to == F16X2 || from == F16X2 || to == PRED || from == PRED ||
        (halves && has_modifier(statement, "ftz")))
        not_supported(loader);
    const struct operand *source = get_operand(loader, statement, 1);
    uint8_t width_d, width_a = (uint8_t)type_size(from);
    slot d = any_register(loader, get_operand(loader, statement, 0), &width_d);
    slot a = source->kind == OPERAND_REGISTER ? any_register(loader, source, &width_a)
                                              : read_slot(loader, source, from);
    if (width_d < type_size(to) || width_a < type_size(from))
        load_fail(loader, "%s: a register is too small", loader->opcode);
    struct instruction *in = load_instruction(loader);
    int rounding = rounding_of(statement, ""), integral = rounding_of(statement, "i");
    in->d = d, in->a = a;
    in->width_d = width_d, in->width_a = width_a;
    in->type = (uint8_t)to, in->source_type = (uint8_t)from;
    in->integral = integral >= 0;
    in->rounding = (uint8_t)(integral >= 0 ? integral : rounding >= 0 ? rounding : NEAREST);
    in->flush = (uint8_t)has_modifier(statement, "ftz");
    in->saturate = (uint8_t)has_modifier(statement, "sat");
    in->execute = execute_convert;
    int integers = !type_is_float(to) && !type_is_float(from) && !in->saturate;
    if (integers && width_d == 8 && width_a == 4 && type_size(to) == 8 && type_size(from) == 4)
        in->execute = type_is_signed(from) ? execute_widen_s32 : execute_widen_u32;
    if (integers && width_d == 4 && width_a == 8 && type_size(to) == 4 && type_size(from) == 8)
        in->execute = execute_narrow_64;
}

static void decode_pack(struct loader *loader, const struct statement *statement, int packs)
{
    const struct operand *vector = get_operand(loader, statement, packs ? 1 : 0);
    const struct operand *whole = get_operand(loader, statement, packs ? 0 : 1);
    unsigned size = type_size(last_type(loader, statement));
    if ((vector->count != 2 && vector->count != 4) || size / (unsigned)vector->count < 2)
        not_supported(loader);
    unsigned part = size / (unsigned)vector->count;
    slot v[MAX_VECTOR], w;
    for (int i = 0; i < vector->count; i++) {
        const struct operand *member = &vector->members[i];
        v[i] = member->kind == OPERAND_SINK && !packs ? NO_SLOT
               : packs                                ? read_slot(loader, member, bits_of(part))
                                                      : write_slot(loader, member, bits_of(part));
    }
    w = packs ? write_slot(loader, whole, bits_of(size)) : read_slot(loader, whole, bits_of(size));
    struct instruction *in = load_instruction(loader);
    in->vector = (uint8_t)vector->count;
    memcpy(in->v, v, sizeof v[0] * (size_t)vector->count);
    *(packs ? &in->d : &in->a) = w;
    in->width_d = (uint8_t)(packs ? size : part);
    in->width_a = (uint8_t)(packs ? part : size);
    in->execute = packs ? execute_pack : execute_unpack;
}

int decode_move(struct loader *loader, const struct statement *statement)
{
    if (strcmp(statement->opcode, "cvt") == 0) {
        decode_convert(loader, statement);
        return 1;
    }
    if (strcmp(statement->opcode, "mov") != 0)
        return 0;
    allow_modifiers(loader, statement, "");
    const struct operand *to = get_operand(loader, statement, 0);
    const struct operand *from = get_operand(loader, statement, 1);
    if (to->kind == OPERAND_VECTOR || from->kind == OPERAND_VECTOR) {
        decode_pack(loader, statement, from->kind == OPERAND_VECTOR);
        return 1;
    }
    enum type type = last_type(loader, statement);
    slot d = write_slot(loader, to, type);
    int is_clock = from->kind == OPERAND_SPECIAL && from->special >= CLOCK;
    slot a = is_clock ? NO_SLOT : read_slot(loader, from, type);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a;
    in->width_d = in->width_a = (uint8_t)type_size(type);
    if (from->kind == OPERAND_SYMBOL)
        in->space = from->symbol->space;
    in->execute = is_clock ? execute_clock : type == PRED ? execute_predicate_move : execute_move;
    if (type_size(type) < 2)
        not_supported(loader);
    return 1;
}

// The relation, the combining with a third operand, and the operands from the second on.
static void set_comparison(struct loader *loader, const struct statement *statement, enum type type,
                           struct instruction *made)
{
    const char *relation = statement->modifiers[0];
    made->use.compare = find_comparison(relation, type);
    if (!made->use.compare)
        not_supported(loader);
    made->a = read_slot(loader, get_operand(loader, statement, 1), type);
    made->b = read_slot(loader, get_operand(loader, statement, 2), type);
    made->bitwise = has_modifier(statement, "and")   ? COMBINE_AND
                    : has_modifier(statement, "or")  ? COMBINE_OR
                    : has_modifier(statement, "xor") ? COMBINE_XOR
                                                     : COMBINE_NONE;
    if (made->bitwise == COMBINE_NONE)
        return;
    const struct operand *third = get_operand(loader, statement, 3);
    made->c = read_slot(loader, third, PRED);
    made->negate = (uint8_t)third->negated;
}

static void decode_set(struct loader *loader, const struct statement *statement, int is_setp)
{
    struct instruction made = {.q = NO_SLOT, .c = NO_SLOT, .d = NO_SLOT};
    enum type type = last_type(loader, statement);
    if (statement->modifier_count < 2)
        not_supported(loader);
    set_comparison(loader, statement, type, &made);
    const struct operand *to = get_operand(loader, statement, 0);
    if (is_setp) {
        if (to->kind != OPERAND_SINK)
            made.d = write_slot(loader, to, PRED);
        if (to->second) {
            struct operand second = {.kind = OPERAND_REGISTER, .symbol = to->second};
            made.q = write_slot(loader, &second, PRED);
        }
    } else {
        enum type result = first_type(loader, statement);
        if ((type_size(result) != 4 && result != F16) || result == PRED || result == F16X2)
            not_supported(loader);
        made.d = write_slot(loader, to, result);
        made.width_d = (uint8_t)type_size(result);
        made.offset = result == F16 ? 0x3c00 : result == F32 ? 0x3f800000 : 0xffffffff;
    }
    struct instruction *in = load_instruction(loader);
    in->d = made.d, in->q = made.q, in->a = made.a, in->b = made.b, in->c = made.c;
    in->use = made.use;
    in->bitwise = made.bitwise;
    in->negate = made.negate;
    in->flush = type == F32 && has_modifier(statement, "ftz");
    in->offset = made.offset;
    in->execute = is_setp ? execute_setp : execute_set;
    in->width_a = (uint8_t)type_size(type);
    in->width_d = made.width_d;
    in->source_type = (uint8_t)type;
}

static void decode_select(struct loader *loader, const struct statement *statement)
{
    enum type type = last_type(loader, statement);
    allow_modifiers(loader, statement, "");
    if (type == PRED || type_size(type) < 2)
        not_supported(loader);
    slot d = write_slot(loader, get_operand(loader, statement, 0), type);
    slot a = read_slot(loader, get_operand(loader, statement, 1), type);
    slot b = read_slot(loader, get_operand(loader, statement, 2), type);
    slot c = read_slot(loader, get_operand(loader, statement, 3), PRED);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a, in->b = b, in->c = c;
    in->width_d = (uint8_t)type_size(type);
    in->execute = execute_select;
}

static void decode_logic3(struct loader *loader, const struct statement *statement)
{
    slot s[4];
    s[0] = write_slot(loader, get_operand(loader, statement, 0), B32);
    for (int i = 1; i < 4; i++)
        s[i] = read_slot(loader, get_operand(loader, statement, i), B32);
    const struct operand *table = get_operand(loader, statement, 4);
    allow_modifiers(loader, statement, "");
    if (table->kind != OPERAND_NUMBER)
        not_supported(loader);
    struct instruction *in = load_instruction(loader);
    in->d = s[0], in->a = s[1], in->b = s[2], in->c = s[3];
    in->offset = (int64_t)(table->number & 255);
    in->execute = execute_logic3;
}

static int decode_predicate_logic(struct loader *loader, const struct statement *statement)
{
    static const struct {
        const char *name;
        execute_fn *execute;
    } logic[] = {{"and", execute_predicate_and},
                 {"or", execute_predicate_or},
                 {"xor", execute_predicate_xor},
                 {"not", execute_predicate_not}};
    for (size_t i = 0; i < sizeof logic / sizeof *logic; i++) {
        if (strcmp(statement->opcode, logic[i].name) != 0 || !has_modifier(statement, "pred"))
            continue;
        int is_unary = logic[i].execute == execute_predicate_not;
        slot d = write_slot(loader, get_operand(loader, statement, 0), PRED);
        slot a = read_slot(loader, get_operand(loader, statement, 1), PRED);
        slot b = is_unary ? NO_SLOT : read_slot(loader, get_operand(loader, statement, 2), PRED);
        struct instruction *in = load_instruction(loader);
        in->d = d, in->a = a, in->b = b;
        in->execute = logic[i].execute;
        return 1;
    }
    return 0;
}

int decode_comparison(struct loader *loader, const struct statement *statement)
{
    const char *opcode = statement->opcode;
    if (strcmp(opcode, "setp") == 0 || strcmp(opcode, "set") == 0) {
        allow_modifiers(
            loader, statement,
            "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan and or xor ftz");
        decode_set(loader, statement, opcode[3] == 'p');
    } else if (strcmp(opcode, "selp") == 0) {
        decode_select(loader, statement);
    } else if (strcmp(opcode, "lop3") == 0) {
        decode_logic3(loader, statement);
    } else {
        return decode_predicate_logic(loader, statement);
    }
    return 1;
}
