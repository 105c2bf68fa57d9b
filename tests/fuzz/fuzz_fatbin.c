// Whatever the bytes are, what a fat binary is said to hold lies within them.
#include <stdlib.h>

#include "base/fatbin.h"
#include "fuzz.h"

static void find_ptx(const uint8_t *data, size_t size, unsigned arch)
{
    char why[256] = "";
    size_t ptx_size = 0;
    const char *ptx = fatbin_find_ptx(data, size, arch, &ptx_size, why, sizeof why);
    if (!ptx && !*why)
        abort(); // refused without a reason
    if (ptx &&
        (ptx < (const char *)data || ptx_size > size || ptx > (const char *)data + size - ptx_size))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const unsigned archs[] = {0, 75, 89, 90, 120, ANY_ARCH};
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++) {
        int is_its_own, registers = fatbin_find_registers(
                            data, size, archs[i], "_Z20transpose_per_columnPfPKfi", &is_its_own);
        if (registers < 0 || registers > 256)
            abort();
        find_ptx(data, size, archs[i]);
    }
    return 0;
}
