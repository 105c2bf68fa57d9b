// Whatever the bytes are, the reader of cubins (ELF) reads no others.
#include <stdlib.h>

#include "base/cubin.h"
#include "fuzz.h"
#include "sim/machine/machine_code.h"

static void read_code(const uint8_t *data, size_t size, const char *name, const uint8_t *code,
                      size_t length)
{
    static struct instruction ptx[] = {{.ptx_line = 20}, {.ptx_line = 30}};
    const struct function function = {.code = ptx, .length = 2};
    size_t count = length / MACHINE_INSTRUCTION_SIZE;
    uint32_t *lines = calloc(count + 1, sizeof *lines);
    if (!lines)
        abort();
    (void)cubin_ptx_lines(data, size, name, lines, count);
    (void)cubin_is_of_ptx(data, size, (const char *)code, length);
    for (int major = 7; major <= 9; major++)
        machine_code_free(machine_code_read(code, length, major, lines, &function));
    free(lines);
}

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
        if (code && length)
            read_code(data, size, names[i], code, length);
    }
    return 0;
}
