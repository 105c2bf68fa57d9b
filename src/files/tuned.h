// tuned/DEVICE: what ./run tune found for a device, a launch box a step, in the words that make includes
// (make TUNED=1).
#ifndef TUNED_H
#define TUNED_H

#include "facts/tuning_verdicts.h"

#include <stdio.h>

enum { TUNED_NAME_SIZE = 64, SETTINGS_SIZE = 128 };

// The settings as make takes them: "BAND=0 BLOCKS=3".
void settings_text(const struct step *point, char text[SETTINGS_SIZE]);

// Writes the candidate of a step that is chosen (tunings_choice()) in the place of what was there for it; `name` becomes
// the file's. False after a message on standard error.
bool tuned_keep(const struct tunings *tunings, char name[TUNED_NAME_SIZE]);

// Prints all launch boxes that there are. False after a message on standard error, when there is none.
bool tuned_print(FILE *file);

#endif
