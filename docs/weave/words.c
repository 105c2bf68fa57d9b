#include "words.h"

#include <string.h>

bool words_split(const char *text, size_t length, struct words *words)
{
    if (length >= sizeof words->text)
        return false;
    memcpy(words->text, text, length);
    words->text[length] = '\0';
    words->count = 0;
    for (char *at = words->text; *(at += strspn(at, " "));) {
        if (words->count == MAX_WORDS)
            return false;
        bool quoted = *at == '"';
        at += quoted;
        char *end = strpbrk(at, quoted ? "\"" : " ");
        if (quoted && !end)
            return false;
        words->word[words->count] = at;
        words->quoted[words->count++] = quoted;
        if (!end)
            return true;
        *end = '\0';
        at = end + 1;
    }
    return true;
}
