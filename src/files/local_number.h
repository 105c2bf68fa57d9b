// Numbers as a locale writes them: "1.234,5", "1'234.5", "1 234,5".
#ifndef LOCAL_NUMBER_H
#define LOCAL_NUMBER_H

#include <stdbool.h>

// The decimal point that the number must have; 0 where it has none, or it may be either.
char point_of(const char *text);

// The number that has this point, without what stands between its thousands. False for what is none.
bool local_number(const char *text, char point, double *number);

#endif
