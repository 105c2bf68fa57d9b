// The heading of a step that was looked at.
#ifndef INSPECTED_H
#define INSPECTED_H

#include "base/source_file.h"
#include "base/style.h"
#include "facts/inspection.h"

#include <stdio.h>

// Prints the heading of a step, its file, and a remark where that changed since the program was built.
void print_inspected(FILE *file, const struct style *style, const struct inspected *at,
                     const struct source_file *source);

#endif
