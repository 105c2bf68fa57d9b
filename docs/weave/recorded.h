// A recorded run as the run that it was, so that the report prints it as it was printed then.
#ifndef RECORDED_H
#define RECORDED_H

#include "facts/record.h"

// Fills `run` from the record of a run of this kit's steps. False, with the reason in `why`, when it lacks
// what the report needs.
bool recorded_run(const struct record *record, struct run_data *run, char why[RECORD_WHY_SIZE]);

// Where the values of a record come from, in a sentence of Markdown: "Measured on an NVIDIA H200, n = 8192
// (...)", of a step or a run at size `n`. `to_root` leads from the document's folder to the kit's.
void put_origin(FILE *out, const struct record *record, size_t n, const char *to_root);

#endif
