// The lesson: the steps that are linked into this program, in order.
#ifndef STEPS_H
#define STEPS_H

#include "steps/step.h"

#include <stdbool.h>

enum { MAX_STEPS = 64, STEP_NAME_SIZE = 32, STEP_LABEL_SIZE = 32, MAKE_COMMAND_SIZE = 512 };

int step_count(void);

// Numbers from here on are of imported kernels that are none of the kit's.
enum { FOREIGN_KERNELS = 1001 };

// Whether the program has steps of the lesson; else it has kernels of other kinds, or nothing.
bool has_lesson(void);

// The step at a place in the lesson, 0 <= place < step_count().
const struct step *step_at(int place);

// The step with this number, or NULL when it is not in the program. Where an exercise with it was
// linked too, that is the step.
const struct step *step_find(int number);

// The kit's own step with this number, if an exercise took its place; else NULL.
const struct step *step_reference(int number);

// Whether it can be built with the parameter of that name.
bool step_has_parameter(const struct step *step, const char *name);

// Why the current device has no such point of a lab, or NULL.
const char *step_lacks(const struct step *step);

// Starts its kernel, at its settings where it has any: what launch() of steps/step.h says.
void step_start(const struct step *step, float *out, const float *in, size_t n);

// The short name of a step or a lab, from its file's: "per_column" for steps/step2_per_column.cu.
void step_name(const char *file, char name[STEP_NAME_SIZE]);

// What a step is called, by its number: "step 4", "mystery 2", "my mystery 2", "your kernel", "point 3". Returns `text`.
const char *step_label(double number, char text[STEP_LABEL_SIZE]);

// How its headings start: "Step 4 " and the dot; what is no step of the lesson has its title alone.
const char *step_prefix(double number, const char *dot, char text[STEP_LABEL_SIZE]);

// How its rows in tables start: "4. ", or nothing, likewise.
const char *step_ordinal(double number, char text[STEP_LABEL_SIZE]);

// Whether it is a mystery, whose panel leaves it to the reader to say what limits it.
bool is_mystery(double number);

// The command that builds this program again, with all of its exercises: "make", "make my4", "make my2 my4
// step5", "make mymystery2" or "make own SOURCE=my/kernel.cu". `upto` is a step that shall be in it too, or a kernel in its place, or 0.
void rebuild_command(long upto, char command[MAKE_COMMAND_SIZE]);

// "Assess", "Parallelise", "Optimise" or "Deploy". A static string.
const char *stage_name(enum stage stage);

#endif
