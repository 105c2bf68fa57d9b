// The files that a command line asks for: --json, --csv, --chrome, --save.
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "command_line/options.h"

// Tries all of them before the work for them is done (base/output_file.h); no two may be one file. Returns the exit
// status, EXIT_GOOD unless a message is on standard error.
int outputs_try(const struct options *options);

#endif
