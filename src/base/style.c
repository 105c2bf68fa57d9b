#define _DEFAULT_SOURCE // isatty, nl_langinfo, struct winsize
#include "base/style.h"

#include "base/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { LINE_WIDTH = 100, LEAST_WIDTH = 40 };

const char *const color_words[] = {
    [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};

// Whether the terminal understands escape sequences.
static bool is_capable(void)
{
    const char *term = getenv("TERM");
    return term && strcmp(term, "dumb") != 0;
}

static bool wants_color(bool terminal)
{
    const char *no_color = getenv("NO_COLOR");
    return terminal && is_capable() && !(no_color && *no_color);
}

struct style style_for(FILE *file, enum color_when when)
{
    bool terminal = isatty(terminal_fileno(file));
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    return (struct style){.color =
                              when == COLOR_ALWAYS || (when == COLOR_AUTO && wants_color(terminal)),
                          .utf8 = utf8,
                          .cursor = terminal && is_capable(),
                          .marks = utf8 && terminal};
}

const char *style_text(const struct style *style, const char *utf8, const char *ascii)
{
    return style->utf8 ? utf8 : ascii;
}

const char *style_dash(const struct style *style)
{
    return style_text(style, "–", "-");
}

const char *tone_start(const struct style *style, enum tone tone)
{
    static const char *const starts[] = {"", "\033[32m", "\033[31m", "\033[1m", "\033[2m"};
    return style->color ? starts[tone] : "";
}

const char *tone_end(const struct style *style, enum tone tone)
{
    return style->color && tone != TONE_PLAIN ? "\033[0m" : "";
}

int page_width(FILE *file)
{
    struct winsize size;
    int descriptor = terminal_fileno(file), width = 0;
    const char *columns = getenv("COLUMNS");
    if (descriptor < 0) // it is in memory
        return WIDEST;
    if (columns)
        width = atoi(columns);
    else if (isatty(descriptor) && ioctl(descriptor, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    return width <= 0 || width > WIDEST ? WIDEST : width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

int bounded_page_width(FILE *file)
{
    int width = page_width(file);
    return width < PAGE_WIDTH ? width : PAGE_WIDTH;
}

int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xC0) != 0x80; // continuation bytes take no column
    return width;
}

void text_append(char *text, size_t size, const char *more, int width)
{
    size_t used = strlen(text), taken = 0;
    int columns = text_width(text);
    while (more[taken]) {
        size_t length = 1; // of the next character, with its continuation bytes
        while (((unsigned char)more[taken + length] & 0xC0) == 0x80)
            length++;
        if (++columns > width || used + taken + length >= size)
            break;
        taken += length;
    }
    memcpy(text + used, more, taken);
    text[used + taken] = '\0';
}

void put_padded(FILE *file, const char *text, int width)
{
    int blanks = abs(width) - text_width(text);
    if (blanks < 0)
        blanks = 0;
    if (width < 0)
        fprintf(file, "%*s%s", blanks, "", text);
    else
        fprintf(file, "%s%*s", text, blanks, "");
}

// Where the line that starts at `text` ends: at a newline, at the end, or at the last blank that
// keeps it within `width` columns (the first blank, if none does).
static const char *line_end(const char *text, int width)
{
    const char *blank = NULL;
    for (const char *at = text; *at && *at != '\n'; at++) {
        if (*at == ' ' && (width >= 0 || !blank))
            blank = at;
        width -= ((unsigned char)*at & 0xC0) != 0x80;
        if (width < 0 && blank)
            return blank;
    }
    return text + strcspn(text, "\n");
}

void put_wrapped(FILE *file, const char *lead, const char *text)
{
    int indent = text_width(lead), page = page_width(file);
    int width = (page < LINE_WIDTH ? page : LINE_WIDTH) - indent;
    fputs(lead, file);
    for (;;) {
        const char *end = line_end(text, width);
        fprintf(file, "%.*s\n", (int)(end - text), text);
        if (*end == '\0' || end[1] == '\0')
            return;
        text = end + 1;
        fprintf(file, "%*s", indent, "");
    }
}

void put_text(FILE *file, const char *text)
{
    int page = page_width(file), widest = 0;
    for (; *text == '\n'; text++)
        fputc('\n', file);
    char *whole = malloc(strlen(text) + 1);
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        int width = 0;
        for (const char *at = line; *at && *at != '\n'; at++)
            width += ((unsigned char)*at & 0xC0) != 0x80;
        widest = width > widest ? width : widest;
    }
    if (widest <= page || !whole) {
        fputs(text, file);
    } else {
        strcpy(whole, text);
        for (char *at = whole; *at; at++)
            if (*at == '\n' && at[1])
                *at = ' ';
        put_wrapped(file, "", whole);
    }
    free(whole);
}
