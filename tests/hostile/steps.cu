// Hosts and kernels that do what no step may: a launch() that forks, exits, hangs, scribbles or floods. What the
// driver says of each, and that it goes on and leaves no process behind, is in tests/test_hostile.c.
#include "step.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

__global__ void transpose(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
}

__global__ void transpose_and_say(float *out, const float *in, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (col < n)
        out[(size_t)col * n + row] = in[(size_t)row * n + col];
    if (col == 0 && row == 0)
        printf("the kernel speaks\n");
}

static void right(float *out, const float *in, size_t n)
{
    transpose<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

static void returns_twice(float *out, const float *in, size_t n)
{
    (void)fork();
    right(out, in, n);
}

// A process in a session of its own, whose parent has ended.
static void start_daemon()
{
    pid_t child = fork();
    if (child == 0) {
        setsid();
        if (fork() == 0)
            for (;;)
                pause();
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void leaves_a_daemon(float *out, const float *in, size_t n)
{
    start_daemon();
    right(out, in, n);
}

static void leaves_a_shell(float *out, const float *in, size_t n)
{
    if (system("sleep 300 &") == 0)
        right(out, in, n);
}

static void exits_well(float *out, const float *in, size_t n)
{
    right(out, in, n);
    exit(0);
}

static void exits_badly(float *out, const float *in, size_t n)
{
    right(out, in, n);
    exit(3);
}

static void closes_all_and_hangs(float *out, const float *in, size_t n)
{
    right(out, in, n);
    for (int i = 3; i < 256; i++)
        close(i);
    for (;;)
        pause();
}

static void closes_all(float *out, const float *in, size_t n)
{
    right(out, in, n);
    for (int i = 3; i < 256; i++)
        close(i);
}

static void stops(float *out, const float *in, size_t n)
{
    right(out, in, n);
    raise(SIGSTOP);
}

static void hangs_beyond_signals(float *out, const float *in, size_t n)
{
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    right(out, in, n);
    for (;;)
        pause();
}

static void becomes_another(float *out, const float *in, size_t n)
{
    right(out, in, n);
    execlp("sleep", "sleep", "300", (char *)NULL);
}

static void kills_itself(float *out, const float *in, size_t n)
{
    right(out, in, n);
    raise(SIGKILL);
}

static void kills_its_parent(float *out, const float *in, size_t n)
{
    right(out, in, n);
    start_daemon();
    prctl(PR_SET_PDEATHSIG, 0);
    kill(getppid(), SIGKILL);
    for (;;)
        pause();
}

static void send_to_all(const void *text, size_t length)
{
    for (int i = 3; i < 256; i++)
        if (send(i, text, length, MSG_NOSIGNAL) < 0 && errno != EBADF && errno != ENOTSOCK)
            exit(1);
}

static void sends_half_a_note(float *out, const float *in, size_t n)
{
    right(out, in, n);
    send_to_all("half", 4);
}

static void sends_a_wild_note(float *out, const float *in, size_t n)
{
    const int note[] = {3, 1 << 20, 0}; // this step is done: the one at place 2^20
    right(out, in, n);
    send_to_all(note, sizeof note);
}

static void sends_an_early_note(float *out, const float *in, size_t n)
{
    const int note[] = {3, 0, 0}; // the first step is done
    right(out, in, n);
    send_to_all(note, sizeof note);
}

// What two processes share is in the list of this one's memory as such.
static void scribbles(float *out, const float *in, size_t n)
{
    char line[512], rights[8];
    unsigned long start, end;
    right(out, in, n);
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 && !strcmp(rights, "rw-s"))
            memset((void *)start, 0xA5, end - start);
    if (maps)
        fclose(maps);
}

static void prints_4_mib(float *out, const float *in, size_t n)
{
    for (int i = 0; i < 1 << 16; i++)
        puts("a line of 64 bytes, which tells no more than the one before it.");
    right(out, in, n);
}

static void is_slow(float *out, const float *in, size_t n)
{
    right(out, in, n);
    for (int i = 0; i < 8; i++) // stopped in between, it has as much to do as before
        usleep(100000);
}

static void wants_1_gib(float *out, const float *in, size_t n)
{
    right(out, in, n);
    char *memory = (char *)malloc(1 << 30);
    for (size_t i = 0; memory && i < 1 << 30; i += 4096)
        ((volatile char *)memory)[i] = 1;
    free(memory);
}

static void speaks(float *out, const float *in, size_t n)
{
    puts("the host speaks");
    transpose_and_say<<<dim3((n + 127) / 128, n), 128>>>(out, in, n);
}

static void lowers_its_limits(float *out, const float *in, size_t n)
{
    const struct rlimit none = {0, 0};
    right(out, in, n);
    setrlimit(RLIMIT_NOFILE, &none);
}

static void is_right_after_it(float *out, const float *in, size_t n)
{
    FILE *file = fopen("/dev/null", "r");
    if (file) {
        right(out, in, n);
        fclose(file);
    }
}

static void signals_its_group(float *out, const float *in, size_t n)
{
    right(out, in, n);
    kill(0, SIGTERM);
}

static void turns_a_terminal_round(float *out, const float *in, size_t n)
{
    struct termios settings;
    right(out, in, n);
    if (tcgetattr(STDIN_FILENO, &settings) == 0) {
        settings.c_lflag ^= ECHO | ICANON;
        tcsetattr(STDIN_FILENO, TCSANOW, &settings);
    }
}

#define HOSTILE(number, launch)                                                                    \
    {                                                                                              \
        number, OPTIMISE, __FILE__, #launch, "on purpose", launch, 0, 0, PARAMETERS, {BUILT_WITH}, \
            0, 0                                                                                   \
    }

static const struct step steps[] = {HOSTILE(1, returns_twice),
                                    HOSTILE(2, leaves_a_daemon),
                                    HOSTILE(3, leaves_a_shell),
                                    HOSTILE(4, exits_well),
                                    HOSTILE(5, exits_badly),
                                    HOSTILE(6, closes_all_and_hangs),
                                    HOSTILE(7, closes_all),
                                    HOSTILE(8, stops),
                                    HOSTILE(9, hangs_beyond_signals),
                                    HOSTILE(10, becomes_another),
                                    HOSTILE(11, kills_itself),
                                    HOSTILE(12, kills_its_parent),
                                    HOSTILE(13, sends_half_a_note),
                                    HOSTILE(14, sends_a_wild_note),
                                    HOSTILE(15, sends_an_early_note),
                                    HOSTILE(16, scribbles),
                                    HOSTILE(17, prints_4_mib),
                                    HOSTILE(18, speaks),
                                    HOSTILE(19, right),
                                    HOSTILE(20, is_slow),
                                    HOSTILE(21, wants_1_gib),
                                    HOSTILE(22, lowers_its_limits),
                                    HOSTILE(23, is_right_after_it),
                                    HOSTILE(24, signals_its_group),
                                    HOSTILE(25, turns_a_terminal_round)};

__attribute__((constructor)) static void register_steps(void)
{
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        step_register(&steps[i]);
}
