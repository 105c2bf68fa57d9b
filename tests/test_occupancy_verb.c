// ./run occupancy: its page, its charts, its JSON, and what it refuses.
#include "base/compute_capability.h"
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#define RUN "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run occupancy "

static cJSON *ask(const char *arguments)
{
    return type_json("./run occupancy --json - %s", arguments);
}

static const cJSON *case_at(const cJSON *json, int place)
{
    const cJSON *at = json_member(json, "cases/%d", place);
    ck_assert_ptr_nonnull(at);
    return at;
}

SUITE(occupancy_verb, .seconds = 60)

// The calculator's page of the case study: 3.5, 256 threads, 16 registers, 4096 bytes.
TEST(the_calculators_page)
{
    static const char *const locales[][2] = {{"C", "occupancy-ascii.txt"},
                                             {"C.UTF-8", "occupancy-utf8.txt"}};
    for (int i = 0; i < 2; i++) {
        struct printed printed = type_well(
            "LC_ALL=%s " RUN "--block 256 --registers 16 --shared 4096 --arch 3.5", locales[i][0]);
        assert_golden(printed.out, locales[i][1]);
    }
}

TEST(the_page_as_json)
{
    cJSON *json = ask("--block 256 --registers 16 --shared 4096 --arch 3.5");
    const cJSON *at = case_at(json, 0), *bounds = json_member(at, "blocks_by");
    ck_assert(cJSON_IsNull(json_member(json, "device")));
    ck_assert(cJSON_IsNull(json_member(at, "step")));
    ck_assert_str_eq(json_string(json, "cc"), "3.5");
    ck_assert(json_number(json, "limits/shared_bytes_per_sm") == 49152);
    ck_assert(json_number(at, "active_threads") == 2048);
    ck_assert(json_number(at, "active_warps") == 64);
    ck_assert(json_number(at, "active_blocks") == 8);
    ck_assert(json_number(at, "occupancy") == 100);
    ck_assert(json_number(bounds, "warps") == 8);
    ck_assert(json_number(bounds, "blocks") == 16);
    ck_assert(json_number(bounds, "registers") == 16);
    ck_assert(json_number(bounds, "shared_memory") == 12);
    ck_assert_str_eq(json_string(at, "limit"), "warps");
}

// No matrix is made and nothing is run, so any n will do.
TEST(steps_as_compiled)
{
    cJSON *json = ask("--sim -n 1000000");
    static const double threads[] = {1, 1024, 1024, 1024, 256, 256, 256, 256},
                        shared[] = {0, 0, 0, 4096, 4224, 16384, 16384, 16384};
    ck_assert_int_eq(cJSON_GetArraySize(json_member(json, "cases")), 8);
    for (int i = 0; i < 8; i++) {
        const cJSON *at = case_at(json, i);
        ck_assert(json_number(at, "step") == i + 1);
        ck_assert(json_number(at, "threads_per_block") == threads[i]);
        ck_assert(json_number(at, "shared_bytes") == shared[i]);
        ck_assert(json_number(at, "registers") > 0);
    }
    ck_assert_str_eq(json_string(case_at(json, 0), "limit"), "blocks");
}

// 63 registers a thread: a third of Fermi's warps, half of Kepler's, all of GK210's.
TEST(what_if_a_step_had_other_numbers)
{
    static const struct {
        const char *arch;
        double warps;
    } tuning_guide[] = {{"2.0", 16}, {"3.0", 32}, {"3.5", 32}, {"3.7", 64}};
    for (size_t i = 0; i < sizeof tuning_guide / sizeof *tuning_guide; i++) {
        char arguments[128];
        snprintf(arguments, sizeof arguments, "5 --sim --registers 63 --shared 0 --arch %s",
                 tuning_guide[i].arch);
        cJSON *json = ask(arguments);
        ck_assert(json_number(case_at(json, 0), "step") == 5);
        ck_assert(json_number(case_at(json, 0), "active_warps") == tuning_guide[i].warps);
        ck_assert(cJSON_IsFalse(json_member(case_at(json, 0), "registers_estimated")));
    }
}

TEST(a_simulated_device_has_its_own_limits)
{
    cJSON *json = ask("--sim=t4 --block 1024 --registers 32");
    ck_assert_str_eq(json_string(json, "cc"), "7.5");
    ck_assert_ptr_nonnull(strstr(json_string(json, "device"), "Tesla T4"));
    ck_assert(json_number(case_at(json, 0), "active_blocks") == 1);
}

TEST(what_does_not_fit_is_said)
{
    static const char *const cases[][2] = {
        {"--block 1024 --registers 255 --arch 9.0",
         "a block can have 65536 registers at most, and its warps need 262144."},
        {"--block 32 --registers 64 --arch 3.0", "a thread can have 63 registers at most."},
        {"--block 32 --registers 8 --shared 49153 --arch 5.2",
         "a block can have 49152 bytes of shared memory at most."}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_contains(type_well(RUN "%s", cases[i][0]).out, "No block fits", cases[i][1]);
    }
}

TEST(mistakes_are_usage_errors)
{
    static const char *const cases[][2] = {
        {"--block 0 --registers 16", "--block takes a whole number from 1 to 1024, not '0'"},
        {"--block 1025 --registers 16", "not '1025'"},
        {"--block 32x --registers 16", "not '32x'"},
        {"--block 256", "--registers R too"},
        {"--block 256 --registers 256", "--registers takes a whole number from 1 to 255"},
        {"--block 256 --registers 16 --shared -1", "--shared takes a whole number"},
        {"--arch 3.6", "not '3.6': 2.0 2.1 3.0"},
        {"--arch 9", "not '9'"},
        {"--arch 9.0a", "not '9.0a'"},
        {"--arch -1.0", "not '-1.0'"},
        {"--arch 99999999999999999999.0", "--arch takes"},
        {"--arch ''", "--arch takes"},
        {"99", "step 99 is not built"},
        {"--sim=nothing", "h200 h100"},
        {"--frobnicate", "frobnicate"},
    };
    ASSERT_USAGE_ERRORS(RUN, cases, "occupancy --help");
    ck_assert_str_eq(type_to(EXIT_NO_DEVICE, RUN "--gpu --block 256 --registers 16").out, "");
}

// Steps that launch nothing, or blocks of no thread, are named; the others are shown all the same.
TEST(a_bad_step_hides_no_other)
{
    static const char wrong[] =
        "build/sim/wrong_steps occupancy 41 53 56 46 -n 64 --json build/check/occupancy.json";
    assert_contains(type_to(EXIT_WRONG, "%s", wrong).err,
                    "step 53 launched no kernel: look at launch() in");
    char *text = read_file("build/check/occupancy.json");
    cJSON *json = read_json(text);
    ck_assert(json_number(case_at(json, 0), "step") == 41);
    ck_assert(json_number(case_at(json, 1), "step") == 46);
    assert_contains(type_to(EXIT_WRONG, "build/sim/wrong_steps occupancy 53 46 -n 64").out,
                    "Step 46");
    ck_assert_str_eq(type_to(EXIT_WRONG, "build/sim/wrong_steps occupancy 53 -n 64").out, "");
}

// Pages of extreme numbers stay within 120 columns and show the mark of each chart.
TEST(charts_of_any_numbers)
{
    static const char *const numbers[] = {
        "--block 1 --registers 1", "--block 1024 --registers 255 --shared 1048576",
        "--block 33 --registers 63 --shared 1", "--block 1000 --registers 254 --shared 49151"};
    const struct compute_capability *table = compute_capabilities;
    for (int i = 0; i < compute_capability_count; i += 3) {
        struct printed printed = type_well("LC_ALL=C " RUN "%s --arch %d.%d", numbers[i % 4],
                                           table[i].major, table[i].minor);
        int marks = 0;
        for (const char *line = printed.out; *line; line += strcspn(line, "\n") + 1) {
            ck_assert_uint_le(strcspn(line, "\n"), 120);
            for (const char *at = line; *at && *at != '\n'; at++)
                marks += *at == '^';
        }
        ck_assert_int_eq(marks, 3);
    }
}
