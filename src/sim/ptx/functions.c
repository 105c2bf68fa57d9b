// Kernels and device functions: their parameters and their bodies.
#include <string.h>

#include "sim/ptx/align_up.h"
#include "sim/ptx/decode.h"

enum { MAX_PARAMS = 256, MAX_PARAM_BYTES = 1 << 15, MAX_DEPTH = 64 };

// Where a parameter lies: in the kernel's parameter block, or in a function's local memory.
static void place_param(struct loader *loader, struct variable *param, int is_kernel)
{
    struct function *function = loader->function;
    uint64_t used = is_kernel ? function->param_size : function->local_size;
    if (param->alignment == 0)
        param->alignment = 1;
    param->offset = align_up(used, param->alignment);
    used = param->offset + param->size;
    if (used > MAX_PARAM_BYTES)
        load_fail(loader, "the parameters need more than %d bytes", MAX_PARAM_BYTES);
    if (is_kernel)
        function->param_size = used;
    else
        function->local_size = (uint32_t)used;
    struct symbol *symbol = load_symbol(loader, SYMBOL_VARIABLE, param->name);
    symbol->space = is_kernel ? KERNEL_PARAM : PARAM;
    symbol->address = param->offset;
    symbol->size = param->size;
    symbols_add(&loader->symbols, symbol);
}

static void read_params(struct loader *loader, int is_kernel)
{
    struct function *function = loader->function;
    function->params = load_take(loader, MAX_PARAMS * sizeof *function->params);
    if (!load_accept(loader, TOKEN_MARK, "("))
        return;
    while (!load_accept(loader, TOKEN_MARK, ")")) {
        if (function->param_count == MAX_PARAMS)
            load_fail(loader, "more than %d parameters", MAX_PARAMS);
        struct variable *param = &function->params[function->param_count++];
        *param = read_param(loader);
        place_param(loader, param, is_kernel);
        if (!token_is(&loader->token, TOKEN_MARK, ")"))
            load_expect(loader, TOKEN_MARK, ",");
    }
}

// .maxntid 256, 1, 1 .minnctapersm 2 .maxnreg 32 ...: the largest block, and what it leaves a thread of an SM's registers.
static void read_attributes(struct loader *loader)
{
    enum { SM_REGISTERS = 64 << 10, UNIT = 8 }; // that ptxas goes by, and gives a thread at a time
    unsigned blocks = 0, *most = &loader->function->max_registers;
    while (loader->token.kind == TOKEN_DOT) {
        int is_limit = token_is(&loader->token, TOKEN_DOT, "maxntid") ||
                       token_is(&loader->token, TOKEN_DOT, "reqntid"),
            is_least = token_is(&loader->token, TOKEN_DOT, "minnctapersm"),
            is_most = token_is(&loader->token, TOKEN_DOT, "maxnreg");
        uint64_t threads = 1;
        if (load_accept(loader, TOKEN_DOT, "pragma")) {
            load_skip_pragma(loader);
            continue;
        }
        load_advance(loader);
        while (loader->token.kind == TOKEN_NUMBER) {
            threads = (threads * load_number(loader)) & UINT32_MAX;
            load_accept(loader, TOKEN_MARK, ",");
        }
        if (is_limit)
            loader->function->max_threads = (unsigned)threads;
        if (is_least)
            blocks = (unsigned)threads;
        if (is_most)
            *most = (unsigned)threads;
    }
    uint64_t at_once = (uint64_t)blocks * loader->function->max_threads;
    if (at_once > 0 && at_once <= SM_REGISTERS / UNIT)
        *most = (unsigned)(SM_REGISTERS / at_once / UNIT * UNIT);
}

static void read_location(struct loader *loader)
{
    uint64_t file = load_number(loader), line = load_number(loader);
    load_number(loader); // the column
    loader->file = (uint32_t)file;
    loader->line = (uint32_t)line;
    loader->outer_file = loader->outer_line = 0;
    if (!load_accept(loader, TOKEN_MARK, ","))
        return;
    load_expect(loader, TOKEN_NAME, "function_name");
    load_name(loader);
    if (load_accept(loader, TOKEN_MARK, "+"))
        load_number(loader);
    load_expect(loader, TOKEN_MARK, ",");
    load_expect(loader, TOKEN_NAME, "inlined_at");
    loader->outer_file = (uint32_t)load_number(loader);
    loader->outer_line = (uint32_t)load_number(loader);
    load_number(loader);
}

// label: .branchtargets a, b, c;   The labels are numbers until the function is complete.
static void read_targets(struct loader *loader, struct symbol *symbol)
{
    enum { MAX_TARGETS = 4096 };
    struct jump_table *table = load_take(loader, sizeof *table);
    struct symbol **labels = load_take(loader, MAX_TARGETS * sizeof(struct symbol *));
    do {
        if (table->count == MAX_TARGETS)
            load_fail(loader, "a jump table has more than %d targets", MAX_TARGETS);
        labels[table->count++] = load_label(loader, load_name(loader));
    } while (load_accept(loader, TOKEN_MARK, ","));
    load_expect(loader, TOKEN_MARK, ";");
    symbol->table = table;
    symbol->targets = labels;
    symbol->next_table = loader->tables;
    loader->tables = symbol;
}

static void define_label(struct loader *loader, const char *name)
{
    struct symbol *label = load_label(loader, name);
    if (label->is_defined)
        load_fail(loader, "the label %s is defined twice", name);
    label->is_defined = 1;
    label->number = loader->length;
    if (load_accept(loader, TOKEN_DOT, "branchtargets"))
        read_targets(loader, label);
    else if (load_accept(loader, TOKEN_DOT, "callprototype"))
        load_fail(loader, "calls through pointers are not supported by the simulated device");
}

static void read_body_directive(struct loader *loader)
{
    if (load_accept(loader, TOKEN_DOT, "reg"))
        read_registers(loader);
    else if (load_accept(loader, TOKEN_DOT, "loc"))
        read_location(loader);
    else if (load_accept(loader, TOKEN_DOT, "param"))
        read_variables(loader, PARAM, 0);
    else if (load_accept(loader, TOKEN_DOT, "local"))
        read_variables(loader, LOCAL, 0);
    else if (load_accept(loader, TOKEN_DOT, "shared"))
        read_variables(loader, SHARED, 0);
    else if (load_accept(loader, TOKEN_DOT, "global"))
        read_variables(loader, GLOBAL, 0);
    else if (load_accept(loader, TOKEN_DOT, "const"))
        read_variables(loader, CONSTANT, 0);
    else if (load_accept(loader, TOKEN_DOT, "pragma"))
        load_skip_pragma(loader);
    else
        load_fail(loader, "the directive .%s is not supported by the simulated device",
                  load_found(loader));
}

static int is_label_next(struct loader *loader)
{
    struct lexer ahead = loader->lexer;
    struct token next = lexer_next(&ahead);
    return loader->token.kind == TOKEN_NAME && token_is(&next, TOKEN_MARK, ":");
}

static void read_body(struct loader *loader)
{
    const struct symbol *marks[MAX_DEPTH];
    int depth = 0;
    load_expect(loader, TOKEN_MARK, "{");
    for (;;) {
        if (load_accept(loader, TOKEN_MARK, "{")) {
            if (depth == MAX_DEPTH)
                load_fail(loader, "braces are nested too deeply");
            marks[depth++] = loader->symbols.newest;
        } else if (load_accept(loader, TOKEN_MARK, "}")) {
            if (depth == 0)
                return;
            symbols_leave(&loader->symbols, marks[--depth]);
        } else if (loader->token.kind == TOKEN_DOT) {
            read_body_directive(loader);
        } else if (is_label_next(loader)) {
            char *name = load_name(loader);
            load_expect(loader, TOKEN_MARK, ":");
            define_label(loader, name);
        } else {
            struct statement statement;
            read_statement(loader, &statement);
            decode_statement(loader, &statement);
        }
    }
}

static const struct instruction *place_of(struct loader *loader, const struct symbol *label)
{
    if (!label->is_defined)
        load_fail(loader, "the label %s is not defined", label->name);
    return &loader->code[label->number];
}

// The instructions stay where they are from now on: labels become addresses.
static void complete(struct loader *loader)
{
    struct function *function = loader->function;
    loader->opcode = "end";
    load_instruction(loader, OP_END);
    for (const struct fixup *f = loader->fixups; f; f = f->next)
        loader->code[f->at].target = place_of(loader, f->label);
    for (const struct symbol *s = loader->tables; s; s = s->next_table) {
        s->table->targets = load_take(loader, s->table->count * sizeof *s->table->targets);
        for (size_t i = 0; i < s->table->count; i++)
            s->table->targets[i] = place_of(loader, s->targets[i]);
    }
    mark_fresh_loads(loader);
    find_reconvergence(loader);
    estimate_costs(loader);
    estimate_registers(loader);
    function->code = loader->code;
    function->length = loader->length;
    function->is_defined = 1;
}

// What a body cannot be decoded for is the function's own affair: those that do not need it run.
static void refuse(struct loader *loader)
{
    struct function *function = loader->function;
    loader->is_in_body = 0;
    loader->lexer = loader->body;
    loader->token = loader->body_token;
    function->why = load_text(loader, loader->why, strlen(loader->why));
    function->is_defined = 1;
    load_skip_nested(loader, "{", "}");
}

static void read_definition(struct loader *loader)
{
    loader->body = loader->lexer;
    loader->body_token = loader->token;
    loader->is_in_body = 1;
    if (setjmp(loader->refused)) {
        refuse(loader);
        return;
    }
    read_body(loader);
    complete(loader);
    loader->is_in_body = 0;
}

static struct function *declare(struct loader *loader, const char *name, int is_kernel)
{
    struct function *function = module_function(loader->module, name);
    if (!function) {
        function = load_take(loader, sizeof *function);
        function->name = name;
        function->next = loader->module->functions;
        loader->module->functions = function;
        symbols_add(&loader->symbols, load_symbol(loader, SYMBOL_FUNCTION, name));
    }
    if (function->is_defined)
        load_fail(loader, "the function %s is defined twice", name);
    function->is_kernel = is_kernel;
    function->param_count = 0;
    function->param_size = 0;
    function->local_size = 0;
    function->result = (struct variable){.size = 0};
    return function;
}

void read_function(struct loader *loader, int is_kernel)
{
    struct variable result = {.size = 0};
    load_skip_attribute(loader);
    if (!is_kernel && load_accept(loader, TOKEN_MARK, "(")) {
        result = read_param(loader);
        load_expect(loader, TOKEN_MARK, ")");
    }
    struct function *function = declare(loader, load_name(loader), is_kernel);
    const struct symbol *mark = loader->symbols.newest;
    loader->function = function;
    loader->code = NULL;
    loader->length = loader->capacity = 0;
    loader->constant_capacity = 0;
    loader->fixups = NULL;
    loader->tables = NULL;
    loader->line = loader->file = loader->outer_line = loader->outer_file = 0;
    if (result.size) {
        place_param(loader, &result, 0);
        function->result = result;
    }
    read_params(loader, is_kernel);
    read_attributes(loader);
    function->shared_size = (uint32_t)loader->module_shared;
    if (!load_accept(loader, TOKEN_MARK, ";"))
        read_definition(loader);
    symbols_leave(&loader->symbols, mark);
    symbols_leave(&loader->labels, NULL);
    loader->function = NULL;
}
