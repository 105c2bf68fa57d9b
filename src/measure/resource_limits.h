// The limits of this process (setrlimit()), which a step may lower for those after it.
#ifndef RESOURCE_LIMITS_H
#define RESOURCE_LIMITS_H

#include <stdbool.h>

// Takes note of the limits there are.
void resource_limits_keep(void);

// Sets them to that again. False where it may not raise one: another process must go on.
bool resource_limits_restore(void);

#endif
