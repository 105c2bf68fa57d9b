// ./run tune: a step or a lab at each of its settings, and which is the fastest. A lab's points are in the program that
// make lab-NAME builds; a step's candidates are in one of their own (tune_build.c), which goes on as the same verb.
#ifndef TUNE_H
#define TUNE_H

#include "command_line/options.h"
#include "facts/steps.h"

// Builds the program with the step's candidates, and beside one for a GPU the simulated device's, which predicts them.
// False after a message on standard error.
bool tune_build(const struct step *step);

// The path of the program with the candidates of a step, on that kind of device. False when it cannot be told.
bool tune_program(int step, bool simulated, char path[KIT_PATH_SIZE]);

// Finds the fastest of this program's points over the sizes; none given: of that which ./run has. Returns the exit
// status.
int tune_candidates(const struct options *options);

#endif
