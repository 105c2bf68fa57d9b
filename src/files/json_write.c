#include "files/json.h"

#include "base/output_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool json_write(const char *file, const char *text)
{
    return output_write(JSON_WRITING, file, text, strlen(text));
}

bool json_finish(const char *file, char *text)
{
    if (!text)
        fprintf(stderr, "apodkit: the host has no memory for the JSON\n");
    bool written = text && json_write(file, text);
    free(text);
    return written;
}
