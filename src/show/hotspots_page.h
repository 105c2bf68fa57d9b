// What ./run hotspots prints: each step's source, and at every line that touches memory what was moved against the
// least that would do.
#ifndef HOTSPOTS_PAGE_H
#define HOTSPOTS_PAGE_H

#include "base/source_file.h"
#include "base/style.h"
#include "facts/hotspots.h"

#include <stdio.h>

// What struct inspector (inspect.h) asks of a verb; `inspection` is of struct hotspots and `at` of struct
// hotspot_step.
void print_hotspots_device(FILE *file, const struct style *style,
                           const struct inspection *inspection);
void print_hotspots_step(FILE *file, const struct style *style, const struct inspected *at,
                         const struct source_file *source);
void print_hotspots_legend(FILE *file, const struct inspection *inspection);

#endif
