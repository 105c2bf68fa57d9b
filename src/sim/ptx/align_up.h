// Rounding sizes and addresses up.
#ifndef SIM_ALIGN_UP_H
#define SIM_ALIGN_UP_H

#include <stdint.h>

// The least multiple of `alignment` (>= 1) that is not below `size`, in the same unit.
static inline uint64_t align_up(uint64_t size, uint64_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

#endif
