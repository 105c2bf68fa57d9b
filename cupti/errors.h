// CUPTI's errors in words.
#ifndef ERRORS_H
#define ERRORS_H

#include <cupti_result.h>
#include <stdbool.h>
#include <stddef.h>

// What the error means for a reader of the report, and on further lines what to do about it.
// A static string.
const char *cupti_error_text(CUptiResult error);

// Whether the call went well. If not, `why` gets "<call>: error <number>, <explanation>".
bool cupti_ok(CUptiResult error, const char *call, char *why, size_t size);

#endif
