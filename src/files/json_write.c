#define _POSIX_C_SOURCE 200809L // access
#include "files/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void complain(const char *file, int error)
{
    fprintf(stderr, "apodkit: writing the JSON to %s: %s\n", file, strerror(error));
}

bool json_writable(const char *file)
{
    if (strcmp(file, "-") == 0)
        return true;
    bool is_there = access(file, F_OK) == 0;
    FILE *stream = fopen(file, "a"); // what it holds stays until there is something to write
    if (!stream || fclose(stream) != 0) {
        complain(file, errno);
        return false;
    }
    return is_there || remove(file) == 0;
}

bool json_write(const char *file, const char *text)
{
    bool to_stdout = strcmp(file, "-") == 0;
    FILE *stream = to_stdout ? stdout : fopen(file, "w");
    bool written = stream && fprintf(stream, "%s\n", text) > 0 && fflush(stream) == 0;
    int error = errno; // of the first call that failed
    if (stream && !to_stdout && fclose(stream) != 0 && written) {
        error = errno;
        written = false;
    }
    if (!written)
        complain(to_stdout ? "standard output" : file, error);
    return written;
}

bool json_finish(const char *file, char *text)
{
    if (!text)
        fprintf(stderr, "apodkit: the host has no memory for the JSON\n");
    bool written = text && json_write(file, text);
    free(text);
    return written;
}
