// Reads the machine code that ptxas has made, for what PTX does not say.
#ifndef CUBIN_H
#define CUBIN_H

#include <stddef.h>

// Registers a thread of the kernel in `size` bytes of a cubin (an ELF file); 0 when it does not say.
// It is the attribute REGCOUNT of its section .nv.info, which `cuobjdump -elf` prints. Never reads
// beyond `size`.
int cubin_registers(const unsigned char *cubin, size_t size, const char *kernel);

// The kernel's instructions, *code_size bytes of the cubin: its section .text.KERNEL. NULL when there is none.
const unsigned char *cubin_code(const unsigned char *cubin, size_t size, const char *kernel,
                                size_t *code_size);

#endif
