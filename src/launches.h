// What a step's launch() launched: kernel, grid, block. The linker sends every cudaLaunchKernel()
// of the steps through here (--wrap), so that a step file need not say it twice.
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include <stddef.h>

struct launch_record {
    const void *kernel;    // the host's handle of the __global__ function; NULL: none was launched
    unsigned grid[3];      // in blocks: x, y, z
    unsigned block[3];     // in threads: x, y, z
    size_t dynamic_shared; // bytes a block
};

// Forgets what was launched so far.
void launches_forget(void);

// The last launch since launches_forget(), whether it succeeded or not.
struct launch_record launches_last(void);

#endif
