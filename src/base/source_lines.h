// The memory accesses of one launch, by source line: how often each was executed, and what it moved
// against the least that it could have.
//
// Lines hold no pointers, so that they can live in memory that two processes share.
#ifndef SOURCE_LINES_H
#define SOURCE_LINES_H

#include "base/source_files.h"

#include <stdbool.h>
#include <stdint.h>

// Other accesses are atomics, asynchronous copies and the like.
enum line_access_kind {
    GLOBAL_LOAD,
    GLOBAL_STORE,
    GLOBAL_OTHER,
    SHARED_LOAD,
    SHARED_STORE,
    SHARED_OTHER,
    ACCESS_KINDS
};

enum { MAX_LINE_ACCESSES = 512 };

// All accesses of one kind on one line.
struct line_access {
    int file;      // its place in source_lines.files
    unsigned line; // from 1; 0: the code does not say
    enum line_access_kind kind;
    uint64_t executions; // warp instructions with at least one lane at work
    uint64_t passes; // 32-byte sectors of global, wavefronts of shared memory, over all of these
    uint64_t ideal;  // the fewest passes that hold the bytes that were asked for
};

struct source_lines {
    int count;
    struct line_access accesses[MAX_LINE_ACCESSES];
    struct source_files files;
    bool overflowed; // there were more, which are left out
};

// "global load", "shared other". A static string.
const char *line_access_name(enum line_access_kind kind);

bool line_access_is_global(enum line_access_kind kind);

// Adds the access to what is already counted of its kind on that line of `file`; `access.file` is
// not read.
void source_lines_add(struct source_lines *lines, const char *file, struct line_access access);

// Puts the accesses in the order of files, lines and kinds.
void source_lines_sort(struct source_lines *lines);

// Passes beyond the ideal.
uint64_t line_access_excess(const struct line_access *access);

#endif
