// Arithmetic, conversion, moves and comparisons.
#include <stdio.h>
#include <string.h>

#include "sim/ptx/decode.h"
#include "sim/ptx/operations.h"

// The operation's row: its name is without what does not change it.
static uint8_t look_up(const struct loader *loader, enum type type)
{
    static const char *const kept[] = {"hi", "wide", "shiftamt", "l", "r", "wrap", "clamp"};
    const struct statement *statement = loader->statement;
    char stem[128];
    int used = snprintf(stem, sizeof stem, "%s", statement->opcode);
    for (int i = 0; i < statement->modifier_count; i++)
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (strcmp(statement->modifiers[i], kept[k]) == 0 && used < 64)
                used += snprintf(stem + used, sizeof stem - (size_t)used, ".%s", kept[k]);
    if (has_modifier(loader, "sat") && !type_is_float(type))
        snprintf(stem + used, sizeof stem - (size_t)used, ".sat");
    return type == PRED ? 0 : find_operation(stem, type);
}

static enum type bits_of(unsigned width)
{
    return width == 2 ? B16 : width == 4 ? B32 : B64;
}

// addc, add.cc, ...: returns 0 for the forms without a carry.
static int decode_carry(struct loader *loader, struct instruction *in, enum type type)
{
    static const char *const opcodes[] = {"add", "addc", "sub", "subc", "mad", "madc"};
    static const enum carry carries[] = {CARRY_ADD, CARRY_SUB, CARRY_MAD_LOW};
    size_t i = 0, count = sizeof opcodes / sizeof *opcodes;
    while (i < count && strcmp(opcodes[i], loader->statement->opcode) != 0)
        i++;
    int takes = i < count && i % 2 == 1, sets = has_modifier(loader, "cc");
    if (i == count || (!takes && !sets))
        return 0;
    allow_modifiers(loader, "cc lo hi");
    if (type_is_float(type) || type == PRED || type_size(type) < 4)
        not_supported(loader);
    in->op = OP_CARRY;
    in->d = write_operand(loader, 0, type);
    in->a = read_operand(loader, 1, type);
    in->b = read_operand(loader, 2, type);
    if (carries[i / 2] == CARRY_MAD_LOW)
        in->c = read_operand(loader, 3, type);
    in->width_d = in->width_a = in->width_b = in->width_c = (uint8_t)type_size(type);
    in->type = (uint8_t)type;
    in->takes_carry = (uint8_t)takes;
    in->sets_carry = (uint8_t)sets;
    in->carry = has_modifier(loader, "hi") ? CARRY_MAD_HIGH : carries[i / 2];
    return 1;
}

// and, or, xor and not of predicates.
static int decode_predicate_logic(struct loader *loader, struct instruction *in)
{
    static const char *const opcodes[] = {"and", "or", "xor", "not"}; // as enum combine
    unsigned i = 0;
    while (i <= COMBINE_NONE && strcmp(opcodes[i], loader->statement->opcode) != 0)
        i++;
    if (i > COMBINE_NONE || !has_modifier(loader, "pred"))
        return 0;
    in->op = OP_PREDICATE;
    in->d = write_operand(loader, 0, PRED);
    in->a = read_operand(loader, 1, PRED);
    in->combine = (uint8_t)i;
    in->negate = i == COMBINE_NONE;
    if (i != COMBINE_NONE)
        in->b = read_operand(loader, 2, PRED);
    return 1;
}

static void set_operands(struct loader *loader, struct instruction *in, const uint8_t *width)
{
    slot *const slots[] = {&in->d, &in->a, &in->b, &in->c, &in->e};
    int count = 2;
    while (count < MAX_TERMS && width[count])
        count++;
    if (loader->statement->operand_count != count)
        load_fail(loader, "%s needs %d operands", loader->opcode, count);
    in->d = write_operand(loader, 0, bits_of(width[0]));
    for (int i = 1; i < count; i++)
        *slots[i] = read_operand(loader, i, bits_of(width[i]));
    in->width_d = width[0], in->width_a = width[1], in->width_b = width[2], in->width_c = width[3];
}

void decode_arithmetic(struct loader *loader, struct instruction *in)
{
    enum type type = last_type(loader);
    if (decode_predicate_logic(loader, in) || decode_carry(loader, in, type))
        return;
    in->operation = look_up(loader, type);
    if (!in->operation)
        not_supported(loader);
    allow_modifiers(loader, "lo hi wide sat rn rz rm rp ftz approx full shiftamt l r wrap clamp");
    set_operands(loader, in, operations[in->operation].width);
    unsigned rounding = which_modifier(loader, "rn rz rm rp");
    in->type = (uint8_t)type;
    in->rounding = (uint8_t)(rounding > UP ? NEAREST : rounding);
    in->flush = type == F32 && has_modifier(loader, "ftz");
    if ((type == F16 || type == F16X2) && (in->rounding != NEAREST || has_modifier(loader, "ftz")))
        not_supported(loader);
    in->saturate = type_is_float(type) && has_modifier(loader, "sat");
    in->approximate = (uint8_t)has_modifier(loader, "approx");
    if (in->e != NO_SLOT || in->rounding != NEAREST || in->flush || in->saturate)
        in->op = OP_CAREFUL;
}

// Whether a conversion between integers is as plain as one from `a` to `d` bytes in registers as wide.
static int is_plain(const struct instruction *in, unsigned a, unsigned d)
{
    return !type_is_float(in->type) && !type_is_float(in->source_type) && !in->saturate &&
           in->width_a == a && type_size(in->source_type) == a && in->width_d == d &&
           type_size(in->type) == d;
}

void decode_convert(struct loader *loader, struct instruction *in)
{
    enum type to = first_type(loader), from = last_type(loader);
    int halves = to == F16 || from == F16;
    if (to == F16X2 || from == F16X2 || to == PRED || from == PRED ||
        (halves && has_modifier(loader, "ftz")))
        not_supported(loader);
    const struct operand *source = get_operand(loader, 1);
    in->width_a = (uint8_t)type_size(from);
    in->d = any_register(loader, get_operand(loader, 0), &in->width_d);
    in->a = source->kind == OPERAND_REGISTER ? any_register(loader, source, &in->width_a)
                                             : read_slot(loader, source, from);
    if (in->width_d < type_size(to) || in->width_a < type_size(from))
        load_fail(loader, "%s: a register is too small", loader->opcode);
    unsigned rounding = which_modifier(loader, "rn rz rm rp"),
             integral = which_modifier(loader, "rni rzi rmi rpi");
    in->type = (uint8_t)to, in->source_type = (uint8_t)from;
    in->integral = integral <= UP;
    in->rounding = (uint8_t)(integral <= UP ? integral : rounding <= UP ? rounding : NEAREST);
    in->flush = (uint8_t)has_modifier(loader, "ftz");
    in->saturate = (uint8_t)has_modifier(loader, "sat");
    if (is_plain(in, 4, 8))
        in->op = type_is_signed(from) ? OP_WIDEN_S32 : OP_WIDEN_U32;
    if (is_plain(in, 8, 4))
        in->op = OP_NARROW_64;
}

static void decode_pack(struct loader *loader, struct instruction *in, int packs)
{
    const struct operand *vector = get_operand(loader, packs), *whole = get_operand(loader, !packs);
    unsigned size = type_size(last_type(loader));
    if ((vector->count != 2 && vector->count != 4) || size / (unsigned)vector->count < 2)
        not_supported(loader);
    unsigned part = size / (unsigned)vector->count;
    for (int i = 0; i < vector->count; i++) {
        const struct operand *member = &vector->members[i];
        in->v[i] = packs                          ? read_slot(loader, member, bits_of(part))
                   : member->kind == OPERAND_SINK ? NO_SLOT
                                                  : write_slot(loader, member, bits_of(part));
    }
    in->vector = (uint8_t)vector->count;
    if (packs)
        in->d = write_slot(loader, whole, bits_of(size));
    else
        in->a = read_slot(loader, whole, bits_of(size));
    in->width_d = (uint8_t)(packs ? size : part);
    in->width_a = (uint8_t)(packs ? part : size);
    in->op = packs ? OP_PACK : OP_UNPACK;
}

void decode_move(struct loader *loader, struct instruction *in)
{
    const struct operand *to = get_operand(loader, 0), *from = get_operand(loader, 1);
    if (to->kind == OPERAND_VECTOR || from->kind == OPERAND_VECTOR) {
        decode_pack(loader, in, from->kind == OPERAND_VECTOR);
        return;
    }
    enum type type = last_type(loader);
    int is_clock = from->kind == OPERAND_SPECIAL && from->special >= CLOCK;
    in->d = write_slot(loader, to, type);
    in->a = is_clock ? NO_SLOT : read_slot(loader, from, type);
    in->width_d = in->width_a = (uint8_t)type_size(type);
    if (from->kind == OPERAND_SYMBOL)
        in->space = (uint8_t)from->symbol->space;
    if (type == PRED)
        in->combine = COMBINE_NONE;
    in->op = is_clock ? OP_CLOCK : type == PRED ? OP_PREDICATE : OP_MOVE;
    if (type_size(type) < 2)
        not_supported(loader);
}

// The relation that the statement begins with, of operands of the type.
static enum relation relation_of(struct loader *loader, enum type type)
{
    enum operands { ANY, UNSIGNED, FLOAT };
    static const struct {
        const char *name;
        enum relation relation;
        enum operands operands;
    } relations[] = {{"eq", EQ, ANY},      {"ne", NE, ANY},         {"lt", LT, ANY},
                     {"le", LE, ANY},      {"gt", GT, ANY},         {"ge", GE, ANY},
                     {"lo", LT, UNSIGNED}, {"ls", LE, UNSIGNED},    {"hi", GT, UNSIGNED},
                     {"hs", GE, UNSIGNED}, {"equ", EQU, FLOAT},     {"neu", NEU, FLOAT},
                     {"ltu", LTU, FLOAT},  {"leu", LEU, FLOAT},     {"gtu", GTU, FLOAT},
                     {"geu", GEU, FLOAT},  {"num", NUMBERS, FLOAT}, {"nan", ANY_NAN, FLOAT}};
    int is_float = type_is_float(type), is_unsigned = !is_float && !type_is_signed(type);
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++)
        if (strcmp(relations[i].name, loader->statement->modifiers[0]) == 0 &&
            type_size(type) >= 2 && type != F16X2 && type != PRED &&
            (relations[i].operands == ANY || (relations[i].operands == FLOAT && is_float) ||
             (relations[i].operands == UNSIGNED && is_unsigned)))
            return relations[i].relation;
    not_supported(loader);
}

// The relation, its operands, and the combining with a further one.
static void set_comparison(struct loader *loader, struct instruction *in)
{
    enum type type = last_type(loader);
    if (loader->statement->modifier_count < 2)
        not_supported(loader);
    in->relation = (uint8_t)relation_of(loader, type);
    in->a = read_operand(loader, 1, type);
    in->b = read_operand(loader, 2, type);
    in->width_a = (uint8_t)type_size(type);
    in->source_type = (uint8_t)type;
    in->flush = type == F32 && has_modifier(loader, "ftz");
    in->combine = (uint8_t)which_modifier(loader, "and or xor");
    if (in->combine == COMBINE_NONE)
        return;
    in->c = read_operand(loader, 3, PRED);
    in->negate = (uint8_t)get_operand(loader, 3)->negated;
}

void decode_setp(struct loader *loader, struct instruction *in)
{
    set_comparison(loader, in);
    const struct operand *to = get_operand(loader, 0);
    if (to->kind != OPERAND_SINK)
        in->d = write_slot(loader, to, PRED);
    in->q = write_second(loader, to);
}

void decode_set(struct loader *loader, struct instruction *in)
{
    set_comparison(loader, in);
    enum type result = first_type(loader);
    if ((type_size(result) != 4 && result != F16) || result == PRED || result == F16X2)
        not_supported(loader);
    in->d = write_operand(loader, 0, result);
    in->width_d = (uint8_t)type_size(result);
    in->holds = result == F16 ? 0x3c00 : result == F32 ? 0x3f800000 : 0xffffffff;
}

void decode_select(struct loader *loader, struct instruction *in)
{
    enum type type = last_type(loader);
    if (type == PRED || type_size(type) < 2)
        not_supported(loader);
    in->d = write_operand(loader, 0, type);
    in->a = read_operand(loader, 1, type);
    in->b = read_operand(loader, 2, type);
    in->c = read_operand(loader, 3, PRED);
    in->width_d = (uint8_t)type_size(type);
}

void decode_logic3(struct loader *loader, struct instruction *in)
{
    in->d = write_operand(loader, 0, B32);
    in->a = read_operand(loader, 1, B32);
    in->b = read_operand(loader, 2, B32);
    in->c = read_operand(loader, 3, B32);
    const struct operand *table = get_operand(loader, 4);
    if (table->kind != OPERAND_NUMBER)
        not_supported(loader);
    in->truth_table = (uint8_t)table->number;
}
