// Failures of the CUDA runtime in words: what failed, on what, why, and what to do next.
#ifndef FAILURE_H
#define FAILURE_H

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>

enum { FAILURE_SIZE = 640 };

// Whether the call went well. If not, `failure` gets "<what>: <error's name> (<its text>). <what to
// do>", where <what> is the printf-style format: the call and what it worked on.
__attribute__((format(printf, 3, 4))) bool cuda_ok(cudaError_t error, char failure[FAILURE_SIZE],
                                                   const char *format, ...);

// The same for a kernel that was launched and waited for; what the device itself found wrong with it
// (platform.h), if anything, takes the place of the message. `complaint` has `size` bytes, at least
// FAILURE_SIZE.
__attribute__((format(printf, 4, 5))) bool kernel_ok(cudaError_t error, char *complaint,
                                                     size_t size, const char *format, ...);

// Writes that the host has no `bytes` bytes for `what`, and what to do, to `failure`. Returns
// false.
bool host_memory_failed(char failure[FAILURE_SIZE], const char *what, size_t bytes);

// Whether an error has left the process unable to use the device: every further call fails.
bool cuda_is_lost(void);

#endif
