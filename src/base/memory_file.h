// A file without a name, for what one process writes and another reads.
#ifndef MEMORY_FILE_H
#define MEMORY_FILE_H

#include <stdio.h>

// Opens one to write and read, in memory: it needs no place in /tmp, which may be full or read-only. A program that is
// started inherits it, as /dev/fd/N. NULL with errno.
FILE *memory_file(void);

#endif
