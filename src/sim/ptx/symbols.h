// Names of registers, variables and labels, in nested scopes.
#ifndef SIM_SYMBOLS_H
#define SIM_SYMBOLS_H

#include "sim/ptx/module.h"

enum symbol_kind {
    SYMBOL_REGISTER,
    SYMBOL_REGISTERS, // a range: %r<15> is %r0 to %r14
    SYMBOL_VARIABLE,
    SYMBOL_LABEL,
    SYMBOL_FUNCTION,
};

struct symbol {
    const char *name;
    enum symbol_kind kind;
    enum type type;          // of a register
    uint64_t count;          // of a range
    struct symbol **members; // its registers that were named so far: by number, NULL for others
    uint64_t member_count;   // how many numbers `members` has room for
    slot at;                 // of a register
    enum space space;        // of a variable
    uint64_t address;        // in its space
    uint64_t size;
    uint32_t number;           // of a label: the instruction it stands before
    int is_defined;            // of a label
    struct jump_table *table;  // of a label with .branchtargets
    struct symbol **targets;   // its labels
    struct symbol *next_table; //
    struct symbol *next_in_bucket, *next_newest;
};

enum { SYMBOL_BUCKETS = 1024 };

struct symbols {
    struct symbol *buckets[SYMBOL_BUCKETS];
    struct symbol *newest;
};

// The innermost symbol of that name, or NULL.
struct symbol *symbols_find(const struct symbols *symbols, const char *name, size_t length);

// Adds `symbol`, which must outlive the table and has its name, to the innermost scope.
void symbols_add(struct symbols *symbols, struct symbol *symbol);

// Forgets what was added after `mark`, a former value of `newest`.
void symbols_leave(struct symbols *symbols, const struct symbol *mark);

#endif
