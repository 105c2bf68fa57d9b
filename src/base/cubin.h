// Reads the machine code that ptxas has made, for what PTX does not say.
#ifndef CUBIN_H
#define CUBIN_H

#include <stddef.h>
#include <stdint.h>

// Registers a thread of the kernel in `size` bytes of a cubin (an ELF file); 0 when it does not say.
// It is the attribute REGCOUNT of its section .nv.info, which `cuobjdump -elf` prints. Never reads
// beyond `size`.
int cubin_registers(const unsigned char *cubin, size_t size, const char *kernel);

// The kernel's instructions, *code_size bytes of the cubin: its section .text.KERNEL. NULL when there is none.
const unsigned char *cubin_code(const unsigned char *cubin, size_t size, const char *kernel,
                                size_t *code_size);

// The line of the PTX text that each of the kernel's first `count` instructions was made of, as its section
// .nv_debug_line_sass says (nvcc -lineinfo); 0 where it does not say. Returns 0 when it says nothing of the kernel.
int cubin_ptx_lines(const unsigned char *cubin, size_t size, const char *kernel, uint32_t *lines,
                    size_t count);

// Whether the cubin was made of this PTX text, as its section .nv_debug_ptx_txt says, which keeps the text.
int cubin_is_of_ptx(const unsigned char *cubin, size_t size, const char *ptx, size_t ptx_size);

#endif
