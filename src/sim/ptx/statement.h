// A PTX statement as it was read: opcode, modifiers and operands with their names resolved.
#ifndef SIM_STATEMENT_H
#define SIM_STATEMENT_H

#include "sim/ptx/module.h"
#include "sim/ptx/symbols.h"

enum { MAX_MODIFIERS = 12, MAX_OPERANDS = 6, MODIFIER_SIZE = 32 };

enum operand_kind {
    OPERAND_REGISTER,
    OPERAND_NUMBER,
    OPERAND_SPECIAL,
    OPERAND_SYMBOL,  // a variable's address, a label or a function
    OPERAND_ADDRESS, // [register or symbol or nothing, + displacement]
    OPERAND_VECTOR,  // {a, b, ...}
    OPERAND_LIST,    // (a, b, ...): a call's
    OPERAND_SINK,    // _
};

struct operand {
    enum operand_kind kind;
    struct symbol *symbol; // of a register, a symbol, an address with one
    uint64_t number;
    int float_width;
    enum special special;
    int64_t displacement;
    int negated;             // !%p
    struct symbol *second;   // of %p|%q
    int count;               // of a vector or a list
    struct operand *members; //
};

struct statement {
    char opcode[MODIFIER_SIZE];
    char modifiers[MAX_MODIFIERS][MODIFIER_SIZE];
    int modifier_count;
    struct operand operands[MAX_OPERANDS];
    int operand_count;
    struct symbol *guard; // or NULL
    int guard_negated;
};

#endif
