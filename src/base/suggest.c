#include "base/suggest.h"

#include <string.h>

enum { LONGEST = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// The letters to insert, delete, replace or swap with their neighbour, to turn one name into the other
// (the optimal string alignment distance). Both have at most LONGEST letters.
static size_t distance(const char *from, const char *to)
{
    size_t table[LONGEST + 1][LONGEST + 1]; // of the first i letters of one and j of the other
    size_t rows = strlen(from), columns = strlen(to);
    for (size_t i = 0; i <= rows; i++)
        for (size_t j = 0; j <= columns; j++) {
            if (i == 0 || j == 0) {
                table[i][j] = i + j;
                continue;
            }
            size_t replaced = table[i - 1][j - 1] + (from[i - 1] != to[j - 1]);
            table[i][j] = least(replaced, 1 + least(table[i - 1][j], table[i][j - 1]));
            if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
                table[i][j] = least(table[i][j], table[i - 2][j - 2] + 1);
        }
    return table[rows][columns];
}

const char *suggest(const char *typed, const char *const *known, size_t count, size_t stride)
{
    size_t length = strlen(typed);
    if (length > LONGEST)
        return NULL;
    size_t nearest = (length >= 6 ? length / 3 : 1) + 1;
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const char *name = *(const char *const *)((const char *)known + i * stride);
        size_t far = strlen(name) <= LONGEST ? distance(typed, name) : nearest;
        if (far < nearest) {
            nearest = far;
            best = name;
        }
    }
    return best;
}
