// A translation unit's PTX, from its first directive to its last.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/ptx/loader.h"

static int is_octal(char c)
{
    return c >= '0' && c <= '7';
}

// As LLVM writes them: each byte of what is not ASCII as "\303", a backslash as two.
static void unescape(char *text)
{
    char *to = text;
    for (const char *at = text; *at;) {
        if (at[0] == '\\' && is_octal(at[1]) && is_octal(at[2]) && is_octal(at[3])) {
            *to++ = (char)((at[1] - '0') * 64 + (at[2] - '0') * 8 + (at[3] - '0'));
            at += 4;
        } else {
            at += at[0] == '\\' && at[1] == '\\';
            *to++ = *at++;
        }
    }
    *to = '\0';
}

// .file 1 "name", time, size
static void read_file_name(struct loader *loader)
{
    struct source_file *file = load_take(loader, sizeof *file);
    file->number = (uint32_t)load_number(loader);
    if (loader->token.kind != TOKEN_STRING)
        load_fail(loader, "expected a file name");
    char *name = load_text(loader, loader->token.text, loader->token.length);
    unescape(name);
    file->name = name;
    load_advance(loader);
    while (load_accept(loader, TOKEN_MARK, ","))
        load_number(loader);
    file->next = loader->module->files;
    loader->module->files = file;
}

// .target sm_90, texmode_independent
static void read_target(struct loader *loader)
{
    do {
        char *name = load_name(loader);
        if (strncmp(name, "sm_", 3) == 0)
            loader->module->target = (unsigned)strtoul(name + 3, NULL, 10);
    } while (load_accept(loader, TOKEN_MARK, ","));
}

// .alias name, function;   The name was declared, the function is defined.
static void read_alias(struct loader *loader)
{
    const char *name = load_name(loader);
    load_expect(loader, TOKEN_MARK, ",");
    const char *other = load_name(loader);
    struct function *alias = module_function(loader->module, name);
    struct function *function = module_function(loader->module, other);
    if (!alias || alias->is_defined || !function || !function->is_defined)
        load_fail(loader, "%s cannot be an alias of %s", name, other);
    alias->alias_of = function;
    load_expect(loader, TOKEN_MARK, ";");
}

static int read_definition(struct loader *loader, int is_extern)
{
    if (load_accept(loader, TOKEN_DOT, "entry"))
        read_function(loader, 1);
    else if (load_accept(loader, TOKEN_DOT, "func"))
        read_function(loader, 0);
    else if (load_accept(loader, TOKEN_DOT, "global"))
        read_variables(loader, GLOBAL, is_extern);
    else if (load_accept(loader, TOKEN_DOT, "const"))
        read_variables(loader, CONSTANT, is_extern);
    else if (load_accept(loader, TOKEN_DOT, "shared"))
        read_variables(loader, SHARED, is_extern);
    else
        return 0;
    return 1;
}

static void read_directive(struct loader *loader)
{
    int is_extern = 0;
    while (load_accept(loader, TOKEN_DOT, "visible") || load_accept(loader, TOKEN_DOT, "weak") ||
           load_accept(loader, TOKEN_DOT, "common"))
        ;
    if (load_accept(loader, TOKEN_DOT, "extern"))
        is_extern = 1;
    if (read_definition(loader, is_extern))
        return;
    if (load_accept(loader, TOKEN_DOT, "version")) {
        load_number(loader);
        load_advance(loader); // ".0"
    } else if (load_accept(loader, TOKEN_DOT, "target")) {
        read_target(loader);
    } else if (load_accept(loader, TOKEN_DOT, "address_size")) {
        if (load_number(loader) != 64)
            load_fail(loader, "only 64-bit addresses are supported");
    } else if (load_accept(loader, TOKEN_DOT, "file")) {
        read_file_name(loader);
    } else if (load_accept(loader, TOKEN_DOT, "section")) {
        load_advance(loader);
        load_skip_nested(loader, "{", "}");
    } else if (load_accept(loader, TOKEN_DOT, "pragma")) {
        load_skip_pragma(loader);
    } else if (load_accept(loader, TOKEN_DOT, "alias")) {
        read_alias(loader);
    } else {
        load_fail(loader, "'%s' is not supported by the simulated device", load_found(loader));
    }
}

// vprintf(format, values) and __assertfail(condition, file, line, function, size of a character):
// in parameters of these sizes, as compilers pass them.
static enum builtin builtin_of(const struct call *call)
{
    static const struct {
        const char *name;
        int count;
        uint64_t sizes[5];
        enum builtin builtin;
    } builtins[] = {{"vprintf", 2, {8, 8}, PRINT}, {"__assertfail", 5, {8, 8, 4, 8, 8}, ASSERT}};
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        int fits =
            strcmp(call->name, builtins[i].name) == 0 && call->argument_count == builtins[i].count;
        for (int k = 0; fits && k < builtins[i].count; k++)
            fits = call->arguments[k].from == NO_SLOT &&
                   call->arguments[k].size == builtins[i].sizes[k];
        if (fits)
            return builtins[i].builtin;
    }
    return NO_BUILTIN;
}

static void check_call(struct loader *loader, const struct pending_call *pending)
{
    struct call *call = pending->call;
    call->function = module_function(loader->module, call->name);
    if (call->function && !call->function->is_defined)
        call->builtin = builtin_of(call);
    if (call->builtin != NO_BUILTIN) {
        pending->caller->order_matters |= call->builtin == PRINT; // of the lines
        return;
    }
    if (!call->function || !call->function->is_defined)
        load_fail(loader,
                  "call: the function %s is not in this file and is not supported by the "
                  "simulated device",
                  call->name);
    if (call->argument_count != call->function->param_count ||
        call->result_count != (call->function->result.size > 0))
        load_fail(loader, "call: %s has other parameters", call->name);
}

static void check_recursion(struct loader *loader, const struct pending_call *pending)
{
    const struct function *callee = pending->call->function;
    if (pending->caller->is_open && callee && callee->is_open)
        load_fail(loader,
                  "call: %s is called again before it returns: recursion is not supported by the "
                  "simulated device",
                  pending->call->name);
}

// Makes a check of every call of a function that nothing is wrong with yet: what it fails for is the
// caller's affair.
static void check_caller(struct loader *loader, const struct pending_call *pending,
                         void (*check)(struct loader *loader, const struct pending_call *pending))
{
    loader->function = pending->caller; // for the message
    loader->line = pending->line;
    loader->file = pending->file;
    loader->is_in_body = 1;
    if (setjmp(loader->refused))
        pending->caller->why = load_text(loader, loader->why, strlen(loader->why));
    else
        check(loader, pending);
    loader->is_in_body = 0;
    loader->function = NULL;
}

static void check_callers(struct loader *loader,
                          void (*check)(struct loader *loader, const struct pending_call *pending))
{
    for (const struct pending_call *p = loader->calls; p; p = p->next)
        if (!p->caller->why)
            check_caller(loader, p, check);
}

// Closes the functions that call no open one (or that none calls), again and again. Returns whether any was.
static int close_ends(struct loader *loader, int callers)
{
    int changed = 0;
    for (struct function *f = loader->module->functions; f; f = f->next)
        f->is_reached = 0;
    for (const struct pending_call *p = loader->calls; p; p = p->next) {
        struct function *callee = p->call->function;
        if (callee && callee->is_open && p->caller->is_open)
            (callers ? callee : p->caller)->is_reached = 1;
    }
    for (struct function *f = loader->module->functions; f; f = f->next) {
        changed |= f->is_open && !f->is_reached;
        f->is_open = f->is_open && f->is_reached;
    }
    return changed;
}

// What stays open calls itself, if by way of others.
static void find_recursion(struct loader *loader)
{
    for (struct function *f = loader->module->functions; f; f = f->next)
        f->is_open = 1;
    while (close_ends(loader, 0) || close_ends(loader, 1))
        ;
    check_callers(loader, check_recursion);
}

static int raise_to(uint64_t *value, uint64_t least)
{
    int rises = *value < least;
    if (rises)
        *value = least;
    return rises;
}

static int raise_flag(int *flag, int other)
{
    int rises = !*flag && other;
    *flag |= other;
    return rises;
}

// What a function needs with all that it calls: raised until nothing changes, as nothing calls itself that is not
// refused. Who calls what cannot be executed cannot be executed.
static void sum_calls(struct loader *loader)
{
    for (struct function *f = loader->module->functions; f; f = f->next) {
        f->frame_total = f->frame_size;
        f->local_total = (f->local_size + 15u) / 16 * 16;
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (const struct pending_call *p = loader->calls; p; p = p->next) {
            const struct function *callee = p->call->function;
            struct function *f = p->caller;
            if (f->why)
                continue;
            if (callee->why) {
                f->why = callee->why;
                changed = 1;
                continue;
            }
            changed |= raise_to(&f->frame_total, f->frame_size + callee->frame_total);
            changed |=
                raise_to(&f->local_total, (f->local_size + 15u) / 16 * 16 + callee->local_total);
            changed |= raise_flag(&f->has_fences, callee->has_fences);
            changed |= raise_flag(&f->has_atomics, callee->has_atomics);
            changed |= raise_flag(&f->has_shuffles, callee->has_shuffles);
            changed |= raise_flag(&f->order_matters, callee->order_matters);
        }
    }
    for (struct function *f = loader->module->functions; f; f = f->next)
        f->orders_blocks = f->has_fences && f->has_atomics;
}

// Whether any kernel can be executed, if there are some; else with the first one's reason.
static int has_use(struct loader *loader)
{
    const char *why = NULL;
    for (const struct function *f = loader->module->functions; f; f = f->next) {
        if (f->is_kernel && f->is_defined && !f->why)
            return 1;
        if (f->is_kernel && f->is_defined)
            why = f->why;
    }
    if (why)
        snprintf(loader->why, loader->why_size, "%s", why);
    return !why;
}

// Returns 0 when the loading failed: load_fail() comes back here.
static int read_module(struct loader *loader, const char *ptx, size_t size)
{
    if (setjmp(loader->failed))
        return 0;
    lexer_open(&loader->lexer, ptx, size);
    load_advance(loader);
    while (loader->token.kind != TOKEN_END)
        read_directive(loader);
    check_callers(loader, check_call);
    find_recursion(loader);
    sum_calls(loader);
    return has_use(loader);
}

struct module *module_load(const char *ptx, size_t size, place_global_fn *place, char *why,
                           size_t why_size, int *no_memory)
{
    struct module *module = calloc(1, sizeof *module);
    struct loader *loader = calloc(1, sizeof *loader);
    if (module && loader) {
        loader->module = module;
        loader->place = place;
        loader->why = why;
        loader->why_size = why_size;
        loader->opcode = "";
        if (read_module(loader, ptx, size)) {
            free(loader);
            return module;
        }
        *no_memory = loader->no_memory;
    } else {
        *no_memory = 1;
        snprintf(why, why_size, "no memory is left to read %zu bytes of PTX: end other programs",
                 size);
    }
    free(loader);
    module_free(module);
    return NULL;
}
