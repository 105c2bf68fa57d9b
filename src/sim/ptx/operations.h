// The operations of arithmetic.h, as decoding and the estimates see them.
#ifndef SIM_OPERATIONS_H
#define SIM_OPERATIONS_H

#include "sim/ptx/instruction.h"

enum { MAX_TERMS = 5 };

struct operation {
    const char *name;
    enum arithmetic kind;
    uint8_t width[MAX_TERMS]; // bytes of d, a, b, c and e; 0 where there is no operand
};

// Row 0 is none.
extern const struct operation operations[];

// The row that is named `stem` and the type, or where there is none and the type is no float `stem` and its
// number of bits; 0 when there is none such.
uint8_t find_operation(const char *stem, enum type type);

#endif
