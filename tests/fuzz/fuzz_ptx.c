// libFuzzer: whatever the bytes are, the readers of fat binaries and of PTX neither crash nor hang.
#include <stdint.h>
#include <stdlib.h>

#include "base/fatbin.h"
#include "sim/ptx/module.h"

// The variables of the modules that one input makes: freed with it.
enum { MAX_PLACED = 64 };
static void *placed[MAX_PLACED];
static int placed_count;

static void *place(size_t size, size_t alignment)
{
    (void)alignment;
    if (placed_count == MAX_PLACED || size > 1 << 20)
        return NULL;
    return placed[placed_count++] = calloc(1, size + 1);
}

static void load(const char *ptx, size_t size)
{
    char why[256];
    module_free(module_load(ptx, size, place, why, sizeof why));
    while (placed_count > 0)
        free(placed[--placed_count]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[256];
    size_t ptx_size;
    const char *ptx = fatbin_find_ptx(data, size, ANY_ARCH, &ptx_size, why, sizeof why);
    if (ptx)
        load(ptx, ptx_size);
    load((const char *)data, size);
    return 0;
}
