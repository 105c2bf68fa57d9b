#define _GNU_SOURCE // pipe2, prctl
#include "base/child.h"

#include "base/memory_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
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

// Of a terminal it is in the background, and not stopped for what it does there.
static void work(const struct start *start)
{
    close(start->events);
    signal(SIGTTIN, SIG_IGN);
    signal(SIGTTOU, SIG_IGN);
    start->work(start->context);
    _exit(EXIT_SUCCESS);
}

// What the kernel says of a process.
struct process {
    int parent;
    unsigned long long start; // clock ticks from the kernel's own
};

// The name before them, in parentheses, may hold anything.
static bool look_up(pid_t id, struct process *process)
{
    static const char numbers[] = " %*c %d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                                  "%*d %*d %*d %llu";
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)id);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (file >= 0)
        close(file);
    text[length < 0 ? 0 : length] = '\0';
    const char *behind = strrchr(text, ')');
    return behind && sscanf(behind + 1, numbers, &process->parent, &process->start) == 2;
}

// Of this process's children, those that are no older. Returns whether there are any.
static bool kill_children(unsigned long long since)
{
    siginfo_t any;
    if (waitid(P_ALL, 0, &any, WEXITED | WNOHANG | WNOWAIT) != 0)
        return false;
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    struct process process;
    bool some = false;
    while (processes && (entry = readdir(processes))) {
        pid_t id = atoi(entry->d_name);
        if (id <= 0 || !look_up(id, &process) || process.parent != getpid() ||
            process.start < since)
            continue;
        kill(id, SIGKILL);
        waitpid(id, NULL, WNOHANG);
        some = true;
    }
    if (processes)
        closedir(processes);
    return some;
}

// Of those that are killed, the children become this process's: it goes on until it has none. What the kernel does not
// let die, or starts faster than it can be killed, is given up.
static void end_all(unsigned long long since)
{
    enum { ROUNDS = 1000 };
    const struct timespec pause = {.tv_nsec = 5000000};
    for (int round = 0; round < ROUNDS && kill_children(since); round++)
        nanosleep(&pause, NULL);
}

// Tells what happens to the child. Returns whether it is over.
static bool tell_changes(const struct start *start, pid_t child)
{
    pid_t changed;
    int raw;
    while ((changed = waitpid(-1, &raw, WNOHANG | WUNTRACED | WCONTINUED)) > 0 ||
           (changed < 0 && errno == EINTR)) {
        if (changed != child)
            continue;
        tell(start, raw);
        if (WIFEXITED(raw) || WIFSIGNALED(raw))
            return true;
    }
    return false;
}

// Until the child is over. SIGTERM: the program that started it is, or wants its end. SIGTSTP, SIGCONT: the program
// rests, or no more; work is a group, which does so too.
static void watch(const struct start *start, pid_t child)
{
    static const int awaited[] = {SIGCHLD, SIGTERM, SIGTSTP, SIGCONT};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof awaited / sizeof *awaited; i++)
        sigaddset(&set, awaited[i]);
    for (;;) {
        int signal = sigwaitinfo(&set, NULL);
        if (signal == SIGTERM || (signal == SIGCHLD && tell_changes(start, child)))
            return;
        if (start->work && (signal == SIGTSTP || signal == SIGCONT))
            kill(-child, signal == SIGTSTP ? SIGSTOP : SIGCONT);
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
    static const int handled[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    struct sigaction action;
    for (size_t i = 0; i < sizeof handled / sizeof *handled; i++)
        if (sigaction(handled[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
            signal(handled[i], SIG_DFL);
    signal(SIGCHLD, SIG_DFL); // ignored, it would keep waitpid() from saying how a child ended
}

static void guard(const struct start *start, pid_t program)
{
    if (start->work) // who kills the program's group leaves it to end the work
        setpgid(0, 0);
    die_with(program, SIGTERM);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    forget_handlers();
    pid_t self = getpid(), child = fork();
    if (start->work && child >= 0)
        setpgid(child, child);
    if (child == 0) {
        die_with(self, SIGKILL);
        sigprocmask(SIG_SETMASK, &start->mask, NULL);
        start->become(start);
    }
    if (child < 0)
        tell(start, -errno);
    prctl(PR_SET_NAME, "apodkit-guard"); // who ends all of the program's name does not end it
    if (child > 0)
        watch(start, child);
    end_all(0);
    _exit(EXIT_SUCCESS);
}

// ---- In the program --------------------------------------------------------------------------------

static volatile pid_t guard_of_work;

// A terminal's Ctrl-Z: the work rests with this process, unless nobody could let it go on.
static void rest(int signal)
{
    const struct sigaction stop = {.sa_handler = SIG_DFL};
    struct sigaction before;
    int error = errno;
    kill(guard_of_work, SIGTSTP);
    sigaction(signal, &stop, &before);
    raise(signal);
    sigaction(signal, &before, NULL);
    kill(guard_of_work, SIGCONT);
    errno = error;
}

static void rest_at(int signal, void (*from)(int), void (*to)(int))
{
    const struct sigaction action = {.sa_handler = to, .sa_flags = (int)(SA_RESTART | SA_NODEFER)};
    struct sigaction now;
    if (sigaction(signal, NULL, &now) == 0 && now.sa_handler == from)
        sigaction(signal, &action, NULL);
}

static int begin(struct start *start, struct child *child)
{
    int ends[2];
    sigset_t all;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    prctl(PR_SET_CHILD_SUBREAPER, 1); // should the guard be killed
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
    int error = begin(&start, child);
    if (!error) {
        guard_of_work = child->guard;
        rest_at(SIGTSTP, SIG_DFL, rest);
    }
    return error;
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
    if (child->guard == guard_of_work)
        rest_at(SIGTSTP, rest, SIG_DFL);
    kill(child->guard, SIGTERM);
    kill(child->guard, SIGCONT); // should somebody have stopped it
    struct process guard = {.start = UINT64_MAX};
    siginfo_t end;
    int raw = 0;
    while (waitid(P_PID, (id_t)child->guard, &end, WEXITED | WNOWAIT) < 0 && errno == EINTR)
        ;
    look_up(child->guard, &guard);
    waitpid(child->guard, &raw, 0);
    if (WIFSIGNALED(raw)) // what it had is this process's now
        end_all(guard.start);
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
