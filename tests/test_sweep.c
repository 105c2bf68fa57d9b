// ./run sweep, ./run export and make plots: the plan of a sweep, its table and CSV, and the commands as a
// user types them on the simulated device.
#define _GNU_SOURCE // mkdtemp, posix_openpt, open_memstream
#include "base/child.h"
#include "base/progress.h"
#include "command_line/options.h"
#include "files/csv.h"
#include "suites.h"
#include "support.h"
#include "verbs/sweep.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SANITIZED "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run "

// ---- CSV, read back ------------------------------------------------------------------------------

enum { MAX_FIELDS = 120, MAX_LINES = 64 };

struct csv {
    int lines, fields; // the first line has the names
    char *cells[MAX_LINES][MAX_FIELDS];
};

// Splits the text in its place. Fails the test unless all lines have as many fields as the first.
static void parse_csv(char *text, struct csv *csv)
{
    *csv = (struct csv){0};
    while (*text) {
        ASSERT_QUICK(csv->lines < MAX_LINES);
        int count = 0;
        for (bool ends = false; !ends; count++) {
            ASSERT_QUICK(count < MAX_FIELDS);
            bool quoted = *text == '"';
            char *out = text += quoted;
            csv->cells[csv->lines][count] = out;
            while (quoted ? *text != '"' || text[1] == '"' : *text != ',' && *text != '\n') {
                ASSERT_QUICK(*text != '\0');
                text += quoted && *text == '"';
                *out++ = *text++;
            }
            text += quoted;
            ends = *text == '\n';
            ASSERT_QUICK(ends || *text == ',');
            text++;
            *out = '\0';
        }
        csv->fields = csv->lines == 0 ? count : csv->fields;
        ASSERT_QUICK(count == csv->fields);
        csv->lines++;
    }
}

static const char *cell(const struct csv *csv, int line, const char *name)
{
    for (int i = 0; i < csv->fields; i++)
        if (strcmp(csv->cells[0][i], name) == 0)
            return csv->cells[line][i];
    ck_abort_msg("there is no column %s", name);
    return NULL;
}

SUITE(sweep, .seconds = 300)

// A spreadsheet would take a return at the start for a formula's: there is a ' before it.
static void assert_cell(const char *cell, const char *word)
{
    bool guarded = *word == '\r';
    ASSERT_QUICK(!guarded || *cell == '\'');
    ASSERT_QUICK(strcmp(cell + guarded, word) == 0);
}

// Any text, with its provenance and numbers beside it, comes back as it was.
TEST(csv_comes_back_as_it_was)
{
    static const char signs[] = "ab,\"\n \r;'";
    srand(3);
    for (int round = 0; round < 2000; round++) {
        char words[2][8] = {"", ""}, *text;
        size_t size;
        for (int w = 0; w < 2; w++)
            for (int i = rand() % 7; i > 0; i--)
                words[w][strlen(words[w])] = signs[(size_t)rand() % (sizeof signs - 1)];
        FILE *file = open_memstream(&text, &size);
        ck_assert_ptr_nonnull(file);
        struct value known = value_of(0.125, MODELLED), unknown = value_unavailable("of a reason");
        csv_text(file, words[0], ',');
        csv_value(file, &known, ',');
        csv_count(file, 0, ',');
        csv_value(file, &unknown, ',');
        csv_text(file, words[1], '\n');
        fclose(file);
        struct csv csv;
        parse_csv(text, &csv);
        ASSERT_QUICK(csv.lines == 1 && csv.fields == 7);
        assert_cell(csv.cells[0][0], words[0]);
        ASSERT_QUICK(strcmp(csv.cells[0][1], "0.125") == 0);
        ASSERT_QUICK(strcmp(csv.cells[0][2], "modelled") == 0);
        ASSERT_QUICK(*csv.cells[0][3] == '\0' && *csv.cells[0][4] == '\0');
        ASSERT_QUICK(strcmp(csv.cells[0][5], "unavailable") == 0);
        assert_cell(csv.cells[0][6], words[1]);
        free(text);
    }
}

// Of a time that launches tell well, and of one where nothing is known of them.
TEST(times_have_intervals_in_csv)
{
    struct point points[2] = {{.step = {.number = 3, .n = 64}}, {.step = {.number = 4, .n = 64}}};
    struct selection none = {.count = 0};
    points[0].step.timing = (struct timing){0.5, 0.25, 2, 100, 0.375, 0.625};
    ck_assert(write_points_csv("build/check/times.csv", points, 2, &none));
    const char *text = read_file("build/check/times.csv");
    assert_contains(text, ",time_low_ms,time_high_ms\n,3,", ",0.375,0.625\n,4,");
    ck_assert_str_eq(text + strlen(text) - 3, ",,\n");
}

// ---- The plan ------------------------------------------------------------------------------------

static struct sweep *sweep;

static bool plan(const char *steps, const char *n, const char *tile, const char *rows)
{
    struct options options = {.word_count = 0};
    char why[RANGE_WHY_SIZE];
    for (; *steps; steps++)
        ck_assert(parse_step((char[]){*steps, '\0'}, options.chosen));
    ck_assert(range_parse(n, 1, MAX_N, &options.sizes, why));
    ck_assert(!tile || range_parse(tile, 1, 32, &options.tiles, why));
    ck_assert(!rows || range_parse(rows, 1, 32, &options.rows, why));
    sweep = keep(calloc(1, sizeof *sweep));
    return sweep_plan(&options, sweep);
}

static void assert_point(int place, int step, size_t n, int tile, int rows)
{
    const struct point *point = &sweep->points[place];
    ck_assert_msg(point->step.number == step && point->step.n == n && point->tile == tile &&
                      point->rows == rows,
                  "point %d is of step %g, n = %zu, TILE %d, ROWS %d", place, point->step.number,
                  point->step.n, point->tile, point->rows);
}

TEST(sizes_make_points)
{
    ck_assert(plan("35", "100,200", NULL, NULL));
    ck_assert_int_eq(sweep->count, 4);
    assert_point(0, 3, 100, 0, 0);
    assert_point(1, 3, 200, 0, 0);
    assert_point(3, 5, 200, 0, 0);
    // The serial step stays at its largest n.
    ck_assert(plan("13", "512:4096:*2", NULL, NULL));
    ck_assert_int_eq(sweep->count, 2 + 4);
    assert_point(1, 1, 1024, 0, 0);
    assert_point(2, 3, 512, 0, 0);
    ck_assert(sweep->too_large_for[0] && !sweep->too_large_for[2]);
    ck_assert(!plan("1", "2048", NULL, NULL));
    ck_assert(!plan("12345", "1:50:+1", NULL, NULL)); // 250 points
}

// A step is built for what it says that it has: step 3 for nothing, 4 for TILE, 5 for both.
TEST(geometries_are_for_the_steps_that_have_them)
{
    ck_assert(plan("345", "64", "8,16", "4,8"));
    ck_assert_int_eq(sweep->count, 1 + 2 + 4);
    assert_point(0, 3, 64, 0, 0);
    assert_point(1, 4, 64, 8, 0);
    assert_point(2, 4, 64, 16, 0);
    assert_point(3, 5, 64, 8, 4);
    assert_point(6, 5, 64, 16, 8);
    ck_assert_int_eq(sweep->geometries[0].tile, 0); // ./run itself
    ck_assert_int_eq(sweep->geometries[6].tile, 16);
    ck_assert_int_eq(sweep->geometries[6].rows, 8);
    ck_assert(sweep->without_geometry[2] && !sweep->without_geometry[3]);
    ck_assert(plan("45", "64", NULL, "4,8")); // step 4 has no ROWS
    ck_assert_int_eq(sweep->count, 1 + 2);
    assert_point(0, 4, 64, 0, 0);
    assert_point(2, 5, 64, 32, 8);
    ck_assert(!plan("23", "64", "8", NULL));
    ck_assert(!plan("5", "64", "16", "4,5")); // 5 does not divide 16
    ck_assert(!plan("5", "64", "4", NULL));   // nor does 8 divide 4
}

// ---- The table -----------------------------------------------------------------------------------

TEST(the_table_stays_within_its_width)
{
    struct selection selection;
    selection_of_all(&selection);
    ck_assert_int_eq(selection.count, METRICS - 2);
    ck_assert(plan("45", "64,1048576", "16", "4,8"));
    for (int i = 0; i < sweep->count; i++)
        for (enum metric q = 0; q < METRICS; q++)
            sweep->points[i].step.values[q] = value_of(123456789.0, MODELLED);
    point_fail(&sweep->points[0], "apodkit: the first\napodkit: the last line\n");
    ck_assert_str_eq(sweep->points[0].step.complaint, "the last line");
    for (int utf8 = 0; utf8 < 2; utf8++) {
        FILE *file = text_begin();
        struct style style = {.utf8 = utf8};
        print_points(file, &style, sweep->points, sweep->count, &selection);
        char *text = text_end(file);
        for (enum metric q = REGISTERS; q < METRICS; q++)
            assert_contains(text, metric_table[q].key);
        assert_contains(text, "NOT RIGHT:", "the last line");
        for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
            ck_assert_msg(text_width(line) <= 120, "%d columns: %s", text_width(line), line);
            for (const char *c = line; !utf8 && *c; c++)
                ASSERT_QUICK((unsigned char)*c < 0x80);
        }
    }
}

TEST(the_selection_is_by_name)
{
    struct selection selection;
    ck_assert(selection_parse("gst_efficiency,registers,gst_efficiency", &selection));
    ck_assert_int_eq(selection.count, 2);
    ck_assert_int_eq((int)selection.metric_table[0], GST_EFFICIENCY);
    ck_assert_int_eq((int)selection.metric_table[1], REGISTERS);
    ck_assert(!selection_parse("gst_eficiency", &selection));
    ck_assert(!selection_parse("", &selection));
    ck_assert(!selection_parse("registers,", &selection));
}

// ---- Children and the bar ------------------------------------------------------------------------

TEST(children_end_in_many_ways)
{
    struct child_end end;
    ck_assert(child_run((char *[]){"true", NULL}, &end));
    ck_assert(!child_run((char *[]){"sh", "-c", "echo no; echo why >&2; exit 7", NULL}, &end));
    ck_assert_int_eq(end.status, 7);
    ck_assert_str_eq(end.said, "why\n");
    ck_assert(!child_run((char *[]){"sh", "-c", "kill -9 $$", NULL}, &end));
    ck_assert_int_eq(end.signal, 9);
    ck_assert(!child_run((char *[]){"/nonexistent/program", NULL}, &end));
    ck_assert_int_eq(end.error, ENOENT);
    // Of much, the end is kept.
    ck_assert(child_run((char *[]){"sh", "-c", "seq 5000 >&2", NULL}, &end));
    ck_assert_str_eq(end.said + strlen(end.said) - 5, "5000\n");
    ck_assert_uint_eq(strlen(end.said), CHILD_SAID_SIZE - 1);
}

// Writes three states of the bar to a terminal that the test holds the other end of.
TEST(the_bar_is_for_terminals)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY), saved = dup(STDERR_FILENO);
    ck_assert(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
    ck_assert_int_ge(terminal, 0);
    setenv("TERM", "xterm", 1);
    fflush(stderr);
    dup2(terminal, STDERR_FILENO);
    progress_show(0, 4, "the first");
    progress_show(3, 4, "the last");
    progress_wipe();
    fflush(stderr);
    dup2(saved, STDERR_FILENO);
    char text[1024] = "";
    // A terminal gives what it has so far: up to the end, which is wiped.
    for (size_t length = 0; !strstr(text, "the last ...\r\033[K"); text[length] = '\0') {
        ssize_t more = read(master, text + length, sizeof text - 1 - length);
        ck_assert_int_gt(more, 0);
        length += (size_t)more;
    }
    assert_contains(text, "] 0/4  the first ...", "] 3/4  the last ...");
    close(terminal);
    close(master);
    close(saved);
}

// ---- As typed ------------------------------------------------------------------------------------

TEST(mistakes_are_usage_errors)
{
    static const char *const mistakes[][2] = {
        {"5", "a sweep needs sizes"},
        {"5 n=", "n=: a whole number is expected"},
        {"5 n=0", "0 is not from 1 to 1048576"},
        {"5 n=1024:64:*2", "1024:64 goes down"},
        {"5 n=64 n=128", "n=128: it is given twice"},
        {"5 n=64 TILE=33", "33 is not from 1 to 32"},
        {"5 n=64 TILE=4", "ROWS must divide TILE"},
        {"3 n=64 TILE=8", "none of the steps has TILE"},
        {"1 n=2048", "serial steps run at n = 1024 at most"},
        {"1 2 3 4 5 n=1:50:+1", "more than 200 points"},
        {"5 n=64 BLOCK=8", "a sweep varies n, TILE and ROWS, not 'BLOCK=8'"},
        {"77 n=64", "step 77 is not built"},
        {"5 n=64 --metrics dram_utilisation", "Did you mean 'dram_utilization'?"},
        {"5 n=64 --metrics nonsense", "none of the kit's metrics"},
        {"5 n=64 --csv - --json -", "cannot both"},
        {"5 n=64 --timeout 0", "--timeout takes"},
        {"5 n=64 --sim=h2000", "--sim takes"},
        {"5 n=64 --frobnicate", "frobnicate"}};
    ASSERT_USAGE_ERRORS(SANITIZED "sweep ", mistakes, "");
}

// The CSV of a sweep has what runs of their own say.
TEST(a_sweep_as_csv)
{
    struct printed printed = type_well("./run sweep --sim 5 3 n=64:128:+33 --csv - "
                                       "--metrics gst_efficiency,global_store_sectors,registers");
    ck_assert_str_eq(printed.err, ""); // no bar in a pipe
    struct csv csv;
    parse_csv(printed.out, &csv);
    ck_assert_int_eq(csv.lines, 1 + 4);
    static const char *const steps[] = {"3", "3", "5", "5"}, *const sizes[] = {"64", "97", "64",
                                                                               "97"};
    for (int i = 0; i < 4; i++) {
        ck_assert_str_eq(cell(&csv, i + 1, "step"), steps[i]);
        ck_assert_str_eq(cell(&csv, i + 1, "n"), sizes[i]);
        ck_assert_str_eq(cell(&csv, i + 1, "verified"), "true");
        ck_assert_str_eq(cell(&csv, i + 1, "device"), "Simulated device NVIDIA H200");
        ck_assert_str_eq(cell(&csv, i + 1, "time_ms_provenance"), "modelled");
        ck_assert_str_eq(cell(&csv, i + 1, "percent_of_copy_provenance"), "modelled");
        ck_assert_str_eq(cell(&csv, i + 1, "global_store_sectors_provenance"), "counted");
        double time = atof(cell(&csv, i + 1, "time_ms")), n = atof(sizes[i]);
        double gbs = atof(cell(&csv, i + 1, "bandwidth_gbs"));
        ck_assert_double_eq_tol(gbs, 8 * n * n / time / 1e6, 1e-6 * gbs);
        ck_assert_double_eq_tol(atof(cell(&csv, i + 1, "percent_of_copy")),
                                100 * gbs / atof(cell(&csv, i + 1, "copy_gbs")), 1e-6);
        struct printed alone = type("./run --sim %s -n %s --json -", steps[i], sizes[i]);
        cJSON *json = read_json(alone.out);
        const cJSON *step = json_step(json, 0);
        const cJSON *counters = json_member(step, "counters");
        ck_assert(json_number(counters, "global_store_sectors") ==
                  atof(cell(&csv, i + 1, "global_store_sectors")));
    }
}

TEST(a_sweep_as_table_and_json)
{
    assert_contains(type_well("./run sweep --sim=t4 3 n=64 --json build/check/sweep.json").out,
                    "Simulated device Tesla T4\n\n3. one thread per element\n", "gld_efficiency",
                    "~ is before what the timing model predicts.");
    char *text = read_file("build/check/sweep.json");
    cJSON *json = read_json(text);
    const cJSON *point = json_member(json, "points/0");
    ck_assert_ptr_nonnull(point);
    ck_assert(json_number(point, "n") == 64);
    ck_assert(cJSON_IsTrue(json_member(point, "verified")));
    ck_assert(cJSON_IsNull(json_member(point, "tile")));
    const cJSON *provenance = json_member(point, "provenance");
    ck_assert_str_eq(json_string(provenance, "time_ms"), "modelled");
    ck_assert_str_eq(json_string(provenance, "gst_efficiency"), "counted");
}

// 41 writes nothing, 50 does not end (the time limit says so, or the device), 55 launches nothing, 56 has no
// mistake: each point for itself.
TEST(wrong_steps_are_shown_and_the_others_go_on)
{
    struct printed printed =
        type_to(EXIT_WRONG, "build/sim/wrong_steps sweep 41 50 55 56 n=33,64 --timeout 2 --csv -");
    assert_contains(printed.err, "6 of 8 points are wrong or failed");
    struct csv csv;
    parse_csv(printed.out, &csv);
    ck_assert_int_eq(csv.lines, 1 + 8);
    static const char *const errors[] = {"nothing was written", "ndless loop", "launched no kernel",
                                         ""};
    for (int i = 0; i < 8; i++) {
        bool right = i / 2 == 3;
        ck_assert_str_eq(cell(&csv, i + 1, "verified"), right ? "true" : "false");
        assert_contains(cell(&csv, i + 1, "error"), errors[i / 2]);
        ck_assert_int_eq(*cell(&csv, i + 1, "time_ms") != '\0', right);
    }
    assert_contains(type_to(EXIT_WRONG, "build/sim/wrong_steps sweep 41 56 n=33").out,
                    "NOT RIGHT:", "nothing was written");
}

TEST(without_a_device_or_a_file_it_ends)
{
    struct printed printed =
        type_to(EXIT_USAGE, "APODKIT_SIM_DEVICE=h2000 ./run sweep --sim 3 n=64,128");
    ck_assert_str_eq(printed.out, "");
    assert_contains(printed.err, "APODKIT_SIM_DEVICE=h2000 is none of");
    static const char *const places[] = {"--csv /nonexistent/x", "--json /nonexistent/x",
                                         "--csv /dev/full", "--csv - >/dev/full"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        printed = type("mkdir -p build/check/sweep_kept && TMPDIR=build/check/sweep_kept ./run "
                       "sweep --sim 3 n=64 %s",
                       places[i]);
        ck_assert_msg(printed.status == EXIT_WRONG, "%s: %d", places[i], printed.status);
        ck_assert_str_ne(printed.err, "");
    }
}

// A geometry is a program of its own: ./run is what it was, also when one does not compile.
TEST(geometries_are_built_beside_run)
{
    char copy[] = "/tmp/apodkit-sweep-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(copy));
    type_well(
        "cp -a Makefile steps src cupti run %s && mkdir %s/build && cp -a build/gpu build/sim "
        "%s/build && "
        "cd %s && sed -i '/include \"tile_without_rows.h\"/a #if TILE == 16\\n#error "
        "planted\\n#endif' "
        "steps/step4_shared_tile.cu && rm steps/step5* && sha1sum build/*/run && readlink run",
        copy, copy, copy, copy);
    struct printed sweep = type("cd %s && ./run sweep --sim 4 n=64 TILE=8,16 --csv -", copy);
    struct printed after = type("cd %s && sha1sum build/gpu/run build/sim/run; readlink run", copy);
    struct printed before = type("sha1sum build/gpu/run build/sim/run; readlink run");
    struct printed again = type("cd %s && PATH=/nonexistent ./run sweep --sim 4 n=64 TILE=8", copy);
    type("rm -rf %s", copy);
    ck_assert_str_eq(after.out, before.out);
    ck_assert_msg(sweep.status == EXIT_WRONG, "%s%s", sweep.out, sweep.err);
    assert_contains(sweep.err, "planted", "make TILE=16 ROWS=8 does not build");
    struct csv csv;
    parse_csv(sweep.out, &csv);
    ck_assert_int_eq(csv.lines, 1 + 2);
    ck_assert_str_eq(cell(&csv, 1, "tile"), "8");
    ck_assert_str_eq(cell(&csv, 1, "rows"), "");
    ck_assert_str_eq(cell(&csv, 1, "verified"), "true");
    ck_assert_str_eq(cell(&csv, 2, "verified"), "false");
    assert_contains(cell(&csv, 2, "error"), "it does not build");
    ck_assert_int_eq(again.status, EXIT_WRONG);
    assert_contains(again.err, "make cannot be started");
    ck_assert_msg(strncmp(again.out, "note: changed after", 19) == 0 && !strstr(again.out, "64"),
                  "%s", again.out); // nothing was measured
}

TEST(recorded_runs_as_csv)
{
    struct printed printed = type_well(SANITIZED "export h200 gtc2012");
    struct csv csv;
    parse_csv(printed.out, &csv);
    ck_assert_int_eq(csv.lines, 1 + 8 + 5);
    ck_assert_str_eq(cell(&csv, 5, "title"), "padded tile, fewer threads");
    ck_assert_str_eq(cell(&csv, 5, "time_ms_provenance"), "measured");
    ck_assert_str_eq(cell(&csv, 12, "step"), "4.5");
    ck_assert_str_eq(cell(&csv, 12, "verified"), "");
    ck_assert_str_eq(cell(&csv, 12, "copy_gbs"), "");
    printed = type_well(SANITIZED "compare gtc2012 h200 --csv -");
    char *rows = strstr(printed.out, "\n5,"); // those of step 5, few enough to split
    ck_assert_ptr_nonnull(rows);
    parse_csv(rows + 1, &csv);
    ck_assert_int_eq(csv.lines, METRICS);
    ck_assert_int_eq(csv.fields, 10);
    ck_assert_str_eq(csv.cells[0][4], "time_ms");
    ck_assert_str_eq(csv.cells[0][9], "not compared"); // of other sizes
    static const char *const mistakes[][2] = {{"export", "export takes the names"},
                                              {"export nonsense", "no recorded run 'nonsense'"},
                                              {"export h200 README.md", "it is no JSON"},
                                              {"compare h200 h200 --csv - --json -", "not both"}};
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        printed = type_to(EXIT_USAGE, SANITIZED "%s", mistakes[i][0]);
        ck_assert_str_eq(printed.out, "");
        assert_contains(printed.err, mistakes[i][1]);
    }
}

// Two that need the same program do not build it at the same time.
TEST(two_at_once)
{
    type_well("rm -rf build/sim-8x2; sweep='build/sim/run sweep 5 n=64 TILE=8 "
              "ROWS=2'; $sweep & other=$!; $sweep && wait $other");
}
