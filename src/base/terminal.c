#define _GNU_SOURCE // fopencookie
#include "base/terminal.h"

#include "base/untrusted_text.h"

#include <errno.h>
#include <langinfo.h>
#include <stdbool.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

enum { HELD_BYTES = 16, PIECE_SIZE = 4096 };

// A stream that stands for a terminal's.
struct guard {
    FILE *stream;
    int file;
    char held[HELD_BYTES]; // the start of a character or sequence, the end of what was printed last
    size_t held_count;
    char piece[PIECE_SIZE]; // what is to be written
    size_t used;
};

static struct guard guards[2];

// Of ESC [ 1 ; 31 m and ESC [ K: how many bytes; 0 when the text ends within it, 1 when it is another one.
static size_t sequence_length(const char *text, size_t size)
{
    size_t i = 1;
    if (i < size && text[i++] != '[')
        return 1;
    while (i < size && i < HELD_BYTES - 1 && ((text[i] >= '0' && text[i] <= '9') || text[i] == ';'))
        i++;
    return i >= size ? 0 : text[i] == 'm' || text[i] == 'K' ? i + 1 : 1;
}

// The length of what the text begins with, 0 when it ends within it, and what to print for it.
static size_t next_shown(const char *text, size_t size, const char **shown, size_t *shown_length)
{
    static const char layout[] = "\n\t\r";
    bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    struct foreign_character c = foreign_character(text, size);
    if (c.code == '\033')
        c.length = sequence_length(text, size);
    bool as_it_is = c.code == '\033' ? c.length > 1
                    : c.code < 0x80  ? c.harmless || (c.code && strchr(layout, *text))
                                     : c.harmless && utf8;
    *shown = as_it_is ? text : utf8 ? REPLACEMENT : "?";
    *shown_length = as_it_is ? c.length : strlen(*shown);
    return c.length;
}

static bool flush(struct guard *guard)
{
    const char *text = guard->piece;
    for (size_t left = guard->used; left > 0;) {
        ssize_t written = write(guard->file, text, left);
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0) {
            text += written;
            left -= (size_t)written;
        }
    }
    guard->used = 0;
    return true;
}

// Takes what of the text is whole. Returns how many bytes, -1 when they cannot be written.
static ssize_t put(struct guard *guard, const char *text, size_t size)
{
    size_t taken = 0, length, shown_length;
    const char *shown;
    while ((length = next_shown(text + taken, size - taken, &shown, &shown_length)) > 0) {
        if (guard->used + shown_length > PIECE_SIZE && !flush(guard))
            return -1;
        memcpy(guard->piece + guard->used, shown, shown_length);
        guard->used += shown_length;
        taken += length;
    }
    return (ssize_t)taken;
}

static ssize_t write_guarded(void *cookie, const char *text, size_t size)
{
    struct guard *guard = cookie;
    size_t done = 0;
    ssize_t taken = 0;
    while (guard->held_count > 0 && done < size) {
        guard->held[guard->held_count++] = text[done++];
        taken = put(guard, guard->held, guard->held_count);
        if (taken < 0)
            return -1;
        guard->held_count -= (size_t)taken;
        memmove(guard->held, guard->held + taken, guard->held_count);
    }
    if ((taken = put(guard, text + done, size - done)) < 0)
        return -1;
    if (done + (size_t)taken < size) {
        guard->held_count = size - done - (size_t)taken;
        memcpy(guard->held, text + done + taken, guard->held_count);
    }
    return flush(guard) ? (ssize_t)size : -1;
}

static void guard_terminal(struct guard *guard, FILE **stream, int file, int buffering)
{
    if (!isatty(file))
        return;
    fflush(*stream);
    guard->file = file;
    guard->stream = fopencookie(guard, "w", (cookie_io_functions_t){.write = write_guarded});
    if (!guard->stream)
        return;
    setvbuf(guard->stream, NULL, buffering, BUFSIZ);
    *stream = guard->stream;
}

void terminals_guard(void)
{
    guard_terminal(&guards[0], &stdout, STDOUT_FILENO, _IOLBF);
    guard_terminal(&guards[1], &stderr, STDERR_FILENO, _IONBF);
}

int terminal_fileno(FILE *stream)
{
    for (int i = 0; i < 2; i++)
        if (stream == guards[i].stream)
            return guards[i].file;
    return fileno(stream);
}

// ---- Settings --------------------------------------------------------------------------------------

static struct kept {
    bool is;
    struct termios settings;
} kept[3]; // by file

// In the background they are another program's.
static bool in_foreground(int file)
{
    return tcgetpgrp(file) == getpgrp();
}

void terminals_keep(void)
{
    for (int i = 0; i < 3; i++)
        kept[i].is = in_foreground(i) && tcgetattr(i, &kept[i].settings) == 0;
}

void terminals_restore(void)
{
    for (int i = 0; i < 3; i++) {
        struct termios now = {0};
        if (kept[i].is && in_foreground(i) && tcgetattr(i, &now) == 0 &&
            memcmp(&now, &kept[i].settings, sizeof now) != 0)
            tcsetattr(i, TCSANOW, &kept[i].settings);
    }
}
