// ./run import: what Nsight Compute writes in several locales, and what is none of it.
#define _GNU_SOURCE // strdup
#include "files/csv_read.h"
#include "files/ncu_run.h"
#include "schema.h"
#include "suites.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

#define CORPUS "tests/fuzz/corpus/ncu/"
#define RUN "LC_ALL=C build/check/run "

static struct run *run;

static void set_up(void)
{
    make_folder();
    run = keep(calloc(1, sizeof *run));
}

static int number_of(void *context, const char *kernel)
{
    (void)context;
    return strcmp(kernel, "transpose_per_element") == 0   ? 3
           : strcmp(kernel, "transpose_shared_tile") == 0 ? 4
                                                          : 0;
}

// Parses a copy; "" or why not.
static const char *parse(const char *text, size_t n)
{
    static char why[NCU_WHY_SIZE];
    char *copy = strdup(text);
    ck_assert_ptr_nonnull(copy);
    memset(run, 0, sizeof *run);
    *why = '\0';
    bool good = ncu_parse(copy, n, number_of, NULL, run, why);
    ck_assert_int_eq(good, *why == '\0');
    free(copy);
    return why;
}

SUITE(import, .seconds = 60, .set_up = set_up, .tear_down = remove_folder)

// Thousands and decimals as a C, a German, a French and a Swiss locale have them.
TEST(all_locales_say_the_same, .times = 5)
{
    static const char *const locales[] = {"english", "german", "french", "swiss", "plain"};
    char path[64];
    snprintf(path, sizeof path, CORPUS "%s.csv", locales[_i]);
    ck_assert_str_eq(parse(read_file(path), 0), "");
    ck_assert_int_eq(run->count, 3);
    ck_assert_str_eq(run->device.name, "NVIDIA H200");
    ck_assert_int_eq(run->device.sms, 132);
    ck_assert_double_eq_tol(run->device.dram_peak_gbs, 4916.736, 1e-3);
    ck_assert_uint_eq(run->n, 1024);
    const struct step_result *step = &run->steps[1];
    ck_assert(step->number == 4 && step->n == 1024 && step->outcome == NOT_KNOWN);
    ck_assert_double_eq_tol(step->values[TIME_MS].number, 9.98e-3, 1e-6); // of 9.92 and 10.04 us
    ck_assert_int_eq(step->timing.launches, 2);
    ck_assert(step->values[TIME_MS].provenance == MEASURED);
    ck_assert(step->grid[1] == 32 && step->block[0] == 32);
    ck_assert(step->values[INST_EXECUTED].number == 1376256);
    ck_assert_double_eq_tol(step->values[DRAM_READ_BYTES].number, 4210000, 1e-3);
    ck_assert(step->values[REGISTERS].number == 20 && step->values[SHARED_BYTES].number == 4100);
    ck_assert(step->values[SHARED_REQUESTS].number == 65536); // loads and stores
    ck_assert(step->values[THEORETICAL_OCCUPANCY].number == 100);
    ck_assert_double_eq_tol(run->steps[0].values[GST_EFFICIENCY].number, 12.5, 1e-6);
    const struct step_result *other = &run->steps[2];
    ck_assert(other->number == FOREIGN_KERNELS && other->n == 1024);
    ck_assert_str_eq(other->title, "scale");
    ck_assert(!value_known(&other->values[BANDWIDTH_GBS]) && value_known(&other->values[TIME_MS]));
}

#define NAMES                                                                                      \
    "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"gpu__time_duration.sum\""
#define UNITS "\n,,,,,ns\n"
#define ROW(time) "0,f(int),\"(32, 8, 1)\",\"(4, 4, 1)\",9.0," time "\n"

static const struct {
    const char *text, *why;
} bad[] = {
    {"", "no line of it begins with \"ID\""},
    {"==ERROR== ERR_NVGPUCTRPERM\nhello\n", "type `ncu --csv --page raw`"},
    {"\"ID\",\"Name\"\n,\n", "line 1: no column is called \"Kernel Name\""},
    {"==PROF== x\n\"ID\",\"Kernel Name\",\"Metric Name\"\n", "line 2: it is a row a metric"},
    {NAMES, "line 1: the row of units is missing"},
    {NAMES "\n" ROW("12"), "line 2: the row of units is missing"},
    {NAMES UNITS, "line 2: there is no launch below it"},
    {NAMES UNITS "0,f(int),\"(32, 8, 1)\"",
     "line 3, column 10: it has 3 fields, and line 1 names 6: the file may be cut off"},
    {NAMES UNITS ROW("12") "1,f,,,9.0,1,2\n",
     "line 4, column 11: it has 7 fields, and line 1 names 6"},
    {NAMES UNITS "0,\"f(int", "line 3, column 3: the text ends within quotes: the file is cut off"},
    {NAMES UNITS "0,f,32,\"(4, 4, 1)\",9.0,1\n", "line 3, column 5: '32' is no Block Size"},
    {NAMES UNITS "0,f,\"(3, 2, 1)\",\"(4, -4, 1)\",9.0,1\n",
     "line 3, column 17: '(4, -4, 1)' is no Grid Size"},
    {NAMES UNITS "0,(int),\"(32, 8, 1)\",\"(4, 4, 1)\",9.0,1\n",
     "line 3, column 3: the kernel has no name"},
    {NAMES UNITS ROW("fast"), "line 3, column 39: 'fast' is no number, for gpu__time_duration.sum"},
    {NAMES UNITS ROW("1e999"), "line 3, column 39: '1e999' is no number"},
    {NAMES UNITS ROW("-5"), "line 3, column 39: '-5' is no number"},
    {NAMES UNITS ROW("0x10"), "line 3, column 39: '0x10' is no number"},
    {NAMES UNITS ROW("1.25") ROW("\"1.024,5\""),
     "line 4, column 39: '1.024,5' has another decimal point"},
    {NAMES UNITS ROW("12"), "n is not known: give -n N"},
    {NAMES "\n,,,,,hour\n" ROW("12"), "line 2: 'hour' is no unit of time that ncu has"},
};

TEST(what_is_wrong_is_named, .times = sizeof bad / sizeof *bad)
{
    assert_contains(parse(bad[_i].text, 0), bad[_i].why);
}

// What one of the unit is, and numbers of either locale.
TEST(times_have_units, .times = 9)
{
    static const struct {
        const char *unit, *number;
        double ms;
    } times[] = {{"ns", "1500", 0.0015},
                 {"nsecond", "\"1,500\"", 0.0015},
                 {"us", "1.5", 0.0015},
                 {"usecond", "\"1,5\"", 0.0015},
                 {"ms", "\"0,125\"", 0.125},
                 {"msecond", "0.125", 0.125},
                 {"s", "2", 2000},
                 {"second", "\"1.234,5\"", 1234500},
                 {"ns", "\"12'345\"", 0.012345}};
    char text[400];
    snprintf(text, sizeof text, NAMES "\n,,,,,%s\n" ROW("%s"), times[_i].unit, times[_i].number);
    ck_assert_str_eq(parse(text, 64), "");
    ck_assert_double_eq_tol(run->steps[0].values[TIME_MS].number, times[_i].ms,
                            1e-6 * times[_i].ms);
}

TEST(a_mark_of_utf8_is_no_text)
{
    ck_assert_str_eq(parse("\xef\xbb\xbf" NAMES UNITS ROW("1500"), 64), "");
}

// What a transpose stored says n.
TEST(another_n_than_the_bytes_is_refused)
{
    static const char stored[] =
        "\"ID\",\"Kernel Name\",\"Block Size\",\"Grid Size\",\"CC\",\"gpu__time_duration.sum\","
        "\"sm__sass_data_bytes_mem_global_op_st.sum\"\n,,,,,ns,byte\n"
        "0,f(int),\"(32, 8, 1)\",\"(4, 4, 1)\",9.0,12,\n"
        "1,transpose_per_element(int),\"(32, 8, 1)\",\"(4, 4, 1)\",9.0,12,16384\n";
    ck_assert_str_eq(parse(stored, 0), "");
    ck_assert_str_eq(parse(stored, 64), "");
    assert_contains(
        parse(stored, 128),
        "line 4: with -n 128 step 3 has n = 128, but what it stored is a matrix of n = 64");
}

// What ncu was not asked for, and what it could not tell.
TEST(what_is_not_there_is_unavailable)
{
    ck_assert_str_eq(parse(NAMES UNITS ROW("0"), 64), "");
    assert_contains(run->steps[0].values[TIME_MS].why, "ncu has a time of 0 for it");
    ck_assert_str_eq(parse(NAMES UNITS ROW("n/a"), 64), "");
    const struct value *values = run->steps[0].values;
    assert_contains(values[TIME_MS].why, "ncu has no number for gpu__time_duration.sum");
    assert_contains(values[INST_EXECUTED].why, "ncu was not asked for smsp__inst_executed.sum");
    ck_assert(!value_known(&values[GST_EFFICIENCY]) && !value_known(&values[REGISTERS]));
}

// A smaller launch of the same kernel, as an exercise's at its edges, is another work.
TEST(the_largest_launches_count)
{
    ck_assert_str_eq(parse(NAMES UNITS
                           "0,transpose_shared_tile,\"(32, 8, 1)\",\"(1, 1, 1)\",9.0,5\n" ROW(
                               "7") "2,transpose_shared_tile,\"(32, 8, 1)\",\"(9, 9, 1)\",9.0,50\n",
                           100),
                     "");
    ck_assert_int_eq(run->count, 2);
    ck_assert_int_eq(run->steps[0].timing.launches, 1);
    ck_assert_double_eq_tol(run->steps[0].values[TIME_MS].number, 5e-5, 1e-9);
    ck_assert_uint_eq(run->steps[0].n, 100);
}

TEST(fields_are_read_as_they_are_written)
{
    char text[] = "a,\"b \"\"c\"\", d\",\r\n\"two\nlines\",x\nlast";
    struct csv_field fields[4];
    struct csv_reader reader = csv_reader_of(text);
    ck_assert_int_eq(csv_next(&reader, fields, 4), 3);
    ck_assert_str_eq(fields[1].text, "b \"c\", d");
    ck_assert(fields[1].column == 3 && reader.line == 1);
    ck_assert_str_eq(fields[2].text, "");
    ck_assert_int_eq(csv_next(&reader, fields, 1), 2);
    ck_assert_str_eq(fields[0].text, "two\nlines");
    ck_assert_int_eq(csv_next(&reader, fields, 4), 1);
    ck_assert_int_eq(reader.line, 4);
    ck_assert_str_eq(fields[0].text, "last");
    ck_assert_int_eq(csv_next(&reader, fields, 4), 0);
    ck_assert(!reader.unclosed);
}

TEST(other_verbs_take_it)
{
    assert_contains(type_well(RUN "import " CORPUS "german.csv -o theirs").out,
                    "step 4: tile in shared memory, 2 launches, 20 of 28 metrics\n",
                    "kernel: scale, 1 launch,", "Step 4 - Optimise - tile in shared memory\n",
                    "753 GB/s of useful bytes.\n",
                    "Shared Memory Replay Overhead                    ! 42.5%",
                    "\nscale\n"
                    "                                                      kernel\n");
    assert_contains(type_well(RUN "compare h200-1024 theirs").out,
                    "measured by Nsight Compute, read from " CORPUS "german.csv",
                    "Shared Memory Replay Overhead                   42.5%");
    assert_contains(type_well(RUN "history").out, " theirs ");
    assert_contains(type_well(RUN "export theirs").out, "\ntheirs,4,tile in shared memory,1024,");
    cJSON *json = type_json(RUN "import " CORPUS "german.csv --json -");
    assert_run_schema(json);
    assert_contains(type_to(2, RUN "import " CORPUS "german.csv -o theirs").err,
                    "there is a run of that name");
}

#define UTF16 "build/check/utf16.csv"

TEST(the_command_line)
{
    type_well("iconv -f UTF-8 -t UTF-16 " CORPUS "plain.csv >" UTF16
              " && printf '\\376\\377\\0I\\0D' >" UTF16 "-be");
    static const struct {
        const char *arguments, *err;
    } wrong[] = {
        {"", "import takes one file"},
        {"a b", "import takes one file that `ncu --csv --page raw` wrote, not 2"},
        {"/nonexistent.csv", "importing /nonexistent.csv: it cannot be read: No such file"},
        {"Makefile", "importing Makefile: no line of it begins with \"ID\""},
        {"docs/runs/h200.json", "no line of it begins"},
        {"/dev/zero", "importing /dev/zero: it is no regular file"},
        {UTF16, "it is UTF-16, as PowerShell's > writes it: `iconv -f UTF-16 -t"},
        {UTF16 "-be", "it is UTF-16"},
        {"README.md --json README.md", "--json README.md would be written over the file"},
        {"--names x", "and --names none"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct printed printed = type_to(2, RUN "import %s", wrong[i].arguments);
        assert_contains(printed.err, wrong[i].err);
        ck_assert_str_eq(printed.out, "");
    }
    assert_contains(type_well(RUN "import --names").out, ",smsp__inst_executed.sum,l1tex__t_");
}
