#include "base/function_name.h"

#include "base/untrusted_text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

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

void function_name(const char *mangled, char name[FUNCTION_NAME_SIZE])
{
    int status = -1;
    demangle_fn *demangle = strncmp(mangled, "_Z", 2) == 0 ? find_demangler() : NULL;
    char *clear = demangle ? demangle(mangled, NULL, NULL, &status) : NULL;
    foreign_copy(name, FUNCTION_NAME_SIZE, clear ? clear : mangled);
    free(clear);
}
