// Reads a DWARF line program (DWARF 2, section 6.2), as ptxas writes it.
#ifndef LINE_PROGRAM_H
#define LINE_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

// Whether the address that stands at `place`, a byte's offset in the program, is one of the code that is looked for.
typedef int line_program_wants_fn(const void *context, size_t place);

// Sets lines[i] for the code's i-th 16 bytes, of `count`; those that it says nothing of become 0. Returns whether it
// says anything. Never reads beyond `size`.
int line_program_read(const unsigned char *program, size_t size, line_program_wants_fn *wants,
                      const void *context, uint32_t *lines, size_t count);

#endif
