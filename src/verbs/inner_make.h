// The kit's make, called by a verb: programs that it needs beside ./run.
#ifndef INNER_MAKE_H
#define INNER_MAKE_H

#include "base/child.h"

enum { MOST_MAKE_WORDS = 12 };

// Types `make WORD...` in the kit's folder, up to a NULL and at most MOST_MAKE_WORDS, with a job a core, once no other
// program of the kit does. False when it does not build: end->said is what make said; where end->error is not 0, it
// could not be started, and a message is on standard error.
bool inner_make(const char *const *words, struct child_end *end);

#endif
