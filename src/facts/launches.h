// What a step's launch() launched: kernel, grid, block. The linker sends every cudaLaunchKernel()
// of the steps through here (--wrap), so that a step file need not say it twice.
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "facts/failure.h"

#include <stdbool.h>
#include <stddef.h>

struct launch_record {
    unsigned count;        // how many launches there were; the rest is of one
    const void *kernel;    // the host's handle of the __global__ function; NULL: none was launched
    unsigned grid[3];      // in blocks: x, y, z
    unsigned block[3];     // in threads: x, y, z
    size_t dynamic_shared; // bytes a block
    bool is_lost;          // the host had no memory to note a launch, which was not made
};

// Forgets what was launched so far.
void launches_forget(void);

// Of the launches since launches_forget(), whether they succeeded or not, the one that stands for the
// step: that of most threads, the first of several such; and how many there were.
struct launch_record launches_largest(void);

// The launches since then that an SM may hold differently: one for each kernel, block and shared memory.
// Valid until the next launch.
const struct launch_record *launches_shapes(size_t *count);

// Whether the launch of step `number`, from `file`, at n went well, and launched a kernel at all. If not,
// `complaint` (of `size` bytes, at least FAILURE_SIZE) says why.
bool launch_ok(cudaError_t error, const struct launch_record *launch, int number, const char *file,
               size_t n, char *complaint, size_t size);

// The side of the kernel's tiles, for the diagnosis: of the largest square of floats that fits in a block's
// shared memory and is as many of its columns of threads wide, one at least; 0 of blocks of one row.
size_t launch_tile(const struct launch_record *launch);

// From now on launches are only recorded: nothing runs, so that launch() can be asked
// without matrices.
void launches_only_record(bool only_record);

// What each block of a launch asks of an SM.
struct launch_needs {
    unsigned threads;
    int registers;            // a thread
    bool registers_estimated; // by the simulated device, without the compiled code
    size_t shared_bytes;      // static and dynamic
};

// Asks the runtime what the launched kernel needs. False with the reason in `failure`.
bool launch_needs(const struct launch_record *launch, struct launch_needs *needs,
                  char failure[FAILURE_SIZE]);

#endif
