// Branches, calls, barriers, and what makes lanes and threads talk to each other.
#include <string.h>

#include "sim/exec/alu.h"
#include "sim/exec/warp.h"
#include "sim/ptx/decode.h"

static void decode_branch(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, "uni");
    const struct operand *to = get_operand(loader, statement, 0);
    if (to->kind != OPERAND_SYMBOL || to->symbol->kind != SYMBOL_LABEL)
        load_fail(loader, "%s needs a label", loader->opcode);
    struct fixup *fixup = load_take(loader, sizeof *fixup);
    *fixup = (struct fixup){loader->length, to->symbol, loader->fixups};
    loader->fixups = fixup;
    load_instruction(loader)->execute = execute_branch;
}

static void decode_jump_table(struct loader *loader, const struct statement *statement)
{
    const struct operand *targets = get_operand(loader, statement, 1);
    allow_modifiers(loader, statement, "idx uni");
    if (targets->kind != OPERAND_SYMBOL || !targets->symbol->table)
        load_fail(loader, "%s needs a list of targets before it", loader->opcode);
    slot a = read_slot(loader, get_operand(loader, statement, 0), U32);
    struct instruction *in = load_instruction(loader);
    in->a = a;
    in->use.table = targets->symbol->table;
    in->execute = execute_jump_table;
}

static void set_argument(struct loader *loader, const struct operand *operand,
                         struct argument *argument, int is_result)
{
    *argument = (struct argument){.from = NO_SLOT};
    if (operand->kind == OPERAND_SYMBOL && operand->symbol->kind == SYMBOL_VARIABLE &&
        operand->symbol->space == PARAM) {
        argument->offset = operand->symbol->address;
        argument->size = operand->symbol->size;
        return;
    }
    uint8_t width = 4;
    if (operand->kind == OPERAND_NUMBER && !is_result)
        argument->from = read_slot(loader, operand, B32);
    else
        argument->from = any_register(loader, operand, &width);
    argument->width = width;
}

static void decode_call(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, "uni");
    struct call *call = load_take(loader, sizeof *call);
    int i = 0;
    if (get_operand(loader, statement, 0)->kind == OPERAND_LIST) {
        const struct operand *results = get_operand(loader, statement, i++);
        if (results->count > 1)
            not_supported(loader);
        call->result_count = results->count;
        if (results->count)
            set_argument(loader, &results->members[0], &call->results[0], 1);
    }
    const struct operand *name = get_operand(loader, statement, i++);
    if (name->kind != OPERAND_SYMBOL || name->symbol->kind != SYMBOL_FUNCTION)
        load_fail(loader,
                  "%s: %s is no function of this file: others, and calls through pointers, "
                  "are not supported by the simulated device",
                  loader->opcode, name->kind == OPERAND_SYMBOL ? name->symbol->name : "this");
    call->name = name->symbol->name;
    if (i < statement->operand_count && statement->operands[i].kind == OPERAND_LIST) {
        const struct operand *list = &statement->operands[i];
        for (int k = 0; k < list->count; k++)
            set_argument(loader, &list->members[k], &call->arguments[call->argument_count++], 0);
    }
    struct pending_call *pending = load_take(loader, sizeof *pending);
    *pending =
        (struct pending_call){call, loader->function, loader->line, loader->file, loader->calls};
    loader->calls = pending;
    struct instruction *in = load_instruction(loader);
    in->use.call = call;
    in->execute = execute_call;
}

// bar.red: the barrier's result, and the predicate that every thread brings.
static void set_reduction(struct loader *loader, const struct statement *statement,
                          struct instruction *made)
{
    int counts = has_modifier(statement, "popc"), last = statement->operand_count - 1;
    const struct operand *votes = get_operand(loader, statement, last);
    made->d = write_slot(loader, get_operand(loader, statement, 0), counts ? B32 : PRED);
    made->c = read_slot(loader, votes, PRED);
    made->negate = (uint8_t)votes->negated;
    made->bitwise = counts                           ? BARRIER_COUNT
                    : has_modifier(statement, "and") ? BARRIER_AND
                                                     : BARRIER_OR;
}

static void decode_barrier(struct loader *loader, const struct statement *statement)
{
    struct operand zero = {.kind = OPERAND_NUMBER};
    if (has_modifier(statement, "warp")) {
        allow_modifiers(loader, statement, "warp sync");
        load_instruction(loader)->execute = execute_warp_barrier;
        return;
    }
    allow_modifiers(loader, statement, "sync cta aligned red popc and or");
    struct instruction made = {.d = NO_SLOT, .c = NO_SLOT, .b = NO_SLOT};
    int reduces = has_modifier(statement, "red"), count = statement->operand_count - 2 * reduces;
    if (reduces)
        set_reduction(loader, statement, &made);
    const struct operand *which = count > 0 ? &statement->operands[reduces] : &zero;
    made.a = read_slot(loader, which, U32);
    if (count > 1)
        made.b = read_slot(loader, &statement->operands[reduces + 1], U32);
    struct instruction *in = load_instruction(loader);
    in->d = made.d, in->a = made.a, in->b = made.b, in->c = made.c;
    in->negate = made.negate, in->bitwise = made.bitwise;
    in->execute = execute_barrier;
}

static void decode_fence(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, "cta gl sys gpu cluster sc acq_rel acquire release");
    load_instruction(loader)->execute = execute_fence;
    if (!has_modifier(statement, "cta"))
        loader->function->has_fences = 1;
}

int decode_control(struct loader *loader, const struct statement *statement)
{
    static const struct {
        const char *opcode;
        void (*decode)(struct loader *loader, const struct statement *statement);
    } families[] = {{"bra", decode_branch},  {"brx", decode_jump_table},  {"call", decode_call},
                    {"bar", decode_barrier}, {"barrier", decode_barrier}, {"membar", decode_fence},
                    {"fence", decode_fence}};
    static const struct {
        const char *opcode;
        execute_fn *execute;
    } simple[] = {{"ret", execute_return},       {"exit", execute_exit},
                  {"trap", execute_trap},        {"nanosleep", execute_nothing},
                  {"prefetch", execute_nothing}, {"prefetchu", execute_nothing}};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        if (strcmp(statement->opcode, families[i].opcode) == 0) {
            families[i].decode(loader, statement);
            return 1;
        }
    }
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        if (strcmp(statement->opcode, simple[i].opcode) == 0) {
            load_instruction(loader)->execute = simple[i].execute;
            return 1;
        }
    }
    return 0;
}

// The lanes that take part; the instructions before PTX 6.0 have no such operand.
static slot read_members(struct loader *loader, const struct statement *statement, int at)
{
    return has_modifier(statement, "sync")
               ? read_slot(loader, get_operand(loader, statement, at), B32)
               : NO_SLOT;
}

static void decode_shuffle(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, "sync up down bfly idx");
    const struct operand *to = get_operand(loader, statement, 0);
    slot d = write_slot(loader, to, B32), q = NO_SLOT;
    if (to->second) {
        struct operand second = {.kind = OPERAND_REGISTER, .symbol = to->second};
        q = write_slot(loader, &second, PRED);
    }
    slot a = read_slot(loader, get_operand(loader, statement, 1), B32);
    slot b = read_slot(loader, get_operand(loader, statement, 2), B32);
    slot c = read_slot(loader, get_operand(loader, statement, 3), B32);
    slot members = read_members(loader, statement, 4);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->q = q, in->a = a, in->b = b, in->c = c, in->members = members;
    in->bitwise = has_modifier(statement, "up")     ? SHUFFLE_UP
                  : has_modifier(statement, "down") ? SHUFFLE_DOWN
                  : has_modifier(statement, "bfly") ? SHUFFLE_BUTTERFLY
                                                    : SHUFFLE_INDEX;
    in->execute = execute_shuffle;
}

static void decode_vote(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, "sync all any uni ballot");
    int is_ballot = has_modifier(statement, "ballot");
    const struct operand *from = get_operand(loader, statement, 1);
    slot d = write_slot(loader, get_operand(loader, statement, 0), is_ballot ? B32 : PRED);
    slot a = read_slot(loader, from, PRED), members = read_members(loader, statement, 2);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a, in->members = members;
    in->negate = (uint8_t)from->negated;
    in->bitwise = is_ballot                        ? VOTE_BALLOT
                  : has_modifier(statement, "all") ? VOTE_ALL
                  : has_modifier(statement, "any") ? VOTE_ANY
                                                   : VOTE_UNIFORM;
    in->execute = execute_vote;
}

static void decode_match(struct loader *loader, const struct statement *statement)
{
    allow_modifiers(loader, statement, "any all sync");
    const struct operand *to = get_operand(loader, statement, 0);
    enum type type = last_type(loader, statement);
    slot d = to->kind == OPERAND_SINK ? NO_SLOT : write_slot(loader, to, B32), q = NO_SLOT;
    if (to->second) {
        struct operand second = {.kind = OPERAND_REGISTER, .symbol = to->second};
        q = write_slot(loader, &second, PRED);
    }
    slot a = read_slot(loader, get_operand(loader, statement, 1), type);
    slot b = read_slot(loader, get_operand(loader, statement, 2), B32);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->q = q, in->a = a, in->members = b;
    in->width_a = (uint8_t)type_size(type);
    in->bitwise = has_modifier(statement, "all") ? MATCH_ALL : MATCH_ANY;
    in->execute = execute_match;
}

static void decode_reduce(struct loader *loader, const struct statement *statement)
{
    static const char *const names[][2] = {
        {"add", "add.b32"}, {"and", "and.b32"}, {"or", "or.b32"},   {"xor", "xor.b32"},
        {"min", "min.s32"}, {"max", "max.s32"}, {"min", "min.u32"}, {"max", "max.u32"}};
    enum { SIGNED_ROWS = 6 };
    allow_modifiers(loader, statement, "add and or xor min max sync");
    enum type type = last_type(loader, statement);
    size_t i = 0, count = sizeof names / sizeof *names;
    while (i < count && (!has_modifier(statement, names[i][0]) ||
                         (names[i][0][0] == 'm' && type_is_signed(type) != (i < SIGNED_ROWS))))
        i++;
    if (i == count || type_size(type) != 4 || type_is_float(type))
        not_supported(loader);
    slot d = write_slot(loader, get_operand(loader, statement, 0), type);
    slot a = read_slot(loader, get_operand(loader, statement, 1), type);
    slot b = read_slot(loader, get_operand(loader, statement, 2), B32);
    struct instruction *in = load_instruction(loader);
    in->d = d, in->a = a, in->members = b;
    in->use.scalar = find_operation(names[i][1])->scalar;
    in->execute = execute_reduce;
}

int decode_exchange(struct loader *loader, const struct statement *statement)
{
    if (strcmp(statement->opcode, "shfl") == 0) {
        decode_shuffle(loader, statement);
    } else if (strcmp(statement->opcode, "vote") == 0) {
        decode_vote(loader, statement);
    } else if (strcmp(statement->opcode, "match") == 0) {
        decode_match(loader, statement);
    } else if (strcmp(statement->opcode, "redux") == 0) {
        decode_reduce(loader, statement);
    } else if (strcmp(statement->opcode, "activemask") == 0) {
        slot d = write_slot(loader, get_operand(loader, statement, 0), B32);
        struct instruction *in = load_instruction(loader);
        in->d = d;
        in->execute = execute_active_mask;
    } else {
        return 0;
    }
    return 1;
}
