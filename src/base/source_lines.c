#include "base/source_lines.h"

#include <stdlib.h>

const char *line_access_name(enum line_access_kind kind)
{
    static const char *const names[ACCESS_KINDS] = {"global load", "global store", "global other",
                                                    "shared load", "shared store", "shared other"};
    return names[kind];
}

bool line_access_is_global(enum line_access_kind kind)
{
    return kind <= GLOBAL_OTHER;
}

void source_lines_add(struct source_lines *lines, const char *file, struct line_access access)
{
    access.file = source_files_place(&lines->files, file);
    for (int i = 0; i < lines->count; i++) {
        struct line_access *known = &lines->accesses[i];
        if (known->file != access.file || known->line != access.line || known->kind != access.kind)
            continue;
        known->executions += access.executions;
        known->passes += access.passes;
        known->ideal += access.ideal;
        return;
    }
    if (access.file < 0 || lines->count == MAX_LINE_ACCESSES)
        lines->overflowed = true;
    else
        lines->accesses[lines->count++] = access;
}

static int compare(const void *a, const void *b)
{
    const struct line_access *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

void source_lines_sort(struct source_lines *lines)
{
    qsort(lines->accesses, (size_t)lines->count, sizeof *lines->accesses, compare);
}

uint64_t line_access_excess(const struct line_access *access)
{
    return access->passes > access->ideal ? access->passes - access->ideal : 0;
}
