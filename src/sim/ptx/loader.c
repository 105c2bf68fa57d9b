#include "sim/ptx/loader.h"

#include <string.h>

#include "sim/ptx/align_up.h"

enum { MAX_FRAME = 1 << 22 }; // bytes: no kernel of sense has 16,000 registers

void *load_take(struct loader *loader, size_t size)
{
    void *taken = pool_take(&loader->module->pool, size);
    if (!taken)
        load_out_of_memory(loader, size, "decoded PTX");
    return taken;
}

char *load_text(struct loader *loader, const char *text, size_t length)
{
    char *copy = load_take(loader, length + 1);
    memcpy(copy, text, length);
    return copy;
}

void load_advance(struct loader *loader)
{
    loader->token = lexer_next(&loader->lexer);
    if (loader->token.kind == TOKEN_BAD)
        load_fail(loader, "'%.*s' is not PTX",
                  (int)(loader->token.length > 20 ? 20 : loader->token.length), loader->token.text);
}

int load_accept(struct loader *loader, enum token_kind kind, const char *text)
{
    if (!token_is(&loader->token, kind, text))
        return 0;
    load_advance(loader);
    return 1;
}

void load_expect(struct loader *loader, enum token_kind kind, const char *text)
{
    if (!load_accept(loader, kind, text))
        load_fail(loader, "expected '%s' but found '%s'", text, load_found(loader));
}

uint64_t load_number(struct loader *loader)
{
    if (loader->token.kind != TOKEN_NUMBER)
        load_fail(loader, "expected a number");
    uint64_t number = loader->token.number;
    load_advance(loader);
    return number;
}

char *load_name(struct loader *loader)
{
    if (loader->token.kind != TOKEN_NAME)
        load_fail(loader, "expected a name");
    char *name = load_text(loader, loader->token.text, loader->token.length);
    load_advance(loader);
    return name;
}

void load_skip_nested(struct loader *loader, const char *open, const char *close)
{
    load_expect(loader, TOKEN_MARK, open);
    for (int depth = 1; depth > 0; load_advance(loader)) {
        if (loader->token.kind == TOKEN_END)
            load_fail(loader, "a %s is not closed", *open == '{' ? "brace" : "parenthesis");
        depth += token_is(&loader->token, TOKEN_MARK, open);
        depth -= token_is(&loader->token, TOKEN_MARK, close);
    }
}

void load_skip_pragma(struct loader *loader)
{
    do
        load_advance(loader);
    while (load_accept(loader, TOKEN_MARK, ","));
    load_expect(loader, TOKEN_MARK, ";");
}

void load_skip_attribute(struct loader *loader)
{
    if (load_accept(loader, TOKEN_DOT, "attribute"))
        load_skip_nested(loader, "(", ")");
}

const char *load_found(struct loader *loader)
{
    size_t length = loader->token.length;
    return load_text(loader, loader->token.text, length < 40 ? length : 40);
}

struct symbol *load_symbol(struct loader *loader, enum symbol_kind kind, const char *name)
{
    struct symbol *symbol = load_take(loader, sizeof *symbol);
    symbol->kind = kind;
    symbol->name = name;
    symbol->at = NO_SLOT;
    return symbol;
}

struct symbol *load_label(struct loader *loader, const char *name)
{
    struct symbol *label = symbols_find(&loader->labels, name, strlen(name));
    if (!label) {
        label = load_symbol(loader, SYMBOL_LABEL, name);
        symbols_add(&loader->labels, label);
    }
    return label;
}

// A fresh vector of 32 lanes of `width` bytes in the function's frame.
static slot load_slot(struct loader *loader, unsigned width)
{
    enum { LANES = 32, LINE = 64 }; // a vector starts a cache line
    struct function *function = loader->function;
    if (function->frame_size > MAX_FRAME)
        load_fail(loader, "too many registers for the simulated device");
    slot at = function->frame_size;
    function->frame_size += align_up(width * LANES, LINE);
    return at;
}

slot load_constant(struct loader *loader, enum constant_kind kind, uint64_t value, unsigned width)
{
    struct function *function = loader->function;
    for (size_t i = 0; i < function->constant_count; i++) {
        const struct constant *have = &function->constants[i];
        if (have->kind == kind && have->value == value && have->width == width)
            return have->at;
    }
    if (function->constant_count == loader->constant_capacity) {
        loader->constant_capacity = 2 * loader->constant_capacity + 16;
        struct constant *grown = load_take(loader, loader->constant_capacity * sizeof *grown);
        if (function->constant_count)
            memcpy(grown, function->constants, function->constant_count * sizeof *grown);
        function->constants = grown;
    }
    slot at = load_slot(loader, width);
    function->constants[function->constant_count++] =
        (struct constant){.kind = kind, .value = value, .at = at, .width = width};
    return at;
}

slot register_slot(struct loader *loader, struct symbol *symbol)
{
    if (symbol->at == NO_SLOT)
        symbol->at = load_slot(loader, symbol->type == PRED ? 1 : type_size(symbol->type));
    return symbol->at;
}

struct instruction *load_instruction(struct loader *loader, enum op op)
{
    if (loader->length == loader->capacity) {
        loader->capacity = 2 * loader->capacity + 64;
        struct instruction *grown = load_take(loader, loader->capacity * sizeof *grown);
        if (loader->length)
            memcpy(grown, loader->code, loader->length * sizeof *grown);
        loader->code = grown;
    }
    struct instruction *in = &loader->code[loader->length++];
    *in = (struct instruction){.op = (uint8_t)op,
                               .guard = NO_SLOT,
                               .d = NO_SLOT,
                               .a = NO_SLOT,
                               .b = NO_SLOT,
                               .c = NO_SLOT,
                               .members = NO_SLOT,
                               .q = NO_SLOT,
                               .e = NO_SLOT,
                               .type = NO_TYPE,
                               .source_type = NO_TYPE,
                               .vector = 1,
                               .machine_cost = 1,
                               .ptx_line = loader->ptx_line,
                               .line = loader->line,
                               .file = loader->file,
                               .outer_line = loader->outer_line,
                               .outer_file = loader->outer_file,
                               .opcode = loader->opcode,
                               .index = loader->module->instruction_count++};
    return in;
}
