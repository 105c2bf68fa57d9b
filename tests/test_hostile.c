#define _GNU_SOURCE // posix_openpt
// Steps that turn against the driver (tests/hostile/steps.cu): each gets the blame for what it did, the others come
// out right, and nothing of it is left.
#include "facts/shared_results.h"
#include "files/json.h"
#include "show/inspection_page.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

enum { STEPS = 24 };

// NULL: it is right, whatever else it does.
static const char *const said[STEPS + 1] = {
    [4] = "it called exit(0)",
    [5] = "it called exit(3)",
    [6] = "did not end within",
    [7] = "files of the driver's",
    [8] = "stopped by signal 19",
    [9] = "did not end within",
    [10] = "did not end within",
    [11] = "signal 9",
    [12] = "signal 9",
    [13] = "files of the driver's",
    [14] = "files of the driver's",
    [15] = "files of the driver's",
    [16] = "memory that it shares",
    [24] = "signal 15",
};

// The line of standard error that blames the step, NULL when there is none.
static const char *blamed(const char *errors, int step)
{
    char start[32];
    snprintf(start, sizeof start, "apodkit: step %d failed: ", step);
    return strstr(errors, start);
}

static void assert_nothing_is_left(const char *mark)
{
    struct printed left = type("tests/hostile/left_behind.sh %s-%d", mark, (int)getpid());
    ck_assert_msg(left.status == 0, "left behind:\n%s", left.out);
}

SUITE(hostile, .seconds = 120)

TEST(each_step_answers_for_itself)
{
    struct printed printed = type("APODKIT_MARK=all-%d build/sim/hostile 1 2 3 4 5 6 7 8 9 10 11 "
                                  "12 13 14 15 16 17 18 19 20 23 24 -n 100 --timeout 2 --summary",
                                  (int)getpid());
    ck_assert_msg(printed.status == EXIT_WRONG, "%d\n%s", printed.status, printed.err);
    for (int i = 1; i <= STEPS; i++) {
        const char *line = blamed(printed.err, i);
        ck_assert_msg(!line == !said[i], "step %d: %.300s", i, line ? line : "nothing is said");
        if (line)
            ck_assert_msg(strstr(line, said[i]) && strstr(line, said[i]) < strchr(line, '\n'),
                          "step %d: %.300s", i, line);
    }
    assert_contains(printed.out, "8 of 22 steps verified");
    assert_nothing_is_left("all");
}

// Those that look closely at a step do so in processes of its own, which hand over what they saw.
TEST(each_step_is_looked_at_for_itself, .times = 2)
{
    static const char *const verbs[] = {"hotspots", "trace"};
    struct printed printed = type("APODKIT_MARK=look-%d build/sim/hostile %s 1 2 4 6 7 8 11 12 18 "
                                  "19 -n 100 --timeout 1 --json -",
                                  (int)getpid(), verbs[_i]);
    ck_assert_msg(printed.status == EXIT_WRONG, "%d\n%s", printed.status, printed.err);
    static const int steps[] = {1, 2, 4, 6, 7, 8, 11, 12, 18, 19};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const char *line = blamed(printed.err, steps[i]);
        ck_assert_msg(!line == !said[steps[i]], "step %d: %.300s", steps[i],
                      line ? line : "nothing is said");
        if (line)
            assert_contains(line, said[steps[i]]);
    }
    cJSON *json = read_json(printed.out);
    ck_assert_msg(json != NULL, "no JSON:\n%.500s", printed.out);
    assert_nothing_is_left("look");
}

// Of another process, where one that is no root cannot raise them again.
TEST(each_step_has_the_limits_of_the_program, .times = 4)
{
    static const char bare[] = "setpriv --bounding-set -sys_resource";
    static const char *const verbs[] = {"", "occupancy"};
    struct printed printed =
        type("%s build/sim/hostile %s 22 23 -n 100",
             _i % 2 && type("%s true", bare).status == 0 ? bare : "", verbs[_i / 2]);
    ck_assert_msg(printed.status == EXIT_GOOD, "%d\n%s", printed.status, printed.err);
}

// Nothing runs, but launch() is asked.
TEST(each_step_is_asked_for_itself)
{
    struct printed printed =
        type_to(EXIT_WRONG,
                "APODKIT_MARK=ask-%d build/sim/hostile occupancy 1 2 3 4 5 7 11 "
                "12 13 14 15 16 17 18 19 -n 100 --json -",
                (int)getpid());
    static const struct {
        int step;
        const char *said;
    } answers[] = {{1, NULL},
                   {2, NULL},
                   {3, NULL},
                   {4, "exit(0)"},
                   {5, "exit(3)"},
                   {7, "files of the driver's"},
                   {11, "was killed (signal 9)"},
                   {13, "files of the driver's"},
                   {16, "memory that it shares"},
                   {17, NULL},
                   {19, NULL}};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        const char *line = blamed(printed.err, answers[i].step);
        ck_assert_msg(!line == !answers[i].said, "step %d: %.300s", answers[i].step,
                      line ? line : "nothing is said");
        if (line)
            assert_contains(line, answers[i].said);
    }
    cJSON *json = read_json(printed.out);
    ck_assert_msg(json != NULL, "no JSON:\n%.500s", printed.out);
    assert_nothing_is_left("ask");
}

// What hosts and kernels print is none of the JSON's, and is left out where it is too much.
TEST(what_is_printed_is_no_json, .times = 2)
{
    static const char *const timeouts[] = {"30",
                                           "0"}; // in processes of their own, and in the driver's
    struct printed printed =
        type_well("build/sim/hostile 17 18 19 -n 100 --json - --timeout %s", timeouts[_i]);
    cJSON *json = read_json(printed.out);
    ck_assert_msg(json != NULL, "no JSON:\n%.500s", printed.out);
    assert_contains(printed.err, "the host speaks\n", "the kernel speaks\n", "more than 1024 KiB");
    ck_assert_uint_lt(strlen(printed.err), (1 << 20) + 1000);
    assert_contains(type("build/sim/hostile 17 18 19 -n 100 --timeout %s", timeouts[_i]).out,
                    "the host speaks\n", "the kernel speaks\n");
}

// The driver alone is ended, in a step that hangs: one that heeds nothing, and one in a run of a sweep.
TEST(a_signal_leaves_nothing_behind, .times = 6)
{
    static const char *const signals[] = {"TERM", "HUP", "KILL"};
    static const char *const commands[] = {"9 -n 100 --timeout 100", "sweep 9 n=100 --timeout 100"};
    ck_assert(signal(SIGHUP, SIG_DFL) !=
              SIG_ERR); // nohup, if this runs under it, ignores it for all
    struct printed printed =
        type("export APODKIT_MARK=end-%d; build/sim/hostile %s & sleep 0.4; kill -s %s $!; wait $!",
             (int)getpid(), commands[_i % 2], signals[_i / 2]);
    ck_assert_int_gt(printed.status, 128);
    assert_nothing_is_left("end");
}

// Whatever has its name is killed at once; what a step has started has another.
TEST(killed_by_name_it_leaves_nothing_behind)
{
    type("export APODKIT_MARK=name-%d; build/sim/hostile 3 9 -n 100 --timeout 100 & sleep 1; kill "
         "-s KILL $(grep -lsxz APODKIT_MARK=name-%d /proc/[0-9]*/environ | while IFS=/ read -r _ _ "
         "id _; do grep -lsx hostile /proc/$id/comm; done | cut -d/ -f3)",
         (int)getpid(), (int)getpid());
    assert_nothing_is_left("name");
}

TEST(killed_with_its_group_it_leaves_nothing_behind)
{
    type("APODKIT_MARK=group-%d timeout -s KILL 1 build/sim/hostile 3 9 -n 100 --timeout 100",
         (int)getpid());
    assert_nothing_is_left("group");
}

// ---- At a terminal ---------------------------------------------------------------------------------

// Whether a process of the program's name and this one's mark does not rest.
static bool is_awake(void)
{
    return system("for id in $(grep -lsxz \"APODKIT_MARK=$APODKIT_MARK\" /proc/[0-9]*/environ | "
                  "cut -d/ -f3); do grep -qsx hostile /proc/$id/comm && grep -s '^State:.[^T]' "
                  "/proc/$id/status && exit 1; done; exit 0") != 0;
}

// A shell's part: it leads the session, and starts the program as the terminal's own job. When the job stops it rests
// for a while and lets it go on. Its exit status is the job's, as shells have it.
static void be_shell(const char *terminal, char *const *argv)
{
    int raw;
    setsid();
    int file = open(terminal, O_RDWR);
    signal(SIGTTOU, SIG_IGN);
    pid_t job = fork();
    if (job == 0) {
        setpgid(0, 0);
        tcsetpgrp(file, getpid());
        signal(SIGTTOU, SIG_DFL);
        for (int i = 0; i < 3; i++)
            dup2(file, i);
        execv(argv[0], argv);
        _exit(127);
    }
    while (waitpid(job, &raw, WUNTRACED) == job && WIFSTOPPED(raw)) {
        usleep(2500000);
        if (is_awake())
            kill(-job, SIGKILL);
        kill(-job, SIGCONT);
    }
    _exit(WIFSIGNALED(raw) ? 128 + WTERMSIG(raw) : WEXITSTATUS(raw));
}

// Types `key` once the program has shown `awaited`, and gives what it shows in all. Returns the exit status. The
// terminal must be left as it was.
static int type_at_terminal(char *const *argv, const char *awaited, char key, char shown[16384])
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    ck_assert(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
    struct termios settings;
    ck_assert_int_eq(tcgetattr(terminal, &settings), 0);
    settings.c_lflag &= (tcflag_t)~ECHO;
    ck_assert_int_eq(tcsetattr(terminal, TCSANOW, &settings), 0);
    fflush(NULL);
    pid_t shell = fork();
    if (shell == 0)
        be_shell(ptsname(terminal), argv);
    size_t used = 0;
    ssize_t length;
    bool typed = false;
    while ((length = read(terminal, shown + used, 16383 - used)) > 0 || (length < 0 && !typed)) {
        used += length > 0 ? (size_t)length : 0;
        shown[used] = '\0';
        if (!typed && strstr(shown, awaited)) {
            ck_assert_int_eq(write(terminal, &key, 1), 1);
            typed = true;
        }
        if (length < 0)
            usleep(1000); // nobody has opened the other end yet
    }
    int raw;
    ck_assert_int_eq(waitpid(shell, &raw, 0), shell);
    const tcflag_t before = settings.c_lflag;
    ck_assert_int_eq(tcgetattr(terminal, &settings), 0);
    ck_assert_uint_eq(settings.c_lflag, before);
    close(terminal);
    return WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
}

// The prompt gets a line of its own, and the shell is told of the signal.
TEST(ctrl_c_ends_it_all)
{
    char shown[16384] = "";
    char mark[64];
    char *argv[] = {"build/sim/hostile", "9", "-n100", NULL};
    snprintf(mark, sizeof mark, "int-%d", (int)getpid());
    setenv("APODKIT_MARK", mark, 1);
    setenv("TERM", "xterm", 1);
    ck_assert_int_eq(type_at_terminal(argv, "hangs_beyond_signals ...", '\003', shown),
                     128 + SIGINT);
    unsetenv("APODKIT_MARK");
    const char *last = strstr(shown, "hangs_beyond_signals ...");
    ck_assert_str_eq(last, "hangs_beyond_signals ...\r\n");
    assert_nothing_is_left("int");
}

// The time for which it rested is none of its kernel's.
TEST(ctrl_z_lets_it_rest)
{
    char shown[16384] = "";
    char *argv[] = {"build/sim/hostile", "20", "-n100", "--timeout", "2", "--summary", NULL};
    setenv("APODKIT_MARK", "rest", 1);
    setenv("TERM", "xterm", 1);
    int status = type_at_terminal(argv, "is_slow ...", '\032', shown);
    ck_assert_msg(status == EXIT_GOOD, "%d\n%s", status, shown);
}

TEST(a_terminal_is_left_as_it_was, .times = 2)
{
    char shown[16384] = "";
    char *argv[] = {"build/sim/hostile", "19", "25", "-n100", _i ? "--timeout=0" : NULL, NULL};
    setenv("TERM", "xterm", 1);
    int status = type_at_terminal(argv, "turns_a_terminal_round", 'x', shown);
    ck_assert_msg(status == EXIT_GOOD, "%d\n%s", status, shown);
}

// ---- What another process has written over: it is refused, or can be shown ------------------------

static uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

// A few words of it become 0, all ones or anything.
static void scribble(void *memory, size_t size, uint32_t *state)
{
    for (uint32_t i = next_random(state) % 4 + 1; i > 0; i--) {
        uint32_t kind = next_random(state) % 4, length = 1 + next_random(state) % 200;
        size_t at = next_random(state) % size;
        for (uint32_t k = 0; k < length && at + k < size; k++)
            ((unsigned char *)memory)[at + k] = kind == 0   ? 0
                                                : kind == 1 ? 0xff
                                                            : (unsigned char)next_random(state);
    }
}

enum { SCRIBBLES = 1500 };

TEST(a_result_is_refused_or_can_be_shown)
{
    struct run *right = keep(malloc(sizeof *right)), *run = keep(malloc(sizeof *run));
    FILE *nowhere = fopen("/dev/null", "w");
    uint32_t state = 1;
    int shown = 0;
    sample_run(right);
    for (int i = 0; i < SCRIBBLES; i++) {
        *run = *right;
        scribble(&run->steps[3], sizeof run->steps[3], &state);
        struct step_result *step = &run->steps[3];
        if (!step_result_sound(step))
            continue;
        step->number = 4;
        step->reference = false;
        struct report report = {.file = nowhere, .style = style_for(nowhere, COLOR_ALWAYS)};
        report_panel(&report, run, 3);
        report_summary(&report, run);
        free(json_of_run(run));
        shown++;
    }
    fclose(nowhere);
    ck_assert_int_gt(shown, SCRIBBLES / 50);
    ck_assert_int_lt(shown, SCRIBBLES);
}

// One step that was looked at, with something of everything.
static struct samples {
    struct hotspots hotspots;
    struct stalls stalls;
    struct trace trace;
} * samples;

static void fill_samples(void)
{
    samples = keep(calloc(1, sizeof *samples));
    samples->hotspots.all.count = samples->stalls.all.count = samples->trace.all.count = 1;
    samples->hotspots.all.n = samples->stalls.all.n = samples->trace.all.n = 64;
    samples->hotspots.steps[0].at = samples->stalls.steps[0].at = samples->trace.steps[0].at =
        (struct inspected){.step = 4, .n = 64, .outcome = VERIFIED};
    const char *file = step_find(4)->file;
    for (unsigned i = 1; i < 20; i++) {
        struct line_access access = {
            .line = i, .kind = i % ACCESS_KINDS, .executions = i, .passes = i, .ideal = 1};
        source_lines_add(&samples->hotspots.steps[0].lines, i % 3 ? file : "other.cu", access);
        stall_samples_add(&samples->stalls.steps[0].samples, i % 3 ? file : "other.cu", i,
                          i % STALL_REASONS, i);
        stall_samples_add_cause(&samples->stalls.steps[0].samples, i % 3 ? file : "other.cu", i,
                                i % STALL_REASONS, i % 2 ? file : "other.cu", i / 2, i);
    }
    struct activities *all = &samples->trace.steps[0].activities;
    all->range_count = 2;
    all->ranges[0] = (struct activity_range){"outer", -1, 0, 9};
    all->ranges[1] = (struct activity_range){"inner", 0, 1, 8};
    for (int i = 0; i < 20; i++) {
        struct activity activity = {.kind = (enum activity_kind)(i % 3),
                                    .timed = MODELLED,
                                    .start_ns = i,
                                    .duration_ns = 1,
                                    .range = i % 3 - 1,
                                    .bytes = 4};
        activities_add(all, &activity, i % 3 ? NULL : "_Z6kernelv");
    }
    samples->trace.steps[0].blocks =
        (struct sm_blocks){.provenance = MODELLED, .launched = 8, .most = 1, .sms = 8};
}

static void show_hotspots(FILE *file, const struct style *style, const struct source_file *source)
{
    hotspots_page.print_step(file, style, &samples->hotspots.steps[0].at, source);
    free(json_of_hotspots(&samples->hotspots.all));
}

static void show_stalls(FILE *file, const struct style *style, const struct source_file *source)
{
    stalls_page.print_step(file, style, &samples->stalls.steps[0].at, source);
    free(json_of_stalls(&samples->stalls.all));
}

static void show_trace(FILE *file, const struct style *style, const struct source_file *source)
{
    trace_page.print_step(file, style, &samples->trace.steps[0].at, source);
    free(json_of_trace(&samples->trace));
    free(timeline_of_trace(&samples->trace));
}

static const struct {
    size_t at, size; // in the samples
    bool (*is_sound)(const struct inspected *at);
    void (*show)(FILE *file, const struct style *style, const struct source_file *source);
} looks[] = {
    {offsetof(struct samples, hotspots.steps), sizeof samples->hotspots.steps[0],
     hotspot_step_sound, show_hotspots},
    {offsetof(struct samples, stalls.steps), sizeof samples->stalls.steps[0], stalls_step_sound,
     show_stalls},
    {offsetof(struct samples, trace.steps), sizeof samples->trace.steps[0], traced_step_sound,
     show_trace},
};

TEST(a_look_is_refused_or_can_be_shown, .times = sizeof looks / sizeof *looks)
{
    FILE *nowhere = fopen("/dev/null", "w");
    struct style style = style_for(nowhere, COLOR_ALWAYS);
    struct source_file source = source_file_find(step_find(4)->file);
    uint32_t state = 1;
    int shown = 0, sound = 0;
    fill_samples();
    struct inspected *at = (struct inspected *)((char *)samples + looks[_i].at);
    struct inspected *right = keep(malloc(looks[_i].size));
    memcpy(right, at, looks[_i].size);
    ck_assert(looks[_i].is_sound(right));
    for (int i = 0; i < SCRIBBLES; i++) {
        // Most of it is room: half of the time, only the begin is written to.
        memcpy(at, right, looks[_i].size);
        scribble(at, i % 2 ? looks[_i].size : sizeof(struct inspected) + 4096, &state);
        if (!looks[_i].is_sound(at))
            continue;
        at->step = 4;
        if (sound++ % 4 == 0) { // it takes a while
            looks[_i].show(nowhere, &style, &source);
            shown++;
        }
    }
    fclose(nowhere);
    ck_assert_int_gt(shown, SCRIBBLES / 50);
    ck_assert_int_lt(sound, SCRIBBLES);
}
