#include "facts/roof.h"

const struct roof_row roof_rows[ROOFS] = {
    [COPY_KERNEL] = {.key = "copy_kernel", .label = "a copy kernel", .passes = 2},
    [PURE_READ] = {.key = "read", .label = "pure read", .passes = 1},
    [PURE_WRITE] = {.key = "write", .label = "pure write", .passes = 1},
};
