#define _GNU_SOURCE // memfd_create
#include "base/memory_file.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

FILE *memory_file(void)
{
    int file = memfd_create("apodkit", 0);
    FILE *stream = file < 0 ? NULL : fdopen(file, "w+");
    int error = errno;
    if (file >= 0 && !stream)
        close(file);
    errno = error;
    return stream;
}
