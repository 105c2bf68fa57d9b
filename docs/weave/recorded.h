// Recorded runs in documents.
#ifndef RECORDED_H
#define RECORDED_H

#include "files/run_read.h"

#include <stdio.h>

// Whether the report can print the recorded run as it was printed then. If not, `why` gets the reason.
bool can_be_reported(const struct run *run, char why[RUN_WHY_SIZE]);

// Where the values of a run come from, in a sentence of Markdown: "Measured on an NVIDIA H200, n = 8192
// (...)", of a step or a run at size `n`. `to_root` leads from the document's folder to the kit's.
void put_origin(FILE *out, const struct run *run, size_t n, const char *to_root);

#endif
