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
        size_t length = 0, sum = 0;
        const unsigned char *code = cubin_code(data, size, names[i], &length);
        for (size_t pc = 0; code && pc < length; pc++)
            sum += code[pc];
        if (sum > SIZE_MAX / 2)
            abort();
    }
    return 0;
}
