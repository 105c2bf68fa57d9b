#define _POSIX_C_SOURCE 200809L // getline
#include "show/source_page.h"

#include "base/foreign.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_WIDTH = 5, TAB_WIDTH = 4, TEXT_SIZE = 4 * SOURCE_PAGE_WIDTH };

// Makes a source line printable: no tabs, nothing that does harm, and only ASCII where the style wants that; cut to what is left of the page.
static void make_printable(char text[TEXT_SIZE], const char *line, const struct style *style)
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
    int width = SOURCE_PAGE_WIDTH - SOURCE_TEXT_COLUMN;
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
    make_printable(printable, text, style);
    fprintf(file, "%s%s%*u%s%s%s\n", tone_start(style, tone),
            !worst         ? "  "
            : style->marks ? "⚠ "
                           : "! ",
            NUMBER_WIDTH, number, *printable ? "  " : "", printable, tone_end(style, tone));
}

void put_source(FILE *file, const struct style *style, const struct source_file *source, bool whole,
                const struct source_notes *notes)
{
    FILE *stream = source->state == SOURCE_MISSING ? NULL : fopen(source->path, "r");
    const char *instead = stream ? "(not in the file as it is now)" : "(no text)";
    unsigned next = notes->next(notes->context, 0);
    char *text = NULL;
    size_t size = 0;
    bool has_text = stream;
    for (unsigned number = 1; next || has_text; number++) {
        has_text = has_text && getline(&text, &size, stream) >= 0;
        if (!has_text && next)
            number = next;
        bool noted = number == next;
        if (noted || (whole && has_text))
            put_line(file, style, number, has_text ? text : instead, noted, number == notes->worst);
        if (noted) {
            notes->print(notes->context, number);
            next = notes->next(notes->context, number);
        }
    }
    free(text);
    if (stream)
        fclose(stream);
}

void put_sources(FILE *file, const struct source_file *own, const struct source_files *files,
                 void (*put)(const void *context, int place, const struct source_file *source,
                             bool whole),
                 const void *context)
{
    int own_place = -1;
    for (int i = 0; i < files->count; i++)
        if (source_file_is(own, files->names[i]))
            own_place = i;
    put(context, own_place, own, true);
    for (int i = 0; i < files->count; i++) {
        if (i == own_place)
            continue;
        struct source_file other = source_file_find(files->names[i]);
        char name[LINE_FILE_SIZE];
        foreign_copy(name, sizeof name, files->names[i]);
        fprintf(file, "  In %s\n", name);
        put(context, i, &other, false);
    }
}
