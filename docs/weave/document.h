// A document in Markdown, as the lines of its file, and the names of its sections.
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct document {
    const char *path; // as the user calls it, from the kit's folder
    char *text;       // all of it; each line's end is a zero byte
    char **lines;
    size_t count;
};

// Reads a file, or a text that is to become it (which it takes over). False after a message on standard
// error; else the caller frees it with document_free(). `path` must live as long.
bool document_read(const char *path, struct document *document);
bool document_of_text(const char *path, char *text, struct document *document);
void document_free(struct document *document);

// Whether the line opens or ends a fenced block ("```"), and what the opening one says behind the fence.
bool line_is_fence(const char *line);
const char *fence_info(const char *line);

// Whether the document has a section whose heading GitHub gives this anchor: the heading in lower case,
// blanks as hyphens, without punctuation.
bool document_has_anchor(const struct document *document, const char *anchor);

// A complaint about a line (counted from 0) on standard error, printf-style: "walkthrough.md:12: ...".
__attribute__((format(printf, 3, 4))) void complain(const struct document *document, size_t line,
                                                    const char *format, ...);

#endif
