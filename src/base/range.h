// The values that somebody types for what a sweep varies: n=1000,2000,4000 or n=1024:16384:*2.
#ifndef RANGE_H
#define RANGE_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_RANGE = 200, RANGE_WHY_SIZE = 160 };

struct range {
    int count; // 0: nothing was given
    size_t values[MAX_RANGE];
};

// Reads a list of items with commas between them, each a whole number, A:B:*K (A, A K, A K K, ... up to
// B; xK is the same, for shells that take the star for a file's name) or A:B:+K (A, A + K, ... up to
// B). The values stay in the order they are given in; one that comes twice counts once. False with the
// reason in `why` for any other text, for a value that is not from `least` to `most`, and for more than
// MAX_RANGE values; `range` holds nothing of use then.
bool range_parse(const char *text, size_t least, size_t most, struct range *range,
                 char why[RANGE_WHY_SIZE]);

#endif
