// How far work has come: a line on a terminal, nothing elsewhere. A signal that ends the program ends the line first,
// so that a shell's prompt has one of its own.
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>

// Writes the bar to standard error, in the place of what it showed before: `done` of `total` (1 or more),
// and what is being done now. Nothing where standard error is no terminal that can wipe a line.
void progress_show(int done, int total, const char *now);

// Writes a line in the same way for what has no count: what is being done.
void progress_say(const char *now);

// Wipes either, before anything else is printed.
void progress_wipe(void);

// Another line stands on the terminal now, or no longer: a question.
void progress_question(bool stands);

#endif
