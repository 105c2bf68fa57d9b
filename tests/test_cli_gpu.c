// The commands of the program for GPUs, with any GPU hidden: what CUPTI knows needs none.
#include "suites.h"
#include "support.h"
#include "verbs/options.h"

#include <cjson/cJSON.h>
#include <string.h>

// The driver with the sanitizers built in; no device is visible to it.
#define RUN "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run "

SUITE(cli_gpu, .seconds = 120)

TEST(without_a_device_there_is_a_reason_and_advice)
{
    struct printed printed = type(RUN "--gpu");
    ck_assert_int_eq(printed.status, EXIT_NO_DEVICE);
    ck_assert_str_eq(printed.out, "");
    assert_contains(printed.err, "no CUDA device can be used: cudaError");
    assert_contains(printed.err, "nvidia-smi");
    printed = type(RUN "--gpu --timeout 0 3 --json /dev/null");
    ck_assert_int_eq(printed.status, EXIT_NO_DEVICE);
}

TEST(metrics_of_a_chip)
{
    struct printed printed = type_well(RUN "metrics --chip GH100");
    assert_contains(printed.out, "gld_efficiency                    yes");
    assert_contains(printed.out, "global_load_data_bytes / (32 x global_load_sectors)");
    assert_contains(printed.out, "was a level, 0..10; is a percentage");
    assert_contains(printed.out, "was a fraction, 0..1; is a percentage");
    assert_contains(printed.out, "stand-in");
    ck_assert_ptr_null(strstr(printed.out, "  no\n"));

    printed = type_well(RUN "metrics --chip GB10B");
    assert_contains(printed.out, "dram_utilization                  no");
    assert_contains(printed.out, "dram_throughput_gbs               no");
    assert_contains(printed.out, "gld_efficiency                    yes");
}

TEST(metrics_without_a_chip_and_of_no_chip)
{
    struct printed printed = type_well(RUN "metrics");
    assert_contains(printed.out, "--chip NAME");
    assert_contains(printed.out, "GH100");
    printed = type(RUN "metrics --chip GTX480");
    ck_assert_int_eq(printed.status, EXIT_USAGE);
    assert_contains(printed.err, "chip GTX480");
    assert_contains(printed.err, "GH100");
}

TEST(metrics_as_json)
{
    struct printed printed = type_well(RUN "metrics --chip AD102 --json -");
    cJSON *json = read_json(printed.out);
    ck_assert_str_eq(json_string(json, "chip"), "AD102");
    const cJSON *metrics = cJSON_GetObjectItem(json, "metrics"), *metric;
    ck_assert_int_gt(cJSON_GetArraySize(metrics), 70);
    cJSON_ArrayForEach(metric, metrics)
    {
        ck_assert(cJSON_IsString(cJSON_GetObjectItem(metric, "name")));
        ck_assert(cJSON_IsTrue(cJSON_GetObjectItem(metric, "present")));
    }
    printed = type(RUN "metrics --json /nonexistent/x");
    ck_assert_int_eq(printed.status, EXIT_WRONG);
    assert_contains(printed.err, "/nonexistent/x");
}

TEST(ascii_where_the_locale_is)
{
    struct printed printed = type_well("LC_ALL=C " RUN "metrics --chip GH100");
    for (const char *c = printed.out; *c; c++)
        ck_assert_int_eq(*c & 0x80, 0);
}
