// A recorded run, read back from its JSON (json_run_read.c): what docs/json.md describes under "A run".
#ifndef RUN_READ_H
#define RUN_READ_H

#include "facts/run.h"

#include <stdbool.h>

// A file of this size or more is not read: a run of MAX_STEPS steps takes a fourth of it.
enum { RUN_MAX_BYTES = 1 << 20, RUN_WHY_SIZE = 320 };

// A recorded file as a string of less than `most` bytes, which the caller frees; NULL with the reason in `why`.
char *record_text(const char *path, size_t most, char why[RUN_WHY_SIZE]);

// Reads a run's JSON. False with the reason, and where in the text, in `why`.
bool run_parse(const char *text, struct run *run, char why[RUN_WHY_SIZE]);

// Reads the recorded run that the user calls `name` (run_files.h). NULL after a message on standard
// error; the caller frees the run with free().
struct run *run_open(const char *name);

// Reads the recorded run in a file, to be called `label`; else as above.
struct run *run_read(const char *path, const char *label);

// The same for the text of a run's JSON that was not in a file.
struct run *run_of_text(const char *text, const char *label);

#endif
