#define _POSIX_C_SOURCE 200809L // getline
#include "show/source_page.h"

#include "base/untrusted_text.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_WIDTH = 5, TAB_WIDTH = 4, TEXT_SIZE = 4 * PAGE_WIDTH };

// Makes a source line printable: no tabs, nothing that does harm, and only ASCII where the style wants that; cut to so many columns.
static void make_printable(char text[TEXT_SIZE], const char *line, const struct style *style,
                           int width)
{
    char whole[TEXT_SIZE];
    size_t used = 0, length;
    for (size_t left = strcspn(line, "\r\n"); left > 0 && used + TAB_WIDTH < sizeof whole;
         line += length, left -= length) {
        struct foreign_character c = foreign_character(line, left);
        length = c.length ? c.length : left;
        if (*line == '\t') {
            do
                whole[used++] = ' ';
            while (used % TAB_WIDTH);
        } else if (c.harmless && (length == 1 || style->utf8)) {
            memcpy(whole + used, line, length);
            used += length;
        } else {
            whole[used++] = '?';
        }
    }
    whole[used] = '\0';
    bool fits = text_width(whole) <= width;
    text[0] = '\0';
    text_append(text, TEXT_SIZE, whole, fits ? width : width - 3);
    if (!fits)
        strcat(text, "...");
}

static void put_line(FILE *file, const struct style *style, unsigned number, const char *text,
                     bool noted, bool worst)
{
    enum tone tone = worst ? TONE_BAD : noted ? TONE_PLAIN : TONE_FAINT;
    char printable[TEXT_SIZE];
    make_printable(printable, text, style, bounded_page_width(file) - SOURCE_TEXT_COLUMN);
    fprintf(file, "%s%s%*u%s%s%s\n", tone_start(style, tone),
            !worst         ? "  "
            : style->marks ? "⚠ "
                           : "! ",
            NUMBER_WIDTH, number, *printable ? "  " : "", printable, tone_end(style, tone));
}

// The first note from `note` on that is on the file; or their count.
static int note_on(const struct source_notes *notes, int place, int note)
{
    while (note < notes->count && notes->place(notes->context, note).file != place)
        note++;
    return note;
}

static unsigned line_of(const struct source_notes *notes, int note)
{
    return note < notes->count ? notes->place(notes->context, note).line : 0;
}

// Prints the notes from `note` on that are on this line of the file. Returns the first that is not.
static int put_notes(const struct source_notes *notes, int place, int note, unsigned line)
{
    for (; note < notes->count && line_of(notes, note) == line;
         note = note_on(notes, place, note + 1))
        notes->print(notes->context, note);
    return note;
}

void put_source(FILE *file, const struct style *style, const struct source_file *source, int place,
                bool whole, const struct source_notes *notes)
{
    FILE *stream = source->state == SOURCE_MISSING ? NULL : fopen(source->path, "r");
    const char *instead = stream ? "(not in the file as it is now)" : "(no text)";
    int note = note_on(notes, place, 0), worst = notes->worst;
    bool worst_is_here = worst >= 0 && notes->place(notes->context, worst).file == place;
    char *text = NULL;
    size_t size = 0;
    bool has_text = stream;
    if (note < notes->count && line_of(notes, note) == 0)
        fprintf(file, "%*s(code without line information)\n", SOURCE_TEXT_COLUMN, "");
    note = put_notes(notes, place, note, 0);
    for (unsigned number = 1; note < notes->count || has_text; number++) {
        has_text = has_text && getline(&text, &size, stream) >= 0;
        if (!has_text && note < notes->count)
            number = line_of(notes, note);
        bool noted = note < notes->count && number == line_of(notes, note);
        if (noted || (whole && has_text))
            put_line(file, style, number, has_text ? text : instead, noted,
                     worst_is_here && number == line_of(notes, worst));
        note = put_notes(notes, place, note, number);
    }
    free(text);
    if (stream)
        fclose(stream);
}

void put_sources(FILE *file, const struct style *style, const struct source_file *own,
                 const struct source_files *files, const struct source_notes *notes)
{
    int own_place = -1;
    for (int i = 0; i < files->count; i++)
        if (source_file_is(own, files->names[i]))
            own_place = i;
    put_source(file, style, own, own_place, true, notes);
    for (int i = 0; i < files->count; i++) {
        if (i == own_place)
            continue;
        struct source_file other = source_file_find(files->names[i]);
        char name[LINE_FILE_SIZE];
        foreign_copy(name, sizeof name, files->names[i]);
        fprintf(file, "  In %s\n", name);
        put_source(file, style, &other, i, false, notes);
    }
}
