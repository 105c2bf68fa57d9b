#define _POSIX_C_SOURCE 200809L
// Whether the messages that a document explains are those of the program.
#include "checks.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

static const char *const sources[] = {"src/*/*.c", "src/sim/*/*.c", "cupti/*.c", "Makefile",
                                      "setup.sh"};
static const char heading[] = "## Troubleshooting";
enum { SPAN_SIZE = 160, SOURCES = sizeof sources / sizeof *sources };

// Writes the file's text with string literals that follow one another as one, which is how the compiler
// reads them.
static void put_joined(FILE *out, const struct document *file)
{
    for (size_t i = 0; i < file->count; i++) {
        const char *line = file->lines[i] + strspn(file->lines[i], " \t");
        size_t length = strlen(line);
        bool goes_on = length > 0 && line[length - 1] == '"' && i + 1 < file->count &&
                       file->lines[i + 1][strspn(file->lines[i + 1], " \t")] == '"';
        bool went_on = i > 0 && *line == '"' && file->lines[i - 1][0] &&
                       file->lines[i - 1][strlen(file->lines[i - 1]) - 1] == '"';
        fprintf(out, "%.*s%s", (int)(length - goes_on - went_on), line + went_on,
                goes_on ? "" : "\n");
    }
}

static void put_files(FILE *out, const char *pattern)
{
    glob_t files;
    if (glob(pattern, 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct document file;
        if (document_read(files.gl_pathv[i], &file)) {
            put_joined(out, &file);
            document_free(&file);
        }
    }
    globfree(&files);
}

// All sources as one string, which the caller frees; NULL when there is no memory.
static char *read_sources(void)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; out && i < SOURCES; i++)
        put_files(out, sources[i]);
    if (out && fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

// Whether the program prints it: each piece between "..." is in the sources.
static bool is_printed(const char *program, char *message)
{
    for (char *piece = message, *next; piece; piece = next) {
        next = strstr(piece, " ... ");
        if (next) {
            *next = '\0';
            next += strlen(" ... ");
        }
        if (!strstr(program, piece))
            return false;
    }
    return true;
}

// Complains about the messages in backquotes in the first cell of a table's row.
static int check_row(const struct document *document, size_t i, const char *program)
{
    const char *at = document->lines[i] + 1, *cell_end = at + strcspn(at, "|");
    int complaints = 0;
    while ((at = strchr(at, '`')) && at < cell_end) {
        char message[SPAN_SIZE];
        size_t length = strcspn(++at, "`");
        snprintf(message, sizeof message, "%.*s", (int)length, at);
        if (!is_printed(program, message)) {
            complain(document, i, "no source prints `%.*s`", (int)length, at);
            complaints++;
        }
        at += length + 1;
    }
    return complaints;
}

int check_messages(const struct document *document)
{
    int complaints = 0;
    bool inside = false;
    char *program = NULL;
    for (size_t i = 0; i < document->count; i++) {
        const char *line = document->lines[i];
        if (strncmp(line, "## ", 3) == 0)
            inside = strcmp(line, heading) == 0;
        if (!inside || *line != '|')
            continue;
        if (!program && !(program = read_sources())) {
            complain(document, i, "there is no memory to read the sources");
            return complaints + 1;
        }
        complaints += check_row(document, i, program);
    }
    free(program);
    return complaints;
}
