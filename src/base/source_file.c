#define _POSIX_C_SOURCE 200809L // stat
#include "base/source_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool is_older(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

struct source_file source_file_find(const char *name)
{
    struct source_file source = {.name = name, .state = SOURCE_MISSING, .lacks = "is not there"};
    struct stat file, program;
    bool whole = name[0] == '/';
    bool found =
        (whole ? snprintf(source.path, sizeof source.path, "%s", name) < (int)sizeof source.path
               : kit_path(name, source.path)) &&
        stat(source.path, &file) == 0 && stat("/proc/self/exe", &program) == 0;
    if (found && !S_ISREG(file.st_mode)) // who reads a FIFO waits
        source.lacks = "is no plain file";
    else if (found)
        source.state = is_older(&program.st_mtim, &file.st_mtim) ? SOURCE_EDITED : SOURCE_AS_BUILT;
    return source;
}

bool source_file_is(const struct source_file *source, const char *compiled)
{
    size_t length = strlen(source->name), given = strlen(compiled);
    return given >= length && strcmp(compiled + given - length, source->name) == 0 &&
           (given == length || compiled[given - length - 1] == '/');
}
