// The words of a marker: separated by blanks, a phrase in double quotes counting as one.
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum { MAX_WORDS = 24, WORDS_SIZE = 400 };

struct words {
    int count;
    const char *word[MAX_WORDS];
    bool quoted[MAX_WORDS];
    char text[WORDS_SIZE]; // that they lie in
};

// False when there are too many, or a quote does not end.
bool words_split(const char *text, size_t length, struct words *words);

#endif
