#define _GNU_SOURCE // pipe2, SOCK_CLOEXEC, MAP_ANONYMOUS, fopencookie
#include "measure/supervise.h"

#include "base/child.h"
#include "base/memory_room.h"
#include "base/progress.h"
#include "base/terminal.h"
#include "measure/timing.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

// The note that the worker sends last; and its exit status when it cannot send any, as its step closed the socket.
enum { DONE = -1, MUTE = 250 };

// What the supervisor listens to. The worker has an end of the first three.
enum { NOTES, OUTPUT, ERRORS, LIFE, SOURCES };

// A note on its way: whatever comes in it, there is an int in each place.
enum { KIND, PLACE, LIMITED, FUNCTION, NUMBERS };

struct session {
    const struct supervision *supervision;
    struct child child;
    int mine[SOURCES], its[LIFE]; // descriptors, -1: closed
    pid_t worker;                 // in the worker: itself
    bool done, garbled;
    bool limited;    // silence counts
    int stopped;     // by this signal; 0: it is not
    double silent;   // seconds
    int place;       // of the last note
    uint64_t killed; // before it began: memory_room()'s kills
    size_t printed;  // bytes since the first note of that place
    bool cut;        // more were
};

// ---- In the worker ---------------------------------------------------------------------------------

// A note of the host's work is answered, so that what the worker prints before and behind it can be told apart; the
// others come between launches, which must not wait.
static void send_to_supervisor(void *context, struct note note)
{
    const struct session *session = context;
    int numbers[NUMBERS] = {[KIND] = note.kind,
                            [PLACE] = note.place,
                            [LIMITED] = note.limited,
                            [FUNCTION] = note.function};
    int notes = session->its[NOTES];
    char answer;
    if (getpid() != session->worker)
        _exit(EXIT_SUCCESS); // a step that forked returned twice
    fflush(stdout);
    while (send(notes, numbers, sizeof numbers, MSG_NOSIGNAL) < 0)
        if (errno != EINTR)
            _exit(MUTE);
    if (note.limited)
        return;
    ssize_t length;
    while ((length = recv(notes, &answer, 1, 0)) < 0 && errno == EINTR)
        ;
    if (length != 1)
        _exit(MUTE);
}

static void work(void *context)
{
    struct session *session = context;
    const struct supervision *supervision = session->supervision;
    struct note_sender sender = {.send = send_to_supervisor, .context = session};
    session->worker = getpid();
    for (int i = 0; i < SOURCES; i++)
        if (session->mine[i] >= 0)
            close(session->mine[i]);
    dup2(session->its[OUTPUT], STDOUT_FILENO);
    dup2(session->its[ERRORS], STDERR_FILENO);
    close(session->its[OUTPUT]);
    close(session->its[ERRORS]);
    setvbuf(stdout, NULL, _IOLBF, 0); // a crash loses no line
    supervision->work(supervision->work_context, &sender);
    send_to_supervisor(session, (struct note){.kind = DONE});
}

// ---- In the supervisor -----------------------------------------------------------------------------

static void hand_on(struct session *session, int source, const char *text, size_t length)
{
    FILE *file = source == OUTPUT ? session->supervision->output : stderr;
    size_t room = PRINTED_MAX - session->printed, part = length < room ? length : room;
    progress_wipe();
    fwrite(text, 1, part, file);
    fflush(file);
    session->printed += part;
    if (part < length && !session->cut)
        fprintf(stderr, "\napodkit: a step prints more than %d KiB: the rest is left out\n",
                PRINTED_MAX >> 10);
    session->cut |= part < length;
}

// What is there now, as much as the two pipes hold: they may be filled as fast as they are read.
static void read_printed(struct session *session)
{
    char text[1 << 16];
    for (int source = OUTPUT; source <= ERRORS; source++)
        for (int i = 0; i < 2 && session->mine[source] >= 0; i++) {
            ssize_t length = read(session->mine[source], text, sizeof text);
            if (length > 0)
                hand_on(session, source, text, (size_t)length);
            else if (length == 0) {
                close(session->mine[source]);
                session->mine[source] = -1;
            }
        }
}

static void enter_place(struct session *session, int place)
{
    if (place != session->place) {
        session->printed = 0;
        session->cut = false;
    }
    session->place = place;
}

static void take_note(struct session *session, struct note note)
{
    const struct supervision *supervision = session->supervision;
    enter_place(session, note.place);
    session->limited = note.limited;
    session->silent = 0;
    if (!note.limited)
        terminals_restore();
    if (note.kind == DONE)
        session->done = true;
    else
        session->garbled = !supervision->handle(supervision->handler_context, note);
    if (!note.limited && !session->garbled)
        send(session->mine[NOTES], "", 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

// Those that are there.
static void read_notes(struct session *session)
{
    while (session->mine[NOTES] >= 0 && !session->garbled) {
        int got[NUMBERS];
        ssize_t length = recv(session->mine[NOTES], got, sizeof got, MSG_DONTWAIT | MSG_TRUNC);
        if (length < 0 && errno == EINTR)
            continue;
        if (length < 0 && errno == EAGAIN)
            return;
        if (length <= 0) { // it is over, or says no more
            close(session->mine[NOTES]);
            session->mine[NOTES] = -1;
        } else if (length != sizeof got) {
            session->garbled = true;
        } else {
            read_printed(session); // what came before it
            take_note(session,
                      (struct note){got[KIND], got[PLACE], got[LIMITED] != 0, got[FUNCTION]});
        }
    }
}

// Whether the worker is over; `end` says how.
static bool read_event(struct session *session, struct child_end *end)
{
    enum child_event event = child_event(&session->child, end);
    session->stopped = event == CHILD_STOPPED ? end->signal : 0;
    if (!session->limited)
        session->silent = 0;
    return event == CHILD_ENDED;
}

// Listens until the worker is over, has garbled its notes, or was silent for too long: HUNG. Of the time in which this
// process itself is stopped, as by Ctrl-Z, little counts.
static enum process_end listen_to(struct session *session, struct child_end *end)
{
    enum { SLICE_MS = 50 };
    double before = seconds_now();
    for (;;) {
        struct pollfd sources[SOURCES];
        for (int i = 0; i < SOURCES; i++)
            sources[i] = (struct pollfd){.fd = session->mine[i], .events = POLLIN};
        if (poll(sources, SOURCES, SLICE_MS) < 0 && errno != EINTR)
            return HUNG;
        double now = seconds_now(), spent = now - before;
        before = now;
        if (session->limited || session->stopped || session->mine[NOTES] < 0)
            session->silent += spent < 2e-3 * SLICE_MS ? spent : 2e-3 * SLICE_MS;
        bool over = sources[LIFE].revents && read_event(session, end);
        read_notes(session);
        read_printed(session);
        if (session->garbled || over)
            return session->garbled ? GARBLED : ENDED;
        if (session->silent > session->supervision->timeout_s)
            return HUNG;
    }
}

static enum process_end judge(const struct session *session, enum process_end heard,
                              const struct child_end *end, int *status)
{
    *status = heard == HUNG ? session->stopped : end->error | end->signal | end->status;
    if (heard != ENDED)
        return heard;
    if (end->error)
        return NOT_STARTED;
    if (end->signal)
        return end->signal == SIGKILL && memory_room("").kills > session->killed ? STARVED
                                                                                 : CRASHED;
    return session->done && end->status == EXIT_SUCCESS ? ENDED
           : end->status == MUTE                        ? GARBLED
                                                        : EXITED;
}

static void close_all(int *descriptors, int count)
{
    for (int i = 0; i < count; i++)
        if (descriptors[i] >= 0)
            close(descriptors[i]);
}

// The socket keeps notes apart: half a note is not taken for the begin of the next. Returns errno, or 0.
static int open_sources(struct session *session)
{
    for (int i = 0; i < LIFE; i++) {
        int ends[2];
        if (i == NOTES ? socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)
                       : pipe2(ends, O_CLOEXEC))
            return errno;
        session->mine[i] = ends[0];
        session->its[i] = ends[1];
    }
    return fcntl(session->mine[OUTPUT], F_SETFL, O_NONBLOCK) ||
                   fcntl(session->mine[ERRORS], F_SETFL, O_NONBLOCK)
               ? errno
               : 0;
}

static enum process_end supervise_process(struct session *session, int *status)
{
    struct child_end end = {0};
    session->killed = memory_room("").kills;
    *status = open_sources(session);
    if (!*status)
        *status = child_fork(work, session, &session->child);
    close_all(session->its, LIFE);
    if (*status) {
        close_all(session->mine, LIFE);
        return NOT_STARTED;
    }
    session->mine[LIFE] = session->child.events;
    enum process_end heard = listen_to(session, &end);
    child_close(&session->child);
    read_printed(session); // nobody is left who could add to it
    close_all(session->mine, LIFE);
    return judge(session, heard, &end, status);
}

// ---- All in this process ---------------------------------------------------------------------------

// Stands for standard output or error while the work goes on. It stays open: a library that is loaded meanwhile may
// keep it, as the C++ one does, which flushes what was standard output then as the program ends. What is written to it
// later goes to its own stream.
struct stand_in {
    struct session *session; // of the work; NULL: it has ended
    int source;
    FILE **standard, *own;
    FILE *bounded; // NULL: there is no memory for it
};

static struct stand_in stand_ins[] = {{.source = OUTPUT, .standard = &stdout},
                                      {.source = ERRORS, .standard = &stderr}};
enum { STAND_INS = sizeof stand_ins / sizeof *stand_ins };

static void let_stand_in(bool bounded)
{
    for (int i = 0; i < STAND_INS; i++)
        *stand_ins[i].standard =
            bounded && stand_ins[i].bounded ? stand_ins[i].bounded : stand_ins[i].own;
}

static ssize_t write_bounded(void *cookie, const char *text, size_t size)
{
    const struct stand_in *one = cookie;
    if (!one->session)
        return (ssize_t)fwrite(text, 1, size, one->own);
    let_stand_in(false);
    hand_on(one->session, one->source, text, size);
    let_stand_in(true);
    return (ssize_t)size;
}

static void open_stand_ins(struct session *session)
{
    for (int i = 0; i < STAND_INS; i++) {
        struct stand_in *one = &stand_ins[i];
        one->session = session;
        one->own = *one->standard;
        if (one->bounded)
            continue;
        one->bounded = fopencookie(one, "w", (cookie_io_functions_t){.write = write_bounded});
        if (one->bounded)
            setvbuf(one->bounded, NULL, one->source == OUTPUT ? _IOLBF : _IONBF, BUFSIZ);
    }
}

static void end_stand_ins(void)
{
    for (int i = 0; i < STAND_INS; i++) {
        if (stand_ins[i].bounded)
            fflush(stand_ins[i].bounded);
        stand_ins[i].session = NULL;
    }
    let_stand_in(false);
}

static void hand_over(void *context, struct note note)
{
    struct session *session = context;
    const struct supervision *supervision = session->supervision;
    fflush(stdout);
    let_stand_in(false);
    enter_place(session, note.place);
    terminals_restore();
    (void)supervision->handle(supervision->handler_context, note);
    let_stand_in(true);
}

// What does not go through the streams, as of programs that a step starts, has no bound, but must not go to standard
// output either where that holds something else.
static void supervise_here(struct session *session)
{
    const struct supervision *supervision = session->supervision;
    struct note_sender sender = {.send = hand_over, .context = session};
    fflush(stdout);
    int kept = supervision->output == stderr ? dup(STDOUT_FILENO) : -1;
    if (kept >= 0)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    open_stand_ins(session);
    let_stand_in(true);
    supervision->work(supervision->work_context, &sender);
    end_stand_ins();
    fflush(stdout);
    if (kept >= 0) {
        dup2(kept, STDOUT_FILENO);
        close(kept);
    }
}

enum process_end supervise(const struct supervision *supervision, int *status)
{
    *status = 0;
    struct session session = {
        .supervision = supervision, .mine = {-1, -1, -1, -1}, .its = {-1, -1, -1}};
    enum process_end end = ENDED;
    terminals_keep();
    if (supervision->timeout_s > 0)
        end = supervise_process(&session, status);
    else
        supervise_here(&session);
    terminals_restore();
    return end;
}

void *shared_open(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void shared_close(void *memory, size_t size)
{
    if (memory)
        munmap(memory, size);
}
