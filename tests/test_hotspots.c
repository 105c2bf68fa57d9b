// ./run hotspots: its page, its counts and what it says of files that changed.
#include "facts/hotspots.h"
#include "show/inspection_page.h"
#include "suites.h"
#include "support.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define RUN "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run hotspots "

static void add(struct source_lines *lines, const char *file, unsigned line,
                enum line_access_kind kind, uint64_t executions, uint64_t passes, uint64_t ideal)
{
    source_lines_add(lines, file,
                     (struct line_access){.line = line,
                                          .kind = kind,
                                          .executions = executions,
                                          .passes = passes,
                                          .ideal = ideal});
}

// Accesses of every kind, out of order, in the step's file, in a header and beyond the file's end.
static struct hotspots *sample_hotspots(void)
{
    struct hotspots *hotspots = keep(calloc(1, sizeof *hotspots));
    strcpy(hotspots->all.device.name, "NVIDIA H200");
    hotspots->all.n = 4096;
    hotspots->all.count = 2;
    struct hotspot_step *at = hotspots->steps;
    *at = (struct hotspot_step){.at = {.step = 4, .n = 4096, .outcome = VERIFIED}};
    struct source_lines *lines = &at->lines;
    const char *own = "/home/somebody/kit/tests/recorded/source.cu.txt";
    add(lines, own, 7, SHARED_LOAD, 524288, 16777216, 524288);
    add(lines, own, 7, GLOBAL_STORE, 524288, 2097152, 2097152);
    add(lines, own, 5, GLOBAL_STORE, 262144, 8388608, 1048576);
    add(lines, own, 5, GLOBAL_LOAD, 262144, 1310720, 1048576);
    add(lines, own, 5, GLOBAL_STORE, 262144, 8388608, 1048576);
    add(lines, own, 40, SHARED_STORE, 1, 1, 1);
    add(lines, own, 0, GLOBAL_OTHER, 7, 7, 7);
    add(lines, "/usr/include/no_such_header.hpp", 12, SHARED_OTHER, 1000, 2000, 1000);
    source_lines_sort(lines);
    hotspots->steps[1] =
        (struct hotspot_step){.at = {.step = 5,
                                     .n = 4096,
                                     .outcome = WRONG,
                                     .complaint = "16 of 16777216 elements are wrong"}};
    return hotspots;
}

static char *print_page(const struct hotspots *hotspots, const struct style *style,
                        enum source_state state)
{
    FILE *file = text_begin();
    struct source_file source = sample_source(state);
    print_inspected_device(file, style, &hotspots_page, &hotspots->all);
    for (int i = 0; i < hotspots->all.count; i++)
        hotspots_page.print_step(file, style, &hotspots->steps[i].at, &source);
    print_inspection_legend(file, &hotspots_page, &hotspots->all);
    return text_end(file);
}

SUITE(hotspots, .seconds = 120)

TEST(the_page)
{
    static const struct {
        const struct style *style;
        enum source_state state;
        const char *golden;
    } pages[] = {{&style_pipe, SOURCE_AS_BUILT, "hotspots-pipe.txt"},
                 {&style_terminal, SOURCE_AS_BUILT, "hotspots-terminal.txt"},
                 {&style_ascii, SOURCE_EDITED, "hotspots-ascii.txt"},
                 {&style_ascii, SOURCE_MISSING, "hotspots-missing.txt"}};
    struct hotspots *hotspots = sample_hotspots();
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        char *text = print_page(hotspots, pages[i].style, pages[i].state);
        assert_page(text, *pages[i].style, pages[i].golden);
    }
}

// A line counts with all it does; on it, the access that does most of it.
TEST(the_worst_line)
{
    static struct source_lines lines;
    memset(&lines, 0, sizeof lines);
    add(&lines, "a.cu", 3, GLOBAL_LOAD, 10, 100, 20);
    add(&lines, "a.cu", 9, GLOBAL_LOAD, 10, 70, 20);
    add(&lines, "a.cu", 9, SHARED_STORE, 10, 80, 20);
    add(&lines, "b.cu", 9, GLOBAL_STORE, 10, 99, 20);
    struct hotspot_sum sum = hotspot_sum(&lines);
    ck_assert_uint_eq(sum.passes, 349);
    ck_assert_uint_eq(sum.excess, 269);
    ck_assert_uint_eq(sum.worst_excess, 110);
    ck_assert_ptr_eq(sum.worst, &lines.accesses[2]);
}

TEST(what_does_not_fit_is_told)
{
    static struct source_lines lines;
    memset(&lines, 0, sizeof lines);
    for (unsigned line = 1; line <= MAX_LINE_ACCESSES; line++)
        add(&lines, "a.cu", line, GLOBAL_LOAD, 1, 1, 1);
    ck_assert(!lines.overflowed);
    add(&lines, "a.cu", 5, GLOBAL_LOAD, 1, 1, 1);
    ck_assert(!lines.overflowed);
    ck_assert_uint_eq(lines.accesses[4].executions, 2);
    add(&lines, "b.cu", 5, GLOBAL_LOAD, 1, 1, 1);
    ck_assert(lines.overflowed);
    ck_assert_int_eq(lines.count, MAX_LINE_ACCESSES);
}

TEST(files_are_found_by_what_the_compiler_calls_them)
{
    struct source_file source = {.name = "steps/step3_per_element.cu"};
    ck_assert(source_file_is(&source, "steps/step3_per_element.cu"));
    ck_assert(source_file_is(&source, "/home/somebody/kit/steps/step3_per_element.cu"));
    ck_assert(!source_file_is(&source, "step3_per_element.cu"));
    ck_assert(!source_file_is(&source, "/home/somebody/othersteps/step3_per_element.cu"));
    ck_assert(!source_file_is(&source, "steps/step2_per_column.cu"));
    ck_assert_int_eq(source_file_find("steps/no_such_step.cu").state, SOURCE_MISSING);
}

static cJSON *ask(const char *arguments)
{
    return type_json(RUN "--json - %s", arguments);
}

// Each step's accesses at n = 1024, with TILE 32, as they follow from the addresses.
TEST(the_steps_by_line)
{
    static const struct {
        int step, line;
        const char *access;
        double each, ideal;
    } expected[] = {
        {1, 8, "global load", 1, 1},   {1, 8, "global store", 1, 1},
        {2, 10, "global load", 4, 4},  {2, 10, "global store", 32, 4},
        {3, 9, "global load", 4, 4},   {3, 9, "global store", 32, 4},
        {4, 12, "global load", 4, 4},  {4, 12, "shared store", 1, 1},
        {4, 18, "global store", 4, 4}, {4, 18, "shared load", 32, 1},
        {5, 14, "global load", 4, 4},  {5, 14, "shared store", 1, 1},
        {5, 21, "global store", 4, 4}, {5, 21, "shared load", 1, 1},
    };
    static const int worst[] = {0, 10, 9, 18, 0};
    cJSON *json = ask("-n 1024");
    size_t next = 0;
    for (int i = 0; i < 5; i++) {
        const cJSON *step = json_step(json, i), *access;
        cJSON_ArrayForEach(access, json_member(step, "accesses"))
        {
            ck_assert_uint_lt(next, sizeof expected / sizeof *expected);
            double executions = json_number(access, "executions");
            ck_assert_int_eq(expected[next].step, i + 1);
            ck_assert(executions == (i == 0 ? 1048576 : 32768));
            ck_assert_str_eq(json_string(access, "file"), json_string(step, "file"));
            ck_assert(json_number(access, "line") == expected[next].line);
            ck_assert_str_eq(json_string(access, "access"), expected[next].access);
            ck_assert(json_number(access, "passes") == executions * expected[next].each);
            ck_assert(json_number(access, "ideal") == executions * expected[next].ideal);
            next++;
        }
        const cJSON *line = json_member(step, "worst_line");
        ck_assert(worst[i] ? line->valueint == worst[i] : cJSON_IsNull(line));
    }
    ck_assert_uint_eq(next, sizeof expected / sizeof *expected);
}

static double sum_of(const cJSON *step, const char *access, const char *key)
{
    double sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, json_member(step, "accesses"))
    {
        if (strncmp(json_string(item, "access"), access, strlen(access)) == 0)
            sum += json_number(item, "%s", key);
    }
    return sum;
}

// At odd sizes, the lines' counts add up to what a run of the same steps counts.
TEST(lines_add_up_to_the_run)
{
    static const int sizes[] = {1, 31, 33, 1000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char arguments[32];
        snprintf(arguments, sizeof arguments, "-n %d", sizes[i]);
        cJSON *json = ask(arguments);
        cJSON *run = type_json("build/sim/run --json - -n %d", sizes[i]);
        for (int s = 0; s < 8; s++) {
            const cJSON *step = json_step(json, s);
            const cJSON *counts = json_member(json_step(run, s), "counters");
            ck_assert(sum_of(step, "global load", "executions") ==
                      json_number(counts, "global_load_requests"));
            ck_assert(sum_of(step, "global load", "passes") ==
                      json_number(counts, "global_load_sectors"));
            ck_assert(sum_of(step, "global store", "executions") ==
                      json_number(counts, "global_store_requests"));
            ck_assert(sum_of(step, "global store", "passes") ==
                      json_number(counts, "global_store_sectors"));
            ck_assert(sum_of(step, "shared", "executions") ==
                      json_number(counts, "shared_requests"));
            ck_assert(sum_of(step, "shared", "passes") == json_number(counts, "shared_wavefronts"));
        }
    }
}

// As typed: within 120 columns, ASCII in an ASCII locale, no colour in a pipe.
TEST(the_page_as_typed)
{
    struct printed printed = type_well("LC_ALL=C " RUN "-n 100 --sim=t4");
    ck_assert_str_eq(printed.err, "");
    assert_contains(printed.out, "Simulated device Tesla T4: memory accesses by source line",
                    "steps/step3_per_element.cu, n = 100\n",
                    "!     9          out[(size_t)col * n + row]",
                    "Global Store L2 Transactions/Access = 25.0");
    assert_page(printed.out, style_ascii, NULL);
    assert_contains(type(RUN "3 -n 64 --color always").out, "\033[31m");
}

// The program in a folder of its own, called from another: files as built, edited and gone.
TEST(files_that_changed)
{
    make_folder();
    static const struct {
        const char *before, *words;
    } cases[] = {
        {"touch -d '1 hour ago' steps/*", "!     9          out[(size_t)col * n + row]"},
        {"touch -d '1 hour' steps/step3_per_element.cu",
         "  ! the file was edited after the program was built"},
        {"true", "`make`."},
        {"head -4 steps/step3_per_element.cu >x; mv x steps/step3_per_element.cu",
         "!     9  (not in the file as it is now)"},
        {"rm steps/step3_per_element.cu", "  ! the file is not there any more"},
        {"mkfifo steps/step3_per_element.cu", "  ! the file is no plain file any more"},
    };
    struct printed printed = type_well("mkdir -p %s/build/sim && cp build/sim/run %s/build/sim/ && "
                                       "cp -r steps %s/",
                                       folder, folder, folder);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        printed = type_well("(cd %s && %s) && cd / && %s/build/sim/run hotspots 3 -n 64", folder,
                            cases[i].before, folder);
        assert_contains(printed.out, cases[i].words, "Global Store L2 Transactions/Access = 32.0");
        ck_assert_int_eq(strstr(printed.out, "\n  ! ") != NULL, i > 0);
    }
    printed = type("rm -r %s", folder);
}

TEST(steps_that_go_wrong)
{
    struct printed printed =
        type_to(EXIT_WRONG,
                "APODKIT_SIM_BUDGET=%" PRId64 " build/sim/wrong_steps hotspots "
                "42 49 50 51 53 56 -n 100 --timeout 2 "
                "--json build/check/hotspots.json",
                INT64_MAX); // step 50's loop never ends, on a fast machine too
    assert_contains(
        printed.err,
        "step 42 gave a wrong result: ", "step 49 failed: Out of bounds __global__ write",
        "step 50 failed: the kernel did not end within 2 seconds", "step 51 failed: ",
        "step 53 failed: launch() in tests/wrong_steps/step53_no_launch.cu launched no kernel");
    ck_assert_ptr_null(strstr(printed.err, "apodkit: step 56"));
    assert_contains(printed.out, "the kernel did not end within 2 seconds",
                    "Excess: 1300 of 4500 passes (28.9%)");
    char *text = read_file("build/check/hotspots.json");
    cJSON *json = read_json(text);
    ck_assert(cJSON_IsFalse(json_member(json_step(json, 0), "verified")));
    ck_assert_ptr_null(cJSON_GetObjectItem(json_step(json, 0), "accesses"));
    ck_assert(cJSON_IsTrue(json_member(json_step(json, 5), "verified")));
}

TEST(mistakes_are_usage_errors)
{
    static const char *const cases[][2] = {
        {"-n 0", "-n takes a whole number from 1 to 1048576, not '0'"},
        {"-n 12x", "not '12x'"},
        {"--timeout 0", "--timeout takes a whole number from 1 to 86400, not '0'"},
        {"--device -1", "--device takes"},
        {"99", "step 99 is not built"},
        {"three", "'three' is not a step's number"},
        {"--sim=nothing", "h200 h100"},
        {"--color blue", "--color takes auto, always or never"},
        {"--frobnicate", "frobnicate"},
    };
    ASSERT_USAGE_ERRORS(RUN, cases, "hotspots --help");
    assert_contains(type_well(RUN "--help").out, "Usage: ./run hotspots");
    ck_assert_str_eq(type_to(EXIT_WRONG, RUN "3 -n 64 --json /nonexistent/x").out,
                     ""); // it is found out before the work
    type_to(EXIT_WRONG, RUN "3 -n 64 >/dev/full");
}
