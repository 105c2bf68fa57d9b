// Work that crashes, hangs or exits must take only itself down.
#define _DEFAULT_SOURCE // usleep
#include "measure/supervise.h"
#include "suites.h"
#include "support.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SENSELESS = 99 };

// Where what is printed goes; NULL: to standard output.
static FILE *printed;

// What the notes said, in order.
struct heard {
    int count;
    struct note notes[200];
};

static bool hear(void *context, struct note note)
{
    struct heard *heard = context;
    if (heard->count < 200)
        heard->notes[heard->count++] = note;
    return note.kind != SENSELESS;
}

static void tell(const struct note_sender *sender, int kind, int place, bool limited)
{
    sender->send(sender->context, (struct note){.kind = kind, .place = place, .limited = limited});
}

static enum process_end run(supervised_work *work, void *context, double timeout_s,
                            struct heard *heard, int *status)
{
    heard->count = 0;
    struct supervision supervision = {.work = work,
                                      .work_context = context,
                                      .handle = hear,
                                      .handler_context = heard,
                                      .timeout_s = timeout_s,
                                      .output = printed ? printed : stdout};
    return supervise(&supervision, status);
}

static void count_up(void *context, const struct note_sender *sender)
{
    int *shared = context;
    for (int i = 0; i < 100; i++)
        tell(sender, 1, i, i % 2);
    *shared = 42;
}

static int *shared_number(void)
{
    int *number = shared_open(sizeof *number);
    ck_assert_ptr_nonnull(number);
    return number;
}

SUITE(supervise)

TEST(work_that_ends_is_heard, .times = 2)
{
    static const double timeouts[] = {0, 5};
    struct heard heard;
    int status, *number = shared_number();
    ck_assert_int_eq(run(count_up, number, timeouts[_i], &heard, &status), ENDED);
    ck_assert_int_eq(*number, 42);
    ck_assert_int_eq(heard.count, 100);
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(heard.notes[i].place, i);
    shared_close(number, sizeof *number);
}

static void crash(void *context, const struct note_sender *sender)
{
    tell(sender, 2, 7, true);
    signal(SIGSEGV, SIG_DFL); // a sanitizer would report this
    raise(*(int *)context);
}

TEST(a_crash_is_told_by_its_signal, .times = 4)
{
    static const int signals[] = {SIGSEGV, SIGABRT, SIGFPE, SIGKILL};
    struct heard heard;
    int number = signals[_i], status;
    signal(SIGABRT, SIG_DFL);
    signal(SIGFPE, SIG_DFL);
    ck_assert_int_eq(run(crash, &number, 5, &heard, &status), CRASHED);
    ck_assert_int_eq(status, number);
    ck_assert_int_eq(heard.count, 1);
    ck_assert_int_eq(heard.notes[0].place, 7);
}

static void leave(void *context, const struct note_sender *sender)
{
    tell(sender, 2, 3, false);
    exit(*(int *)context);
}

// Of 0 too: the work has not come to its end.
TEST(an_exit_is_no_ordinary_end, .times = 2)
{
    struct heard heard;
    int exit_status = _i * 5, status;
    ck_assert_int_eq(run(leave, &exit_status, 5, &heard, &status), EXITED);
    ck_assert_int_eq(status, exit_status);
    ck_assert_int_eq(heard.count, 1);
}

static void hang(void *context, const struct note_sender *sender)
{
    (void)context;
    tell(sender, 2, 1, true);
    for (;;)
        pause();
}

TEST(silence_under_the_limit_is_a_hang)
{
    struct heard heard;
    int status;
    ck_assert_int_eq(run(hang, NULL, 0.2, &heard, &status), HUNG);
    ck_assert_int_eq(heard.count, 1);
}

// Every process of the test's group but itself is the worker's doing.
static void assert_alone(void)
{
    ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
    ck_assert_int_eq(errno, ECHILD);
}

static void hold_the_files(void *context, const struct note_sender *sender)
{
    pid_t *held = context;
    tell(sender, 2, 1, true);
    pid_t child = fork();
    if (child == 0) {
        setsid();
        for (;;)
            pause();
    }
    *held = child;
}

// What it has started ends with it, and is not waited for.
TEST(a_worker_ends_with_its_children)
{
    struct heard heard;
    int status;
    pid_t *held = (pid_t *)shared_number();
    ck_assert_int_eq(run(hold_the_files, held, 60, &heard, &status), ENDED);
    ck_assert_int_gt(*held, 1);
    ck_assert_int_eq(kill(*held, 0), -1);
    ck_assert_int_eq(errno, ESRCH);
    assert_alone();
    shared_close(held, sizeof *held);
}

static void close_all_and_hang(void *context, const struct note_sender *sender)
{
    (void)context;
    tell(sender, 2, 1, true);
    for (int file = 3; file < 64; file++)
        close(file);
    for (;;)
        pause();
}

static void stop(void *context, const struct note_sender *sender)
{
    (void)context;
    tell(sender, 2, 1, false); // not even limited
    raise(SIGSTOP);
}

static void print_for_ever(void *context, const struct note_sender *sender)
{
    (void)context;
    tell(sender, 2, 1, true);
    for (;;)
        puts("what is printed is no sign of life");
}

TEST(no_worker_outlasts_the_limit, .times = 3)
{
    static const struct {
        supervised_work *work;
        int status;
    } workers[] = {{close_all_and_hang, 0}, {stop, SIGSTOP}, {print_for_ever, 0}};
    struct heard heard;
    int status;
    printed = fopen("/dev/null", "w");
    ck_assert_int_eq(run(workers[_i].work, NULL, 0.2, &heard, &status), HUNG);
    ck_assert_int_eq(status, workers[_i].status);
    assert_alone();
    fclose(printed);
}

static void print_much(void *context, const struct note_sender *sender)
{
    const int *lines = context;
    tell(sender, 2, 1, false);
    for (int i = 0; i < *lines; i++)
        puts("a line of 64 bytes, which tells no more than the one before it.");
    tell(sender, 2, 2, false);
    printf("the next");
}

// What a step prints too much is left out, and said to be; the next begins anew.
TEST(printing_is_bounded, .times = 4)
{
    bool is_much = _i % 2;
    int lines = PRINTED_MAX / 64 * (1 + 3 * is_much), status;
    char text[16] = "", errors[] = "/tmp/apodkit-err-XXXXXX";
    struct heard heard;
    printed = tmpfile();
    int error_file = mkstemp(errors);
    fflush(stderr);
    int kept = dup(STDERR_FILENO);
    dup2(error_file, STDERR_FILENO);
    enum process_end end = run(print_much, &lines, _i < 2 ? 5 : 0, &heard, &status);
    dup2(kept, STDERR_FILENO);
    ck_assert_int_eq(end, ENDED);
    ck_assert_int_eq(ftell(printed), PRINTED_MAX + 8);
    ck_assert_int_eq(fseek(printed, -8, SEEK_END), 0);
    ck_assert_ptr_nonnull(fgets(text, sizeof text, printed));
    ck_assert_str_eq(text, "the next");
    char *said = read_file(errors);
    ck_assert_int_eq(strstr(said, "more than 1024 KiB") != NULL, is_much);
    unlink(errors);
    fclose(printed);
}

static FILE *seen_as_output;

static void look_at_output(void *context, const struct note_sender *sender)
{
    (void)context, (void)sender;
    seen_as_output = stdout;
}

// A library that work in this process loads may keep what is standard output then, and flush it as the program ends.
TEST(what_was_standard_output_stays_open)
{
    struct heard heard;
    int status;
    char path[] = "/tmp/apodkit-out-XXXXXX";
    int file = mkstemp(path), kept = dup(STDOUT_FILENO);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(run(look_at_output, NULL, 0, &heard, &status), ENDED);
        ck_assert_ptr_ne(seen_as_output, stdout);
        ck_assert_int_eq(fflush(seen_as_output), 0);
    }
    dup2(file, STDOUT_FILENO);
    fputs("a last word", seen_as_output);
    fflush(seen_as_output);
    fflush(stdout);
    dup2(kept, STDOUT_FILENO);
    char *said = read_file(path);
    ck_assert_str_eq(said, "a last word");
    free(said);
    unlink(path);
    close(kept);
    close(file);
}

// Stopped and let go on again, as by kill -STOP and -CONT.
static void rest(void *context, const struct note_sender *sender)
{
    (void)context;
    pid_t self = getpid();
    tell(sender, 2, 1, false);
    if (fork() == 0) {
        usleep(100000);
        kill(self, SIGCONT);
        _exit(0);
    }
    raise(SIGSTOP);
    usleep(500000); // no limit again
}

TEST(a_rest_is_no_hang)
{
    struct heard heard;
    int status;
    ck_assert_int_eq(run(rest, NULL, 0.4, &heard, &status), ENDED);
}

static void come_back_twice(void *context, const struct note_sender *sender)
{
    (void)context;
    (void)fork();
    tell(sender, 2, 1, true);
}

TEST(a_copy_of_the_worker_tells_nothing)
{
    struct heard heard;
    int status;
    ck_assert_int_eq(run(come_back_twice, NULL, 5, &heard, &status), ENDED);
    ck_assert_int_eq(heard.count, 1);
}

static void send_a_senseless_note(void *context, const struct note_sender *sender)
{
    (void)context;
    tell(sender, SENSELESS, 1, true);
    for (;;)
        pause();
}

// To whatever socket it has: its notes go through one.
static void send_garbage(void *context, const struct note_sender *sender)
{
    (void)sender;
    for (int file = 3; file < 64; file++)
        if (send(file, "garbage", *(size_t *)context, MSG_NOSIGNAL) < 0)
            continue;
    for (;;)
        pause();
}

TEST(garbled_notes_end_it, .times = 3)
{
    size_t length = _i == 1 ? 3 : 8;
    struct heard heard;
    int status;
    ck_assert_int_eq(
        run(_i == 0 ? send_a_senseless_note : send_garbage, &length, 60, &heard, &status), GARBLED);
    ck_assert_int_eq(heard.count, _i == 0);
    assert_alone();
}

static void be_slow(void *context, const struct note_sender *sender)
{
    (void)context;
    tell(sender, 2, 1, false); // no limit from here on
    usleep(400000);
    for (int i = 0; i < 8; i++) { // slow, but with a sign of life each time
        tell(sender, 2, 1, true);
        usleep(50000);
    }
}

TEST(slow_work_is_no_hang)
{
    struct heard heard;
    int status;
    ck_assert_int_eq(run(be_slow, NULL, 0.2, &heard, &status), ENDED);
    ck_assert_int_eq(heard.count, 9);
}
