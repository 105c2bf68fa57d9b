// Text that others wrote: names of kernels and files, sources, recorded runs, what a kernel prints. It is UTF-8, or
// should be; what could do harm on a terminal is told apart here alone.
#ifndef UNTRUSTED_TEXT_H
#define UNTRUSTED_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What is shown in place of what is not, where there is UTF-8: U+FFFD.
#define REPLACEMENT "\xEF\xBF\xBD"

struct foreign_character {
    size_t
        length; // bytes: 1 where there is no character, 0 when the text is empty or ends within one
    uint32_t code; // Unicode's, 0 where there is none
    bool harmless; // it may be shown
};

// The first character of a text of `size` bytes. Harmful are control characters (U+0000 to 001F, 007F to 009F), those
// that turn the direction of text (U+061C, 200E, 200F, 202A to 202E, 2066 to 2069), and bytes that are no UTF-8.
struct foreign_character foreign_character(const char *text, size_t size);

// Copies as many whole characters as fit into `size` bytes, the last of which is '\0'. In place of a control character
// is a blank, and of others that are not harmless REPLACEMENT.
void foreign_copy(char *to, size_t size, const char *from);

// Takes from the end of a text that was cut the piece of a character that is left there.
void foreign_trim(char *text);

#endif
