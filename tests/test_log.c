// compare, --baseline, --save and history as a user types them, without a GPU.
#define _GNU_SOURCE // unsetenv
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#define SANITIZED "ASAN_OPTIONS=protect_shadow_gap=0 build/check/run "

static void assert_typed(const char *command, int status, const char *out, const char *err)
{
    struct printed printed = type("%s", command);
    ck_assert_msg(printed.status == status, "%s: exit status %d\n%s", command, printed.status,
                  printed.err);
    assert_contains(printed.out, out);
    assert_contains(printed.err, err);
}

static void write_file(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

SUITE(log, .seconds = 120, .set_up = make_folder, .tear_down = remove_folder)

TEST(compare_by_names_and_files)
{
    assert_typed(SANITIZED "compare gtc2012 docs/runs/h200.json", EXIT_GOOD, "A: gtc2012", "");
    assert_typed(SANITIZED "compare h200 tests/recorded/after.json --counters", EXIT_GOOD,
                 "global_store_sectors", "");
    cJSON *json = type_json(SANITIZED "compare gtc2012 h200 --json -");
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "steps")), 9);
    // The references are found from anywhere.
    assert_typed("run=$PWD/build/sim/run; cd / && $run compare gtc2012 h200", EXIT_GOOD,
                 "NVIDIA H200", "");
    assert_typed("NO_COLOR=1 build/sim/run compare h200 h200 >/dev/full", EXIT_WRONG, "", "space");
}

TEST(mistakes_are_told)
{
    static const char *const mistakes[][2] = {
        {"compare", "compare takes two recorded runs, not 0"},
        {"compare h200", "compare takes two recorded runs, not 1"},
        {"compare h200 h200 h200", "not 3"},
        {"compare h200 gtc2021", "Did you mean 'gtc2012'?"},
        {"compare h200 nonsense", "References: gtc2012 h100"},
        {"compare h200 ''", "there is no recorded run ''"},
        {"compare h200 src", "src: it cannot be read: Is a directory"},
        {"compare h200 /dev/zero", "it is no regular file"},
        {"compare h200 README.md", "README.md: it is no JSON"},
        {"compare h200 build/sim/run", "build/sim/run: it is"},
        {"compare --frobnicate", "frobnicate"},
        {"comapre h200 gtc2012", "Did you mean `./run compare`?"},
        {"ocupancy", "Did you mean `./run occupancy`?"},
        {"histroy", "Did you mean `./run history`?"},
        {"history extra", "history takes no argument 'extra'"},
        {"3 --baseline gtc2021", "Did you mean 'gtc2012'?"},
        {"3 --baseline README.md", "it is no JSON"},
        {"3 --baseline h200 --json -", "use `./run compare --json -`"},
        {"3 --save ../up", "--save takes a name"},
        {"3 --save .hidden", "--save takes a name"},
        {"3 --save ''", "--save takes a name"},
        {"3 --save h200", "'h200' is the name of a reference"}};
    ASSERT_USAGE_ERRORS(SANITIZED, mistakes, "");
}

TEST(a_run_against_a_baseline)
{
    struct printed printed =
        type_well("build/sim/run --sim 3 4 5 -n 1024 --summary --baseline gtc2012");
    assert_contains(printed.out, "A, the baseline: gtc2012",
                    "4.5. latency hiding              not in this run",
                    "A is of a GPU, B of a simulated device");
    ck_assert_ptr_null(strstr(printed.out, "The sizes differ"));
}

// Three saved runs, the step's file as it was between two of them and edited before the third.
TEST(the_attendees_log)
{
    assert_typed("build/sim/run history", EXIT_GOOD, "No run was kept yet", "");
    assert_typed("build/sim/run 3 4 -n 64 --summary --save first", EXIT_GOOD, "", "");
    assert_typed("build/sim/run 3 4 -n 64 --summary --save first", EXIT_USAGE, "",
                 "there is a run of that name");
    assert_typed("build/sim/run 3 4 -n 64 --summary --save second --baseline first", EXIT_GOOD,
                 "A, the baseline: first", "");
    assert_typed("build/sim/run compare first second", EXIT_GOOD, "B: second", "");
    assert_typed("build/sim/run compare first secnod", EXIT_USAGE, "", "Did you mean 'second'?");
    // As if the file of step 4 had been another one, and the run were of a later day.
    struct printed printed =
        type_well("cd %s && awk '/file_hash/ && ++n == 2 {sub(/fnv1a64:..../, "
                  "\"fnv1a64:0bad\")} {sub(/\"time\":.*Z\"/, \"\\\"time\\\": "
                  "\\\"2099-01-01T00:00:00Z\\\"\")} 1' second.json > third.json",
                  folder);
    printed = type_well(SANITIZED "history --json -");
    cJSON *json = read_json(printed.out);
    static const char *const names[] = {"first", "second", "third"};
    static const char *const changes[][2] = {
        {"first", "first"}, {"same", "same"}, {"same", "changed"}};
    for (int i = 0; i < 3; i++) {
        const cJSON *run = json_member(json, "runs/%d", i);
        ck_assert_str_eq(json_string(run, "name"), names[i]);
        for (int s = 0; s < 2; s++) {
            const cJSON *file = json_member(run, "files/%d", s);
            ck_assert_str_eq(json_string(file, "since_before"), changes[i][s]);
        }
    }
    assert_typed(SANITIZED "history", EXIT_GOOD, "2099-01-01 00:00 third", "");
}

// In a copy of the kit: its own results/, a step's file that is edited, and one that `make` has not seen.
TEST(step_files_are_told_apart)
{
    unsetenv("APODKIT_RESULTS");
    char command[400];
    struct printed printed = type_well("mkdir -p %s/build/sim && cp -p build/sim/run %s/build/sim "
                                       "&& cp -rp steps %s && touch %s/build/sim/run",
                                       folder, folder, folder, folder);
    snprintf(command, sizeof command, "%s/build/sim/run 3 4 -n 64 --summary --save one", folder);
    assert_typed(command, EXIT_GOOD, "", "");
    snprintf(command, sizeof command,
             "printf a > %s/steps/step4_shared_tile.cu && touch -d '1 hour ago' "
             "%s/steps/step4_shared_tile.cu && %s/build/sim/run 3 4 -n 64 --summary --save two",
             folder, folder, folder);
    assert_typed(command, EXIT_GOOD, "", "");
    // The hash of "a" in the authors' table of test vectors.
    snprintf(command, sizeof command, "grep -c fnv1a64:af63dc4c8601ec8c %s/results/two.json",
             folder);
    assert_typed(command, 0, "1\n", "");
    snprintf(command, sizeof command,
             "touch -d '1 hour' %s/steps/step3_per_element.cu && "
             "%s/build/sim/run 3 4 -n 64 --summary --save z3",
             folder, folder);
    assert_typed(command, EXIT_GOOD, "",
                 "no hash of steps/step3_per_element.cu: it was changed after ./run was built");
    printed = type_well("cd / && %s/build/sim/run history", folder);
    static const char *const ends[][2] = {
        {" one ", " (first)\n"}, {" two ", "  4\n"}, {" z3 ", "  3?\n"}};
    for (int i = 0; i < 3; i++) {
        const char *line = strstr(printed.out, ends[i][0]);
        ck_assert_msg(line != NULL, "no%sin:\n%s", ends[i][0], printed.out);
        const char *end = strstr(line, ends[i][1]);
        ck_assert_msg(end == strchr(line, '\n') + 1 - strlen(ends[i][1]), "%s", printed.out);
    }
}

// All that changed has room, however many: here all files but that of step 3.
TEST(many_changes_are_told)
{
    assert_typed("build/sim/run all -n 64 --summary --save one", EXIT_GOOD, "", "");
    type_well("cd %s && awk '/file_hash/ && ++n != 3 {sub(/fnv1a64:..../, \"fnv1a64:0bad\")} 1' "
              "one.json > two.json",
              folder);
    assert_typed("build/sim/run history", EXIT_GOOD, "  1-2 4-8\n", "");
}

// Runs on simulated devices say which: in their head, in what is unlike, and in the log.
TEST(simulated_devices_are_told_apart)
{
    assert_typed("build/sim/run --sim 4 -n 64 --summary --save hopper", EXIT_GOOD, "", "");
    assert_typed("build/sim/run --sim=kepler 4 -n 64 --summary --save old --baseline hopper",
                 EXIT_GOOD, "The devices differ (Simulated device NVIDIA H200 in A", "");
    assert_typed("build/sim/run compare hopper old", EXIT_GOOD,
                 "Simulated device Kepler GK110 (GTC 2012), n = 64", "");
    assert_typed(SANITIZED "history", EXIT_GOOD, " sim H200 ", "");
    assert_typed(SANITIZED "history", EXIT_GOOD, " sim Kepler GK110 ", "");
    assert_typed("build/sim/run --sim=rtx4090 4 -n 64 --summary --save ada", EXIT_GOOD, "", "");
    assert_typed(SANITIZED "history", EXIT_GOOD, " sim GeForce RTX 4090", "");
}

// The headline figures, of a run that has times.
TEST(the_logs_headlines)
{
    char *text = read_file("docs/runs/h200.json");
    write_file("fast.json", text);
    write_file("broken.json", "{\"kit\":");
    write_file("not-a-run.txt", "");
    struct printed printed = type_to(EXIT_USAGE, SANITIZED "history"); // one cannot be read
    assert_contains(printed.err, "broken.json: it is no JSON, or it is cut off");
    assert_contains(printed.out, "fast            H200", "7. blocks in columns", "4045", "96.8%");
    ck_assert_ptr_null(strstr(printed.out, "broken"));
}

// Each is named with its reason, and nobody waits for who never writes.
TEST(runs_that_cannot_be_read)
{
    write_file("broken.json", "{\"kit\":");
    ck_assert_int_eq(type("mkfifo %s/fifo.json; ln -s /dev/tty %s/tty.json", folder, folder).status,
                     0);
    struct printed printed = type_to(EXIT_USAGE, "timeout 60 env " SANITIZED "history");
    ck_assert_str_eq(printed.out, "3 runs were kept, and none can be read (see above).\n");
    assert_contains(printed.err, "broken.json: it is no JSON, or it is cut off",
                    "fifo.json: it is no regular file", "tty.json: it ");
    printed = type_to(EXIT_USAGE, "timeout 60 env " SANITIZED "compare %s/fifo.json h200", folder);
    // What the shell has opened is no file either, and somebody writes there.
    printed = type_well("bash -c '" SANITIZED "compare <(cat docs/runs/h200.json) h200'");
    assert_contains(printed.out, "A: /dev/fd/");
    type_well("cat docs/runs/h200.json | " SANITIZED "compare /dev/stdin h200");
}

// Whatever the limit: what is JSON is not said to be none.
TEST(memory_that_runs_out_is_no_wrong_json)
{
    int ran_out = 0;
    type_well("awk 'BEGIN {printf \"[\"; for (i = 0; i < 300000; i++) printf \"1,\"; print "
              "\"1]\"}' >%s/long.json",
              folder);
    for (int mib = 8; mib <= 64; mib += 4) {
        struct printed printed =
            type("ulimit -v %d; build/sim/run compare %s/long.json h200", mib * 1024, folder);
        ck_assert_int_ne(printed.status, 0);
        ck_assert_ptr_null(strstr(printed.err, "no JSON"));
        ran_out += strstr(printed.err, "the host has no memory for it") != NULL;
    }
    ck_assert_int_gt(ran_out, 0);
}

TEST(a_folder_that_cannot_be_written)
{
    setenv("APODKIT_RESULTS", "/nonexistent/folder", 1);
    assert_typed("build/sim/run 3 -n 64 --save first", EXIT_USAGE, "", "/nonexistent/folder");
    assert_typed("build/sim/run history", EXIT_GOOD, "No run was kept yet", "");
    setenv("APODKIT_RESULTS", "README.md", 1);
    assert_typed("build/sim/run history", EXIT_USAGE, "", "README.md: Not a directory");
}
