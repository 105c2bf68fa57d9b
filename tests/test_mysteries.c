// Kernels that are no steps: what they compute is verified, each mystery is limited as it is meant to be, and the kit's
// solution gains what docs/answers.md says. build/sim/mysteries has them all, build/sim/wrong_mysteries wrong ones.
#include "facts/run.h"
#include "facts/steps.h"
#include "measure/matrix.h"
#include "measure/verify.h"
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <string.h>

enum { COUNT = 5 };

static cJSON *run_of(const char *command)
{
    return type_json("%s", command);
}

SUITE(mysteries, .seconds = 60)

// At sizes that fill no block, pair or piece; and at 996 and 997, where all such kernels are verified too.
TEST(each_is_right_at_odd_sizes, .times = 3)
{
    static const int sizes[] = {1, 7, 1001};
    char command[80];
    snprintf(command, sizeof command, "build/sim/mysteries -n %d --json -", sizes[_i]);
    cJSON *run = run_of(command);
    for (int i = 1; i <= COUNT; i++) {
        ck_assert(cJSON_IsTrue(json_member(step_numbered(run, MYSTERIES + i), "verified")));
        ck_assert(cJSON_IsTrue(json_member(step_numbered(run, SOLUTIONS + i), "verified")));
    }
}

// What limits each, what the advice names first, and how many times as fast the kit's solution is at least: at n = 2048,
// whatever compiler made the kernels. Mystery 4 has nothing to gain.
static const struct {
    const char *limiters, *rule;
    double gain;
} meant[COUNT] = {{"local_memory l2", "spills", 2.5},
                  {"issue arithmetic", NULL, 1.9},
                  {"atomics", "atomics", 3},
                  {"dram l2", NULL, 0.99},
                  {"issue arithmetic", "divergence", 1.5}};

static const char *first_rule(const cJSON *step)
{
    const cJSON *first = json_member(step, "advice/0");
    return json_string(first, "rule");
}

TEST(each_is_limited_as_it_is_meant)
{
    cJSON *run = run_of("APODKIT_SIM_CHECKS=0 build/sim/mysteries -n 2048 --json -");
    for (int i = 0; i < COUNT; i++) {
        const cJSON *mystery = step_numbered(run, MYSTERIES + i + 1),
                    *solved = step_numbered(run, SOLUTIONS + i + 1),
                    *limits = json_member(mystery, "limits");
        const char *limiter = json_string(limits, "limiter");
        ck_assert_msg(strstr(meant[i].limiters, limiter), "mystery %d: %s", i + 1, limiter);
        ck_assert_msg(!meant[i].rule || strcmp(first_rule(mystery), meant[i].rule) == 0,
                      "mystery %d: %s", i + 1, first_rule(mystery));
        double gain = json_number(mystery, "time_ms") / json_number(solved, "time_ms");
        ck_assert_msg(gain >= meant[i].gain, "mystery %d: %g times as fast", i + 1, gain);
        ck_assert(i != 3 || gain < 1.01);
    }
}

// What docs/answers.md shows was recorded; these two hardly depend on the compiler. Mystery 4 is at the roof.
TEST(the_record_is_of_these_kernels)
{
    cJSON *recorded = read_json(read_file("docs/runs/sim-h200-mysteries.json"));
    cJSON *run = run_of("APODKIT_SIM_CHECKS=0 build/sim/mysteries 103 104 -n 4096 --json -"),
          *checked = run_of("build/sim/mysteries 104 -n 4096 --json -"); // as it was recorded
    for (int i = 3; i <= 4; i++) {
        const cJSON *then = step_numbered(recorded, MYSTERIES + i),
                    *now = step_numbered(run, MYSTERIES + i);
        double ms = json_number(then, "time_ms");
        ck_assert_double_eq_tol(json_number(now, "time_ms"), ms, 0.05 * ms);
    }
    ck_assert_str_eq(first_rule(step_numbered(checked, MYSTERIES + 4)), "deploy");
    for (int i = 1; i <= COUNT; i++)
        step_numbered(recorded, SOLUTIONS + i);
}

TEST(the_panel_leaves_the_limit_to_the_reader)
{
    struct printed printed = type_well("build/sim/mysteries 103 -n 512");
    assert_contains(printed.out, "mystery 3", "What limits it?");
    static const char *const secrets[] = {
        "Limited by", "Limit:", "Next:", "Promised", "CPU trans", "atomics on"};
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        ck_assert_ptr_null(strstr(printed.out, secrets[i]));
    assert_contains(type_well("build/sim/mysteries 103 203 -n 512").out, "Limited by",
                    "x the speed of mystery 3");
    assert_contains(type_well("build/sim/mysteries explain 103 -n 512").out,
                    "Limited by atomics on the same 256 B");
}

// Neither its name nor its comments say what limits a mystery.
TEST(the_sources_do_not_say_either)
{
    struct printed printed =
        type("grep -niE 'spill|local|issue|arithmetic|contention|serial|conflict|roof|diverg|"
             "bandwidth|slow|fast|limit|horner' steps/mysteries/*.cu steps/mysteries/*.h");
    ck_assert_str_eq(printed.out, "");
}

enum { WRONG_MYSTERIES = 9 };

TEST(what_is_wrong_is_said, .times = WRONG_MYSTERIES)
{
    static const char *const said[WRONG_MYSTERIES] = {
        "mystery 11 gave a wrong result: right at n = 512, but at n = 997, where blocks are "
        "incomplete: 1 of 994009 elements is wrong; the first is out[row 996][column 996]",
        "mystery 12 failed: Race __global__ write of 4 bytes",
        "mystery 13 gave a wrong result: ",
        "mystery 14 gave a wrong result: 64 of 262144 elements are wrong; the first is out[row "
        "0][column 64]: expected nothing written, found 0",
        "mystery 15 failed: compute() in tests/wrong_mysteries/mystery15_slow_reference.cu did not "
        "return within 3 seconds (--timeout)",
        "mystery 16 failed: the process ended with signal 11 (Segmentation fault) on the host: "
        "look at compute() in tests/wrong_mysteries/mystery16_reference_crashes.cu",
        "mystery 17 failed: it called exit(5) and so ended its process: useful_bytes() in "
        "tests/wrong_mysteries/mystery17_bytes_exit.cu must return",
        "mystery 18 failed: useful_bytes() in tests/wrong_mysteries/mystery18_no_bytes.cu returned "
        "0 at n = 512",
        "mystery 19 failed: useful_bytes() in tests/wrong_mysteries/mystery19_endless_bytes.cu "
        "returned inf at n = 512",
    };
    struct printed printed =
        type_to(1, "build/sim/wrong_mysteries %d -n 512 --timeout 3", MYSTERIES + 11 + _i);
    assert_contains(printed.err, said[_i]);
}

// ---- The parts ---------------------------------------------------------------------------------------

TEST(a_tolerance_is_a_share_of_what_is_expected)
{
    const float expected[4] = {1000, -1e-20f, 3, 4};
    float found[4] = {1001, -1.001e-20f, 3, 4};
    uint32_t out[4], right[4];
    struct mismatch mismatch;
    memcpy(out, found, sizeof out);
    memcpy(right, expected, sizeof right);
    ck_assert(verify_workload(out, right, 2, 0.0011, &mismatch));
    ck_assert(!verify_workload(out, right, 2, 0.0009, &mismatch));
    ck_assert_uint_eq(mismatch.wrong, 2);
    ck_assert(!verify_workload(out, right, 2, 0, &mismatch));
    out[3] = UINT32_C(0x7fc00000); // a NaN is near nothing
    ck_assert(!verify_workload(out, right, 2, 1e9, &mismatch));
    ck_assert_uint_eq(mismatch.row, 1);
    ck_assert_uint_eq(mismatch.col, 1);
    right[3] = out[3];
    ck_assert(verify_workload(out, right, 2, 0.0011, &mismatch));
}

TEST(what_is_not_written_is_told)
{
    uint32_t right[4] = {1, 2, MATRIX_POISON, MATRIX_POISON}, out[4];
    struct mismatch mismatch;
    memcpy(out, right, sizeof out);
    ck_assert(verify_workload(out, right, 2, 0.1, &mismatch));
    out[1] = MATRIX_POISON;
    ck_assert(!verify_workload(out, right, 2, 0.1, &mismatch));
    assert_contains(mismatch.suggestion, "these were never written");
    out[1] = 2;
    out[2] = 7;
    ck_assert(!verify_workload(out, right, 2, 0.1, &mismatch));
    assert_contains(mismatch.suggestion, "should not be written at all");
    out[0] = 9;
    ck_assert(!verify_workload(out, right, 2, 0.1, &mismatch));
    assert_contains(mismatch.suggestion, "0 were never written, 2 hold another value");
}

TEST(kernels_are_called_by_their_kind)
{
    char text[STEP_LABEL_SIZE];
    ck_assert_str_eq(step_label(4, text), "step 4");
    ck_assert_str_eq(step_label(1.5, text), "step 1.5");
    ck_assert_str_eq(step_label(OWN_KERNEL, text), "your kernel");
    ck_assert_str_eq(step_label(MYSTERIES + 2, text), "mystery 2");
    ck_assert_str_eq(step_label(SOLUTIONS + 2, text), "my mystery 2");
    ck_assert_str_eq(step_prefix(4, "-", text), "Step 4 - ");
    ck_assert_str_eq(step_prefix(OWN_KERNEL, "-", text), "");
    ck_assert(is_mystery(MYSTERIES + 1) && !is_mystery(OWN_KERNEL) && !is_mystery(SOLUTIONS + 1));
}

// A transpose's follow from n, also where a recorded time and bandwidth were rounded.
TEST(nobody_is_shown_their_numbers)
{
    static const char *const commands[] = {
        "103 203 -n 64 --predict=/dev/null --save mysteries",
        "history",
        "progress",
        "103 203 -n 64 --baseline mysteries",
        "explain 103 203 -n 64",
        "hotspots 103 203 -n 64",
        "trace 103 203 -n 64",
        "occupancy 103 203 -n 64",
        "sweep 103 203 n=64",
    };
    char shown[32] = "";
    make_folder();
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct printed printed = type("build/sim/mysteries %s", commands[i]);
        for (int number = 103; number <= 203; number += 100) {
            snprintf(shown, sizeof shown, " %d", number);
            ck_assert_msg(!strstr(printed.out, shown) && !strstr(printed.err, shown), "%s:\n%s%s",
                          commands[i], printed.out, printed.err);
        }
    }
    remove_folder();
    assert_contains(type("build/sim/mysteries 206").err,
                    "my mystery 6 is not built. If it is there, `make mymystery6` builds it");
}

TEST(useful_bytes_are_the_kernels)
{
    struct step_result step = {.number = 3, .n = 100};
    step.values[TIME_MS] = value_of(2, MEASURED);
    step.values[BANDWIDTH_GBS] = value_of(0.03, MEASURED);
    ck_assert(useful_bytes(&step) == 80000);
    step.number = MYSTERIES + 3;
    ck_assert_double_eq_tol(useful_bytes(&step), 60000, 1e-6);
    step.values[TIME_MS] = value_unavailable("none");
    ck_assert(useful_bytes(&step) == 80000);
}
