// The limits of this process (setrlimit()), which a step may lower for those after it.
#ifndef PROCESS_LIMITS_H
#define PROCESS_LIMITS_H

#include <stdbool.h>

// Takes note of the limits there are.
void process_limits_keep(void);

// Sets them to that again. False where it may not raise one: another process must go on.
bool process_limits_restore(void);

#endif
