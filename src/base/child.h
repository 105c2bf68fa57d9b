// Another program as a child process.
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <sys/types.h>

enum { CHILD_SAID_SIZE = 4096 };

struct child_end {
    int error;                  // not 0: it could not be started, for this reason (errno)
    int signal;                 // not 0: this signal ended it
    int status;                 // else its exit status
    char said[CHILD_SAID_SIZE]; // child_run(): the end of what it wrote to standard error
};

// Starts argv[0], looked up in PATH unless it holds a slash, with the arguments up to NULL and these two
// open files as its standard output and error; it inherits the other open files. Returns an error number,
// or 0.
int child_start(char *const *argv, int output, int errors, pid_t *child);

// Waits for the child's end and says how it came: everything in `end` but `said`.
void child_wait(pid_t child, struct child_end *end);

// Starts the program likewise and waits for its end. What it writes to standard output is dropped. Returns
// whether it ended with exit status 0.
bool child_run(char *const *argv, struct child_end *end);

#endif
