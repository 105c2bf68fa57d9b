#include "sim/ptx/align_up.h"
#include "sim/ptx/loader.h"

#include <string.h>

enum { MAX_VARIABLE = 1 << 30, MAX_LOCAL = 1 << 19 }; // bytes; CUDA's local memory ends at 512 KB

static enum type read_type(struct loader *loader)
{
    if (loader->token.kind == TOKEN_DOT && loader->token.length < MODIFIER_SIZE) {
        char name[MODIFIER_SIZE] = {0};
        memcpy(name, loader->token.text, loader->token.length);
        enum type type = type_named(name);
        if (type != NO_TYPE) {
            load_advance(loader);
            return type;
        }
    }
    load_fail(loader, "expected a type, not '.%s'", load_found(loader));
}

void read_registers(struct loader *loader)
{
    enum type type = read_type(loader);
    do {
        struct symbol *symbol = load_symbol(loader, SYMBOL_REGISTER, load_name(loader));
        symbol->type = type;
        if (load_accept(loader, TOKEN_MARK, "<")) {
            symbol->kind = SYMBOL_REGISTERS;
            symbol->count = load_number(loader);
            load_expect(loader, TOKEN_MARK, ">");
        }
        symbols_add(&loader->symbols, symbol);
    } while (load_accept(loader, TOKEN_MARK, ","));
    load_expect(loader, TOKEN_MARK, ";");
}

// [.align n] .type name [count]...: without what a variable's initial value adds.
static struct variable read_declarator(struct loader *loader, enum type *type, int *is_unsized)
{
    struct variable variable = {.alignment = 0};
    load_skip_attribute(loader);
    if (load_accept(loader, TOKEN_DOT, "align"))
        variable.alignment = load_number(loader);
    unsigned lanes = load_accept(loader, TOKEN_DOT, "v2")   ? 2
                     : load_accept(loader, TOKEN_DOT, "v4") ? 4
                                                            : 1;
    *type = read_type(loader);
    if (load_accept(loader, TOKEN_DOT, "ptr")) { // .ptr .global .align 4: says what it points to
        while (loader->token.kind == TOKEN_DOT) {
            load_advance(loader);
            if (loader->token.kind == TOKEN_NUMBER)
                load_advance(loader);
        }
    }
    variable.size = type_size(*type) * lanes;
    if (variable.alignment == 0)
        variable.alignment = variable.size;
    variable.name = load_name(loader);
    *is_unsized = 0;
    while (load_accept(loader, TOKEN_MARK, "[")) {
        uint64_t count = 0;
        if (loader->token.kind == TOKEN_NUMBER)
            count = load_number(loader);
        else
            *is_unsized = 1;
        if (count > MAX_VARIABLE)
            load_fail(loader, "%s is larger than the simulated device's memory", variable.name);
        variable.size *= count;
        load_expect(loader, TOKEN_MARK, "]");
        if (variable.size > MAX_VARIABLE)
            load_fail(loader, "%s is larger than the simulated device's memory", variable.name);
    }
    if (variable.alignment > 4096 || (variable.alignment & (variable.alignment - 1)) != 0)
        load_fail(loader, "the alignment of %s is not a power of two up to 4096", variable.name);
    return variable;
}

struct variable read_param(struct loader *loader)
{
    enum type type;
    int is_unsized;
    load_expect(loader, TOKEN_DOT, "param");
    struct variable variable = read_declarator(loader, &type, &is_unsized);
    if (is_unsized)
        load_fail(loader, "the parameter %s has no size", variable.name);
    return variable;
}

// Stores one initial element and returns where the next one goes.
static uint64_t put_initial(struct loader *loader, struct global *global, enum type type,
                            uint64_t at)
{
    uint64_t size = type_size(type), value;
    int is_negative = load_accept(loader, TOKEN_MARK, "-");
    if (loader->token.kind == TOKEN_NAME) {
        load_accept(loader, TOKEN_NAME, "generic");
        int in_call = load_accept(loader, TOKEN_MARK, "(");
        struct symbol *symbol =
            symbols_find(&loader->symbols, loader->token.text, loader->token.length);
        if (!symbol || symbol->kind != SYMBOL_VARIABLE || symbol->space != GLOBAL)
            load_fail(loader, "%s's initial value is an address that is not supported: '%.*s'",
                      global->name, (int)(loader->token.length > 80 ? 80 : loader->token.length),
                      loader->token.text);
        value = symbol->address;
        load_advance(loader);
        if (in_call)
            load_expect(loader, TOKEN_MARK, ")");
        if (load_accept(loader, TOKEN_MARK, "+"))
            value += load_number(loader);
    } else {
        value = load_number(loader);
    }
    if (is_negative)
        value = 0 - value;
    if (at + size > global->size)
        load_fail(loader, "%s has more initial values than elements", global->name);
    memcpy(global->initial + at, &value, size);
    return at + size;
}

static uint64_t read_initial(struct loader *loader, struct global *global, enum type type,
                             uint64_t at, int depth)
{
    if (depth > 8)
        load_fail(loader, "%s's initial value is nested too deeply", global->name);
    if (!load_accept(loader, TOKEN_MARK, "{"))
        return put_initial(loader, global, type, at);
    while (!load_accept(loader, TOKEN_MARK, "}")) {
        at = read_initial(loader, global, type, at, depth + 1);
        if (!token_is(&loader->token, TOKEN_MARK, "}"))
            load_expect(loader, TOKEN_MARK, ",");
    }
    return at;
}

static void place_global(struct loader *loader, const struct variable *variable, enum type type,
                         struct symbol *symbol)
{
    struct global *global = load_take(loader, sizeof *global);
    global->name = variable->name;
    global->size = variable->size;
    global->alignment = variable->alignment;
    global->is_constant = symbol->space == CONSTANT;
    if (load_accept(loader, TOKEN_MARK, "=")) {
        global->initial = load_take(loader, global->size + 1);
        read_initial(loader, global, type, 0, 0);
    }
    global->address = loader->place(global->size, global->alignment);
    if (!global->address)
        load_out_of_memory(loader, global->size, global->name);
    if (global->initial)
        memcpy(global->address, global->initial, global->size);
    symbol->address = (uint64_t)(uintptr_t)global->address;
    global->next = loader->module->globals;
    loader->module->globals = global;
}

// A place in the local or shared memory that the function has of its own, or in the shared memory
// of the module.
static void place_in(struct loader *loader, const struct variable *variable, struct symbol *symbol)
{
    struct function *function = loader->function;
    if (symbol->space == SHARED) {
        int is_own = function && function->is_kernel;
        uint64_t used = is_own ? function->shared_size : loader->module_shared;
        symbol->address = align_up(used, variable->alignment);
        used = symbol->address + variable->size;
        if (used > MAX_LOCAL)
            load_fail(loader, "the shared variables need more memory than a block can have");
        if (is_own)
            function->shared_size = (uint32_t)used;
        else
            loader->module_shared = used;
        return;
    }
    if (!function)
        load_fail(loader, "%s: a local variable outside a function", variable->name);
    symbol->address = align_up(function->local_size, variable->alignment);
    if (symbol->address + variable->size > MAX_LOCAL)
        load_fail(loader, "the local variables need more than the 512 KB that a thread can have");
    function->local_size = (uint32_t)(symbol->address + variable->size);
}

void read_variables(struct loader *loader, enum space space, int is_extern)
{
    enum type type;
    int is_unsized;
    struct variable variable = read_declarator(loader, &type, &is_unsized);
    struct symbol *symbol = load_symbol(loader, SYMBOL_VARIABLE, variable.name);
    symbol->space = space;
    symbol->type = type;
    symbol->size = variable.size;
    if (is_extern && space == SHARED) {
        symbol->size = UINT64_MAX; // its address is known at the launch
    } else if (is_extern) {
        load_fail(loader,
                  "%s is defined in another file: relocatable device code (-rdc) is not supported",
                  variable.name);
    } else if (space == GLOBAL || space == CONSTANT) {
        place_global(loader, &variable, type, symbol);
    } else {
        place_in(loader, &variable, symbol);
    }
    symbols_add(&loader->symbols, symbol);
    load_expect(loader, TOKEN_MARK, ";");
}
