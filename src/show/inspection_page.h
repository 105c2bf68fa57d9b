// What the verbs print that look at steps one by one: which device it was, each step as they saw it, and what the
// words mean.
#ifndef INSPECTION_PAGE_H
#define INSPECTION_PAGE_H

#include "base/source_file.h"
#include "base/style.h"
#include "facts/inspection.h"

#include <stdio.h>

// One verb's, in at most 120 columns.
struct inspection_page {
    const char *what; // in the first line: "memory accesses by source line"

    // `at` is of the verb's own struct, which starts with struct inspected.
    void (*print_step)(FILE *file, const struct style *style, const struct inspected *at,
                       const struct source_file *source);
    const char *legend;
    const char *legend_of_gpu, *legend_of_sim; // what differs there, or NULL
};

extern const struct inspection_page hotspots_page, stalls_page,
    trace_page; // each in a file of its own

void print_inspected_device(FILE *file, const struct style *style,
                            const struct inspection_page *page,
                            const struct inspection *inspection);
void print_inspection_legend(FILE *file, const struct inspection_page *page,
                             const struct inspection *inspection);

// For the pages: a step's heading, its file, and a remark where that changed since the program was built.
void print_inspected(FILE *file, const struct style *style, const struct inspected *at,
                     const struct source_file *source);

#endif
