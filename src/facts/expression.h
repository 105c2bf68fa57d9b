// CUPTI expressions: "a.sum + 2*b.sum|c.sum", resolved to the names that one chip has.
#ifndef EXPRESSION_H
#define EXPRESSION_H

#include "facts/metric_table.h"

#include <stdbool.h>
#include <stddef.h>

enum { MAX_TERMS = 4 };

struct term {
    double factor;
    char name[METRIC_NAME_SIZE];
};

// The sum of its terms.
struct expression {
    int count;
    struct term terms[MAX_TERMS];
};

// Whether the chip can count this name.
typedef bool expression_has(void *context, const char *name);

// Splits the text at " + ", takes the factor before "*", and of the names between "|" the first
// that `has` accepts. False when a term has none or the text is no expression; `why` (of `size`
// bytes) then names it.
bool expression_resolve(const char *text, expression_has *has, void *context,
                        struct expression *expression, char *why, size_t size);

#endif
