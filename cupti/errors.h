// CUPTI's errors in words.
#ifndef ERRORS_H
#define ERRORS_H

#include <cupti_result.h>
#include <stdbool.h>
#include <stddef.h>

// Whether the call went well. If not, `why` gets "<call>: error <number>, <explanation>".
bool cupti_ok(CUptiResult error, const char *call, char *why, size_t size);

#endif
