// Work in a process of its own, so that work that crashes, hangs or exits takes only itself down: it and all that it
// starts end in time, and what it tells and prints is taken for what it is, a stranger's.
#ifndef SUPERVISE_H
#define SUPERVISE_H

#include <stdbool.h>
#include <stdio.h>

// What the worker tells its supervisor on the way. The meaning of the numbers, from 0 on, is the caller's.
struct note {
    int kind, place;
    bool limited; // until the next note, silence counts against the time limit
    int function; // of the work's that is at work until then
};

// Hands a note to the supervisor. Called by the work.
struct note_sender {
    void (*send)(void *context, struct note note);
    void *context;
};

typedef void supervised_work(void *context, const struct note_sender *sender);

// Whether the note makes sense: steps of others run in the worker, and can send anything.
typedef bool note_handler(void *context, struct note note);

enum process_end {
    ENDED,   // the work returned
    EXITED,  // its process called exit(), with `status`
    CRASHED, // a signal ended its process: `status`
    STARVED, // the kernel killed its process for want of memory
    HUNG,    // it was silent, or stopped by the signal `status`, beyond the limit, and was killed
    GARBLED, // it closed what it tells its notes by, or wrote there what is none; likewise
    NOT_STARTED, // no process could be made; `status` is errno
};

// What the worker prints between notes of two places, on standard output and error together, is cut there; of work in
// this process, what it prints through stdout and stderr.
enum { PRINTED_MAX = 1 << 20 };

struct supervision {
    supervised_work *work;
    void *work_context; // what the work writes for its supervisor must be in shared memory
    note_handler *handle;
    void *handler_context;
    double timeout_s; // 0: no limit, and the work runs in this process
    FILE *
        output; // where the worker's standard output goes: stdout, or stderr where that holds something else
};

// Runs the work to its end and hands on its notes while it runs. No process that it started is left.
enum process_end supervise(const struct supervision *supervision, int *status);

// Memory of `size` bytes, all zeros, that the work and its supervisor have in common. NULL, with errno, when there is
// none. shared_close() gives it back; it takes NULL.
void *shared_open(size_t size);
void shared_close(void *memory, size_t size);

#endif
