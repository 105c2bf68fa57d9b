// What Nsight Compute writes with `ncu --csv --page raw`, as a run: a row a launch, a column a metric, and a row of units
// below the names. Numbers are as the locale has them: which sign is the decimal point is found out from all of them.
#ifndef NCU_CSV_H
#define NCU_CSV_H

#include "facts/run.h"

#include <stdbool.h>
#include <stddef.h>

enum { NCU_MAX_BYTES = 1 << 26, NCU_WHY_SIZE = 320 };

// The number of the step that has the kernel of this name, without what it takes; 0 for none.
typedef int ncu_step_of(void *context, const char *kernel);

// Reads the text, which is written over, into a zeroed run: a kernel's launches of its largest grid are one step, whose
// time is their median and whose counts are the first one's; kernels that are none of the kit's get numbers from
// FOREIGN_KERNELS on. n (0: it follows from the bytes that a transpose stores) is that of the matrices. False with the
// reason in `why`, of NCU_WHY_SIZE bytes, and the line and column.
bool ncu_parse(char *text, size_t n, ncu_step_of *step_of_kernel, void *context, struct run *run,
               char *why);

// The names of the metrics that a run can take from there, with commas between them, as ncu's --metrics takes them. False
// when `size` bytes are too few.
bool ncu_metric_names(char *text, size_t size);

#endif
