// Standard input, output and error where they are terminals.
#ifndef TERMINAL_H
#define TERMINAL_H

#include <stdio.h>

// From here on, what is printed to standard output and error where they are terminals comes out harmless, whoever
// wrote it: but for newlines, tabs, returns, colours and the wiping of a line nothing there moves the cursor. In a
// locale without UTF-8, other characters than ASCII's are question marks. setlocale() must have been called.
void terminals_guard(void);

// Keeps the settings of the terminals that standard input, output and error are, where this process is in their
// foreground, and makes them those again, should somebody have changed them.
void terminals_keep(void);
void terminals_restore(void);

// The file that the stream writes to: fileno(), also of a stream that is guarded.
int terminal_fileno(FILE *stream);

#endif
