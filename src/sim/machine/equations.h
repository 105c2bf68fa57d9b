// Linear equations in unknowns that are not negative, as they come: each either says something new, or follows from
// those before it, or contradicts them.
#ifndef SIM_EQUATIONS_H
#define SIM_EQUATIONS_H

#include <stdint.h>

struct equations {
    uint32_t unknowns, count;
    // Of each of `count` equations:
    double *rows;    // a factor for each unknown, and the right side
    uint32_t *pivot; // the unknown that it is solved for
    char *is_open;   // whether it has others
};

enum equation_outcome { EQUATION_NEW, EQUATION_KNOWN, EQUATION_WRONG };

// Returns 0 without memory. equations_close() also takes what could not be opened.
int equations_open(struct equations *equations, uint32_t unknowns);
void equations_close(struct equations *equations);

// Adds an equation: `row` has a factor for each unknown, and the right side; it is changed. One that contradicts the
// others is left out.
enum equation_outcome equations_add(struct equations *equations, double *row);

// Unknowns whose sum must be zero are zero each. Call it after equations were added.
void equations_use_signs(struct equations *equations);

// The value of a sum of unknowns that `row` gives the factors of, where it follows; `row` is changed. Returns 0 where
// it does not.
int equations_value(const struct equations *equations, double *row, double *value);

#endif
