// A run: its options, which ./run watch hands on, and its work.
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "command_line/options.h"

extern const struct option_row run_options[];
extern const struct options run_defaults;

// Measures and reports what was chosen: the main of ./run, and of ./run lab.
int run_main(const struct options *options);

#endif
