// The machine code that was loaded onto the GPU, and the source lines it came from.
#ifndef CUBINS_H
#define CUBINS_H

#include "facts/stall_reasons.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cubins;

// Keeps every cubin that is loaded from now on: subscribes to CUPTI, which takes one subscriber. NULL
// with the reason in `why`. The caller closes what it gets. These two are what a struct line_instrument asks for.
void *cubins_open(char *why, size_t size);
void cubins_close(void *cubins);

// Where an instruction came from: the source file's path in `file` (of `file_size` bytes), "?" and line 0
// when it was compiled without -lineinfo. False with the reason in `why` when its cubin was not kept.
bool cubins_locate(const struct cubins *cubins, uint32_t crc, const char *function, uint32_t pc,
                   char *file, size_t file_size, unsigned *line, char *why, size_t size);

// The instruction that the one at `pc` waits for (facts/stall_cause.h). False where there is none, or the cubin was
// not kept.
bool cubins_cause(const struct cubins *cubins, uint32_t crc, const char *function, uint32_t pc,
                  enum stall_reason reason, uint32_t *cause);

#endif
