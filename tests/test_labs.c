// The labs: what a user types, what each has to show on the simulated device, and what is wrong. build/sim/lab-NAME has
// one each, build/sim/lab-wrong one that is wrong at one of its points.
#include "facts/labs.h"
#include "suites.h"
#include "support.h"

#include <string.h>

static const char *const names[] = {"bytes",     "camping", "gpus",     "launches",
                                    "occupancy", "parting", "readonly", "registers",
                                    "shuffles",  "width",   "work"};
static const char *const beyond[] = {"streams"}; // what the simulated device has no point of
enum { LAB_COUNT = sizeof names / sizeof *names, BEYOND = sizeof beyond / sizeof *beyond };

// The points of a lab that the words ask for.
static const cJSON *points_of(const char *lab, const char *words)
{
    cJSON *run = type_json("build/sim/lab-%s lab %s %s --json -", lab, lab, words);
    return json_member(run, "steps");
}

static double number_at(const cJSON *points, int place, const char *key)
{
    const cJSON *point = json_member(points, "%d", place);
    const char *group = cJSON_HasObjectItem(json_member(point, "counters"), key)  ? "counters/"
                        : cJSON_HasObjectItem(json_member(point, "metrics"), key) ? "metrics/"
                                                                                  : "";
    return json_number(point, "%s%s", group, key);
}

SUITE(labs, .seconds = 40)

TEST(each_is_right_at_small_and_odd_sizes, .times = LAB_COUNT)
{
    static const int sizes[] = {1, 37};
    const char *racing =
        strcmp(names[_i], "parting") == 0 ? "meet=syncwarp,shuffles,tilesync,tileshfl,active" : "";
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct printed printed =
            type_well("build/sim/lab-%s lab %s %s -n %d", names[_i], names[_i], racing, sizes[i]);
        assert_page(printed.out, style_pipe, NULL);
        ck_assert_ptr_null(strstr(printed.out, "NOT RIGHT"));
    }
}

TEST(all_are_listed)
{
    struct printed program = type_well("build/sim/run lab"), make = type_well("make -s list");
    for (int i = 0; i < LAB_COUNT; i++) {
        assert_contains(program.out, names[i]);
        assert_contains(strstr(make.out, "Labs:"), names[i]);
    }
    for (int i = 0; i < BEYOND; i++)
        assert_contains(program.out, beyond[i]);
    assert_contains(program.out, "  bytes        how many bytes must be on their way");
    ck_assert_str_eq(type_well("build/sim/lab-bytes --complete lab ''").out,
                     "bytes\nloads=\nwarps=\n");
}

// Little's law: more bytes in flight are more bandwidth, until the roof.
TEST(bandwidth_follows_the_bytes_in_flight)
{
    const cJSON *points = points_of("bytes", "warps=1,4 -n 1024");
    ck_assert_int_eq(cJSON_GetArraySize(points), 10);
    for (int i = 2; i < 10; i++)
        ck_assert(number_at(points, i, "bandwidth_gbs") >
                  number_at(points, i - 2, "bandwidth_gbs"));
    ck_assert_double_gt(number_at(points, 8, "bandwidth_gbs"),
                        5 * number_at(points, 0, "bandwidth_gbs"));
}

TEST(twice_the_width_is_half_the_requests)
{
    const cJSON *points = points_of("width", "warps=8 -n 512");
    for (int i = 0; i < 3; i++) {
        ck_assert(number_at(points, i, "global_load_requests") == 512 * 512 / 32 >> i);
        ck_assert(number_at(points, i, "global_load_sectors") == 512 * 512 / 8);
    }
}

TEST(what_limits_the_warps_is_named)
{
    struct printed printed = type_well("build/sim/lab-occupancy lab occupancy threads=32,256 "
                                       "shared=0,48 -n 512");
    static const char *const limits[] = {"50%  blocks", "6.2%  shared memory", "100%  warps",
                                         "50%  shared memory"};
    for (int i = 0; i < 4; i++)
        assert_contains(printed.out, limits[i]);
}

TEST(what_may_be_loaded_ahead_is_faster)
{
    const cJSON *points = points_of("readonly", "warps=4 -n 1024");
    for (int i = 1; i < 3; i++) {
        ck_assert(number_at(points, i, "time_ms") < 0.5 * number_at(points, 0, "time_ms"));
        ck_assert(number_at(points, i, "global_load_requests") ==
                  number_at(points, 0, "global_load_requests"));
    }
    assert_contains(type_well("build/sim/lab-readonly lab readonly warps=4 -n 64").out,
                    " texture       4  left out: the simulated device has no textures\n");
}

// A quarter of 228 KiB is 57, and 64 are the next that an SM can set aside: blocks of 17 KiB find room three times there.
TEST(a_carve_out_takes_room_and_warps)
{
    const cJSON *points = points_of("occupancy", "threads=256 shared=16,48 -n 1024");
    static const double percent[] = {100, 37.5, 50, 12.5};
    for (int i = 0; i < 4; i++)
        ck_assert(number_at(points, i, "theoretical_occupancy") == percent[i]);
    for (int i = 0; i < 4; i += 2)
        ck_assert(number_at(points, i + 1, "achieved_occupancy") <= percent[i + 1]);
    // Of the eight blocks that an SM gets in all, three at a time are enough.
    ck_assert(number_at(points, 1, "time_ms") > 0.95 * number_at(points, 0, "time_ms"));
    ck_assert(number_at(points, 3, "time_ms") > 1.1 * number_at(points, 2, "time_ms"));
    struct printed printed = type_well("build/sim/lab-occupancy lab occupancy threads=256 "
                                       "shared=16 -n 512");
    assert_contains(printed.out, "   any ", "100%  warps\n", "37.5%  shared memory\n",
                    "\n1 of the metrics has no room here");
}

// Four blocks of 256 threads leave each thread 64 registers of the SM's 64 Ki.
TEST(fewer_registers_are_more_warps)
{
    const cJSON *points = points_of("registers", "carved=0 told=nothing,bounds -n 512");
    ck_assert(number_at(points, 0, "registers") > 64);
    ck_assert(number_at(points, 1, "registers") == 64);
    ck_assert(number_at(points, 1, "theoretical_occupancy") == 50);
    struct printed printed = type_well("build/sim/lab-registers lab registers carved=0 -n 64");
    assert_contains(printed.out, "37.5%  registers\n",
                    "\nThe simulated device executes PTX, whose registers have no end");
    ck_assert(strstr(printed.out, "max32       0  left out: compiled by clang") ||
              strstr(printed.out, "100%  warps"));
}

// Eight rounds of a store and a load that lanes have to wait for, seven of which all warps load in; or none.
TEST(shuffles_take_the_place_of_shared_memory)
{
    const cJSON *points = points_of("shuffles", "-n 512");
    ck_assert(number_at(points, 0, "shared_requests") > 15 * 512 * 512 / 32);
    ck_assert(number_at(points, 1, "shared_requests") == 0);
    ck_assert(number_at(points, 2, "shared_requests") <
              number_at(points, 0, "shared_requests") / 3);
    ck_assert(number_at(points, 1, "inst_executed") < number_at(points, 0, "inst_executed") / 2);
}

TEST(one_thread_does_the_work_of_several)
{
    const cJSON *points = points_of("work", "warps=4 -n 1024");
    for (int i = 1; i < 4; i++)
        ck_assert(number_at(points, i, "time_ms") < number_at(points, i - 1, "time_ms"));
}

// The same bytes by the same requests, whatever the pitch; and the page says what the model does not know of it.
TEST(the_pitch_changes_no_count)
{
    const cJSON *points = points_of("camping", "pitch=8192,20480 -n 512");
    ck_assert_int_eq(cJSON_GetArraySize(points), 6);
    for (int i = 0; i < 6; i++)
        ck_assert(number_at(points, i, "global_load_sectors") == 512 * 512 / 8);
    assert_contains(type_well("build/sim/lab-camping lab camping pitch=8192 -n 64").out,
                    "\nThe simulated device has no channels: what differs here");
    ck_assert_ptr_null(strstr(type_well("build/sim/lab-work lab work values=1 warps=4 -n 8").out,
                              "The simulated device has"));
}

TEST(a_kernel_costs_its_start)
{
    const cJSON *points = points_of("launches", "how=wait,stream,batch kernels=1,100 -n 256");
    double at_once = number_at(points, 4, "time_ms");
    for (int i = 0; i < 3; i++)
        ck_assert(number_at(points, 2 * i, "time_ms") < 1.01 * at_once);
    for (int i = 0; i < 2; i++)
        ck_assert(number_at(points, 2 * i + 1, "time_ms") > 50 * at_once);
    ck_assert(number_at(points, 5, "time_ms") < 2 * at_once);
    struct printed printed = type_well("build/sim/lab-launches lab launches kernels=10 -n 64");
    assert_contains(printed.out, "\nCounters: not counted: this lab is about times; --metrics",
                    "left out: the simulated device has no graphs",
                    "left out: on the simulated device kernels launch no kernels");
    printed = type_well("build/sim/lab-launches lab launches how=batch kernels=10 -n 64 --csv - "
                        "--metrics global_load_requests");
    assert_contains(printed.out, ",global_load_requests,global_load_requests_provenance,error\n",
                    ",128,counted,\n");
}

// Of several GPUs, one is here: what one does alone is left, and the rest has its reason.
TEST(what_takes_more_gpus_is_left_out_by_name)
{
    struct printed printed = type_well("build/sim/lab-gpus lab gpus gpus=1,2 parts=1 -n 100");
    assert_contains(printed.out, "       1    nccl       1  left out: built without NCCL",
                    "       2  stores       1  left out: CUDA sees 1 GPU here\n");
    const cJSON *points = points_of("gpus", "gpus=1 way=stores,copies parts=1,4 -n 512");
    for (int i = 0; i < 4; i += 2) { // a kernel and nothing else, or four
        ck_assert(number_at(points, i, "time_ms") == number_at(points, 0, "time_ms"));
        ck_assert(number_at(points, i, "bandwidth_gbs") >
                  2 * number_at(points, i + 1, "bandwidth_gbs"));
    }
    type_well("build/sim/lab-gpus occupancy 310 -n 64"); // launch() without matrices
    printed = type_to(3, "build/sim/lab-gpus lab gpus gpus=2 way=stores -n 100");
    assert_contains(printed.err, " has none of these points: CUDA sees 1 GPU here\n");
}

TEST(threads_that_part_are_caught)
{
    struct printed printed = type_to(1, "build/sim/lab-parting lab parting -n 128");
    assert_contains(printed.out, "luck  NOT RIGHT: Race __shared__ read", "\nsyncwarp  ");
    ck_assert(strstr(printed.out, "\ntilesync  left out: compiled by clang alone") ||
              !strstr(printed.out, "\n  active  left out"));
    assert_contains(printed.err, "apodkit: point 1 failed: Race");
}

TEST(a_wrong_point_is_caught)
{
    struct printed printed = type_to(1, "build/sim/lab-wrong lab wrong_lab -n 63");
    assert_contains(printed.out, "       2  NOT RIGHT: 1 of 3969 elements is wrong");
    ck_assert_ptr_null(strstr(printed.err, "point 1 "));
}

TEST(what_the_device_lacks_is_left_out_by_name)
{
    struct printed printed = type_well("build/sim/lab-width lab width bytes=16 -n 256 --sim=t4");
    assert_contains(printed.out, "      64  left out: an SM of this device does not hold");
    printed = type_to(3, "build/sim/lab-width lab width bytes=16 warps=64 -n 256 --sim=t4 --csv -");
    assert_contains(printed.out, "16,64,256,Simulated device Tesla T4,,,unavailable",
                    ",an SM of this device does not hold so many warps\n");
}

TEST(a_run_of_its_points_leaves_out_what_the_device_lacks)
{
    struct printed printed = type_well("build/sim/lab-bytes 306 307 308 -n 64 --sim=t4");
    assert_contains(printed.out,
                    "loads 1, warps 64\n  labs/bytes.cu: how many bytes must be on "
                    "their way to keep DRAM busy?\n  left out: an SM of this device "
                    "does not hold so many warps\n\n",
                    "       64 left out\n",
                    "Deploy: 2 of 2 kernels verified bit for bit, with intact input");
    ck_assert_ptr_null(strstr(printed.out, "inf"));
}

TEST(a_device_without_any_point_says_so, .times = BEYOND)
{
    struct printed printed = type_to(3, "build/sim/lab-%s lab %s -n 64", beyond[_i], beyond[_i]);
    assert_contains(printed.err,
                    "apodkit: Simulated device NVIDIA H200 has none of these points: ");
    ck_assert_ptr_null(strstr(printed.out, "left out"));
}

TEST(its_points_are_steps_to_other_verbs)
{
    assert_contains(type_well("build/sim/lab-bytes 303 -n 128").out, "loads 1, warps 4");
    assert_contains(type_well("build/sim/lab-bytes explain 335 -n 128").out, "loads 16, warps 64");
}

TEST(csv_and_metrics_are_chosen)
{
    struct printed printed = type_well("build/sim/lab-width lab width bytes=4,16 warps=4 -n 64 "
                                       "--metrics global_store_requests --csv -");
    static const char first[] = "bytes,warps,n,device,verified,time_ms,";
    ck_assert(strncmp(printed.out, first, sizeof first - 1) == 0);
    assert_contains(printed.out, "\n4,4,64,Simulated device NVIDIA H200,true,",
                    ",global_store_requests,global_store_requests_provenance,error\n",
                    ",128,counted,\n");
    assert_contains(
        type_well("build/sim/lab-bytes lab bytes loads=1 warps=1 -n 64 --metrics "
                  "global_load_requests,global_load_sectors,global_store_requests,registers")
            .out,
        "2 of the metrics have no room here: --csv FILE has them all.\n");
    assert_contains(printed.out, ",32,counted,\n");
}

TEST(mistakes_are_named)
{
    static const char *const cases[][2] = {
        {"lab bite", "there is no lab 'bite'. The labs are: bytes camping gpus launches occupancy "
                     "parting readonly registers shuffles streams width work"},
        {"lab bytes loads=4 warps=3", "warps=3: warps on each SM is one of 1 2 4 8 16 32 64"},
        {"lab width", "the lab 'width' is not in this program: type `make lab-width`"},
        {"lab bytes loads=3", "loads=3: loads in flight a thread is one of 1 2 4 8 16"},
        {"lab bytes loads=", "loads=: loads in flight a thread is one of"},
        {"lab bytes loads=1,", "loads=: loads in flight a thread is one of"},
        {"lab bytes loads=1,99999999999999999999999999", "loads=9999"},
        {"lab bytes loads=1 warps=1 loads=2", "loads is given twice: all of its values go behind"},
        {"lab bytes 4", "this lab varies loads and warps, not '4': type for example loads=1"},
        {"lab bytes -n 0", "-n takes a whole number from 1 to 1048576"},
        {"lab bytes --metrics no", "'no' is none of the kit's metrics"},
    };
    ASSERT_USAGE_ERRORS("build/sim/lab-bytes ", cases, "Type `./run lab --help` for the options.");
    struct printed printed = type("make -n lab-bite");
    ck_assert_int_ne(printed.status, 0);
    assert_contains(printed.err, "There is no lab-bite: the labs are lab-bytes lab-camping");
}

// Of a GPU, the page has its table in the place of the simulated device's; one that cannot be measured leaves its record.
TEST(a_gpu_that_was_measured_is_in_the_page)
{
    struct printed printed = type_well(
        "rm -rf build/check/labs && mkdir -p build/check/labs/docs/runs && cd build/check/labs && "
        "printf '#!/bin/sh\nprintf \"a,b,n,device,verified,time_ms,error\\n"
        "1,4,64,NVIDIA H100 80GB HBM3,true,0.0125,\\n2,4,64,NVIDIA H100 80GB HBM3,false,,race\\n"
        "\" >\"$4\"\n' >lab-x && chmod +x lab-x && echo a,b,n >docs/runs/lab-x-sim-h200.csv && "
        "../../../tests/record_labs.sh ./lab-x && printf '#!/bin/sh\nexit 3\n' >lab-x && ! "
        "../../../tests/record_labs.sh ./lab-x && printf '<!-- lab: x time_ms -->\n<!-- end -->\n' "
        ">x.md && LC_ALL=C awk -f ../../../docs/weave/weave.awk x.md && cat x.md");
    assert_contains(printed.out, "docs/runs/lab-x-h100.csv written\n",
                    "| a → | 1 | 2 |\n|---:|---:|---:|\n| b 4 | 12.5 µs | wrong |\n\n"
                    "Measured: time; NVIDIA H100 80GB HBM3, n = 64 "
                    "([`docs/runs/lab-x-h100.csv`](docs/runs/lab-x-h100.csv)).\n");
    ck_assert_ptr_null(strstr(printed.out, "sim-h200.csv"));
}

TEST(a_value_is_a_word_of_its_list)
{
    const struct parameter numbers = {"a", "", "1 20  300"}, words = {"b", "", "one two"};
    const struct lab lab = {.parameter_count = 2,
                            .parameters = (const struct parameter[]){numbers, words}};
    const struct step point = {.lab = &lab, .settings = {20, 1}};
    char text[SETTING_SIZE];
    ck_assert(parameter_value(&numbers, 2, text));
    ck_assert_str_eq(text, "300");
    ck_assert(!parameter_value(&numbers, 3, text) && !parameter_value(&words, 2, text));
    setting_text(&point, 0, text);
    ck_assert_str_eq(text, "20");
    setting_text(&point, 1, text);
    ck_assert_str_eq(text, "two");
}
