// Branches, calls, barriers, and what makes lanes and threads talk to each other.

#include "sim/ptx/decode.h"
#include "sim/ptx/operations.h"

void decode_plain(struct loader *loader, struct instruction *in)
{
    (void)loader, (void)in;
}

void decode_branch(struct loader *loader, struct instruction *in)
{
    const struct operand *to = get_operand(loader, 0);
    if (to->kind != OPERAND_SYMBOL || to->symbol->kind != SYMBOL_LABEL)
        load_fail(loader, "%s needs a label", loader->opcode);
    struct fixup *fixup = load_take(loader, sizeof *fixup);
    *fixup = (struct fixup){(uint32_t)(in - loader->code), to->symbol, loader->fixups};
    loader->fixups = fixup;
}

void decode_jump_table(struct loader *loader, struct instruction *in)
{
    const struct operand *targets = get_operand(loader, 1);
    if (targets->kind != OPERAND_SYMBOL || !targets->symbol->table)
        load_fail(loader, "%s needs a list of targets before it", loader->opcode);
    in->a = read_operand(loader, 0, U32);
    in->table = targets->symbol->table;
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

void decode_call(struct loader *loader, struct instruction *in)
{
    const struct statement *statement = loader->statement;
    struct call *call = load_take(loader, sizeof *call);
    int i = 0;
    if (get_operand(loader, 0)->kind == OPERAND_LIST) {
        const struct operand *results = get_operand(loader, i++);
        if (results->count > 1)
            not_supported(loader);
        call->result_count = results->count;
        if (results->count)
            set_argument(loader, &results->members[0], &call->results[0], 1);
    }
    const struct operand *name = get_operand(loader, i++);
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
    in->call = call;
}

// bar.red gives a result, of the predicate that every thread brings.
void decode_barrier(struct loader *loader, struct instruction *in)
{
    const struct statement *statement = loader->statement;
    struct operand zero = {.kind = OPERAND_NUMBER};
    if (has_modifier(loader, "warp")) {
        allow_modifiers(loader, "warp sync");
        in->op = OP_WARP_BARRIER;
        in->members = read_operand(loader, 0, B32);
        return;
    }
    allow_modifiers(loader, "sync cta aligned red popc and or");
    int reduces = has_modifier(loader, "red"), count = statement->operand_count - 2 * reduces;
    if (reduces) {
        const struct operand *votes = get_operand(loader, statement->operand_count - 1);
        in->barrier_result = (uint8_t)which_modifier(loader, "popc and");
        in->d = write_operand(loader, 0, in->barrier_result == BARRIER_COUNT ? B32 : PRED);
        in->c = read_slot(loader, votes, PRED);
        in->negate = (uint8_t)votes->negated;
    }
    in->a = read_slot(loader, count > 0 ? &statement->operands[reduces] : &zero, U32);
    if (count > 1)
        in->b = read_operand(loader, reduces + 1, U32);
}

void decode_fence(struct loader *loader, struct instruction *in)
{
    (void)in;
    if (!has_modifier(loader, "cta"))
        loader->function->has_fences = 1;
}

// The lanes that take part; the instructions before PTX 6.0 have no such operand.
static slot read_members(struct loader *loader, int at)
{
    return has_modifier(loader, "sync") ? read_operand(loader, at, B32) : NO_SLOT;
}

void decode_shuffle(struct loader *loader, struct instruction *in)
{
    in->d = write_operand(loader, 0, B32);
    in->q = write_second(loader, get_operand(loader, 0));
    in->a = read_operand(loader, 1, B32);
    in->b = read_operand(loader, 2, B32);
    in->c = read_operand(loader, 3, B32);
    in->members = read_members(loader, 4);
    loader->function->has_shuffles = 1;
    in->shuffle = (uint8_t)which_modifier(loader, "up down bfly");
}

void decode_vote(struct loader *loader, struct instruction *in)
{
    int is_ballot = has_modifier(loader, "ballot");
    in->d = write_operand(loader, 0, is_ballot ? B32 : PRED);
    in->a = read_operand(loader, 1, PRED);
    in->negate = (uint8_t)get_operand(loader, 1)->negated;
    in->members = read_members(loader, 2);
    in->vote = (uint8_t)(is_ballot ? VOTE_BALLOT : which_modifier(loader, "all any"));
}

void decode_match(struct loader *loader, struct instruction *in)
{
    const struct operand *to = get_operand(loader, 0);
    enum type type = last_type(loader);
    if (to->kind != OPERAND_SINK)
        in->d = write_slot(loader, to, B32);
    in->q = write_second(loader, to);
    in->a = read_operand(loader, 1, type);
    in->members = read_operand(loader, 2, B32);
    in->width_a = (uint8_t)type_size(type);
    in->match = has_modifier(loader, "all") ? MATCH_ALL : MATCH_ANY;
}

void decode_reduce(struct loader *loader, struct instruction *in)
{
    static const char *const names[] = {"add", "and", "or", "xor", "min", "max", ""};
    enum type type = last_type(loader);
    const char *name = names[which_modifier(loader, "add and or xor min max")];
    in->operation = find_operation(name, type == B32 ? U32 : type);
    if (!in->operation || type_size(type) != 4 || type_is_float(type) || type == PRED)
        not_supported(loader);
    in->d = write_operand(loader, 0, type);
    in->a = read_operand(loader, 1, type);
    in->members = read_operand(loader, 2, B32);
}

void decode_active_mask(struct loader *loader, struct instruction *in)
{
    in->d = write_operand(loader, 0, B32);
}
