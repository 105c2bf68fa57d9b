#include "command_line/options.h"
#include "suites.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static const char *const bad[] = {"-n 0",
                                  "-n -1",
                                  "-n 1048577",
                                  "-n 99999999999999999999",
                                  "-n 12x",
                                  "-n 1e3",
                                  "-n",
                                  "-n +5",
                                  "--reps 0",
                                  "--reps 100001",
                                  "--device -1",
                                  "--device 1024",
                                  "--timeout -1",
                                  "--timeout soon",
                                  "--color blue",
                                  "--metrics nonsense",
                                  "--metrics ,",
                                  "--metrics",
                                  "--frobnicate",
                                  "0",
                                  "99",
                                  "two",
                                  "3 x",
                                  "-5",
                                  "3.0",
                                  "--json",
                                  "--json a --json b",
                                  "--save a --save=b",
                                  "-n 1 -n1",
                                  "--sim=kepler --sim"};

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

// ---- Command lines at random -----------------------------------------------------------------------

enum { LINES = 50000, MOST_WORDS = 8, WORD_SIZE = 128 };

static const char *any_value(void)
{
    static const char *const values[] = {
        "",         "0",         "1",          "7",
        "-1",       "1e3",       "08",         "+5",
        "nan",      "0x10",      "1 2",        "%s%n",
        "--",       "-",         ",",          "=",
        "\x9b",     "\xff\xfe",  "h200",       "list",
        "kepler",   "always",    "n=1:9",      "n=8:+1",
        "n=1:9:*0", "TILE=0",    "n=",         "a__b.sum",
        "ipc,,",    "registers", "4294967297", "99999999999999999999"};
    return values[rand() % (int)(sizeof values / sizeof *values)];
}

// An option of the verb, with or without a value; a value; or a step.
static void write_word(const struct verb *verb, char word[WORD_SIZE])
{
    int rows = 0;
    while (verb->options[rows].name)
        rows++;
    const char *name = verb->options[rand() % rows].name, *dashes = name[1] ? "--" : "-";
    int kind = rand() % 4;
    if (kind == 0)
        snprintf(word, WORD_SIZE, "%s%s", dashes, name);
    else if (kind == 1)
        snprintf(word, WORD_SIZE, "%s%s=%s", dashes, name, any_value());
    else if (kind == 2)
        snprintf(word, WORD_SIZE, "%s", any_value());
    else
        snprintf(word, WORD_SIZE, "%d", rand() % 10);
}

// Numbers are those of the table, or were not given.
static void assert_in_bounds(const struct options *options)
{
    for (const struct option_row *row = options->verb->options; row->name; row++) {
        long number = 0;
        if (row->kind == OPTION_NUMBER)
            memcpy(&number, (const char *)options + row->offset, sizeof number);
        ASSERT_QUICK(number == 0 || number == -1 || (number >= row->least && number <= row->most));
    }
    ASSERT_QUICK(options->extra_count >= 0 && options->extra_count <= MAX_EXTRAS);
}

// The words of a line of the verb, from argv[1] on. Returns how many there are in argv.
static int write_line(const struct verb *verb, char words[MOST_WORDS][WORD_SIZE], char **argv)
{
    int argc = 1;
    if (verb->name)
        argv[argc++] = (char *)verb->name; // options_parse() changes none
    for (int word = rand() % MOST_WORDS; word > 0; word--) {
        write_word(verb, words[word]);
        argv[argc++] = words[word];
    }
    return argc;
}

// What is refused is said on standard error; what is accepted keeps to the table.
TEST(no_command_line_is_too_odd)
{
    FILE *said = tmpfile();
    ck_assert_ptr_nonnull(said);
    ck_assert_int_ge(dup2(fileno(said), STDERR_FILENO), 0);
    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stdout)); // --help
    srand(1);
    int verb_count = 0;
    while (verbs[verb_count])
        verb_count++;
    for (int i = 0; i < LINES; i++) {
        const struct verb *verb = rand() % 3 ? verbs[rand() % verb_count] : &run_verb;
        char words[MOST_WORDS][WORD_SIZE], *argv[MOST_WORDS + 3] = {"run"};
        int argc = write_line(verb, words, argv);
        struct options options;
        off_t before = lseek(STDERR_FILENO, 0, SEEK_END);
        enum parsed parsed = options_parse(argc, argv, &options);
        if (parsed == PARSED_WRONG)
            ASSERT_QUICK(lseek(STDERR_FILENO, 0, SEEK_END) > before);
        else if (parsed == PARSED_RUN)
            assert_in_bounds(&options);
    }
    fclose(said);
}
