// What Nsight Compute writes with `ncu --csv --page raw`, as a run.
#ifndef NCU_RUN_H
#define NCU_RUN_H

#include "facts/run.h"
#include "files/ncu_table.h"

enum { NCU_MAX_BYTES = 1 << 26 };

// The number of the step that has the kernel of this name, without what it takes; 0 for none.
typedef int ncu_step_of(void *context, const char *kernel);

// Reads the text, which is written over, into a zeroed run: a kernel's launches of its largest grid are one step, whose
// time is their median and whose counts are the first one's; kernels that are none of the kit's get numbers from
// FOREIGN_KERNELS on. n (0: it follows from the bytes that a transpose stores) is that of the matrices. False with the
// reason in `why`, and the line and column.
bool ncu_parse(char *text, size_t n, ncu_step_of *step_of_kernel, void *context, struct run *run,
               char why[NCU_WHY_SIZE]);

#endif
