// Work that crashes, hangs or exits must take only itself down.
#define _DEFAULT_SOURCE // usleep
#include "measure/supervise.h"
#include "suites.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// What the notes said, in order.
struct heard {
    int count;
    struct note notes[200];
};

static void hear(void *context, struct note note)
{
    struct heard *heard = context;
    if (heard->count < 200)
        heard->notes[heard->count++] = note;
}

static void send(const struct note_sender *sender, int kind, int place, bool limited)
{
    sender->send(sender->context, (struct note){kind, place, limited});
}

static enum process_end run(supervised_work *work, void *context, double timeout_s,
                            struct heard *heard, int *status)
{
    heard->count = 0;
    struct supervision supervision = {.work = work,
                                      .work_context = context,
                                      .handle = hear,
                                      .handler_context = heard,
                                      .timeout_s = timeout_s};
    return supervise(&supervision, status);
}

static void count_up(void *context, const struct note_sender *sender)
{
    int *shared = context;
    for (int i = 0; i < 100; i++)
        send(sender, 1, i, i % 2);
    *shared = 42;
}

static int *shared_number(void)
{
    int *number =
        mmap(NULL, sizeof *number, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert_ptr_ne(number, MAP_FAILED);
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
    munmap(number, sizeof *number);
}

static void crash(void *context, const struct note_sender *sender)
{
    send(sender, 2, 7, true);
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
    (void)context;
    send(sender, 2, 3, false);
    _exit(5);
}

TEST(an_exit_is_no_ordinary_end)
{
    struct heard heard;
    int status;
    ck_assert_int_eq(run(leave, NULL, 5, &heard, &status), CRASHED);
    ck_assert_int_eq(status, 0);
}

static void hang(void *context, const struct note_sender *sender)
{
    (void)context;
    send(sender, 2, 1, true);
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

static void be_slow(void *context, const struct note_sender *sender)
{
    (void)context;
    send(sender, 2, 1, false); // no limit from here on
    usleep(400000);
    for (int i = 0; i < 8; i++) { // slow, but with a sign of life each time
        send(sender, 2, 1, true);
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
