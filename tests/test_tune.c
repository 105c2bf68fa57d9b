// ./run tune: who is judged to be the fastest, what the model leaves out, what is kept for a device, and what a user
// types.
#include "facts/tuning.h"
#include "suites.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { RIVALS = 3, ROUNDS = 40, STRIDE = RIVALS + 1 };

static struct tuning tuning;
static float ms[ROUNDS * STRIDE];

// Times of so many milliseconds, and noise of a share of them that is larger in some rounds for all.
static void race(const double *true_ms, double noise)
{
    struct rounds rounds = {.ms = ms, .stride = STRIDE};
    tuning = (struct tuning){.count = RIVALS};
    for (int i = 0; i < RIVALS; i++) {
        tuning.candidates[i].state = CANDIDATE_RIGHT;
        rounds.of[i] = ROUNDS;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double all = 1 + 0.05 * rand() / RAND_MAX;
        for (int i = 0; i < STRIDE; i++)
            ms[round * STRIDE + i] =
                (float)(true_ms[i] * all * (1 + noise * (2.0 * rand() / RAND_MAX - 1)));
    }
    tuning_judge(&tuning, &rounds);
}

SUITE(tune, .seconds = 30)

TEST(the_fastest_beats_who_is_slower_by_more_than_the_noise)
{
    srand(1);
    race((double[]){1.02, 1.0, 1.3, 0.98}, 0.002);
    ck_assert_int_eq(tuning_fastest(&tuning), 1);
    ck_assert_int_eq(tuning.candidates[0].state, CANDIDATE_BEATEN);
    ck_assert_int_eq(tuning.candidates[1].state, CANDIDATE_FASTEST);
    ck_assert_double_eq_tol(tuning.candidates[0].behind.median_ms, 1.02, 0.003);
    ck_assert_double_eq_tol(tuning.candidates[2].behind.median_ms, 1.3, 0.004);
    ck_assert_double_eq_tol(tuning.candidates[1].share, 98, 0.3);
}

// A whole round that is slow by up to 5 % counts for nothing, and a tenth of a percent is not told from none.
TEST(who_is_within_the_noise_is_level)
{
    int beaten = 0, trials = 200;
    srand(2);
    for (int i = 0; i < trials; i++) {
        race((double[]){1, 1, 1, 1}, 0.01);
        ck_assert_int_eq(tuning_count(&tuning, CANDIDATE_FASTEST), 1);
        beaten += tuning_count(&tuning, CANDIDATE_BEATEN);
    }
    // The best of three is the luckiest, so that the others seem slower more often than one time in twenty.
    ck_assert_int_lt(beaten, 2 * trials * 15 / 100);
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

// Two candidates of step 5 in a kit of their own: what is found is kept there, beside what is found of other steps.
static const char kit[] = "build/check/tuned";

static void make_kit(const char *candidates)
{
    (void)type_well(
        "rm -rf %s && mkdir -p %s/tests %s/build/sim-tune5 && cp tests/device_name.sh %s/tests && "
        "make -s TUNE=steps/step5_padded_tile.cu CANDIDATES='%s' S=build/sim-tune-test "
        "build/sim-tune-test/run && cp build/sim-tune-test/run %s/build/sim-tune5/",
        kit, kit, kit, kit, candidates, kit);
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
    assert_contains(printed.out,
                    "Tuning step 5 padded_tile: Simulated device NVIDIA H200, n = 256");
    assert_contains(printed.out, "Launch box, compute capability 9.0: step 5, TILE=32 ROWS=8.");
    ck_assert_str_eq(
        type_well("sed '/^# step 5/d' %s/tuned/sim-h200", kit).out,
        "# Simulated device NVIDIA H200, compute capability 9.0: found by ./run tune, for make "
        "TUNED=1\n# step 8: old\nTUNED_8 := BAND=2\nTUNED_5 := TILE=32 ROWS=8\n");
    printed = type_well("%s/build/sim-tune5/run tune", kit);
    assert_contains(printed.out,
                    "NVIDIA H200, compute capability 9.0 (sim-h200)\n  step 8: old\n    BAND=2\n");
}

TEST(the_json_has_every_candidate)
{
    make_kit("TILE-8.ROWS-8 TILE-32.ROWS-8");
    cJSON *json = read_json(type_well("%s/build/sim-tune5/run tune 5 -n 256 --json -", kit).out);
    cJSON *candidates = cJSON_GetObjectItem(json, "candidates");
    ck_assert_str_eq(cJSON_GetStringValue(json_member(json_member(json, "device"), "kind")),
                     "simulated");
    ck_assert_str_eq(cJSON_GetStringValue(json_member(json, "name")), "padded_tile");
    ck_assert_double_eq(json_number(json, "rounds"), 0);
    ck_assert_int_eq(cJSON_GetArraySize(candidates), 2);
    ck_assert_double_eq(json_number(json, "step"), 5);
    const cJSON *slow = cJSON_GetArrayItem(candidates, 0),
                *fast = cJSON_GetArrayItem(candidates, 1);
    ck_assert_str_eq(cJSON_GetStringValue(json_member(slow, "state")), "beaten");
    ck_assert_str_eq(cJSON_GetStringValue(json_member(fast, "state")), "fastest");
    ck_assert_double_gt(json_number(json_member(slow, "over_fastest"), "median"), 1.05);
    cJSON_Delete(json);
}

// A lab's points are the candidates; a device has no launch box for it.
TEST(a_lab_is_tuned_too)
{
    struct printed printed = type_well("build/sim/lab-work tune work -n 256");
    assert_contains(printed.out, "Tuning lab work");
    assert_contains(printed.out, "fastest");
    ck_assert_ptr_null(strstr(printed.out, "Launch box"));
}

TEST(a_wrong_candidate_is_none)
{
    struct printed printed = type("build/sim/lab-wrong tune wrong_lab -n 63");
    ck_assert_int_eq(printed.status, 1);
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
        {"tune work",
         "'work' is neither a step nor this program's lab; where there is a labs/work.cu, `make "
         "lab-work` builds it"},
        {"tune --json -", "--json writes what a tuning found: name a step or a lab"},
        {"tune 5 -n 0", "-n takes a whole number from 1 to 1048576"},
    };
    ASSERT_USAGE_ERRORS("build/sim/run ", cases, "Type `./run tune --help` for the options.");
}
