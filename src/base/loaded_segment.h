// The program's own memory, as it was loaded from its file.
#ifndef LOADED_SEGMENT_H
#define LOADED_SEGMENT_H

#include <stddef.h>

// The bytes from `address` to the end of the segment that holds it, of the program or of a shared library: as
// many can be read. 0 when no segment does: it was not loaded from a file.
size_t loaded_size(const void *address);

#endif
