#include "files/csv.h"

#include <errno.h>
#include <string.h>

static const char *file_name(const char *name)
{
    return strcmp(name, "-") == 0 ? "standard output" : name;
}

FILE *csv_open(const char *name)
{
    FILE *file = strcmp(name, "-") == 0 ? stdout : fopen(name, "w");
    if (!file)
        fprintf(stderr, "apodkit: writing the CSV to %s: %s\n", name, strerror(errno));
    return file;
}

bool csv_close(FILE *file, const char *name)
{
    bool written = fflush(file) == 0 && !ferror(file);
    int error = errno;
    if (file != stdout && fclose(file) != 0 && written) {
        error = errno;
        written = false;
    }
    if (!written)
        fprintf(stderr, "apodkit: writing the CSV to %s: %s\n", file_name(name), strerror(error));
    return written;
}

void csv_text(FILE *file, const char *text, char behind)
{
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    if (quoted)
        fputc('"', file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text, file);
    }
    if (quoted)
        fputc('"', file);
    fputc(behind, file);
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
