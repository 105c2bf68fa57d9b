// ./run --save NAME: keeps a run in results/ (run_files.h), where ./run history finds it.
#ifndef SAVE_H
#define SAVE_H

#include "facts/run_data.h"

#include <stdbool.h>

enum { HASH_SIZE = 40, SAVED_TIME_SIZE = 32 };

// What is kept beside the run's own JSON.
struct saved_run {
    const char *name;
    char time[SAVED_TIME_SIZE];        // UTC, "2026-01-31T12:00:00Z"
    char hashes[MAX_STEPS][HASH_SIZE]; // of the results' step files, in their order; "": not known
};

// Whether a run can be saved under that name: before the work for it is done. False after a message on
// standard error, also when another run has the name.
bool save_possible(const char *name);

// Saves the run. False after a message on standard error; no other run is overwritten.
bool save_run(const char *name, const struct run_data *run);

#endif
