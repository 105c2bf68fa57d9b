#define _GNU_SOURCE // pipe2, prctl
#include "base/child.h"

#include "base/memory_file.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

// What the child is to be, and where its guard tells what happens: a status of waitpid()'s at a time, or an error
// number, negative.
struct start {
    void (*become)(const struct start *start);
    char *const *argv;
    int output, errors;
    void (*work)(void *context);
    void *context;
    int events;
    sigset_t mask; // this program's
};

static void tell(const struct start *start, int event)
{
    while (write(start->events, &event, sizeof event) < 0 && errno == EINTR)
        ;
}

static void execute(const struct start *start)
{
    if (dup2(start->output, STDOUT_FILENO) >= 0 && dup2(start->errors, STDERR_FILENO) >= 0)
        execvp(start->argv[0], start->argv);
    tell(start, -errno);
    _exit(EXIT_FAILURE);
}

static void work(const struct start *start)
{
    close(start->events);
    start->work(start->context);
    _exit(EXIT_SUCCESS);
}

// The parent of the process, 0 when that cannot be told. The name before it, in parentheses, may hold anything.
static pid_t parent_of(const char *process)
{
    char path[64], text[512];
    int parent;
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[length < 0 ? 0 : length] = '\0';
    const char *behind = strrchr(text, ')');
    return behind && sscanf(behind + 1, " %*c %d", &parent) == 1 ? parent : 0;
}

static void kill_children(void)
{
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    while (processes && (entry = readdir(processes)))
        if (isdigit((unsigned char)*entry->d_name) && parent_of(entry->d_name) == getpid())
            kill(atoi(entry->d_name), SIGKILL);
    if (processes)
        closedir(processes);
}

// A child of this process's that something has happened to: 0 when nothing has, negative when there is none.
static pid_t changed_child(int *raw, int options)
{
    pid_t changed;
    while ((changed = waitpid(-1, raw, WNOHANG | options)) < 0 && errno == EINTR)
        ;
    return changed;
}

// Of those that are killed, the children become the guard's: it goes on until it has none. What the kernel does not
// let die, or starts faster than it can be killed, is given up.
static void end_all(void)
{
    enum { ROUNDS = 1000 };
    const struct timespec pause = {.tv_nsec = 10000000};
    sigset_t ended;
    sigemptyset(&ended);
    sigaddset(&ended, SIGCHLD);
    for (int round = 0; round < ROUNDS; round++) {
        pid_t reaped;
        while ((reaped = changed_child(NULL, 0)) > 0)
            ;
        if (reaped < 0)
            return;
        kill_children();
        sigtimedwait(&ended, NULL, &pause);
    }
}

// Tells what happens to the child until it is over. SIGTERM: the program that started it is, or wants its end.
static void watch(const struct start *start, pid_t child)
{
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    for (;;) {
        pid_t changed;
        int raw;
        if (sigwaitinfo(&awaited, NULL) == SIGTERM)
            return;
        while ((changed = changed_child(&raw, WUNTRACED | WCONTINUED)) > 0) {
            if (changed != child)
                continue;
            tell(start, raw);
            if (WIFEXITED(raw) || WIFSIGNALED(raw))
                return;
        }
    }
}

// Kills this process when its parent dies, which it may have done already.
static void die_with(pid_t parent, int signal)
{
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
}

// A handler of this program's is none of the child's; what was ignored when this program began, as nohup has it,
// stays ignored.
static void forget_handlers(void)
{
    static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action;
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
        if (sigaction(handled[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(handled[i], SIG_DFL);
    signal(SIGCHLD, SIG_DFL); // ignored, it would keep waitpid() from saying how a child ended
}

static void guard(const struct start *start, pid_t program)
{
    die_with(program, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    forget_handlers();
    pid_t self = getpid(), child = fork();
    if (child == 0) {
        die_with(self, SIGKILL);
        sigprocmask(SIG_SETMASK, &start->mask, NULL);
        start->become(start);
    }
    if (child < 0)
        tell(start, -errno);
    else
        watch(start, child);
    end_all();
    _exit(EXIT_SUCCESS);
}

static int begin(struct start *start, struct child *child)
{
    int ends[2];
    sigset_t all;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    fflush(NULL); // what is still in a buffer comes before what the child does, and once
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &start->mask); // the guard's: what it waits for is blocked
    start->events = ends[1];
    *child = (struct child){.events = ends[0]};
    pid_t program = getpid();
    child->guard = fork();
    if (child->guard == 0) {
        close(ends[0]);
        guard(start, program);
    }
    int error = child->guard < 0 ? errno : 0;
    sigprocmask(SIG_SETMASK, &start->mask, NULL);
    close(ends[1]);
    if (error)
        close(ends[0]);
    return error;
}

int child_start(char *const *argv, int output, int errors, struct child *child)
{
    struct start start = {.become = execute, .argv = argv, .output = output, .errors = errors};
    return begin(&start, child);
}

int child_fork(void (*to_do)(void *context), void *context, struct child *child)
{
    struct start start = {.become = work, .work = to_do, .context = context};
    return begin(&start, child);
}

enum child_event child_event(const struct child *child, struct child_end *end)
{
    int event;
    ssize_t length;
    while ((length = read(child->events, &event, sizeof event)) < 0 && errno == EINTR)
        ;
    end->error = end->signal = end->status = 0;
    if (length != sizeof event)
        end->signal = SIGKILL; // the guard's end, and so the child's
    else if (event < 0)
        end->error = -event;
    else if (WIFSTOPPED(event))
        end->signal = WSTOPSIG(event);
    else if (WIFSIGNALED(event))
        end->signal = WTERMSIG(event);
    else if (WIFEXITED(event))
        end->status = WEXITSTATUS(event);
    else
        return CHILD_CONTINUED;
    return length == sizeof event && event >= 0 && WIFSTOPPED(event) ? CHILD_STOPPED : CHILD_ENDED;
}

void child_close(struct child *child)
{
    kill(child->guard, SIGTERM);
    kill(child->guard, SIGCONT); // should somebody have stopped it
    while (waitpid(child->guard, NULL, 0) < 0 && errno == EINTR)
        ;
    close(child->events);
}

void child_wait(struct child *child, struct child_end *end)
{
    while (child_event(child, end) != CHILD_ENDED)
        ;
    child_close(child);
}

static void read_end(FILE *errors, char said[CHILD_SAID_SIZE])
{
    if (fseek(errors, -(CHILD_SAID_SIZE - 1), SEEK_END) != 0)
        rewind(errors); // it is shorter
    said[fread(said, 1, CHILD_SAID_SIZE - 1, errors)] = '\0';
}

bool child_run(char *const *argv, struct child_end *end)
{
    *end = (struct child_end){0};
    FILE *errors = memory_file();
    int nowhere = errors ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
    struct child child;
    end->error = nowhere < 0 ? errno : child_start(argv, nowhere, fileno(errors), &child);
    if (!end->error) {
        child_wait(&child, end);
        read_end(errors, end->said);
    }
    if (nowhere >= 0)
        close(nowhere);
    if (errors)
        fclose(errors);
    return end->error == 0 && end->signal == 0 && end->status == 0;
}
