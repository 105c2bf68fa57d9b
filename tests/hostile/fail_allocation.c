// A library to preload: the APODKIT_FAIL_ALLOCATION-th allocation of each process fails, once. With APODKIT_FAILED, a
// file, it says there that it did.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

// glibc's own, as dlsym() itself allocates.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool fails(void)
{
    static atomic_long made, failing;
    if (failing == 0) {
        const char *which = getenv("APODKIT_FAIL_ALLOCATION");
        failing = which ? atol(which) : -1;
    }
    if (++made != failing)
        return false;
    const char *name = getenv("APODKIT_FAILED");
    int file = name ? open(name, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (file >= 0) {
        ssize_t written = write(file, "x", 1);
        close(file);
        if (written != 1)
            abort();
    }
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size)
{
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = fails() ? NULL : __libc_memalign(alignment, size);
    return *block ? 0 : ENOMEM;
}
