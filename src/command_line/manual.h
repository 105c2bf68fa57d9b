// ./run --manual: the manual page of ./run and its verbs, from their tables.
#ifndef MANUAL_H
#define MANUAL_H

// Prints it to standard output, in the man macros of groff and mandoc (man(7)).
void print_manual(void);

#endif
