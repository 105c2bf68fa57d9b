// Whatever the bytes are, the reader of cubins (ELF) reads no others.
#include <stdlib.h>

#include "base/cubin.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"_Z20transpose_per_columnPfPKfi", "kernel", ""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int registers = cubin_registers(data, size, names[i]);
        if (registers < 0 || registers > 256)
            abort();
    }
    return 0;
}
