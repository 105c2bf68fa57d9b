// CUPTI loads a library with RTLD_DEEPBIND, which the sanitizers' runtime refuses. In the test
// programs this dlopen() stands in front of theirs and leaves the flag out.
#define _GNU_SOURCE // RTLD_NEXT, RTLD_DEEPBIND
#include <dlfcn.h>
#include <stdlib.h>

void *dlopen(const char *file, int mode)
{
    typedef void *open_function(const char *, int);
    open_function *next = (open_function *)dlsym(RTLD_NEXT, "dlopen");
    return next ? next(file, mode & ~RTLD_DEEPBIND) : NULL;
}
