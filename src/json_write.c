#include "json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
        fprintf(stderr, "apodkit: writing the JSON to %s: %s\n",
                to_stdout ? "standard output" : file, strerror(error));
    return written;
}
