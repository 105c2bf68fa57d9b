#define _POSIX_C_SOURCE 200809L
// Whether a document's relative links lead anywhere.
#include "checks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { TARGET_SIZE = 400 };

// The path of a link's target from the kit's folder: relative to the document's.
static void resolve(const struct document *document, const char *target, size_t length,
                    char path[TARGET_SIZE])
{
    const char *slash = strrchr(document->path, '/');
    int folder = slash ? (int)(slash - document->path) + 1 : 0;
    if (length == 0) // within the document
        snprintf(path, TARGET_SIZE, "%s", document->path);
    else
        snprintf(path, TARGET_SIZE, "%.*s%.*s", folder, document->path, (int)length, target);
}

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), of_end = strlen(end);
    return length >= of_end && strcmp(text + length - of_end, end) == 0;
}

// Whether the file has what a link names behind '#': a section, or in code a line ("L11-L18").
static bool has_place(const char *path, const char *place)
{
    struct document file;
    if (!document_read(path, &file))
        return false;
    const char *last = strrchr(place, 'L');
    bool has = ends_in(path, ".md")    ? document_has_anchor(&file, place)
               : last && *place == 'L' ? strtoul(last + 1, NULL, 10) <= file.count
                                       : false;
    document_free(&file);
    return has;
}

static int check_target(const struct document *document, size_t i, const char *target)
{
    char path[TARGET_SIZE];
    struct stat found;
    size_t length = strcspn(target, "#");
    if (strncmp(target, "http://", 7) == 0 || strncmp(target, "https://", 8) == 0)
        return 0;
    resolve(document, target, length, path);
    if (stat(path, &found) != 0) {
        complain(document, i, "the link (%s) leads nowhere: there is no %s", target, path);
        return 1;
    }
    if (target[length] == '#' && !has_place(path, target + length + 1)) {
        complain(document, i, "the link (%s) leads nowhere: %s has no such place", target, path);
        return 1;
    }
    return 0;
}

static int check_line(const struct document *document, size_t i)
{
    int complaints = 0;
    for (const char *at = document->lines[i]; (at = strstr(at, "](")); at += 2) {
        char target[TARGET_SIZE];
        snprintf(target, sizeof target, "%.*s", (int)strcspn(at + 2, ") "), at + 2);
        complaints += check_target(document, i, target);
    }
    return complaints;
}

int check_links(const struct document *document)
{
    int complaints = 0;
    bool fenced = false;
    for (size_t i = 0; i < document->count; i++) {
        fenced ^= line_is_fence(document->lines[i]);
        if (!fenced)
            complaints += check_line(document, i);
    }
    return complaints;
}
