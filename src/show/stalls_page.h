// What ./run stalls prints: what the warps of each step wait for, in all and by source line.
#ifndef STALLS_PAGE_H
#define STALLS_PAGE_H

#include "base/source_file.h"
#include "base/style.h"
#include "facts/stalls.h"

#include <stdio.h>

// What struct inspector (inspect.h) asks of a verb; `inspection` is of struct stalls and `at` of struct
// stalls_step.
void print_stalls_device(FILE *file, const struct style *style,
                         const struct inspection *inspection);
void print_stalls_step(FILE *file, const struct style *style, const struct inspected *at,
                       const struct source_file *source);
void print_stalls_legend(FILE *file, const struct inspection *inspection);

#endif
