// What somebody who mistyped a name may have meant.
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stddef.h>

// Of `count` names, the pointers to which lie `stride` bytes apart from `known` on, the one that is nearest to the typed one: at most a third of the typed letters, and at least
// one, are wrong, missing, too many or swapped with their neighbour. NULL when none is that near.
const char *suggest(const char *typed, const char *const *known, size_t count, size_t stride);

#endif
