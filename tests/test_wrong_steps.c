// The programs with planted bugs (tests/wrong_steps/), and what has several launches, on a machine without a GPU.
#include "schema.h"
#include "suites.h"
#include "support.h"

#include <inttypes.h>
#include <string.h>

SUITE(wrong_steps, .seconds = 120)

// Each of them but 56, 57 and 58, which have none, by verification, by the device's checks or as it does not end.
TEST(wrong_steps_are_caught_without_a_gpu)
{
    struct printed printed = type_to(EXIT_WRONG,
                                     "APODKIT_SIM_BUDGET=%" PRId64 " build/sim/wrong_steps -n 100 "
                                     "--timeout 3 --summary",
                                     INT64_MAX); // step 50's loop never ends, on a fast machine too
    static const struct {
        const char *step, *words;
    } said[] = {
        {"40 gave", "`out` and `in` mixed up?"},   {"41 gave", "nothing was written"},
        {"42 gave", "not transposed at all"},      {"43 failed", "Uninitialized __shared__"},
        {"45 gave", "only the incomplete edge"},   {"46 failed", "Out of bounds __global__"},
        {"47 failed", "Out of bounds __global__"}, {"48 gave", "changed its input"},
        {"49 failed", "Out of bounds __global__"}, {"50 failed", "did not end within 3"},
        {"50 failed", "higher --timeout"},         {"51 failed", "1024 threads at most"},
        {"53 failed", "launched no kernel"},       {"59 failed", "did not end within 3"}};
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        char start[32];
        snprintf(start, sizeof start, "apodkit: step %s", said[i].step);
        const char *line = strstr(printed.err, start);
        ck_assert_msg(line != NULL, "step %s nothing", said[i].step);
        char message[200];
        snprintf(message, sizeof message, "%s", strchr(line + strlen(start), ':'));
        ck_assert_msg(strstr(line, said[i].words) - line < 500, "step %s%s", said[i].step, message);
    }
    for (int number = 40; number <= 55; number++) {
        char start[32];
        snprintf(start, sizeof start, "apodkit: step %d ", number);
        if (number != 52 || WITH_MACHINE_CODE) // else nothing says how many registers it needs
            ck_assert_msg(strstr(printed.err, start) != NULL, "step %d was not caught", number);
    }
    ck_assert_ptr_null(strstr(printed.err, "apodkit: step 56 "));
    assert_contains(printed.out, WITH_MACHINE_CODE ? "3 of 20 steps" : "4 of 20 steps");
}

// Where both streams are one, as on a terminal; a pipe's reader has it beside the report too.
TEST(a_failure_is_said_once)
{
    struct printed printed = type_to(EXIT_WRONG, "build/sim/wrong_steps 40 56 -n 64 2>&1");
    ck_assert_int_eq(count_of(printed.out, "`out` and `in` mixed up?"), 1);
    printed = type("APODKIT_SIM_BUDGET=1000000000000 build/sim/wrong_steps -n 64 --timeout 1 2>&1");
    assert_contains(printed.out, "\nStep 41 "); // not the last, and wrong
    ck_assert_int_eq(count_of(printed.out, "nothing was written"), 1);
    ck_assert_int_eq(count_of(printed.out, "did not end within 1 seconds"), 2); // 50 and 59
    printed = type("build/sim/wrong_steps 40 56 -n 64 --summary 2>&1");
    ck_assert_int_eq(count_of(printed.out, "`out` and `in` mixed up?"), 1);
    printed = type("build/sim/wrong_steps 40 56 -n 64");
    assert_contains(printed.out, "`out` and `in` mixed up?");
    assert_contains(printed.err, "`out` and `in` mixed up?");
}

// In one process the steps share their input: who writes there must not spoil it for those behind.
TEST(a_changed_input_is_restored)
{
    static const int changing[] = {40, 48};
    for (int i = 0; i < 2; i++) {
        struct printed printed =
            type_to(EXIT_WRONG, "build/sim/wrong_steps %d 56 57 -n 100", changing[i]);
        char start[64];
        snprintf(start, sizeof start,
                 "apodkit: step %d gave a wrong result: the kernel changed its", changing[i]);
        ck_assert_msg(strncmp(printed.err, start, strlen(start)) == 0, "%s", printed.err);
        ck_assert_ptr_null(strstr(printed.err, "apodkit: step 5"));
        assert_contains(printed.out, "2 of 3 steps verified");
    }
}

// Of a step's two kernels the larger stands for the step, and none holds fewer warps than is achieved.
TEST(the_largest_launch_stands_for_a_step)
{
    struct printed printed =
        type_well("build/sim/wrong_steps 57 -n 300 --sim=v100 --json build/check/launches.json");
    assert_contains(printed.out, "[2,300,1] 1 of 2", "[256,1,1] 1 of 2",
                    "The step makes 2 launches. Grid, block, registers and shared", "0 bytes");
    char *text = read_file("build/check/launches.json");
    cJSON *run = read_json(text);
    assert_run_schema(run);
    const cJSON *step = json_step(run, 0);
    ck_assert(json_number(step, "launches") == 2);
    ck_assert(json_number(step, "shared_bytes") == 0);
    double achieved = json_number(step, "metrics/achieved_occupancy"),
           theoretical = json_number(step, "metrics/theoretical_occupancy");
    ck_assert_msg(achieved <= theoretical && theoretical == 100, "%g, %g", achieved, theoretical);
    assert_contains(type("build/sim/wrong_steps occupancy 57 -n 300 --sim=v100").out,
                    "Threads per block                    256");
}

// Each half of both matrices fits into a V100's L2, and both do not: as on a GPU, where the launches follow each other
// over and over, neither finds its own there. They are counted once.
TEST(launches_of_a_step_find_what_the_others_left)
{
    enum { N = 1024, WARPS = N * N / 32 };
    type_well("build/sim/wrong_steps 58 -n 1024 --sim=v100 --json build/check/launches.json");
    char *text = read_file("build/check/launches.json");
    const cJSON *step = json_step(read_json(text), 0);
    ck_assert(json_number(step, "launches") == 2);
    ck_assert(json_number(step, "counters/global_load_requests") == WARPS);
    ck_assert(json_number(step, "counters/global_store_requests") == WARPS);
    double moved = json_number(step, "counters/dram_read_bytes"), ms = json_number(step, "time_ms");
    ck_assert_msg(moved > 0.9 * 4 * N * N, "%g bytes", moved);
    // Four times as many words take about four times as long, as neither size has both halves in the L2.
    type_well("build/sim/wrong_steps 58 -n 2048 --sim=v100 --json build/check/launches.json");
    text = read_file("build/check/launches.json");
    double larger = json_number(json_step(read_json(text), 0), "time_ms");
    ck_assert_msg(larger > 3 * ms && larger < 4.5 * ms, "%g and %g ms", ms, larger);
}
