// The Makefile as attendees use it, in a copy of the sources.
#define _GNU_SOURCE // mkdtemp
#include "suites.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char copy[] = "/tmp/apodkit-build-XXXXXX";

#ifdef WITH_CUPTI
#define COMPILER "NVCC"
#define SIMULATED "build/sim/nvcc"
#else
#define COMPILER "CLANG"
#define SIMULATED "build/sim/clang"
#endif

static void make_copy(void)
{
    ck_assert_ptr_nonnull(mkdtemp(copy));
    // With what is built already, so that only what a test changes is built again.
    type_well("cp -a --parents Makefile steps src cupti build/gpu " SIMULATED " " SIMULATED
              "-32x8/steps " SIMULATED "-32x8/kernels.flags build/sim/link.flags build/sim/run "
              "build/sim/run.sources run %s && "
              "make -s -C %s build/run.given", // of the variables that the tests give
              copy, copy);
}

static void remove_copy(void)
{
    type("rm -rf %s", copy);
}

// Types `make ARGUMENTS` in the copy.
static struct printed make(const char *arguments)
{
    return type("cd %s && make %s", copy, arguments);
}

static void assert_made(const char *arguments)
{
    struct printed printed = make(arguments);
    ck_assert_msg(printed.status == 0, "make %s:\n%s%s", arguments, printed.out, printed.err);
}

static void assert_steps(const char *list)
{
    assert_contains(type_to(2, "%s/run 99", copy).err, list);
}

SUITE(build, .seconds = 300, .set_up = make_copy, .tear_down = remove_copy)

TEST(a_broken_later_step_hinders_nobody)
{
    struct printed printed = type("echo 'this is not CUDA' > %s/steps/step4_shared_tile.cu", copy);
    assert_made("step3");
    assert_steps("This program has steps 1, 2, 3.");
    printed = make("");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "step4_shared_tile.cu");

    assert_made("step2");
    assert_steps("This program has steps 1, 2.");
}

// As a full disk leaves them, or a compiler for another machine.
TEST(a_damaged_object_file_is_named)
{
    static const struct {
        const char *command, *message;
    } ways[] = {{": >", "step4_shared_tile.o is empty: type `make clean && make`"},
                {"echo hello >", "could not be linked. If an object file above"}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct printed printed =
            type("cd %s && %s " SIMULATED "-32x8/steps/step4_shared_tile.o", copy, ways[i].command);
        printed = make("run");
        ck_assert_int_ne(printed.status, 0);
        assert_contains(printed.err, ways[i].message, SIMULATED "-32x8/steps/step4_shared_tile.o");
    }
    type("rm %s/" SIMULATED "-32x8/steps/step4_shared_tile.o", copy);
    assert_made("run");
}

TEST(a_dropped_in_step_is_found)
{
    struct printed printed =
        type("cd %s/steps && sed 's/STEP(1,/STEP(12,/; s/transpose_serial/mine/' step1_serial.cu > "
             "step12_mine.cu && rm step[3-8]*",
             copy);
    assert_made("");
    assert_steps("This program has steps 1, 2, 12.");
    printed = make("help");
    assert_contains(printed.out, "step1 step2 step12");
    assert_made("step12");
    printed = make("step3");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "There is no step3");
}

TEST(geometry_is_checked_by_the_compiler)
{
    struct printed printed = make("TILE=24 ROWS=7 " SIMULATED "-24x7/steps/step5_padded_tile.o");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "ROWS must divide TILE");
    printed = make("TILE=64 ROWS=8 " SIMULATED "-64x8/steps/step4_shared_tile.o");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "TILE must be 1..32");
    assert_contains(type_to(2, "make TILE=abc").err, "TILE=abc is no whole number");
    assert_contains(type_to(2, "make BLOCKS='2 3'").err, "BLOCKS=2 3 is no whole number");
    assert_made("TILE=16 ROWS=8 " SIMULATED "-16x8/steps/step5_padded_tile.o");
}

// ---- What is built again -------------------------------------------------------------------------

// What is done in the copy, what make is told, and parts of what `make -n` prints then: of what is to be made
// again, and of what is not.
static const struct change {
    const char *command, *arguments, *made[4], *not_made;
} changes[] = {
    {"touch steps/step4_shared_tile.cu",
     "",
     {"'" COMPILER "' 'steps/step4", "'LINK' 'build/sim/run'"},
     "'" COMPILER "' 'steps/step3"},
    {"touch steps/tile.h", "", {"steps/step4", "steps/step5"}, "'" COMPILER "' 'steps/step1"},
    {"touch steps/step.h",
     "",
     {"steps/step1", "'CC' 'src/facts/steps.c'"},
     "'CC' 'src/facts/format.c'"},
    {"touch src/facts/format.h", "", {"'CC' 'src/facts/format.c'"}, "steps/step1_serial.cu'"},
    {"touch src/sim/exec/warp.h",
     "",
     {"'CC' 'src/sim/exec/warp.c'", "libsim.a'"},
     "'CC' 'src/facts/format.c'"},
    {"rm src/sim/ptx/pool.c", "", {"'AR' '" SIMULATED "/libsim.a'"}, "'CC'"},
    {":", "TILE=16", {"'" COMPILER "' 'steps/step4"}, "'CC'"},
    {":",
     "CFLAGS=-O1",
     {"'CC' 'src/facts/format.c'", "'CC' 'src/sim/exec/warp.c'", "'LINK' 'build/sim/run'"},
     "'" COMPILER "' 'steps"},
    {":",
     "CC=cc",
     {"'CC' 'src/facts/format.c'", "'CC' 'src/sim/exec/warp.c'", "'LINK' 'build/sim/run'"},
     "?"},
    {":", "LDFLAGS=-Wl,-z,now", {"'LINK' 'build/sim/run'"}, "'CC'"},
    // A script that stands for the compiler, as CUDA's may.
    {"compiler=$(make -s --eval 'where: ; @echo $(" COMPILER ")' where 2>/dev/null | tail -n 1) && "
     "{ echo '#!/bin/sh'; echo \"exec $compiler \\\"\\$@\\\"\"; } >kernels && chmod +x kernels",
     COMPILER "=$PWD/kernels",
     {"'" COMPILER "' 'steps/step1"},
     "'CC' 'src/facts/format.c'"},
    {":", "LAST=3", {"'LINK' 'build/sim/run'"}, "'CC'"},
    // What a compiler that was killed has left.
    {"echo 'build/gpu/src/facts/run.o: gone.h' >build/gpu/src/facts/run.o.1.new.d",
     "",
     {NULL},
     "'CC'"},
#ifdef WITH_CUPTI
    {":", "ARCH=80", {"'NVCC' 'steps/step1_serial.cu';mkdir -p build/gpu"}, "'CC'"},
    {":", "CUPTI=", {"'CC' 'cupti/instruments_missing.c'"}, "'" COMPILER "' 'steps"},
#else
    {"touch src/sim/cuda/include/cuda_runtime.h",
     "",
     {"'CLANG' 'steps/step1"},
     "'CC' 'src/facts/format.c'"},
#endif
};

TEST(what_changed_is_built_again, .times = sizeof changes / sizeof *changes)
{
    const struct change *change = &changes[_i];
    struct printed printed = type("cd %s && make -q", copy);
    ck_assert_msg(printed.status == 0, "to be made before: %s%s", printed.out, printed.err);
    printed = type_well("cd %s && %s && make -n %s", copy, change->command, change->arguments);
    for (int i = 0; i < 4 && change->made[i]; i++)
        ck_assert_msg(strstr(printed.out, change->made[i]), "%s %s: not made: %s", change->command,
                      change->arguments, change->made[i]);
    ck_assert_msg(!strstr(printed.out, change->not_made), "%s %s: made: %s", change->command,
                  change->arguments, change->not_made);
}

// Make's wildcards come in the order of the locale, and not all order an underscore alike.
TEST(another_locale_builds_nothing_again,
     .skipped = access("/usr/share/i18n/locales/en_US", R_OK) == 0 ? NULL : "no locale can be made")
{
    type_well("cd %s && localedef -c -i en_US -f UTF-8 ./en_US.UTF-8 && "
              "LOCPATH=$PWD LC_ALL=en_US.UTF-8 make -q",
              copy);
}

// A compiler of its own, which says a version and does what `instead` says before it compiles.
static void make_compiler(const char *version, const char *instead)
{
    type_well("cd %s && { echo '#!/bin/sh'; echo 'case $1 in --version) echo %s; exit;; "
              "esac'; echo '%s'; echo 'exec cc \"$@\"'; } >compiler && chmod +x compiler",
              copy, version, instead);
}

TEST(an_upgraded_compiler_builds_again)
{
    static const char object[] =
        "CC=./compiler build/gpu/src/facts/format.o " SIMULATED "/src/sim/ptx/pool.o";
    make_compiler("1.0", ":");
    assert_made(object);
    struct printed printed = type_well("cd %s && make -q %s", copy, object);
    make_compiler("1.1", ":");
    printed = make(object);
    assert_contains(printed.out, "CC    src/facts/format.c", "CC    src/sim/ptx/pool.c");
}

// Killed in the middle of a compilation, make leaves nothing that it takes for whole the next time.
TEST(a_killed_make_leaves_no_bad_object)
{
    static const char object[] = "build/gpu/src/facts/format.o";
    make_compiler("1.0", "for word; do [ \"$last\" != -o ] || echo half >$word; last=$word; done; "
                         "kill -9 $(cat make.pid); exit 1");
    struct printed printed = type_well("cd %s && rm %s && { sh -c 'echo $$ >make.pid; exec make "
                                       "CC=./compiler %s'; test $? = 137; }",
                                       copy, object, object);
    printed = type("cd %s && ls %s", copy, object);
    ck_assert_int_ne(printed.status, 0);
    make_compiler("1.0", ":");
    printed = type_well("cd %s && make CC=./compiler %s >/dev/null && nm %s", copy, object, object);
    assert_contains(printed.out, " T ");
}

// Two at once make the same object: the first is the last to give it its name.
TEST(a_make_beside_another_does_it_no_harm)
{
    static const char object[] = "build/gpu/src/facts/format.o";
    make_compiler("1.0", "if mkdir first 2>/dev/null; then cc \"$@\"; touch compiled; "
                         "until test -e made; do sleep 0.05; done; exit; fi");
    struct printed printed = type_well(
        "cd %s && rm %s && { make CC=./compiler %s & } && until test -e compiled; do sleep 0.05; "
        "done && make CC=./compiler %s && touch made && wait $! && nm %s",
        copy, object, object, object, object);
    assert_contains(printed.out, " T ");
}

TEST(a_damaged_dependency_file_does_not_stop_what_mends_it)
{
    type_well("cd %s && echo damaged >build/gpu/src/facts/format.d && ! make 2>/dev/null && "
              "make clean && test ! -e build",
              copy);
}

TEST(a_removed_source_leaves_the_library)
{
    struct printed printed = type("cd %s && echo 'int left_over;' >src/sim/ptx/left_over.c", copy);
    assert_made(SIMULATED "/libsim.a");
    assert_contains(type("cd %s && ar t " SIMULATED "/libsim.a", copy).out, "left_over.o");
    printed = type("cd %s && rm src/sim/ptx/left_over.c", copy);
    assert_made(SIMULATED "/libsim.a");
    printed = type("cd %s && ar t " SIMULATED "/libsim.a", copy);
    ck_assert_ptr_null(strstr(printed.out, "left_over.o"));
}

TEST(a_mistyped_toolkit_is_an_error)
{
    struct printed printed =
        type_to(2, "cd %s && GNUMAKEFLAGS= make CUDA_HOME=/nonexistent/cuda SETUP=no", copy);
    assert_contains(printed.err, "CUDA_HOME=/nonexistent/cuda is no CUDA toolkit");
    printed = make("NVCC=/nonexistent/nvcc");
    ck_assert_int_eq(printed.status, 2);
    assert_contains(printed.err, "There is no /nonexistent/nvcc");
}

TEST(samples_that_are_not_there_are_an_error)
{
    struct printed printed = make("SAMPLES=/nonexistent");
    ck_assert_int_eq(printed.status, 2);
    assert_contains(printed.err, "SAMPLES=/nonexistent has no Samples/*/transpose/transpose.cu");
}

// ---- A step for newer GPUs -----------------------------------------------------------------------

#ifdef WITH_CUPTI
#define NEWER "asm volatile(\"cp.async.wait_all;\");"
#define WHY "cp.async.wait_all"
#else
#define NEWER "\n#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 800\n#error needs 8.0\n#endif\n"
#define WHY "needs 8.0"
#endif

TEST(a_step_for_newer_gpus_is_built_for_those)
{
    struct printed printed = type_well(
        "cd %s && awk '/^STEP/ { sub(\"3\", \"9\") } { gsub(\"per_element\", \"newer\"); print } "
        "/^{/ && !done { printf \"%%s\", newer; done = 1 }' newer='%s' steps/step3_per_element.cu "
        ">steps/step9_newer.cu",
        copy, NEWER);
    printed = make("");
    ck_assert_msg(printed.status == 0, "%s%s", printed.out, printed.err);
    assert_contains(printed.out, "steps/step9_newer.cu: not for compute capability 7.5: ", WHY,
                    "; built for 8.0, ");
    assert_contains(type_well("cd %s && ./run --sim 3 9 -n 64 --summary", copy).out,
                    "2 of 2 steps verified");
    // A mistake is one for all, and told once.
    printed = type_to(2, "cd %s && echo 'int a = mistaken;' >>steps/step9_newer.cu && make", copy);
    const char *told = strstr(printed.err, "mistaken\"");
    told = told ? told : strstr(printed.err, "'mistaken'");
    ck_assert_msg(told, "%s", printed.err);
    ck_assert_ptr_null(strstr(told + 1, "mistaken\""));
    ck_assert_ptr_null(strstr(told + 1, "'mistaken'"));
}

// ---- A program that is older than its sources ----------------------------------------------------

static void assert_run(const char *command, int status, const char *said, const char *not_said)
{
    struct printed printed = type("cd %s && { %s; }", copy, command);
    ck_assert_msg(printed.status == status, "%s: status %d\n%s", command, printed.status,
                  printed.err);
    if (said)
        ck_assert_msg(strncmp(printed.out, said, strlen(said)) == 0, "%s:\n%s", command,
                      printed.out);
    if (not_said) {
        ck_assert_ptr_null(strstr(printed.out, not_said));
        ck_assert_ptr_null(strstr(printed.err, not_said));
    }
}

TEST(a_program_older_than_its_sources_says_so)
{
    static const char note[] = "note: changed after this program was built: ";
    assert_run("./run --sim 4 -n 33", 0, "Simulated device", note);
    assert_run("echo '#error planted' >>steps/step4_shared_tile.cu && ! make >/dev/null 2>&1 && "
               "./run --sim 4 -n 33",
               0, "note: changed after this program was built: steps/step4_shared_tile.cu.\n",
               NULL);
    assert_run("./run sweep --sim 4 n=33", 0, note, NULL);
    assert_run("./run hotspots --sim 4 -n 33", 0, note, NULL);
    assert_run("./run --version", 0, NULL, note);
    struct printed printed = type("cd %s && ./run --sim 4 -n 33 --json -", copy);
    ck_assert_int_eq(printed.out[0], '{');
    ck_assert_int_eq(strncmp(printed.err, note, strlen(note)), 0);
    assert_run("touch src/*/*.h && ./run --sim 4 -n 33 | grep -o 'and [0-9]* more' | tr -d 0-9", 0,
               "and  more", NULL);
    assert_run("rm -r steps src cupti && ./run --sim 4 -n 33", 0, "Simulated device", note);
}

TEST(after_a_make_that_did_not_finish_the_old_program_says_so)
{
    assert_run("make try4 && echo '#error planted' >>my/step4.cu && ! make my4 >/dev/null 2>&1 && "
               "./run --sim 4 -n 33 | head -n 1",
               0, NULL, "Simulated");
    assert_run("./run --sim 4 -n 33", 0,
               "note: a later make was to build another program, and did not finish.\n", NULL);
    assert_run("make && ./run --sim 4 -n 33 | head -n 1", 0, NULL, "note: a later");
}

// A program that `make` replaces goes on with what it began as.
TEST(a_replaced_program_goes_on)
{
    assert_run(
        "build/sim/run sweep --sim 3 4 n=64:512:+64 --csv sweep.csv >/dev/null & other=$!; sleep "
        "0.3; cp build/sim/run new && mv new build/sim/run; wait $other && wc -l <sweep.csv",
        0, "17\n", NULL);
    assert_run("cat sweep.csv", 0, NULL, "false");
}

// One error, with the packages' names, and what to do without root.
TEST(without_the_json_library_make_says_what_to_install)
{
    struct printed printed = make("CJSON= step1");
    ck_assert_int_eq(printed.status, 2);
    assert_contains(printed.err, "apt install libcjson-dev", "dnf install cjson-devel",
                    "pacman -S cjson", "Without root: ", "PKG_CONFIG_PATH");
}

#ifdef WITH_CUPTI
TEST(without_cupti_the_rest_works)
{
    struct printed printed = make("CUPTI= step1");
    ck_assert_int_eq(printed.status, 0);
    assert_contains(printed.out, "building without counters");
    assert_contains(type_to(2, "%s/run metrics --chip GH100", copy).err,
                    "this program was built without CUPTI");
    assert_contains(type_well("%s/run metrics", copy).out, "gld_efficiency");
}

TEST(without_a_toolkit_clang_will_do,
     .skipped = system("command -v clang >/dev/null") == 0 ? NULL : "there is no clang")
{
    struct printed printed = make("NVCC= step3");
    ck_assert_msg(printed.status == 0, "%s", printed.err);
    assert_contains(printed.err, "for the simulated device alone");
    assert_contains(type_well("%s/run 3 -n 100 --summary", copy).out, "Simulated device",
                    "1 of 1 step verified");
}

#else
static const char no_cupti[] = "this machine has no CUDA toolkit with CUPTI";
NO_TEST(without_cupti_the_rest_works, no_cupti)
NO_TEST(without_a_toolkit_clang_will_do, no_cupti)
#endif

TEST(with_neither_toolkit_nor_clang_there_is_advice)
{
    struct printed printed = make("NVCC= CLANG=/nonexistent/clang step1");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "CUDA_HOME");
}
