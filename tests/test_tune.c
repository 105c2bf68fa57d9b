// ./run tune: who is judged to be the fastest, what the model leaves out, what is kept for a device, and what a user
// types.
#include "facts/tuning_verdicts.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RIVALS = 20, STRIDE = MOST_RIVALS + 1 };

static struct tuning tuning;
static float ms[MOST_ROUNDS * STRIDE];

// Rounds of launches that take so many milliseconds each, by chance up to a share of it more or less, and the whole
// round up to 5 % longer. Judged every 10 rounds, as on a GPU; who is beaten is launched no more.
static void race(const double *true_ms, int rivals, double noise, int most)
{
    struct rounds rounds = {.ms = ms, .stride = STRIDE};
    tuning = (struct tuning){.count = rivals};
    for (int i = 0; i < rivals; i++)
        tuning.candidates[i].state = CANDIDATE_RIGHT;
    for (int round = 0; round < most; round++) {
        double all = 1 + 0.05 * rand() / RAND_MAX;
        for (int i = 0; i < STRIDE; i++)
            ms[round * STRIDE + i] = (float)((i < rivals ? true_ms[i] : 1) * all *
                                             (1 + noise * (2.0 * rand() / RAND_MAX - 1)));
        for (int i = 0; i < rivals; i++)
            rounds.of[i] += tuning.candidates[i].state != CANDIDATE_BEATEN;
        if ((round + 1) % 10 == 0)
            tuning_judge(&tuning, &rounds);
    }
}

SUITE(tune, .seconds = 30)

TEST(the_fastest_beats_who_is_slower_by_more_than_the_noise)
{
    srand(1);
    race((double[]){1.02, 1.0, 1.3}, 3, 0.002, 60);
    ck_assert_int_eq(tuning_fastest(&tuning), 1);
    ck_assert_int_eq(tuning.candidates[0].state, CANDIDATE_BEATEN);
    ck_assert_int_eq(tuning.candidates[1].state, CANDIDATE_FASTEST);
    ck_assert_double_eq_tol(tuning.candidates[0].behind.median_ms, 1.02, 0.003);
    ck_assert_double_eq_tol(tuning.candidates[2].behind.median_ms, 1.3, 0.004);
    ck_assert_double_eq_tol(tuning.candidates[1].share, 100, 0.3);
}

// Half a percent is told from nothing where launches lie within one percent to either side.
TEST(who_is_slower_by_half_of_the_noise_is_beaten_in_the_end)
{
    srand(3);
    for (int i = 0; i < 20; i++) {
        race((double[]){1.005, 1, 1.005}, 3, 0.01, MOST_ROUNDS);
        ck_assert_int_eq(tuning_count(&tuning, CANDIDATE_BEATEN), 2);
        ck_assert_int_eq(tuning_fastest(&tuning), 1);
    }
}

// Of candidates that are equal none is dropped, in 95 % of tunings at least, though they are looked at 20 times.
TEST(equal_candidates_stay_level, .times = 3)
{
    const int rivals[] = {2, 5, MOST_RIVALS}, trials = 200;
    double same[MOST_RIVALS];
    int dropped = 0;
    srand(2);
    for (int i = 0; i < MOST_RIVALS; i++)
        same[i] = 1;
    for (int i = 0; i < trials; i++) {
        race(same, rivals[_i], 0.01, MOST_ROUNDS);
        ck_assert_int_eq(tuning_count(&tuning, CANDIDATE_FASTEST), 1);
        dropped += tuning_count(&tuning, CANDIDATE_BEATEN) > 0;
    }
    ck_assert_int_lt(100 * dropped, 5 * trials);
}

TEST(the_model_leaves_out_who_is_far_behind)
{
    tuning = (struct tuning){.count = 4};
    const double predicted[] = {1.0, 1.49, 1.51, 0};
    for (int i = 0; i < 4; i++)
        tuning.candidates[i].predicted_ms = predicted[i];
    tuning.candidates[3].state = CANDIDATE_LACKING;
    tuning_prune(&tuning);
    ck_assert_int_eq(tuning.candidates[1].state, CANDIDATE_PENDING);
    ck_assert_int_eq(tuning.candidates[2].state, CANDIDATE_SLOW);
    ck_assert_int_eq(tuning_count(&tuning, CANDIDATE_SLOW), 1);
}

// Candidates of a step in a kit of their own: what is found is kept there, beside what is found of other steps.
static const char kit[] = "build/check/tuned";

static void make_kit_of(int step, const char *file, const char *candidates)
{
    (void)type_well(
        "rm -rf %s && mkdir -p %s/tests %s/build/sim-tune%d && cp tests/device_name.sh %s/tests && "
        "make -s TUNE=steps/%s CANDIDATES='%s' S=build/sim-tune%d-test "
        "build/sim-tune%d-test/run && cp build/sim-tune%d-test/run %s/build/sim-tune%d/",
        kit, kit, kit, step, kit, file, candidates, step, step, step, kit, step);
}

static void make_kit(const char *candidates)
{
    make_kit_of(5, "step5_padded_tile.cu", candidates);
}

TEST(the_fastest_is_kept_for_the_device)
{
    make_kit("TILE-8.ROWS-8 TILE-32.ROWS-8");
    (void)type_well(
        "mkdir %s/tuned && printf '# x\\n# step 8: old\\nTUNED_8 := BAND=2\\n# step 5: old\\n"
        "TUNED_5 := TILE=4\\n' >%s/tuned/sim-h200",
        kit, kit);
    struct printed printed = type_well("%s/build/sim-tune5/run tune 5 -n 256", kit);
    assert_page(printed.out, style_pipe, NULL);
    assert_contains(printed.out, "Tuning step 5 padded_tile: Simulated device NVIDIA H200, n = 256",
                    "Launch box, compute capability 9.0: step 5, TILE=32 ROWS=8.");
    ck_assert_str_eq(
        type_well("sed '/^# step 5/d' %s/tuned/sim-h200", kit).out,
        "# Simulated device NVIDIA H200, compute capability 9.0: found by ./run tune, for make "
        "TUNED=1\n# step 8: old\nTUNED_8 := BAND=2\nTUNED_5 := TILE=32 ROWS=8\n");
    printed = type_well("%s/build/sim-tune5/run tune", kit);
    assert_contains(printed.out,
                    "NVIDIA H200, compute capability 9.0 (sim-h200)\n  step 8: old\n    BAND=2\n");
}

// Each order, each limit and each way to read a tile, at sizes that tiles do not fill, and of one tile.
TEST(the_candidates_of_step_8_are_right)
{
    make_kit_of(8, "step8_any_size.cu",
                "BAND-1.BLOCKS-0.ROWWISE-0.WARPS-8 BAND-2.BLOCKS-3.ROWWISE-1.WARPS-8 "
                "BAND-0.BLOCKS-4.ROWWISE-1.WARPS-16 BAND-1.BLOCKS-3.ROWWISE-1.WARPS-32 "
                "BAND-2.BLOCKS-0.ROWWISE-1.WARPS-2 BAND-0.BLOCKS-3.ROWWISE-0.WARPS-8");
    cJSON *json = type_json("%s/build/sim-tune8/run tune 8 n=4,60,64,65,196,260 --json -", kit);
    const cJSON *size = NULL, *candidate = NULL;
    int right = 0;
    cJSON_ArrayForEach(size, json_member(json, "sizes"))
        cJSON_ArrayForEach(candidate, json_member(size, "candidates")) right +=
        json_number(candidate, "time_ms/median") > 0;
    ck_assert_int_eq(right, 6 * 6);
}

TEST(the_json_has_every_candidate)
{
    make_kit("TILE-8.ROWS-8 TILE-32.ROWS-8");
    cJSON *json = type_json("%s/build/sim-tune5/run tune 5 -n 256 --json -", kit);
    const cJSON *size = json_member(json, "sizes/0");
    ck_assert_str_eq(json_string(json, "device/kind"), "simulated");
    ck_assert_str_eq(json_string(json, "name"), "padded_tile");
    ck_assert_double_eq(json_number(size, "rounds"), 0);
    ck_assert_double_eq(json_number(size, "n"), 256);
    ck_assert_str_eq(json_string(json, "chosen/TILE"), "32");
    ck_assert_int_eq(cJSON_GetArraySize(json_member(size, "candidates")), 2);
    ck_assert_double_eq(json_number(json, "step"), 5);
    ck_assert_str_eq(json_string(size, "candidates/0/state"), "beaten");
    ck_assert_str_eq(json_string(size, "candidates/1/state"), "fastest");
    ck_assert_double_gt(json_number(size, "candidates/0/over_fastest/median"), 1.05);
}

// What takes 1.0 at one size and 1.3 at the other loses to what takes 1.1 and 1.1.
TEST(of_several_sizes_the_nearest_to_the_fastest_of_each_is_chosen)
{
    static struct tuning at[2];
    const struct tunings tunings = {2, at};
    const double behind[2][3] = {{1.0, 1.1, 0}, {1.3, 1.1, 1.0}};
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            at[i].count = 3;
            at[i].candidates[k].timing.launches = behind[i][k] > 0;
            at[i].candidates[k].behind.median_ms = behind[i][k];
            at[i].candidates[k].state = behind[i][k] == 1  ? CANDIDATE_FASTEST
                                        : behind[i][k] > 0 ? CANDIDATE_BEATEN
                                                           : CANDIDATE_WRONG;
        }
    ck_assert_int_eq(tunings_choice(&tunings), 1);
    ck_assert_double_eq_tol(tunings_behind(&tunings, 0), sqrt(1.3), 1e-9);
    ck_assert_double_eq(tunings_behind(&tunings, 2), 0);
    at[1].candidates[0].state = CANDIDATE_LEVEL; // what is level everywhere is kept
    ck_assert_int_eq(tunings_choice(&tunings), 0);
}

TEST(several_sizes_have_one_launch_box)
{
    make_kit("TILE-8.ROWS-8 TILE-32.ROWS-8");
    struct printed printed = type_well("%s/build/sim-tune5/run tune 5 n=128,1024", kit);
    assert_contains(printed.out, "NVIDIA H200, n = 128\n", "NVIDIA H200, n = 1024\n");
    assert_page(printed.out, style_pipe, NULL);
    assert_contains(printed.out, "\nOver all sizes it takes 1.0");
    printed = type_well("cat %s/tuned/sim-h200", kit);
    assert_contains(printed.out, "# step 5: n = 128 1024, modelled; TILE=8 ROWS=8 takes ",
                    "\nTUNED_5 := TILE=32 ROWS=8\n");
}

// A candidate's file includes the step's through its own folder: without that folder, make must not take the step's file
// for one of the candidates'.
TEST(make_does_not_write_over_the_step)
{
    const char *candidates = "TILE-8.ROWS-8 TILE-32.ROWS-8";
    make_kit(candidates);
    struct printed printed = type_well(
        "rm -rf build/candidates/step5_padded_tile && make -n TUNE=steps/step5_padded_tile.cu "
        "CANDIDATES='%s' S=build/sim-tune5-test build/sim-tune5-test/run",
        candidates);
    assert_contains(printed.out, "mkdir -p build/candidates/step5_padded_tile &&");
    ck_assert_ptr_null(strstr(printed.out, "mkdir -p build/candidates/step5_padded_tile/.."));
}

// Where no terminal shows that something goes on.
TEST(a_line_says_that_candidates_are_built)
{
    struct printed printed = type_to(1, "PATH=/nonexistent build/sim/run tune 8 --sim -n 64");
    assert_contains(printed.err,
                    "apodkit: building 27 candidates, where they are not built yet\napodkit: make "
                    "cannot be started");
}

// A lab's points are the candidates; a device has no launch box for it.
TEST(a_lab_is_tuned_too)
{
    struct printed printed = type_well("build/sim/lab-work tune work -n 256");
    assert_contains(printed.out, "Tuning lab work", "fastest");
    ck_assert_ptr_null(strstr(printed.out, "Launch box"));
}

TEST(a_wrong_candidate_is_none)
{
    struct printed printed = type_to(1, "build/sim/lab-wrong tune wrong_lab -n 63");
    assert_contains(printed.out, "NOT RIGHT: ");
    assert_contains(printed.err, "apodkit: ");
}

TEST(make_builds_with_what_was_found)
{
    struct printed printed = type_well(
        "make -Bn V=1 TUNED=h100 build/sim/run | grep -o -e '-DB[A-Z]*=[0-9]*' | sort -u");
    assert_contains(printed.out, "-DBAND=0\n-DBLOCKS=3\n");
    printed = type_well(
        "make -Bn V=1 TUNED=h100 BAND=2 build/sim/run | grep -o -e '-DB[A-Z]*=[0-9]*' | sort -u");
    ck_assert_str_eq(printed.out, "-DBAND=2\n-DBLOCKS=3\n");
    (void)type_well("make TUNED=none help");
    printed = type("make -n TUNED=none");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "There is no tuned/none: ./run tune N writes it");
}

TEST(what_cannot_be_tuned_is_said)
{
    static const char *const cases[][2] = {
        {"tune 3", "step 3 has no parameters. Those that have: 4 5 8"},
        {"tune 5 8", "one step or lab at a time, please"},
        {"tune 5 n=64 n=128", "n=128: the sizes are given already"},
        {"tune 5 -n 64 n=128", "n=128: the sizes are given already"},
        {"tune 5 n=0", "n=0: 0 is not from 1 to 1048576"},
        {"tune n=64", "sizes are those to tune at: name a step or a lab"},
        {"tune work",
         "'work' is neither a step nor this program's lab; where there is a labs/work.cu, `make "
         "lab-work` builds it"},
        {"tune --json -", "--json writes what a tuning found: name a step or a lab"},
        {"tune 5 -n 0", "-n takes a whole number from 1 to 1048576"},
    };
    ASSERT_USAGE_ERRORS("build/sim/run ", cases, "Type `./run tune --help` for the options.");
}
