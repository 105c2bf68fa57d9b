// Names as a reader wants them.
#ifndef SIM_NAMES_H
#define SIM_NAMES_H

#include <stddef.h>

enum { NAME_SIZE = 256 };

// "transpose(float*, float const*, unsigned long)" for a C++ function's name in PTX, by the
// demangler of the C++ library where this machine has one; else, and for other names, the name.
void name_of_function(const char *mangled, char name[NAME_SIZE]);

// The path from the working directory, when the file is below it; else the path itself. Points into
// `path`.
const char *name_of_file(const char *path);

#endif
