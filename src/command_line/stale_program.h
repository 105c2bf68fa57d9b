// Whether the program is older than its sources.
#ifndef STALE_PROGRAM_H
#define STALE_PROGRAM_H

// Says which sources, of those in the list that the build wrote beside the program, were changed after it was
// built; nothing where it has no list, or there are no sources any more. To standard output, or to standard error
// where an argument, "-", says that data goes to standard output. Once: the programs that this one starts are silent.
void stale_note(char *const *argv);

#endif
