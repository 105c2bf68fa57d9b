// A statement's text: its guard, opcode, modifiers and operands.
#include <string.h>

#include "sim/ptx/loader.h"

// Register 7 of the range %r<15>: it gets a symbol when it is first named.
static struct symbol *member_of(struct loader *loader, struct symbol *range, uint64_t number,
                                const struct token *token)
{
    if (number >= range->member_count) {
        uint64_t room = 2 * number + 16;
        struct symbol **grown = load_take(loader, room * sizeof(struct symbol *));
        if (range->member_count)
            memcpy(grown, range->members, range->member_count * sizeof(struct symbol *));
        range->members = grown;
        range->member_count = room;
    }
    if (!range->members[number]) {
        range->members[number] =
            load_symbol(loader, SYMBOL_REGISTER, load_text(loader, token->text, token->length));
        range->members[number]->type = range->type;
    }
    return range->members[number];
}

static struct symbol *find_in_range(struct loader *loader, const struct token *token)
{
    enum { MAX_DIGITS = 5 };
    size_t prefix = token->length;
    uint64_t number = 0, scale = 1;
    while (prefix > 0 && token->text[prefix - 1] >= '0' && token->text[prefix - 1] <= '9' &&
           token->length - prefix < MAX_DIGITS) {
        number += scale * (uint64_t)(token->text[--prefix] - '0');
        scale *= 10;
        struct symbol *range = symbols_find(&loader->symbols, token->text, prefix);
        if (range && range->kind == SYMBOL_REGISTERS && number < range->count)
            return member_of(loader, range, number, token);
    }
    return NULL;
}

// The symbol that the current token names; labels only where one is allowed.
static struct symbol *read_symbol(struct loader *loader, int may_be_label)
{
    struct token token = loader->token;
    if (token.kind != TOKEN_NAME)
        load_fail(loader, "expected an operand but found '%s'", load_found(loader));
    struct symbol *symbol = symbols_find(&loader->symbols, token.text, token.length);
    if (!symbol)
        symbol = find_in_range(loader, &token);
    if (!symbol && may_be_label)
        symbol = load_label(loader, load_text(loader, token.text, token.length));
    if (!symbol || symbol->kind == SYMBOL_REGISTERS)
        load_fail(loader,
                  "%s: '%.*s' is not declared, or is a special register that is not supported",
                  loader->opcode, (int)(token.length > 80 ? 80 : token.length), token.text);
    load_advance(loader);
    return symbol;
}

static int64_t read_displacement(struct loader *loader)
{
    uint64_t sum = 0;
    for (;;) {
        int is_minus = load_accept(loader, TOKEN_MARK, "-");
        if (!is_minus && !load_accept(loader, TOKEN_MARK, "+"))
            return (int64_t)sum;
        is_minus ^= load_accept(loader, TOKEN_MARK, "-");
        uint64_t number = load_number(loader);
        sum += is_minus ? 0 - number : number;
    }
}

static void read_operand(struct loader *loader, struct operand *operand, int may_be_label,
                         int depth);

static void read_members(struct loader *loader, struct operand *operand, const char *close)
{
    enum { MAX_MEMBERS = MAX_ARGUMENTS };
    struct operand *members = load_take(loader, MAX_MEMBERS * sizeof *members);
    operand->members = members;
    while (!load_accept(loader, TOKEN_MARK, close)) {
        if (operand->count == MAX_MEMBERS)
            load_fail(loader, "%s: too many operands in one list", loader->opcode);
        read_operand(loader, &members[operand->count++], 0, 1);
        if (!token_is(&loader->token, TOKEN_MARK, close))
            load_expect(loader, TOKEN_MARK, ",");
    }
}

static void read_address(struct loader *loader, struct operand *operand)
{
    operand->kind = OPERAND_ADDRESS;
    if (loader->token.kind == TOKEN_NUMBER)
        operand->displacement = (int64_t)load_number(loader);
    else
        operand->symbol = read_symbol(loader, 0);
    operand->displacement =
        (int64_t)((uint64_t)operand->displacement + (uint64_t)read_displacement(loader));
    load_expect(loader, TOKEN_MARK, "]");
}

static void read_named(struct loader *loader, struct operand *operand, int may_be_label)
{
    operand->symbol = read_symbol(loader, may_be_label);
    if (operand->symbol->kind == SYMBOL_REGISTER) {
        operand->kind = OPERAND_REGISTER;
        if (load_accept(loader, TOKEN_MARK, "|") && !load_accept(loader, TOKEN_NAME, "_"))
            operand->second = read_symbol(loader, 0);
    } else {
        operand->kind = OPERAND_SYMBOL;
        operand->displacement = read_displacement(loader);
    }
}

static void read_number(struct loader *loader, struct operand *operand)
{
    int is_negative = load_accept(loader, TOKEN_MARK, "-");
    operand->kind = OPERAND_NUMBER;
    operand->float_width = loader->token.float_width;
    operand->number = load_number(loader);
    if (is_negative)
        operand->number = 0 - operand->number;
}

static void read_operand(struct loader *loader, struct operand *operand, int may_be_label,
                         int depth)
{
    *operand = (struct operand){.kind = OPERAND_SINK};
    if (load_accept(loader, TOKEN_MARK, "[")) {
        read_address(loader, operand);
    } else if (depth == 0 && load_accept(loader, TOKEN_MARK, "{")) {
        operand->kind = OPERAND_VECTOR;
        read_members(loader, operand, "}");
    } else if (depth == 0 && load_accept(loader, TOKEN_MARK, "(")) {
        operand->kind = OPERAND_LIST;
        read_members(loader, operand, ")");
    } else if (loader->token.kind == TOKEN_NUMBER || token_is(&loader->token, TOKEN_MARK, "-")) {
        read_number(loader, operand);
    } else if (load_accept(loader, TOKEN_NAME, "WARP_SZ")) {
        *operand = (struct operand){.kind = OPERAND_NUMBER, .number = 32};
    } else if (load_accept(loader, TOKEN_NAME, "_")) {
        if (load_accept(loader, TOKEN_MARK, "|"))
            operand->second = read_symbol(loader, 0);
    } else {
        operand->negated = load_accept(loader, TOKEN_MARK, "!");
        if (!read_special_register(loader, operand))
            read_named(loader, operand, may_be_label);
    }
}

static void read_guard(struct loader *loader, struct statement *statement)
{
    if (!load_accept(loader, TOKEN_MARK, "@"))
        return;
    statement->guard_negated = load_accept(loader, TOKEN_MARK, "!");
    statement->guard = read_symbol(loader, 0);
    if (statement->guard->kind != SYMBOL_REGISTER || statement->guard->type != PRED)
        load_fail(loader, "the guard %s is not a predicate", statement->guard->name);
}

// The opcode with its modifiers: ld.global.f32. Its text is kept for messages.
static void read_opcode(struct loader *loader, struct statement *statement)
{
    const char *start = loader->token.text, *end = start + loader->token.length;
    uint32_t line = (uint32_t)loader->token.line;
    if (loader->token.kind != TOKEN_NAME || loader->token.length >= MODIFIER_SIZE)
        load_fail(loader, "expected an instruction but found '%s'", load_found(loader));
    memcpy(statement->opcode, start, loader->token.length);
    load_advance(loader);
    while (loader->token.kind == TOKEN_DOT) {
        if (statement->modifier_count == MAX_MODIFIERS || loader->token.length >= MODIFIER_SIZE)
            load_fail(loader, "%s has too many modifiers", statement->opcode);
        memcpy(statement->modifiers[statement->modifier_count++], loader->token.text,
               loader->token.length);
        end = loader->token.text + loader->token.length;
        load_advance(loader);
    }
    loader->opcode = load_text(loader, start, (size_t)(end - start));
    loader->ptx_line = line;
}

void read_statement(struct loader *loader, struct statement *statement)
{
    *statement = (struct statement){.guard = NULL};
    read_guard(loader, statement);
    read_opcode(loader, statement);
    int may_be_label = strcmp(statement->opcode, "bra") == 0 ||
                       strcmp(statement->opcode, "brx") == 0 ||
                       strcmp(statement->opcode, "call") == 0;
    while (!load_accept(loader, TOKEN_MARK, ";")) {
        if (statement->operand_count == MAX_OPERANDS)
            load_fail(loader, "%s has too many operands", loader->opcode);
        read_operand(loader, &statement->operands[statement->operand_count++], may_be_label, 0);
        if (!token_is(&loader->token, TOKEN_MARK, ";"))
            load_expect(loader, TOKEN_MARK, ",");
    }
}
