#include "names.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef char *demangle_fn(const char *mangled, char *buffer, size_t *size, int *status);

// The C++ library is not linked: kernels and steps do not need it, and not every machine has it.
static demangle_fn *find_demangler(void)
{
    static const char *const libraries[] = {"libstdc++.so.6", "libc++abi.so.1"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
        void *found = library ? dlsym(library, "__cxa_demangle") : NULL;
        demangle_fn *demangle;
        memcpy(&demangle, &found, sizeof demangle); // C has no cast between the two
        if (demangle)
            return demangle;
    }
    return NULL;
}

void name_of_function(const char *mangled, char name[NAME_SIZE])
{
    int status = -1;
    demangle_fn *demangle = strncmp(mangled, "_Z", 2) == 0 ? find_demangler() : NULL;
    char *clear = demangle ? demangle(mangled, NULL, NULL, &status) : NULL;
    snprintf(name, NAME_SIZE, "%s", clear ? clear : mangled);
    free(clear);
}

const char *name_of_file(const char *path)
{
    char directory[PATH_MAX];
    size_t length = getcwd(directory, sizeof directory) ? strlen(directory) : 0;
    if (length > 1 && strncmp(path, directory, length) == 0 && path[length] == '/')
        return path + length + 1;
    return path;
}
