#include "base/untrusted_text.h"

#include <string.h>

// Of a character's first byte: how many bytes there are (0: it begins none), and what of the second is allowed.
static size_t length_of(unsigned char first, unsigned char *least, unsigned char *most)
{
    *least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80; // not longer than need be
    *most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;  // no surrogates; to U+10FFFF
    return first < 0x80    ? 1
           : first < 0xC2  ? 0
           : first < 0xE0  ? 2
           : first < 0xF0  ? 3
           : first <= 0xF4 ? 4
                           : 0;
}

static bool is_harmless(uint32_t c)
{
    bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
    bool turns = c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x202A && c <= 0x202E) ||
                 (c >= 0x2066 && c <= 0x2069);
    return !control && !turns;
}

struct foreign_character foreign_character(const char *text, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const struct foreign_character none = {.length = 1}, cut = {.length = 0};
    unsigned char least, most;
    if (size == 0)
        return cut;
    size_t length = length_of(bytes[0], &least, &most);
    if (length == 0)
        return none;
    uint32_t code = length == 1 ? bytes[0] : bytes[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (i == size)
            return cut;
        if (bytes[i] < least || bytes[i] > most)
            return none;
        code = code << 6 | (bytes[i] & 0x3Fu);
        least = 0x80;
        most = 0xBF;
    }
    return (struct foreign_character){length, code, is_harmless(code)};
}

void foreign_copy(char *to, size_t size, const char *from)
{
    size_t used = 0, left = strlen(from);
    while (left > 0) {
        struct foreign_character c = foreign_character(from, left);
        const char *shown = c.harmless ? from : c.code && c.code <= 0x9F ? " " : REPLACEMENT;
        size_t shown_length = c.harmless ? c.length : strlen(shown),
               length = c.length ? c.length : left;
        if (used + shown_length >= size)
            break;
        memcpy(to + used, shown, shown_length);
        used += shown_length;
        from += length;
        left -= length;
    }
    to[used] = '\0';
}

void foreign_trim(char *text)
{
    size_t left = strlen(text), length;
    while ((length = foreign_character(text, left).length) > 0) {
        text += length;
        left -= length;
    }
    *text = '\0';
}
