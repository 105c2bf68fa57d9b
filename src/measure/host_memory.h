// Whether the host has the memory that the matrices need, before it is asked for: Linux hands out what it does not have,
// and kills the process later.
#ifndef HOST_MEMORY_H
#define HOST_MEMORY_H

#include "facts/failure.h"

#include <stdbool.h>
#include <stddef.h>

// What so many bytes on the device take of the host, in bytes: where the device is simulated, its memory is the host's, and
// what is noted of a word for the checks of accesses takes half as much again as the word itself.
size_t host_memory_of_device(size_t bytes);

// Whether there are so many bytes, in the machine and in the control group's limit; false with the reason.
bool host_memory_suffices(size_t bytes, char failure[FAILURE_SIZE]);

#endif
