// The exercises, mysteries and own kernels as attendees type them, each test in a copy of the kit.
#define _GNU_SOURCE // mkdtemp
#include "suites.h"
#include "support.h"

static char copy[] = "/tmp/apodkit-exercises-XXXXXX";

static void make_copy(void)
{
    ck_assert_ptr_nonnull(mkdtemp(copy));
    type_well("cp -a Makefile steps src cupti %s && mkdir %s/build && "
              "cp -a build/sim %s/build && { test ! -e build/gpu || cp -a build/gpu %s/build; }",
              copy, copy, copy, copy);
}

static void remove_copy(void)
{
    type("rm -rf %s", copy);
}

static struct printed in_copy(const char *command)
{
    return type("cd %s && export CUDA_VISIBLE_DEVICES= && %s", copy, command);
}

static void assert_typed(const char *command, int status, const char *part)
{
    struct printed printed = in_copy(command);
    const char *where = status == 0 ? printed.out : printed.err;
    ck_assert_msg(printed.status == status && strstr(where, part),
                  "%s: status %d, no '%s' in\n%s%s", command, printed.status, part, printed.out,
                  printed.err);
}

SUITE(typed_exercises, .seconds = 300, .set_up = make_copy, .tear_down = remove_copy)

TEST(trying_copies_once)
{
    assert_typed("make try4", 0, "my/step4.cu is yours");
    assert_typed("cmp my/step4.cu steps/exercises/step4.cu && echo same", 0, "same");
    assert_typed("echo '// mine' >>my/step4.cu && make try4", 0,
                 "my/step4.cu is there already: edit it, or type make reset4 to start again");
    assert_typed("tail -n 1 my/step4.cu", 0, "// mine");
    assert_typed("touch steps/exercises/step4.cu && make try4 && tail -n 1 my/step4.cu", 0,
                 "// mine");
    assert_typed("make try9", 2, "There is no try9: the exercises are try2 try3 try4");
    assert_typed("make my1", 2, "There is no my1: the exercises are my2 my3 my4");
    assert_typed("make hint77", 2, "There is no hint77: the exercises are hint2 hint3");
    assert_typed("make MINE=9", 2, "MINE=9: the exercises are 2 3 4");
    assert_typed("make help", 0, "make myN");
}

TEST(hints_grow)
{
    assert_typed("make hint4", 0, "More: make hint4 HINT=2");
    assert_typed("make hint4 HINT=2", 0, "__syncthreads()");
    assert_typed("make hint4 HINT=3", 0,
                 "That was the last hint. The kit's own solution is steps/step4_shared_tile.cu");
    assert_typed("make hint4 HINT=4", 2, "There is no hint '4': step 4 has HINT=1 to 3");
    assert_typed("make hint4 HINT=x", 2, "There is no hint 'x'");
    assert_typed("for n in steps/exercises/step*.cu; do n=${n##*step}; n=${n%.cu}; for h in 1 2 3; "
                 "do make -s hint$n HINT=$h || exit; done; done | grep -c '^[123]\\. '",
                 0, "15");
}

TEST(mine_takes_the_steps_place)
{
    assert_typed("make my4", 0, "my/step4.cu is yours"); // there was no make try4
    assert_typed("./run 3 4 -n 256", 0, "Not yet: ");
    assert_typed("./run 3 4 -n 256 --json run.json >/dev/null && grep '\"file\"' run.json", 0,
                 "\"my/step4.cu\"");
    assert_typed("./run 5", EXIT_USAGE, "This program has steps 1, 2, 3, 4.");
    assert_typed("./run 5", EXIT_USAGE, "`make my4 step5` builds it");
    assert_typed("touch -d '1 hour' my/step4.cu && ./run hotspots 4 -n 64", 0, "`make my4`.");
    assert_typed("./run trace 4 -n 64", 0, "`make my4`.");
    assert_typed("make my4 step5 && ./run 4 5 -n 64 --summary", 0, "4. my tile");
    assert_typed("touch -d '1 hour' my/step4.cu && ./run trace 4 -n 64", 0, "`make my4 step5`.");
    assert_typed("touch my/step4.cu && make my4", 0, "");
    // The kit's own kernel, by its own name.
    assert_typed("{ sed '/^STEP/,$d' steps/step4_*.cu; sed -n '/^EXERCISE/,$p' "
                 "steps/exercises/step4.cu; } >my/step4.cu && make my4 && ./run -n 256",
                 0, "Goal reached.");
    // The first thing that one reads: this is not what was typed.
    assert_typed("cp -p my/step4.cu kept && echo '#error unfinished' >>my/step4.cu && "
                 "! make my4 >/dev/null 2>&1 && ./run -n 64 | head -n 1; mv kept my/step4.cu",
                 0, "note: changed after this program was built: my/step4.cu.");
    assert_typed("./run sweep 4 n=64 TILE=8,16 --csv sweep.csv >/dev/null && cat sweep.csv", 0,
                 "my tile in shared memory");
    assert_typed("sed -i 's/^EXERCISE.*/STEP(4, OPTIMISE, \"t\", \"c\")/; /^  *{/d' my/step4.cu && "
                 "make my4 >/dev/null && ./run",
                 1, "a file in my/ ends with EXERCISE(...)");
    assert_typed("echo '#error unfinished' >>my/step4.cu && make my4", 2, "unfinished");
    assert_typed("make && ./run -n 64 --summary", 0, "4. tile in shared memory");
    struct printed printed = in_copy("./run 4 -n 64");
    ck_assert_ptr_null(strstr(printed.out, "Exercise"));
}

TEST(a_mystery_is_tried)
{
    assert_typed("make trymystery9", 2, "the mysteries trymystery1 trymystery2");
    assert_typed("make mystery9", 2, "the mysteries mystery1 mystery2");
    assert_typed("make mystery4 && ./run -n 256", 0, "What limits it?");
    assert_typed("touch -d '1 hour' steps/mysteries/mystery4.h && ./run -n 64", 0,
                 "`make mystery4`");
    assert_typed("make trymystery4", 0, "my/mystery4.cu is yours");
    assert_typed("make trymystery4", 0, "make resetmystery4 to start again");
    assert_typed("make resetmystery4", 0, "my/mystery4.cu is as it starts");
    assert_typed("tail -n 1 my/mystery4.cu", 0, "MY_SOLUTION(4, ");
    assert_typed("make mymystery4 && ./run -n 256", 0, "Goal reached.");
    assert_typed("sed -i 's/-quad/quad/g' my/mystery4.cu && make mymystery4 && ./run -n 256", 1,
                 "apodkit: my mystery 4 gave a wrong result: ");
    assert_typed("./run -n 256 2>/dev/null; true", 0, "docs/answers.md has the answer.");
    assert_typed("make resetmystery4", 0, "yours is kept in my/mystery4.cu.~1~");
    assert_typed("make mymystery4 && ./run -n 256", 0, "Goal reached.");
    assert_typed("make resetmystery9", 2, "the mysteries resetmystery1 resetmystery2");
    assert_typed("make list", 0, "  make mystery4 (begun: my/mystery4.cu)\n  make mystery5\n");
}

// One's own kernel, of a file that is anywhere below the kit's folder.
TEST(an_own_kernel_is_built_alone)
{
    assert_typed("mkdir -p my && sed 's/^MYSTERY.*/KERNEL(\"signs\", compute, useful_bytes, 0)/' "
                 "steps/mysteries/mystery4.cu >my/signs.cu && make own SOURCE=my/signs.cu && "
                 "./run -n 256",
                 0, "signs");
    assert_typed("./run -n 256", 0, "verified bit for bit");
    assert_typed("./run 5", EXIT_USAGE, "no step of the lesson, but your kernel; `make` builds");
    assert_typed("touch -d '1 hour' my/signs.cu && ./run -n 64", 0,
                 "`make own SOURCE=my/signs.cu`");
    assert_typed(
        "{ env --default-signal=INT ./run watch -n 64 --sim >log 2>&1 & } && for i in $(seq "
        "300); do grep -q '^Watching' log && break; sleep .1; done; kill -INT $!; cat log",
        0, "verified bit for bit");
    assert_typed("sed 's/, 0)$/, 2)/' my/signs.cu >my/any.cu && make own SOURCE=my/any.cu && "
                 "./run -n 64",
                 1, "its tolerance is no share");
    assert_typed("make own SOURCE=my/signs.cu && ./run -n 64", 0, "verified bit for bit");
#ifdef WITH_CUPTI // nvcc makes machine code of it wherever it lies
    assert_typed("mkdir -p mine && cp my/signs.cu mine && make own SOURCE=mine/signs.cu && "
                 "./run -n 64 --sim --summary",
                 0, "rests on counted machine instructions");
#endif
    assert_typed("make own", 2, "Which kernel? make own SOURCE=my/kernel.cu");
    assert_typed("make own SOURCE=my/no.cu", 2, "There is no my/no.cu");
    assert_typed("make own SOURCE=/etc/passwd", 2, "copy it to my/");
    assert_typed("cp my/signs.cu 'my/two words.cu'; make own SOURCE='my/two words.cu'", 2,
                 "SOURCE=my/two words.cu has a blank in its path");
    assert_typed("sed '/^KERNEL/d' my/signs.cu >my/none.cu; make own SOURCE=my/none.cu", 2,
                 "my/none.cu has no line KERNEL(...)");
    assert_typed("make list", 0, "  make own SOURCE=my/signs.cu\n");
    assert_typed("sed -i 's/-quad/quad/g' my/signs.cu && make own SOURCE=my/signs.cu && "
                 "./run -n 256",
                 1, "your kernel gave a wrong result: ");
}

TEST(what_can_be_made_is_listed)
{
    assert_typed("make list", 0, "  make step4   tile in shared memory\n");
    assert_typed("make list", 0, "  make try4   my tile in shared memory\n");
    assert_typed("make -s try4 >/dev/null; make list", 0,
                 "my tile in shared memory (begun: my/step4.cu)\n");
}

TEST(a_reset_keeps_what_was_there)
{
    assert_typed("make reset4", 0, "my/step4.cu is as it starts"); // there was no make try4
    assert_typed("echo '// mine' >>my/step4.cu && make reset4", 0,
                 "my/step4.cu starts again; yours is kept in my/step4.cu.~1~");
    assert_typed("cmp my/step4.cu steps/exercises/step4.cu && tail -n 1 my/step4.cu.~1~", 0,
                 "// mine");
    assert_typed("echo '// other' >>my/step4.cu && make reset4", 0, "kept in my/step4.cu.~2~");
    assert_typed("tail -qn 1 my/step4.cu.~1~ my/step4.cu.~2~", 0, "// mine\n// other\n");
    assert_typed("make reset9", 2, "There is no reset9: the exercises are reset2 reset3");
}

// Saved twice, once with a mistake; Ctrl-C ends it.
TEST(a_watch_runs_what_is_saved)
{
    struct printed printed = in_copy(
        "make -s my2 >/dev/null && cp my/step2.cu good && { env --default-signal=INT ./run watch 2 "
        "-n 64 --sim >log 2>&1 & } && seen() { for i in $(seq 300); do test $(grep -c '^Watching' "
        "log) -eq $1 && return; sleep .1; done; cat log; return 1; } && seen 1 && echo '#error "
        "unfinished' >>my/step2.cu && seen 2 && grep -q unfinished log && cp good my/step2.cu && "
        "seen 3; kill -INT $!; wait $!; echo ended $?; cat log");
    assert_contains(printed.out, "ended 130\n", "\nmy/step2.cu was saved.\n",
                    "save one that compiles, or end this with Ctrl-C.\n");
    const char *again = strstr(printed.out, "was saved.\n");
    ck_assert_ptr_nonnull(strstr(again, "\nExercise 2: my/step2.cu"));
}

// With the variables that make was given on its command line, which no later make inherits.
TEST(a_watch_builds_what_was_built)
{
    assert_typed("make -s TILE=16 ROWS=4 'ARCH=75 80' step4 >/dev/null && { env "
                 "--default-signal=INT ./run watch -n 64 --sim >log "
                 "2>&1 & } && for i in $(seq 300); do grep -q '^Watching' log && break; sleep .1; "
                 "done; kill -INT $!; cat log; ./run 4 -n 64 --sim",
                 0, "[16,16,1]");
    assert_typed("! grep -q '32,32,1' log && ./run 4 -n 64 --sim", 0, "[16,16,1]");
}
