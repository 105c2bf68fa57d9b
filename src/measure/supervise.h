// Work in a process of its own, so that work that crashes or hangs takes only itself down.
#ifndef SUPERVISE_H
#define SUPERVISE_H

#include <stdbool.h>

// What the worker tells its supervisor on the way. The meaning of the numbers is the caller's.
struct note {
    int kind, place;
    bool limited; // until the next note, silence counts against the time limit
};

// Hands a note to the supervisor. Called by the work.
struct note_sender {
    void (*send)(void *context, struct note note);
    void *context;
};

typedef void supervised_work(void *context, const struct note_sender *sender);
typedef void note_handler(void *context, struct note note);

enum process_end {
    ENDED,       // the work returned
    CRASHED,     // a signal or an exit() ended its process; `status` is the signal, or 0
    HUNG,        // it was silent for longer than the limit, and its process was killed
    NOT_STARTED, // no process could be made; `status` is errno
};

struct supervision {
    supervised_work *work;
    void *work_context; // what the work writes for its supervisor must be in shared memory
    note_handler *handle;
    void *handler_context;
    double timeout_s; // 0: no limit, and the work runs in this process
};

// Runs the work to its end and hands on its notes while it runs.
enum process_end supervise(const struct supervision *supervision, int *status);

#endif
