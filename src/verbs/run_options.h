// The options of a run, which ./run watch hands on.
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "verbs/options.h"

extern const struct option_row run_options[];
extern const struct options run_defaults;

#endif
