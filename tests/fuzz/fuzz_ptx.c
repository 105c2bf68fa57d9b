// Whatever the text is, the reader of PTX neither crashes nor hangs.
#include <stdlib.h>

#include "fuzz.h"
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char why[256];
    int no_memory;
    module_free(module_load((const char *)data, size, place, why, sizeof why, &no_memory));
    while (placed_count > 0)
        free(placed[--placed_count]);
    return 0;
}
