#define _POSIX_C_SOURCE 200809L
// Whether the code that a document names is in the steps.
#include "checks.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { SPAN_SIZE = 160 };

// Copies without blanks, so that the layout does not matter.
static void squeeze(const char *from, size_t length, char *to, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < length && count + 1 < size; i++)
        if (!isspace((unsigned char)from[i]))
            to[count++] = from[i];
    to[count] = '\0';
}

// Whether the file has the code, which is without blanks, in one line.
static bool file_has(const char *path, const char *code)
{
    struct document file;
    bool found = false;
    if (!document_read(path, &file))
        return false;
    for (size_t i = 0; i < file.count && !found; i++) {
        char line[512];
        squeeze(file.lines[i], strlen(file.lines[i]), line, sizeof line);
        found = strstr(line, code) != NULL;
    }
    document_free(&file);
    return found;
}

static bool steps_have(const char *code)
{
    glob_t steps;
    bool found = false;
    if (glob("steps/*.cu", 0, NULL, &steps) != 0)
        return false;
    for (size_t i = 0; i < steps.gl_pathc && !found; i++)
        found = file_has(steps.gl_pathv[i], code);
    globfree(&steps);
    return found;
}

// What is code of a kernel: it has an index, or CUDA's names for one.
static bool is_code(const char *span)
{
    return (strchr(span, '[') && strchr(span, ']') && !strchr(span, ',')) || strstr(span, "Idx") ||
           strstr(span, "<<<");
}

// Complains about the spans in backquotes of a line.
static int check_line(const struct document *document, size_t i)
{
    int complaints = 0;
    const char *at = document->lines[i];
    while ((at = strchr(at, '`'))) {
        const char *end = strchr(++at, '`');
        if (!end)
            break;
        char span[SPAN_SIZE];
        squeeze(at, (size_t)(end - at), span, sizeof span);
        if (is_code(span) && !steps_have(span)) {
            complain(document, i, "no step has the code `%.*s`", (int)(end - at), at);
            complaints++;
        }
        at = end + 1;
    }
    return complaints;
}

int check_code(const struct document *document)
{
    int complaints = 0;
    bool fenced = false;
    for (size_t i = 0; i < document->count; i++) {
        fenced ^= line_is_fence(document->lines[i]);
        if (!fenced && !line_is_fence(document->lines[i]))
            complaints += check_line(document, i);
    }
    return complaints;
}
