#define _POSIX_C_SOURCE 200809L // open_memstream
#include "files/csv.h"

#include "base/foreign.h"
#include "base/output_file.h"

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

void csv_text(FILE *file, const char *text, char behind)
{
    // A spreadsheet would take it for a formula.
    const char *before = *text && strchr("=+-@\t\r", *text) ? "'" : "";
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
