// The recorded figures that pictures are drawn from.
#ifndef FIGURES_H
#define FIGURES_H

#include "facts/run.h"

// The H200's run in docs/runs/; NULL after a message on standard error. The caller frees it.
struct run *figures_run(void);

// The step of that number; NULL after a message on standard error.
const struct step_result *figures_step(const struct run *run, int number);

// What an SM of the GPU that was run on has; NULL after a message on standard error.
const struct sm_limits *figures_sm(const struct run *run);

// A value of docs/runs/micro-h200.csv by its name; negative after a message on standard error.
double figures_micro(const char *name);

#endif
