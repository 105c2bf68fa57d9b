// Names of kernels and device functions as a reader wants them.
#ifndef FUNCTION_NAME_H
#define FUNCTION_NAME_H

enum { FUNCTION_NAME_SIZE = 256 };

// "transpose(float*, float const*, unsigned long)" for a C++ function's name in machine code or PTX, by
// the demangler of the C++ library where this machine has one; else, and for other names, the name. Harmless
// (base/untrusted_text.h).
void function_name(const char *mangled, char name[FUNCTION_NAME_SIZE]);

#endif
