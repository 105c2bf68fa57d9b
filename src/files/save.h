// ./run --save NAME: keeps a run in results/ (run_files.h), where ./run history finds it.
#ifndef SAVE_H
#define SAVE_H

#include "facts/run.h"

#include <stdbool.h>

// Whether a run can be saved under that name: before the work for it is done. False after a message on
// standard error, also when another run has the name.
bool save_possible(const char *name);

// Saves the run, which becomes one of that name, with the time and its steps' hashes. No other run is
// overwritten. False after a message on standard error: another run took the name meanwhile, and this one
// has another; or it could not be saved, and the message says where it is instead.
bool save_run(const char *name, struct run *run);

#endif
