#define _GNU_SOURCE // prctl, poll, ssize_t
#include "measure/supervise.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// A note is shorter than PIPE_BUF, so it goes through the pipe in one piece.
static void send_through_pipe(void *context, struct note note)
{
    int *pipe_end = context;
    while (write(*pipe_end, &note, sizeof note) < 0)
        if (errno != EINTR)
            _exit(EXIT_FAILURE); // nobody is left to work for
}

static void run_worker(const struct supervision *supervision, int pipe_end, pid_t parent)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); // should the supervisor be killed, its work stops too
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    struct note_sender sender = {.send = send_through_pipe, .context = &pipe_end};
    supervision->work(supervision->work_context, &sender);
    fflush(NULL); // what kernels printed
    _exit(EXIT_SUCCESS);
}

// Hands notes on until the worker closes the pipe, by ending. False when it was silent too long.
static bool listen_to(const struct supervision *supervision, int pipe_end)
{
    int limit = -1; // milliseconds, -1 for none
    for (;;) {
        struct pollfd poll_end = {.fd = pipe_end, .events = POLLIN};
        int ready = poll(&poll_end, 1, limit);
        if (ready == 0)
            return false;
        struct note note;
        ssize_t length = ready > 0 ? read(pipe_end, &note, sizeof note) : -1;
        if (length < 0 && errno == EINTR)
            continue;
        if (length != sizeof note)
            return true;
        limit = note.limited ? (int)(supervision->timeout_s * 1e3) : -1;
        supervision->handle(supervision->handler_context, note);
    }
}

static enum process_end how_it_ended(pid_t worker, int *status)
{
    int raw;
    while (waitpid(worker, &raw, 0) < 0)
        if (errno != EINTR)
            return CRASHED;
    *status = WIFSIGNALED(raw) ? WTERMSIG(raw) : 0;
    return WIFEXITED(raw) && WEXITSTATUS(raw) == EXIT_SUCCESS ? ENDED : CRASHED;
}

static enum process_end supervise_process(const struct supervision *supervision, int *status)
{
    int ends[2];
    if (pipe(ends) != 0) {
        *status = errno;
        return NOT_STARTED;
    }
    fflush(NULL); // what is still in a buffer must not be printed twice
    pid_t parent = getpid(), worker = fork();
    if (worker < 0) {
        *status = errno;
        close(ends[0]);
        close(ends[1]);
        return NOT_STARTED;
    }
    if (worker == 0) {
        close(ends[0]);
        run_worker(supervision, ends[1], parent);
    }
    close(ends[1]);
    bool answered = listen_to(supervision, ends[0]);
    if (!answered)
        kill(worker, SIGKILL);
    close(ends[0]);
    enum process_end ending = how_it_ended(worker, status);
    return answered ? ending : HUNG;
}

enum process_end supervise(const struct supervision *supervision, int *status)
{
    *status = 0;
    if (supervision->timeout_s > 0)
        return supervise_process(supervision, status);
    struct note_sender sender = {.send = supervision->handle,
                                 .context = supervision->handler_context};
    supervision->work(supervision->work_context, &sender);
    return ENDED;
}
