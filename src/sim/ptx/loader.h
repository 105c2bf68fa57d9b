// What the readers and decoders of one module share while it is being loaded.
#ifndef SIM_LOADER_H
#define SIM_LOADER_H

#include <setjmp.h>

#include "sim/ptx/lexer.h"
#include "sim/ptx/module.h"
#include "sim/ptx/statement.h"
#include "sim/ptx/symbols.h"

// A branch whose label is not yet known: patched when the function is complete.
struct fixup {
    uint32_t at; // instruction's number in the function
    struct symbol *label;
    struct fixup *next;
};

struct pending_call {
    struct call *call;
    struct function *caller;
    uint32_t line, file;
    struct pending_call *next;
};

struct loader {
    struct lexer lexer;
    struct token token; // the one to read next
    struct module *module;
    struct symbols symbols, labels;
    place_global_fn *place;
    uint64_t module_shared; // bytes of module-level .shared variables
    struct pending_call *calls;

    struct function *function; // being read, or NULL
    struct instruction *code;
    uint32_t length, capacity;
    size_t constant_capacity;
    struct fixup *fixups;
    struct symbol *tables;           // labels with .branchtargets
    uint32_t line, file;             // of the source, by the last .loc
    uint32_t outer_line, outer_file; // and where that is inlined
    uint32_t ptx_line;               // of the PTX text: where the newest opcode stands
    const char *opcode;
    const struct statement *statement; // being decoded

    jmp_buf failed;
    jmp_buf refused; // while a body is being read: the function fails alone
    int is_in_body;
    struct lexer body;       // where it began
    struct token body_token; //
    int no_memory;           // the failure's cause: then nothing is refused alone
    char *why;
    size_t why_size;
};

// load_failure.c: gives up loading the function whose body is being read, or else the module, for the reason in the
// printf-style format. Adds the function and the line.
__attribute__((noreturn, format(printf, 2, 3))) void load_fail(struct loader *loader,
                                                               const char *format, ...);

// Likewise, the module: the host, or the device, has not so many bytes for that.
__attribute__((noreturn)) void load_out_of_memory(struct loader *loader, size_t bytes,
                                                  const char *what);

// Zeroed memory of the module's; fails the loading when there is none.
void *load_take(struct loader *loader, size_t size);
char *load_text(struct loader *loader, const char *text, size_t length);

// Reading tokens: advance; take a token if it is this one; fail unless it is.
void load_advance(struct loader *loader);
int load_accept(struct loader *loader, enum token_kind kind, const char *text);
void load_expect(struct loader *loader, enum token_kind kind, const char *text);
uint64_t load_number(struct loader *loader);
char *load_name(struct loader *loader);

// Up to the bracket that closes the one which comes next: "{" and "}".
void load_skip_nested(struct loader *loader, const char *open, const char *close);

// .pragma "...", "...": nothing that compilers ask of ptxas changes what a kernel does. After that word.
void load_skip_pragma(struct loader *loader);

// .attribute(.managed, .unified(1, 2)), if it comes next: where memory lies, which is one here.
void load_skip_attribute(struct loader *loader);

// The token to read next, for messages: at most 40 bytes of it.
const char *load_found(struct loader *loader);

// A symbol of that name, for the caller to complete and to add; and the label of that name, which is added where it
// is first named.
struct symbol *load_symbol(struct loader *loader, enum symbol_kind kind, const char *name);
struct symbol *load_label(struct loader *loader, const char *name);

// The slot of a constant, shared by all who want the same.
slot load_constant(struct loader *loader, enum constant_kind kind, uint64_t value, unsigned width);

// Where a register symbol's vector is.
slot register_slot(struct loader *loader, struct symbol *symbol);

// A new instruction at the end of the function, with the source position and no slots.
struct instruction *load_instruction(struct loader *loader, enum op op);

// variables.c: what .reg, .param, .local, .shared, .global and .const declare.
void read_registers(struct loader *loader);
void read_variables(struct loader *loader, enum space space, int is_extern);
struct variable read_param(struct loader *loader);

// functions.c: .entry or .func, after that word.
void read_function(struct loader *loader, int is_kernel);

// cfg.c: where the threads that a branch separates meet again.
void find_reconvergence(struct loader *loader);

// cost_estimate.c: how many machine instructions each instruction becomes.
void estimate_costs(struct loader *loader);

// register_estimate.c: how many registers a thread of the function needs; after the costs.
void estimate_registers(struct loader *loader);

// read_statement.c: one instruction from its guard to its semicolon.
void read_statement(struct loader *loader, struct statement *statement);

// special_registers.c: one of them, as an operand, if it comes next. Returns 0 when none does.
int read_special_register(struct loader *loader, struct operand *operand);

// decode.c: the statement as instructions of the function.
void decode_statement(struct loader *loader, const struct statement *statement);

#endif
