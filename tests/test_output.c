// The files that the program writes, and what it prints of others' text: nothing is lost, nothing is half, and nothing
// does harm.
#define _GNU_SOURCE // setrlimit
#include "base/function_name.h"
#include "base/output_file.h"
#include "base/source_file.h"
#include "base/untrusted_text.h"
#include "files/csv.h"
#include "show/source_page.h"
#include "suites.h"
#include "support.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN "$KIT/build/sim/run "
#define SMALL "3 -n 32 --summary "

static char kit[4096];

// Each test is in a folder of its own.
static void enter_folder(void)
{
    ck_assert_ptr_nonnull(getcwd(kit, sizeof kit));
    make_folder();
    ck_assert_int_eq(chdir(folder), 0);
    ck_assert_int_eq(mkdir("kept", 0777), 0);
    setenv("KIT", kit, 1);
    setenv("TMPDIR", "kept", 1);
    setenv("APODKIT_RESULTS", "results", 1);
}

static void leave_folder(void)
{
    ck_assert_int_eq(chdir(kit), 0);
    remove_folder();
}

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static void assert_holds(const char *name, const char *text)
{
    char *found = read_file(name);
    ck_assert_str_eq(found, text);
}

static void assert_nothing_left(void)
{
    ck_assert_str_eq(type("find . -name '.apodkit*'").out, "");
}

static bool write_text(const char *name, const char *text)
{
    return output_possible("writing", name) && output_write("writing", name, text, strlen(text));
}

SUITE(output, .seconds = 120, .set_up = enter_folder, .tear_down = leave_folder)

TEST(a_file_is_replaced_and_keeps_its_permissions)
{
    struct stat before, after;
    put("x", "a longer old text");
    ck_assert_int_eq(chmod("x", 0640), 0);
    ck_assert_int_eq(stat("x", &before), 0);
    ck_assert(output_possible("writing", "x"));
    assert_holds("x", "a longer old text");
    ck_assert(write_text("x", "new"));
    assert_holds("x", "new");
    ck_assert_int_eq(stat("x", &after), 0);
    ck_assert_uint_eq(after.st_mode & 0777, 0640);
    ck_assert(after.st_ino != before.st_ino); // who reads the old one goes on reading it
    ck_assert_int_eq(output_try("not there"), 0);
    ck_assert_int_ne(access("not there", F_OK), 0);
    assert_nothing_left();
}

TEST(links_stay)
{
    struct stat found;
    put("file", "old");
    ck_assert_int_eq(mkdir("sub", 0777), 0);
    ck_assert_int_eq(symlink("file", "one") | symlink("one", "two") | symlink("sub/new", "ahead") |
                         symlink("nowhere/new", "lost") | symlink("round", "round"),
                     0);
    ck_assert(write_text("two", "by links"));
    assert_holds("file", "by links");
    ck_assert(lstat("two", &found) == 0 && S_ISLNK(found.st_mode));
    ck_assert(write_text("ahead", "at its end"));
    assert_holds("sub/new", "at its end");
    ck_assert(lstat("ahead", &found) == 0 && S_ISLNK(found.st_mode));
    ck_assert_int_eq(output_try("lost"), ENOENT);
    ck_assert(lstat("lost", &found) == 0);
    ck_assert_int_eq(output_try("round"), ELOOP);
}

TEST(what_can_be_no_file_is_told_before)
{
    put("file", "");
    ck_assert_int_eq(output_try("."), EISDIR);
    ck_assert_int_eq(output_try("file/x"), ENOTDIR);
    ck_assert_int_eq(output_try(""), ENOENT);
    ck_assert_int_eq(output_try("nowhere/x"), ENOENT);
    ck_assert_int_eq(output_try("/dev/null"), 0);
    ck_assert_int_eq(output_try("-"), 0);
}

// A FIFO waits for its reader, and the other way round: neither is to wait here.
TEST(fifos_do_not_hang)
{
    ck_assert_int_eq(mkfifo("fifo", 0666), 0);
    ck_assert_int_eq(output_try("fifo"), ENXIO);
    int reader = open("fifo", O_RDONLY | O_NONBLOCK);
    ck_assert_int_eq(output_try("fifo"), 0);
    char text[8];
    ck_assert_int_eq(read(reader, text, 8), -1); // not at its end
    ck_assert_int_eq(errno, EAGAIN);
    ck_assert(output_write("writing", "fifo", "text", 4));
    ck_assert_int_eq(read(reader, text, 8), 4);
    close(reader);
    ck_assert(!output_write("writing", "fifo", "text", 4)); // and SIGPIPE does not end this
    ck_assert_int_eq(source_file_find("fifo").state, SOURCE_MISSING);
    char path[128];
    snprintf(path, sizeof path, "%s/fifo", folder);
    ck_assert_int_eq(source_file_find(path).state, SOURCE_MISSING);
}

TEST(what_cannot_be_written_is_kept)
{
    fflush(NULL);
    assert_contains(type_to(1, RUN SMALL "--json /dev/full").err,
                    "writing the JSON to /dev/full: No space left on device\n",
                    "It is kept in kept/apodkit-");
    assert_contains(type_well("cat kept/apodkit-*").out, "\"steps\"");
}

// The file may have 128 KiB, what is to be written is more, and so it is in TMPDIR: it follows behind the page.
TEST(what_is_there_outlives_a_full_disk)
{
    put("x.json", "precious");
    struct printed printed =
        type("bash -c 'ulimit -f 128; " RUN "trace 3 -n 32 --reps 1000 --json x.json' | cat");
    assert_contains(printed.err, "writing the JSON to x.json: it is longer than a file may be here",
                    "follows on standard output");
    assert_contains(printed.out, "\n{\n\t\"device\"");
    ck_assert_str_eq(printed.out + strlen(printed.out) - 3, "\n}\n");
    assert_holds("x.json", "precious");
    assert_contains(
        type_well("bash -c 'ulimit -f 24; " RUN SMALL "--json fits.json' && cat fits.json").out,
        "\"steps\"");
    printed = type_to(1, "bash -c 'ulimit -f 1; " RUN "--help' >help; exit $?");
    assert_holds("x.json", "precious");
    assert_nothing_left();
}

// As root, permission bits do not bind: this is somebody else then.
TEST(in_a_folder_that_is_read_only)
{
    put("old", "the old text");
    ck_assert_int_eq(chmod("old", 0666) | chmod(".", 0555), 0);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && setuid(65534) != 0)
            _exit(1);
        bool good = output_try("new") == EACCES && output_try("old") == 0 &&
                    output_write("writing", "old", "new", 3);
        _exit(good ? 0 : 2);
    }
    int raw;
    ck_assert_int_eq(waitpid(child, &raw, 0), child);
    ck_assert_int_eq(chmod(".", 0755), 0);
    ck_assert_int_eq(raw, 0);
    assert_holds("old", "new");
}

TEST(of_many_that_create_a_file_one_does)
{
    enum { MANY = 16 };
    int created = 0;
    for (int i = 0; i < MANY; i++)
        if (fork() == 0) {
            char text[8];
            snprintf(text, sizeof text, "%d", 100 + i);
            int error = output_create("x", text, 3);
            _exit(error == 0 ? 1 : error == EEXIST ? 0 : 2);
        }
    for (int i = 0, raw; i < MANY; i++) {
        ck_assert_int_gt(wait(&raw), 0);
        ck_assert(WIFEXITED(raw) && WEXITSTATUS(raw) < 2);
        created += WEXITSTATUS(raw);
    }
    ck_assert_int_eq(created, 1);
    char *text = read_file("x");
    ck_assert_uint_eq(strlen(text), 3);
    assert_nothing_left();
}

// A file system without hard links, whose disk is full by then.
static bool refuses_names;

int link(const char *from, const char *to)
{
    errno = EPERM;
    return refuses_names ? -1 : linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int rename(const char *from, const char *to)
{
    errno = EIO;
    return refuses_names ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

TEST(a_name_that_cannot_be_given_is_not_taken)
{
    refuses_names = true;
    ck_assert_int_eq(output_create("new", "text", 4), EIO);
    refuses_names = false;
    ck_assert_int_ne(access("new", F_OK), 0);
    ck_assert_int_eq(output_create("new", "text", 4), 0);
    assert_holds("new", "text");
}

TEST(a_standard_output_that_is_closed)
{
    ck_assert_str_eq(type_to(EXIT_WRONG, RUN SMALL "--json - >&-").err,
                     "apodkit: writing the JSON to standard output: Bad file descriptor\n");
    assert_contains(type_to(EXIT_WRONG, RUN SMALL ">&-").err,
                    "standard output cannot be written: ");
    type_well(RUN SMALL "2>&-");
}

TEST(a_file_of_the_kernel_is_no_missing_one)
{
    struct printed printed = type(RUN SMALL "--json /proc/version");
    ck_assert_int_ne(printed.status, EXIT_GOOD);
    assert_contains(printed.err, "writing the JSON to /proc/version: ");
    ck_assert_ptr_null(strstr(printed.err, "No such file"));
}

TEST(one_file_by_two_names)
{
    put("file", "");
    ck_assert_int_eq(mkdir("sub", 0777) | symlink("file", "soft") | link("file", "hard") |
                         symlink("sub", "folder") | symlink("sub/new", "ahead"),
                     0);
    static const struct {
        const char *one, *other;
        bool same;
    } cases[] = {{"file", "./file", true},
                 {"file", "soft", true},
                 {"file", "hard", true},
                 {"new", "sub/../new", true},
                 {"sub/new", "folder/new", true},
                 {"ahead", "folder/new", true},
                 {"-", "-", true},
                 {"file", "new", false},
                 {"new", "newer", false},
                 {"new", "sub/new", false},
                 {"/dev/null", "/dev/null", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(output_is_same(cases[i].one, cases[i].other) == cases[i].same, "%s, %s",
                      cases[i].one, cases[i].other);
}

// Before the run, and with the old files as they were.
TEST(two_options_do_not_write_one_file)
{
    static const char *const cases[][2] = {
        {"sweep 3 n=32 --json x --csv ./x", "--csv and --json cannot both have x"},
        {"trace 3 -n 32 --json x --chrome soft", "--json and --chrome cannot both have soft"},
        {"trace 3 -n 32 --csv - --chrome -", "--csv and --chrome cannot both have standard output"},
        {"3 --save a --json results/a.json", "--json and --save cannot both have "}};
    put("x", "old");
    ck_assert_int_eq(symlink("x", "soft") | mkdir("results", 0777), 0);
    ASSERT_USAGE_ERRORS(RUN, cases, "--help` for the options.");
    assert_holds("x", "old");
}

// A run that comes to nothing writes nothing over what is there.
TEST(a_failed_run_leaves_the_old_files)
{
    static const char *const commands[] = {"2 -n 1000000 --json x",
                                           "sweep 3 n=32 --device 99 --csv x"};
    put("x", "old");
    for (size_t i = 0; i < 2; i++) {
        struct printed printed = type(RUN "%s", commands[i]);
        ck_assert_int_ne(printed.status, 0);
        assert_holds("x", "old");
    }
}

TEST(a_run_is_saved_though_nobody_reads)
{
    type("{ " RUN "3 -n 32 --save one; echo $? >status; } | true");
    assert_holds("status", "1\n"); // standard output could not be written
    assert_contains(type_well(RUN "history").out, " one ");
}

TEST(eight_at_once_lose_nothing)
{
    struct printed printed =
        type_well("cd $KIT && env -u TMPDIR -u APODKIT_RESULTS tests/hostile/eight.bash 2");
    assert_contains(printed.out, "eight at once: tried ", ", failed 0\n");
}

// ---- What others wrote ---------------------------------------------------------------------------

#define C1 "\xC2\x9B"          // U+009B, which begins a sequence as ESC [ does
#define TURN "\xE2\x80\xAE"    // U+202E
#define ISOLATE "\xE2\x81\xA6" // U+2066
#define MARK "\xD8\x9C"        // U+061C
#define EURO "\xE2\x82\xAC"
#define NO REPLACEMENT

TEST(characters_are_told_apart)
{
    static const struct {
        const char *from, *copied;
    } cases[] = {
        {"plain \xC3\xA9 " EURO " \xF0\x9F\x98\x80", "plain \xC3\xA9 " EURO " \xF0\x9F\x98\x80"},
        {"a\033[31mb\nc\x7F", "a [31mb c "},
        {"a" C1 "31m", "a 31m"},
        {"\xC2\x80\xC2\x9F\xC2\xA0", "  \xC2\xA0"},
        {"\x9B"
         "31m",
         NO "31m"},
        {TURN ISOLATE MARK "x", NO NO NO "x"},
        {"\xE2\x80\x8E\xE2\x80\x8F\xE2\x80\xAA\xE2\x81\xA9", NO NO NO NO},
        {"\xC0\xAF\xED\xA0\x80", NO NO NO NO NO}, // too long a form, a surrogate
        {"\xF4\x90\x80\x80", NO NO NO NO},        // beyond U+10FFFF
        {"a\xE2\x82", "a" NO},
        {"\xE2(\xA1", NO "(" NO}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[64];
        foreign_copy(text, sizeof text, cases[i].from);
        ck_assert_str_eq(text, cases[i].copied);
    }
    char text[7] = "";
    foreign_copy(text, 6, "abc" EURO);
    ck_assert_str_eq(text, "abc"); // the euro takes three bytes
    foreign_copy(text, 7, "abc" EURO);
    ck_assert_str_eq(text, "abc" EURO);
    text[5] = '\0';
    foreign_trim(text);
    ck_assert_str_eq(text, "abc");
    foreign_trim(text);
    ck_assert_str_eq(text, "abc");
}

static void assert_harmless(const char *text)
{
    static const char *const harmful[] = {"\2333", C1, TURN, ISOLATE, MARK, "\033[2J", "\033]"};
    for (size_t i = 0; i < sizeof harmful / sizeof *harmful; i++)
        ck_assert_msg(!strstr(text, harmful[i]), "harmful %zu in:\n%s", i, text);
}

#define HARM                                                                                       \
    "\\233"                                                                                        \
    "31m\\033[2J\\033]0;x\\007\\302\\233\\342\\200\\256\\342\\201\\246\\330\\234"

// From a command line, a record, and what a compiler or a kernel might say; whichever way it came there.
TEST(nothing_harmful_comes_to_a_terminal)
{
    char *text = type_on_terminal("LC_ALL=C.UTF-8 TERM=xterm " RUN
                                  "compare \"$(printf 'h\303\251" HARM "')\" h200",
                                  0, "")
                     .out;
    assert_contains(text, "there is no recorded run 'h\303\251" NO "31m" NO "[2J" NO "]0;x");
    assert_harmless(text);
    text = type_on_terminal("sed \"s/NVIDIA H200/h\303\251$(printf '\\233"
                            "31m\\302\\233\\342\\200\\256')/\" "
                            "$KIT/docs/runs/h200.json >x.json && LC_ALL=C.UTF-8 TERM=xterm " RUN
                            "compare x.json x.json --color always | head -20",
                            0, "")
               .out;
    assert_contains(text, "h\303\251" NO "31m " NO " (GPU)", "\033[1m");
    assert_harmless(text);
    text = type_on_terminal("LC_ALL=C TERM=xterm " RUN "compare x.json x.json", 0, "").out;
    assert_contains(text, "h??31m ? (GPU)");
    for (const char *c = text; *c; c++)
        ASSERT_QUICK((unsigned char)*c < 0x80);
}

TEST(sources_and_names_are_harmless)
{
    static const struct style styles[] = {{.utf8 = true}, {.utf8 = false}};
    static const char *const pages[] = {"\xC3\xA9?31m??[2J???", "??31m??[2J???"};
    put("x.cu", "\xC3\xA9\x9B"
                "31m" C1 "\033[2J" TURN ISOLATE MARK "\r\n");
    for (int i = 0; i < 2; i++) {
        FILE *file = text_begin();
        put_source(file, &styles[i], &(struct source_file){.name = "x.cu", .path = "x.cu"}, 0, true,
                   &(struct source_notes){.worst = -1});
        char *page = text_end(file);
        assert_contains(page, pages[i]);
        assert_harmless(page);
    }
    char name[FUNCTION_NAME_SIZE];
    function_name("kernel" C1 TURN "\xFF", name);
    ck_assert_str_eq(name, "kernel " NO NO);
}

static char *csv_of(const char *cell)
{
    char *text;
    FILE *file = csv_begin();
    ck_assert_ptr_nonnull(file);
    csv_text(file, cell, '\n');
    ck_assert(csv_finish(file, "x.csv"));
    text = read_file("x.csv");
    return text;
}

TEST(cells_are_utf8_and_no_formulas)
{
    static const char *const cases[][2] = {{"=1+1", "'=1+1\n"},
                                           {"+1", "'+1\n"},
                                           {"-x, y", "\"'-x, y\"\n"},
                                           {"@SUM(A1)", "'@SUM(A1)\n"},
                                           {"\tx", "'\tx\n"},
                                           {"\rx", "\"'\rx\"\n"},
                                           {" =1+1", "' =1+1\n"},
                                           {" \xC2\xA0-1", "' \xC2\xA0-1\n"},
                                           {"\xEF\xBC\x9D"
                                            "1+1",
                                            "'\xEF\xBC\x9D"
                                            "1+1\n"},
                                           {" a=b", " a=b\n"},
                                           {" ", " \n"},
                                           {"", "\n"},
                                           {"say \"x\"", "\"say \"\"x\"\"\"\n"},
                                           {"\xC3\xA9" C1 "\xFF\x1B", "\xC3\xA9" NO NO NO "\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = csv_of(cases[i][0]);
        ck_assert_str_eq(text, cases[i][1]);
    }
}

// By whatever name standard output is given, nothing else is in it.
TEST(standard_output_by_another_name_is_json_alone, .times = 2)
{
    static const char *const ends[] = {"--json /dev/stdout",
                                       "--json alone.json >alone.json; cat alone.json"};
    type_json("touch alone.json; " RUN "2 -n 9 %s", ends[_i]);
}

// ---- Without /tmp --------------------------------------------------------------------------------

// A mount of this process's own, which others do not see.
#define WITHOUT_TMP                                                                                \
    "unshare -m sh -c 'mount --bind . /mnt && mount -t tmpfs -o ro none /tmp && cd /mnt && %s'"

static const char *without_mounts(void)
{
    return system("unshare -m sh -c 'mount --bind . /mnt && mount -t tmpfs -o ro none /tmp' "
                  "2>/dev/null") == 0
               ? NULL
               : "this user cannot mount anything";
}

SUITE(without_tmp, .seconds = 120, .why_not = without_mounts)

TEST(the_programs_need_no_tmp, .times = 2)
{
    static const char *const commands[] = {"build/sim/run sweep 3 n=32",
                                           "build/sim/run explain 3 -n 32"};
    ck_assert_str_eq(type_well(WITHOUT_TMP, commands[_i]).err, "");
}
