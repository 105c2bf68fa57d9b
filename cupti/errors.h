// Calls of CUPTI's, and its errors in words.
#ifndef ERRORS_H
#define ERRORS_H

#include <cupti_result.h>
#include <stdbool.h>
#include <stddef.h>

// Whether the call went well. If not, `why` gets "<call>: error <number>, <explanation>".
bool cupti_ok(CUptiResult error, const char *call, char *why, size_t size);

// Calls a function of CUPTI's with the arguments behind its name: as above.
#define CUPTI_CALL(why, size, function, ...) cupti_ok(function(__VA_ARGS__), #function, why, size)

// The parameters of a function of CUPTI's, which say how large they are, and those of them that are set.
#define CUPTI_PARAMS(name, function, ...)                                                          \
    function##_Params name = {.structSize = function##_Params_STRUCT_SIZE, __VA_ARGS__}

#endif
