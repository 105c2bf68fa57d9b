// Arithmetic as it stands in the text: "2 x 8192 x 8192 x 4 bytes / 152.3 µs".
#ifndef ARITHMETIC_H
#define ARITHMETIC_H

#include <stdbool.h>
#include <stddef.h>

enum { UNIT_SIZE = 16 };

// A number as it is written, with its unit.
struct figure {
    double value;         // in the unit's base: bytes, seconds, bytes a second, 1 for 100 %
    double precision;     // half of what its last digit stands for
    char number[32];      // as it is written
    char unit[UNIT_SIZE]; // likewise; "" when there is none. "times" is "×".
};

// Reads the figure that `*text` starts with, and moves `*text` behind it. False when there is none.
bool figure_read(const char **text, struct figure *figure);

// Whether the unit is one of measured figures: a time, a rate, a share, a ratio, an amount of data.
bool unit_is_measured(const char *unit);

// The value of an expression of figures with + - x / and parentheses ('×' and '*' are 'x'). False when
// the `length` bytes are none. Words behind a figure that are no unit ("lanes") count as nothing.
bool evaluate(const char *text, size_t length, double *value);

#endif
