// The commands as a user types them, on a machine without a GPU or with the GPU hidden.
#include "base/style.h"
#include "command_line/verb.h"
#include "schema.h"
#include "suites.h"
#include "support.h"

#include <string.h>

// The driver with the sanitizers built in; no device is visible to it.
#define RUN "CUDA_VISIBLE_DEVICES= ASAN_OPTIONS=protect_shadow_gap=0 build/check/run "

SUITE(cli, .seconds = 120)

TEST(help_names_every_option_and_exit_status)
{
    struct printed help = type_well(RUN "--help");
    assert_contains(help.out, "--baseline", "--save", "compare A B", "history", "occupancy", "-n N",
                    "--reps", "--summary", "--json", "--device", "--no-profile", "--metrics",
                    "--timeout", "--color", "--version", "--manual", "metrics", "hotspots",
                    "stand-ins", "stalls", "sweep", "export RUN", "--predict[=FILE]", "progress",
                    "Rg / (inst", "Exit status", "--gpu, --sim", "  3  there is no usable");
    ck_assert_str_eq(help.err, "");
}

TEST(version)
{
    struct printed printed = type_well(RUN "--version");
    ck_assert_int_eq(strncmp(printed.out, "apodkit ", 8), 0);
}

// Each line of a message says something: what is wrong, and what to type next.
static void assert_mistake(const char *arguments, const char *said)
{
    char command[256];
    snprintf(command, sizeof command, RUN "%s", arguments);
    assert_usage_error(command, said, "--help");
}

TEST(mistakes_are_usage_errors)
{
    assert_mistake("-n nonsense", "-n takes a whole number from 1 to 1048576, not 'nonsense'");
    assert_mistake("77", "step 77 is not built.");
    assert_mistake("explode", "'explode' is not a step's number (a verb must come first)");
    assert_mistake("--frobnicate", "frobnicate");
    assert_mistake("--metrics frobs_per_cycle", "'frobs_per_cycle' is neither a name");
    assert_mistake("--sim=h2000", "h200 h100 a100 v100 t4 rtx4090 kepler");
    assert_mistake("kepler", "--sim=NAME");
    assert_mistake("--gpu 3 --sim=t4", "--gpu and --sim contradict each other");
    assert_mistake("hotspots --sim --gpu", "--gpu and --sim contradict each other");
    assert_mistake("metrics extra", "metrics takes no argument 'extra'");
}

TEST(typos_get_a_suggestion)
{
    static const struct {
        const char *typed, *said;
    } cases[] = {
        {"--timout 3", "apodkit: there is no option '--timout'\nDid you mean --timeout?\n"},
        {"--josn=x", "there is no option '--josn'\nDid you mean --json?\n"},
        {"--gpu=3", "apodkit: --gpu takes no value\n"},
        {"--gpu -xh", "apodkit: there is no option '-x'\n"},
        {"--sim=h200 -zz", "apodkit: there is no option '-z'\n"},
        {"3 -n", "apodkit: -n needs a value\n"},
        {"--json", "apodkit: --json needs a value\n"},
        {"--s", "apodkit: several options start so: --save, --summary, --sim\n"},
        {"--metrics gld_eficiency", "Did you mean 'gld_efficiency'?\n"},
        {"--metrics ipd", "Did you mean 'ipc'?\n"},
        {"--sim=h20", "Did you mean --sim=h200?\n"},
        {"step3", "Did you mean `./run 3`?\n"},
        {"hotspot", "Did you mean `./run hotspots`?\n"},
        {"hotspots --jsn x", "Did you mean --json?\n"},
        {"occupancy --arhc 3.5", "Did you mean --arch?\n"},
        {"explain --recoded h200", "Did you mean --recorded?\n"},
        {"compare --csb x", "Did you mean --csv?\n"},
        {"history --colour never", "Did you mean --color?\n"},
        {"metrics --chips GA102", "Did you mean --chip?\n"},
        {"export --cvs x", "Did you mean --csv?\n"},
        {"sweep --metrcs x", "Did you mean --metrics?\n"},
        {"stalls --tmeout 3", "Did you mean --timeout?\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_mistake(cases[i].typed, cases[i].said);
    struct printed printed = type(RUN "--frobnicate");
    ck_assert_ptr_null(strstr(printed.err, "Did you mean"));
}

// The columns of the widest line of a text.
static int widest_of(const char *text, const char **line)
{
    int widest = 0;
    for (const char *next; *text; text = *next ? next + 1 : next) {
        char copy[2048];
        next = text + strcspn(text, "\n");
        snprintf(copy, sizeof copy, "%.*s", (int)(next - text), text);
        if (text_width(copy) > widest) {
            widest = text_width(copy);
            *line = text;
        }
    }
    return widest;
}

// All but metrics, as names of CUPTI's have no blank to be broken at, and what needs a GPU.
static const char *const pages[] = {
    "all -n 64",
    "--summary -n 64",
    "3 4 -n 64 --baseline h200",
    "--sim=list",
    "compare h200 h100",
    "compare gtc2012 h200 --counters",
    "explain 4 -n 64",
    "explain 4 --recorded h200-1024",
    "hotspots 3 4 -n 64",
    "trace 3 -n 64",
    "sweep 4 5 n=64,128",
    "occupancy 4 5 -n 64",
    "occupancy --block 256 --registers 32",
    "history",
    "lab",
    "progress",
    "--help",
    "compare --help",
    "explain --help",
    "export --help",
    "history --help",
    "hotspots --help",
    "metrics --help",
    "occupancy --help",
    "progress --help",
    "stalls --help",
    "sweep --help",
    "trace --help",
    "tune --help",
    "tune",
    "watch --help",
};

TEST(pages_fit_a_terminal_of_80_columns, .times = sizeof pages / sizeof *pages)
{
    struct printed printed =
        type("COLUMNS=80 CUDA_VISIBLE_DEVICES= LC_ALL=C.UTF-8 build/sim/run %s", pages[_i]);
    ck_assert_msg(printed.status == EXIT_GOOD, "%s: %s", pages[_i], printed.err);
    const char *line = "";
    int widest = widest_of(printed.out, &line);
    ck_assert_msg(widest <= 80, "%s: %d columns:\n%.200s", pages[_i], widest, line);
}

TEST(columns_of_a_narrow_comparison_do_not_touch)
{
    assert_contains(type_well("COLUMNS=80 build/sim/run compare h200 h200-8192").out,
                    " 0.025 GB/s -0.0031 GB/s\n");
}

// The part of the manual that is of the verb, up to the next one's.
static char *manual_of(const char *manual, const struct verb *verb)
{
    static char part[1 << 14];
    char title[64];
    snprintf(title, sizeof title, verb->name ? ".SS %s\n" : ".SH OPTIONS\n", verb->name);
    const char *begin = strstr(manual, title);
    ck_assert_msg(begin != NULL, "the manual has no %s", title);
    const char *end = strstr(begin + 1, "\n.S");
    ck_assert_ptr_nonnull(end);
    ck_assert_uint_lt((size_t)(end - begin), sizeof part);
    snprintf(part, sizeof part, "%.*s", (int)(end - begin), begin);
    return part;
}

TEST(the_manual_has_every_option)
{
    struct printed manual = type_well("build/sim/run --manual");
    ck_assert_ptr_eq(strstr(manual.out, ".TH APODKIT 1 "), manual.out);
    for (int i = -1; i < 0 || verbs[i]; i++) {
        const struct verb *verb = i < 0 ? &run_verb : verbs[i];
        const char *part = manual_of(manual.out, verb);
        for (const struct option_row *row = verb->options; row->name; row++) {
            char option[64]; // with the first word of the name: a dash within it is escaped, too
            snprintf(option, sizeof option, "%s%.*s", row->name[1] ? "\\-\\-" : "\\-",
                     (int)strcspn(row->name, "-"), row->name);
            assert_contains(part, option);
        }
    }
}

// A line that begins like a request is one, of the few that are used; nothing else is escaped than what is meant to be.
TEST(the_manual_is_good_roff)
{
    static const char *const requests[] = {".TH ",  ".SH ", ".SS ", ".PP\n",
                                           ".TP\n", ".B ",  ".br\n"};
    struct printed manual = type_well("build/sim/run --manual");
    for (const char *line = manual.out; *line; line = strchr(line, '\n') + 1) {
        bool is_known = *line != '.' && *line != '\'';
        for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
            is_known |= strncmp(line, requests[i], strlen(requests[i])) == 0;
        ck_assert_msg(is_known, "%.40s", line);
    }
    for (const char *at = manual.out; (at = strchr(at, '\\')); at++)
        ck_assert_msg(strchr("-e&", at[1]) != NULL, "%.40s", at);
}

// What docs/completion.bash offers after these words, as bash hands them over.
TEST(completion_offers_what_run_takes)
{
    static const struct {
        const char *words, *offered;
    } cases[] = {
        {"ex", "explain export"},
        {"--ti", "--timeout"},
        {"hotspots --js", "--json"},
        {"explain --rec", "--recorded"},
        {"hotspots ''", "1 2 3 4 5 6 7 8 all"},
        {"hotspots --ti", "--timeout"},
        {"--sim = a", "a100"},
        {"--sim =", "h200 h100 a100 v100 t4 rtx4090 kepler list"},
        {"compare g", "gtc2012"},
        {"--baseline gt", "gtc2012"},
        {"--color ne", "never"},
        {"--metrics gld_eff", "gld_efficiency"},
        {"--frob", ""},
        {"--save ''", ""},
        {"history ''", ""},
        {"sweep T", "TILE="},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char offered[256];
        struct printed printed =
            type("bash -c \"source docs/completion.bash; COMP_WORDS=(build/check/../../run %s); "
                 "COMP_CWORD=\\$((\\${#COMP_WORDS[@]} - 1)); _apodkit; echo \\${COMPREPLY[*]}\"",
                 cases[i].words);
        ck_assert_str_eq(printed.err, "");
        snprintf(offered, sizeof offered, "%s\n", cases[i].offered);
        ck_assert_msg(strcmp(printed.out, offered) == 0, "%s: %s", cases[i].words, printed.out);
    }
}

// A kit with names in its results/ that a shell would execute, and a good one.
static void make_names(const char *folder)
{
    static const char *const names[] = {"$(touch pwned)", "`touch pwned`",       "; touch pwned;",
                                        "a\nb",           "a'$(touch pwned)'\"", "good"};
    char path[128];
    type_well("cd build/check && rm -rf %s && mkdir -p %s/results && cd %s && "
              "ln -s ../../../steps steps && ln -s ../run run",
              folder, folder, folder);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "build/check/%s/results/%s.json", folder, names[i]);
        FILE *file = fopen(path, "w");
        ck_assert_ptr_nonnull(file);
        fclose(file);
    }
}

// Whatever the names of the files in results/ are, to a shell.
TEST(completion_expands_no_name)
{
    static const char *const words[] = {"compare g", "compare ''", "--baseline g",
                                        "export '\\$(touch pwned)'"};
    make_names("completed");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        struct printed printed =
            type("cd build/check/completed && export APODKIT_RESULTS=results && bash -c "
                 "\"source ../../../docs/completion.bash; COMP_WORDS=(./run %s); "
                 "COMP_CWORD=\\$((\\${#COMP_WORDS[@]} - 1)); _apodkit; "
                 "echo \\${COMPREPLY[*]}\"; test ! -e pwned",
                 words[i]);
        ck_assert_msg(printed.status == 0, "after %s there is pwned", words[i]);
        ck_assert_str_eq(printed.err, "");
        ck_assert_msg(!strstr(words[i], "touch") == !!strstr(printed.out, "good"), "%s: %s",
                      words[i], printed.out);
    }
}

TEST(without_a_device_the_simulated_one_is_used)
{
    struct printed printed = type_well("CUDA_VISIBLE_DEVICES= ./run -n 101 --summary");
    ck_assert_int_eq(strncmp(printed.out, "Simulated device", 16), 0);
    assert_contains(printed.out, "steps verified bit for bit", "Every access was checked");
    assert_contains(type_well("APODKIT_SIM_CHECKS=0 ./run --sim 3 -n 101 --summary").out,
                    "Accesses were not checked");
}

// A report without a run makes one.
TEST(without_a_device_a_report_is_of_the_simulated_one)
{
    assert_contains(type_well("CUDA_VISIBLE_DEVICES= ./run report -o -").out, "<!doctype html>",
                    "Simulated device");
}

// With its change against the one before; all panels are for those who ask.
TEST(one_panel_is_shown_that_of_the_last_step)
{
    struct printed printed = type_well(RUN "--sim -n 64");
    ck_assert_int_eq(count_of(printed.out, "\nStep "), 1);
    assert_contains(printed.out, "\nStep 8 ", "step 7        change\n", "\n1. one serial thread");
    ck_assert_int_eq(count_of(type_well(RUN "all --sim -n 64").out, "\nStep "), 8);
    ck_assert_int_eq(count_of(type_well(RUN "3 4 --sim -n 64").out, "\nStep "), 2);
    ck_assert_int_eq(count_of(type_well(RUN "--sim -n 64 --summary").out, "\nStep "), 0);
}

// Down to 60 columns, whatever is printed for people by a run.
TEST(pages_fit_the_terminal)
{
    static const char *const commands[] = {"build/sim/run all -n 256",
                                           "build/sim/run 4 5 -n 1001",
                                           "build/sim/run 3 4 -n 256 --baseline h200 --summary",
                                           "build/sim/run compare h200 h100 --counters",
                                           "build/sim/run compare h200 sim-h200",
                                           "build/sim/solution_step4_scattered -n 256",
                                           "build/sim/solution_step4_no_guard -n 256 2>/dev/null",
                                           "build/sim/run 4 -n 256 --predict=/dev/null",
                                           "APODKIT_RESULTS=docs/runs build/sim/run history",
                                           "build/sim/run --help"};
    static const int widths[] = {60, 80};
    for (size_t i = 0; i < 2 * sizeof commands / sizeof *commands; i++) {
        struct printed printed = type("COLUMNS=%d %s", widths[i % 2], commands[i / 2]);
        for (char *line = strtok(printed.out, "\n"); line; line = strtok(NULL, "\n"))
            ck_assert_msg(text_width(line) <= widths[i % 2], "%s: %d columns: %s", commands[i / 2],
                          text_width(line), line);
    }
    // What is no terminal's is as wide as ever.
    assert_contains(type("build/sim/run 4 5 -n 256").out, "x first  load store replay  DRAM  occ.");
}

TEST(the_simulated_devices)
{
    static const char *const parts[] = {"h200 ",    "h100 ",   "a100 ", "v100 ",      "t4 ",
                                        "rtx4090 ", "kepler ", "4814",  "the default"};
    struct printed printed = type_well(RUN "--sim=list");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        assert_contains(printed.out, parts[i]);
    printed = type_well("APODKIT_SIM_DEVICE=t4 ./run --sim 3 -n 64 --summary");
    assert_contains(printed.out, "Simulated device Tesla T4: compute capability 7.5, 40 SMs");
    static const char *const commands[] = {"", "3 -n 64 --summary", "occupancy", "hotspots 3",
                                           "explain 3"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        printed = type("APODKIT_SIM_DEVICE=h2000 build/sim/run %s", commands[i]);
        ck_assert_msg(printed.status == EXIT_USAGE, "%s: %d", commands[i], printed.status);
        ck_assert_str_eq(printed.out, "");
        ck_assert_str_eq(printed.err, "simulated device: APODKIT_SIM_DEVICE=h2000 is none of h200, "
                                      "h100, a100, v100, t4, rtx4090, kepler\n");
    }
}

// No prediction: null with a reason, in the JSON and for people.
TEST(without_its_model_the_simulated_device_has_no_times)
{
    struct printed printed =
        type_well("APODKIT_SIM_MODEL=0 build/sim/run 2 -n 64 --json build/check/counts.json");
    assert_contains(printed.out, "Times, DRAM and achieved occupancy are not known\n(the timing");
    ck_assert_ptr_null(strstr(printed.out, "in the panels"));
    char *text = read_file("build/check/counts.json");
    const cJSON *run = read_json(text), *baselines = json_member(run, "baselines");
    assert_run_schema(run);
    ck_assert(cJSON_IsNull(json_member(baselines, "copy_gbs")));
    ck_assert(cJSON_IsNull(json_member(baselines, "copy_timing")));
    const cJSON *why = json_member(baselines, "provenance/copy_gbs");
    assert_contains(why->valuestring, "APODKIT_SIM_MODEL");
}

TEST(the_simulated_device_refuses_wrong_settings)
{
    ck_assert_str_eq(type_to(EXIT_USAGE, "APODKIT_SIM_THREADS=abc build/sim/run 1 -n 64").err,
                     "simulated device: APODKIT_SIM_THREADS='abc' is not a whole "
                     "number from 1 to 1024\n");
}

// The published case study's board: load efficiency 100 %, store efficiency 12.5 % for the second
// and third step, 32 store transactions an access; 100 % of both once tiles are turned.
TEST(the_kepler_board_of_the_case_study)
{
    cJSON *json = type_json("./run --sim=kepler 2 3 4 5 -n 1024 --json -");
    assert_run_schema(json);
    const cJSON *device = json_member(json, "device");
    ck_assert_str_eq(json_string(device, "cc"), "3.5");
    ck_assert(json_number(device, "sms") == 14);
    static const double transactions[] = {32, 32, 4, 4};
    for (int i = 0; i < 4; i++) {
        const cJSON *step = json_step(json, i);
        ck_assert(json_number(step, "metrics/gld_efficiency") == 100);
        ck_assert(json_number(step, "metrics/gst_efficiency") == (i < 2 ? 12.5 : 100));
        ck_assert(json_number(step, "counters/global_store_sectors") ==
                  transactions[i] * json_number(step, "counters/global_store_requests"));
        ck_assert(json_number(step, "metrics/theoretical_occupancy") == 100);
    }
}

// No machine code is for Kepler any more: that for 7.5 is the nearest.
TEST(registers_of_another_architecture_are_an_estimate)
{
    struct printed printed = type("./run --sim=kepler 5 -n 64 --json -");
    cJSON *json = read_json(printed.out);
    const cJSON *step = json_step(json, 0);
    const cJSON *provenance = json_member(step, "provenance");
    ck_assert_str_eq(json_string(provenance, "registers"), "modelled");
    assert_contains(type("./run --sim=kepler 5 -n 64").out, " estimated ");
}

TEST(the_simulated_device_has_the_hosts_memory)
{
    struct printed printed = type_to(EXIT_WRONG, "build/sim/run 2 -n 1000000");
    assert_contains(printed.err, "this machine's memory");
    ck_assert_ptr_null(strstr(printed.err, "GPU"));
}

// What the simulated device has counted, as JSON: exact figures with their provenance, and the
// timing model's.
TEST(a_simulated_run_as_json)
{
    cJSON *json = type_json("./run --sim 3 4 5 -n 1024 --json - --metrics ipc");
    assert_run_schema(json);
    ck_assert_str_eq(json_string(json, "device/kind"), "simulated");
    static const double stores[] = {32, 4, 4}, wavefronts[] = {0, 33, 2};
    static const int registers[] = {12, 14, 30};
    static const char *const limiters[] = {"l2", "bank_conflicts"}; // of the first two
    double before = 1;                                              // ms
    for (int i = 0; i < 3; i++) {
        const cJSON *step = json_step(json, i);
        const cJSON *counters = json_member(step, "counters");
        double requests = json_number(counters, "global_store_requests");
        ck_assert(requests == 1024 * 1024 / 32);
        ck_assert(json_number(counters, "global_store_sectors") == stores[i] * requests);
        ck_assert(json_number(counters, "shared_wavefronts") == wavefronts[i] * requests);
        double ms = json_number(step, "time_ms");
        ck_assert(ms > 0 && ms < before);
        before = ms;
        const cJSON *limits = json_member(step, "limits");
        if (i < 2)
            ck_assert_str_eq(json_string(limits, "limiter"), limiters[i]);
        const cJSON *provenance = json_member(step, "provenance");
        ck_assert_str_eq(json_string(provenance, "gst_efficiency"), "counted");
        const char *registers_from = json_string(provenance, "registers");
        // nvcc's machine code for 9.0 says what an H200's driver says; clang makes PTX alone.
        ck_assert_str_eq(registers_from, WITH_MACHINE_CODE ? "counted" : "modelled");
        if (WITH_MACHINE_CODE)
            ck_assert_int_eq((int)json_number(step, "registers"), registers[i]);
    }
}

TEST(output_that_cannot_be_written_is_an_error)
{
    static const char *const commands[] = {"--help",        "--version",
                                           "metrics",       "metrics --help",
                                           "--sim 3 -n 64", "--sim 3 -n 64 --json -"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        struct printed printed = type("build/sim/run %s >/dev/full", commands[i]);
        ck_assert_msg(printed.status == EXIT_WRONG, "%s: %d", commands[i], printed.status);
        assert_contains(printed.err, "No space left");
    }
    struct printed printed = type_to(EXIT_WRONG, "build/sim/run 3 -n 64 --json /nonexistent/x");
    ck_assert_str_eq(printed.out, ""); // it is found out before the work
    assert_contains(printed.err, "/nonexistent/x");
}

// zsh's own stand-in for bash's completion, asked as it asks itself.
static const char *without_zsh(void)
{
    return system("zsh -fc 'autoload -U +X bashcompinit' 2>/dev/null") == 0
               ? NULL
               : "there is no zsh here";
}

SUITE(zsh, .why_not = without_zsh)

TEST(completion_in_zsh)
{
    static const char *const cases[][2] = {{"compare go", "good"},
                                           {"hotspots --js", "--json"},
                                           {"sweep T", "TILE="},
                                           {"export a", ""},
                                           {"compare \"\\$(touch pwned)\"", ""}};
    make_names("zsh");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct printed printed = type_well(
            "cd build/check/zsh && export APODKIT_RESULTS=results && zsh -fc 'autoload -U "
            "compinit bashcompinit; compinit -u -D; bashcompinit; source "
            "../../../docs/completion.bash; COMP_WORDS=(./run %s); COMP_CWORD=2; compgen -F "
            "_apodkit -- $COMP_WORDS[3]'; test ! -e pwned",
            cases[i][0]);
        ck_assert_str_eq(printed.err, "");
        char offered[32];
        snprintf(offered, sizeof offered, "%s\n", cases[i][1]);
        ck_assert_str_eq(printed.out, offered);
    }
}
