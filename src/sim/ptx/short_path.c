#include "sim/ptx/short_path.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

const char *short_path(const char *path)
{
    char directory[PATH_MAX];
    size_t length = getcwd(directory, sizeof directory) ? strlen(directory) : 0;
    if (length > 1 && strncmp(path, directory, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}
