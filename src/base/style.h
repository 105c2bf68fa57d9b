// How text looks where it goes: a terminal, a pipe, an ASCII locale.
#ifndef STYLE_H
#define STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum color_when { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
extern const char *const color_words[]; // "auto", "always", "never"

struct style {
    bool color;  // escape sequences
    bool utf8;   // characters beyond ASCII
    bool cursor; // the line can be wiped and written again
    bool marks;  // signs made for the eye, such as a warning triangle, in place of a plain '!'
};

enum tone { TONE_PLAIN, TONE_GOOD, TONE_BAD, TONE_TITLE, TONE_FAINT };

// For output to `file`: colour on a terminal, unless NO_COLOR is set (no-color.org), TERM is dumb
// or `when` says otherwise; UTF-8 as the locale has it. setlocale() must have been called.
struct style style_for(FILE *file, enum color_when when);

// The UTF-8 text where the style allows it, else the ASCII one.
const char *style_text(const struct style *style, const char *utf8, const char *ascii);

// What stands for a value that there is not. A static string.
const char *style_dash(const struct style *style);

// The escape sequence that starts or ends a tone; "" without colour.
const char *tone_start(const struct style *style, enum tone tone);
const char *tone_end(const struct style *style, enum tone tone);

// The columns of the terminal that the file is, or what COLUMNS in the environment says; WIDEST where there are none,
// and 40 at least.
enum { WIDEST = 1000 };
int page_width(FILE *file);

// The same, and 120 at most: of pages that would gain nothing by more.
enum { PAGE_WIDTH = 120 };
int bounded_page_width(FILE *file);

// The columns that a UTF-8 string takes on a terminal, counting one a character.
int text_width(const char *text);

// Appends as much of `more` as keeps `text`, of `size` bytes, within `width` columns.
void text_append(char *text, size_t size, const char *more, int width);

// Prints the text padded with blanks to `width` columns: to the right of it, or to its left when
// the width is negative. Longer text is printed whole.
void put_padded(FILE *file, const char *text, int width);

// Prints the text as it is where its lines fit on the page; else it is broken anew.
void put_text(FILE *file, const char *text);

// Prints the text in lines of at most 100 columns, or of the page's, broken at blanks and newlines: the first behind
// `lead`, the others behind as many blanks.
void put_wrapped(FILE *file, const char *lead, const char *text);

#endif
