#include "suites.h"
#include "verbs/options.h"

#include <stdio.h>
#include <string.h>

// Parses the words, at most 15 of them, as ./run's arguments.
static enum parsed parse(struct options *options, const char *words)
{
    static char text[512];
    char *argv[16] = {"run"};
    int argc = 1;
    ck_assert_uint_lt(strlen(words), sizeof text);
    strcpy(text, words);
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    return options_parse(argc, argv, options);
}

SUITE(options)

TEST(defaults)
{
    struct options options;
    ck_assert_int_eq(parse(&options, ""), PARSED_RUN);
    for (int i = 0; i < step_count(); i++)
        ck_assert(options.chosen[i]);
    ck_assert_uint_eq(options.n, 0);
    ck_assert_int_eq(options.reps, 0);
    ck_assert(options.profile);
    ck_assert(!options.json && !options.summary_only);
    ck_assert_int_eq(options.device, 0);
    ck_assert(options.timeout_s == 30);
    ck_assert_int_eq(options.color, COLOR_AUTO);
}

TEST(steps_by_number)
{
    struct options options;
    ck_assert_int_eq(parse(&options, "4 2 -n 77 2"), PARSED_RUN);
    for (int i = 0; i < step_count(); i++)
        ck_assert_int_eq(options.chosen[i], step_at(i)->number == 2 || step_at(i)->number == 4);
    ck_assert_uint_eq(options.n, 77);
}

TEST(all_options)
{
    struct options options;
    ck_assert_int_eq(parse(&options, "--reps 12 --json out.json --no-profile --device 3 --timeout 0"
                                     " --color never --summary -n 1048576"),
                     PARSED_RUN);
    ck_assert_int_eq(options.reps, 12);
    ck_assert_str_eq(options.json, "out.json");
    ck_assert(!options.profile && options.summary_only);
    ck_assert_int_eq(options.device, 3);
    ck_assert(options.timeout_s == 0);
    ck_assert_int_eq(options.color, COLOR_NEVER);
    ck_assert_uint_eq(options.n, MAX_N);
}

TEST(metrics_by_both_names)
{
    struct options options;
    ck_assert_int_eq(
        parse(&options, "--metrics ipc,dram__sectors_read.sum --metrics gld_efficiency"),
        PARSED_RUN);
    ck_assert_int_eq(options.extra_count, 3);
    ck_assert_str_eq(options.extra_names[0], "ipc");
    ck_assert_str_eq(options.extra_expressions[0], "sm__inst_executed.avg.per_cycle_active");
    ck_assert_str_eq(options.extra_expressions[1], "dram__sectors_read.sum");
    ck_assert_str_eq(options.extra_names[2], "gld_efficiency");
    ck_assert_str_eq(options.extra_expressions[2],
                     "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct");
}

static const char *const bad[] = {"-n 0",         "-n -1",
                                  "-n 1048577",   "-n 99999999999999999999",
                                  "-n 12x",       "-n 1e3",
                                  "-n",           "-n +5",
                                  "--reps 0",     "--reps 100001",
                                  "--device -1",  "--device 1024",
                                  "--timeout -1", "--timeout soon",
                                  "--color blue", "--metrics nonsense",
                                  "--metrics ,",  "--metrics",
                                  "--frobnicate", "0",
                                  "99",           "two",
                                  "3 x",          "-5",
                                  "3.0",          "--json"};

TEST(bad_input_is_refused, .times = sizeof bad / sizeof *bad)
{
    struct options options;
    ck_assert_msg(parse(&options, bad[_i]) == PARSED_WRONG, "'%s' was accepted", bad[_i]);
}

TEST(too_many_metrics_are_refused)
{
    struct options options;
    char list[512] = "--metrics a__b.sum";
    for (int i = 1; i < MAX_EXTRAS; i++)
        snprintf(list + strlen(list), 16, ",a__b%d.sum", i);
    ck_assert_int_eq(parse(&options, list), PARSED_RUN);
    ck_assert_int_eq(options.extra_count, MAX_EXTRAS);
    strcat(list, ",a__bb.sum");
    ck_assert_int_eq(parse(&options, list), PARSED_WRONG);
}
