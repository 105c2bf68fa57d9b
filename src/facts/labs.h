// A lab: the one whose points are this program's steps (make lab-NAME), and the names of all.
#ifndef LABS_H
#define LABS_H

#include "facts/steps.h"

enum { SETTING_SIZE = 24 };

// The lab of this program, or NULL; where ./run tune has built the program, one whose points are a step's candidates.
// Its name is that of its file: step_name().
const struct lab *lab_here(void);

// The number of the step whose candidates its points are; 0 of other labs.
int lab_step(const struct lab *lab);

// The text of a parameter's value at a place from 0 on. False when it has none there.
bool parameter_value(const struct parameter *parameter, int place, char text[SETTING_SIZE]);

// How many values it has.
int parameter_count_values(const struct parameter *parameter);

// The text of a point's setting of its lab's parameter at a place.
void setting_text(const struct step *point, int parameter, char text[SETTING_SIZE]);

#endif
