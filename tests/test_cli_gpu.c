// The commands of the program for GPUs, with any GPU hidden: what CUPTI knows needs none.
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <string.h>

// The driver with the sanitizers built in; no device is visible to it.
#define RUN "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run "

SUITE(cli_gpu, .seconds = 120)

TEST(without_a_device_there_is_a_reason_and_advice)
{
    struct printed printed = type_to(EXIT_NO_DEVICE, RUN "--gpu");
    ck_assert_str_eq(printed.out, "");
    assert_contains(printed.err, "no CUDA device can be used: cudaError", "nvidia-smi");
    printed = type_to(EXIT_NO_DEVICE, RUN "--gpu --timeout 0 3 --json /dev/null");
}

TEST(metrics_of_a_chip)
{
    struct printed printed = type_well(RUN "metrics --chip GH100");
    assert_contains(printed.out, "gld_efficiency                    yes",
                    "global_load_data_bytes / (32 x global_load_sectors)",
                    "was a level, 0..10; is a percentage", "was a fraction, 0..1; is a percentage",
                    "stand-in");
    ck_assert_ptr_null(strstr(printed.out, "  no\n"));

    assert_contains(type_well(RUN "metrics --chip GB10B").out,
                    "dram_utilization                  no", "dram_throughput_gbs               no",
                    "gld_efficiency                    yes");
}

TEST(metrics_without_a_chip_and_of_no_chip)
{
    assert_contains(type_well(RUN "metrics").out, "--chip NAME", "GH100");
    assert_contains(type_to(EXIT_USAGE, RUN "metrics --chip GTX480").err, "chip GTX480", "GH100");
}

TEST(metrics_as_json)
{
    struct printed printed = type_well(RUN "metrics --chip AD102 --json -");
    cJSON *json = read_json(printed.out);
    ck_assert_str_eq(json_string(json, "chip"), "AD102");
    const cJSON *metrics = json_member(json, "metrics"), *metric;
    ck_assert_int_gt(cJSON_GetArraySize(metrics), 70);
    cJSON_ArrayForEach(metric, metrics)
    {
        ck_assert(cJSON_IsString(json_member(metric, "name")));
        ck_assert(cJSON_IsTrue(json_member(metric, "present")));
    }
    assert_contains(type_to(EXIT_WRONG, RUN "metrics --json /nonexistent/x").err, "/nonexistent/x");
}

TEST(ascii_where_the_locale_is)
{
    struct printed printed = type_well("LC_ALL=C " RUN "metrics --chip GH100");
    for (const char *c = printed.out; *c; c++)
        ck_assert_int_eq(*c & 0x80, 0);
}
