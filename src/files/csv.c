#define _POSIX_C_SOURCE 200809L // open_memstream
#include "files/csv.h"

#include "base/output_file.h"
#include "base/untrusted_text.h"

#include <stdlib.h>
#include <string.h>

static char *text;
static size_t size;

FILE *csv_begin(void)
{
    FILE *file = open_memstream(&text, &size);
    if (!file)
        fprintf(stderr, "apodkit: the host has no memory for the CSV\n");
    return file;
}

bool csv_finish(FILE *file, const char *name)
{
    bool whole = !ferror(file);
    whole = fclose(file) == 0 && whole;
    if (!whole)
        fprintf(stderr, "apodkit: the host has no memory for the CSV\n");
    bool written = whole && output_write(CSV_WRITING, name, text, size);
    free(text);
    return written;
}

static bool is_one_of(uint32_t code, const uint32_t *codes)
{
    while (*codes && *codes != code)
        codes++;
    return *codes;
}

// Whether a spreadsheet would, where it leaves out blanks and takes wide characters for narrow ones.
static bool takes_for_formula(const char *text)
{
    static const uint32_t signs[] = {'=', '+', '-', '@', 0xFF1D, 0xFF0B, 0xFF0D, 0xFF20, 0};
    static const uint32_t blanks[] = {' ',    '\t',   '\r',   '\n',   0xA0,   0x2002, 0x2003,
                                      0x2009, 0x200B, 0x202F, 0x3000, 0xFEFF, 0};
    bool controls = *text == '\t' || *text == '\r';
    struct foreign_character c = foreign_character(text, strlen(text));
    while (is_one_of(c.code, blanks)) {
        text += c.length;
        c = foreign_character(text, strlen(text));
    }
    return controls || is_one_of(c.code, signs);
}

void csv_text(FILE *file, const char *text, char behind)
{
    const char *before = takes_for_formula(text) ? "'" : "";
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    fprintf(file, "%s%s", quoted ? "\"" : "", before);
    for (size_t left = strlen(text), length; left > 0; text += length, left -= length) {
        struct foreign_character c = foreign_character(text, left);
        length = c.length ? c.length : left;
        if (*text == '"')
            fputc('"', file);
        if (c.harmless || strchr("\t\r\n", *text))
            fwrite(text, 1, length, file);
        else
            fputs(REPLACEMENT, file);
    }
    fprintf(file, "%s%c", quoted ? "\"" : "", behind);
}

void csv_count(FILE *file, size_t count, char behind)
{
    if (count > 0)
        fprintf(file, "%zu", count);
    fputc(behind, file);
}

void csv_value(FILE *file, const struct value *value, char behind)
{
    if (value_known(value))
        fprintf(file, "%.10g", value->number);
    fprintf(file, ",%s%c", provenance_name(value->provenance), behind);
}
