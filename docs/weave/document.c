#define _POSIX_C_SOURCE 200809L
#include "document.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool split(struct document *document)
{
    size_t count = 0;
    for (const char *c = document->text; (c = strchr(c, '\n')); c++)
        count++;
    document->lines = malloc((count + 1) * sizeof *document->lines);
    if (!document->lines) {
        fprintf(stderr, "weave: no memory left for %s\n", document->path);
        return false;
    }
    char *line = document->text;
    for (char *end; (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        document->lines[document->count++] = line;
    }
    if (*line) // a last line without an end
        document->lines[document->count++] = line;
    return true;
}

bool document_of_text(const char *path, char *text, struct document *document)
{
    *document = (struct document){.path = path, .text = text};
    if (split(document))
        return true;
    document_free(document);
    return false;
}

// The whole file as a string, or NULL with errno set.
static char *read_whole(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = fopen(path, "r");
    if (!file)
        return NULL;
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = feof(file) ? calloc(1, 1) : NULL; // an empty file
    }
    fclose(file);
    return text;
}

bool document_read(const char *path, struct document *document)
{
    char *text = read_whole(path);
    if (!text) {
        fprintf(stderr, "weave: cannot read %s: %s\n", path, strerror(errno));
        return false;
    }
    return document_of_text(path, text, document);
}

void document_free(struct document *document)
{
    free(document->text);
    free(document->lines);
    *document = (struct document){0};
}

bool line_is_fence(const char *line)
{
    return strncmp(line, "```", 3) == 0;
}

const char *fence_info(const char *line)
{
    return line + 3;
}

// Whether GitHub makes this anchor of a heading's text.
static bool is_anchor_of(const char *heading, const char *anchor)
{
    for (; *heading; heading++) {
        unsigned char c = (unsigned char)*heading;
        if (c < 0x80 && !isalnum(c) && c != ' ' && c != '-' && c != '_')
            continue;
        if (*anchor++ != (c == ' ' ? '-' : tolower(c)))
            return false;
    }
    return *anchor == '\0';
}

bool document_has_anchor(const struct document *document, const char *anchor)
{
    bool in_fence = false;
    for (size_t i = 0; i < document->count; i++) {
        const char *line = document->lines[i];
        in_fence ^= line_is_fence(line);
        size_t level = strspn(line, "#");
        if (!in_fence && level > 0 && line[level] == ' ' && is_anchor_of(line + level + 1, anchor))
            return true;
    }
    return false;
}

void complain(const struct document *document, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%zu: ", document->path, line + 1);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}
