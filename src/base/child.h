// Another program, or work of this one, as a child process that ends with all that it starts: when it is over, when
// it is told to, and when this process dies, of whatever signal.
//
// A guard, a process of its own, stands between the two. The kernel tells it that this process died, and hands it
// what the child's own children leave behind, daemons too; should the guard be killed, this process. Programs stay in
// this process's group: a terminal's Ctrl-C and Ctrl-Z reach them as they reach it. Work has a group of its own, as has
// its guard: neither does what it does to its group reach this process, nor does it escape who kills this process's.
// With Ctrl-Z it rests too.
#ifndef CHILD_H
#define CHILD_H

#include <stdbool.h>
#include <sys/types.h>

enum { CHILD_SAID_SIZE = 4096 };

struct child {
    pid_t guard;
    int events; // to poll: readable when there is something for child_event()
};

struct child_end {
    int error;                  // not 0: it could not be started, for this reason (errno)
    int signal;                 // not 0: this signal ended it, or (child_event()) stopped it
    int status;                 // else its exit status
    char said[CHILD_SAID_SIZE]; // child_run(): the end of what it wrote to standard error
};

// Starts argv[0], looked up in PATH unless it holds a slash, with the arguments up to NULL and these two
// open files as its standard output and error; it inherits the other open files. Returns an error number,
// or 0: that it cannot be executed is told by its end.
int child_start(char *const *argv, int output, int errors, struct child *child);

// Has `work` done in a copy of this process, which ends with exit status 0 after it. Signals do there what they did
// when this program began. Returns an error number, or 0.
int child_fork(void (*work)(void *context), void *context, struct child *child);

enum child_event { CHILD_STOPPED, CHILD_CONTINUED, CHILD_ENDED };

// Waits until something happens to the child, and says what in `end`, but for `said`.
enum child_event child_event(const struct child *child, struct child_end *end);

// Kills the child, unless it is over, and all that it has started, and waits until they are gone.
void child_close(struct child *child);

// Waits for the child's end, says how it came, and closes it.
void child_wait(struct child *child, struct child_end *end);

// Starts the program as child_start() does and waits for its end. What it writes to standard output is dropped.
// Returns whether it ended with exit status 0.
bool child_run(char *const *argv, struct child_end *end);

#endif
