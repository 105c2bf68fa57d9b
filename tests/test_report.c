// What people read: golden texts for a UTF-8 style_terminal, a pipe and an ASCII locale.
#include "advice/step_sentence.h"
#include "facts/matrix_size.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <string.h>

// The whole report of a run as a string.
static char *print_run(const struct run *run, struct style style)
{
    FILE *file = text_begin();
    struct report report = {.file = file, .style = style};
    report_device(&report, run);
    report_counters_note(&report, run, false);
    for (int i = 0; i < run->count; i++)
        report_panel(&report, run, i);
    report_summary(&report, run);
    return text_end(file);
}

SUITE(report)

TEST(a_whole_run)
{
    struct run run;
    sample_run(&run);
    assert_page(print_run(&run, style_pipe), style_pipe, "run-pipe.txt");
    assert_page(print_run(&run, style_terminal), style_terminal, "run-terminal.txt");
    assert_page(print_run(&run, style_ascii), style_ascii, "run-ascii.txt");
}

TEST(a_run_without_counters)
{
    struct run run;
    sample_run(&run);
    const char *why = "cuptiRangeProfilerEnable: error 35, this user may not read the counters";
    snprintf(run.counters_note, sizeof run.counters_note, "%s\nRun as root.", why);
    for (int i = 0; i < run.count; i++) {
        drop_counts(&run.steps[i], why);
        run.steps[i].values[THEORETICAL_OCCUPANCY] = value_of(100, COMPUTED);
    }
    char *text = print_run(&run, style_ascii);
    assert_page(text, style_ascii, "run-without-counters.txt");
    const char *first = strstr(text, why);
    ck_assert_ptr_nonnull(first);
    ck_assert_msg(!strstr(first + 1, why), "the reason is given more than once");
}

// Every figure of a simulated device is counted or modelled.
static void simulate(struct run *run)
{
    run->device.simulated = run->device.checks_accesses = true;
    strcpy(run->device.name, "Simulated device NVIDIA H200");
    for (int i = 0; i < run->count; i++) {
        struct step_result *result = &run->steps[i];
        result->values[REGISTERS].provenance =
            i > 0 ? MODELLED : COUNTED; // without machine code, or with
        result->timing = (struct timing){0};
        for (int c = FIRST_COUNT; c < METRICS; c++)
            result->values[c].provenance = COUNTED;
    }
}

TEST(a_simulated_run)
{
    // Busy shares of: the schedulers, the load/store unit with shared and with global requests, the
    // L2, DRAM, block launches; and the SMs that have blocks.
    static const struct limits limits[] = {{.busy = {1, 0, 5, 0, 0, 0}, .busy_sms = 0.8},
                                           {.busy = {3, 0, 88, 9, 1, 0}, .busy_sms = 6.1},
                                           {.busy = {9, 0, 31, 97, 11, 18}, .busy_sms = 100},
                                           {.busy = {11, 68, 8, 24, 23, 7}, .busy_sms = 100},
                                           {.busy = {30, 13, 24, 55, 79, 26}, .busy_sms = 100}};
    struct run run;
    sample_run(&run);
    simulate(&run);
    for (int i = 0; i < run.count; i++) {
        struct step_result *result = &run.steps[i];
        result->values[TIME_MS].provenance = result->values[BANDWIDTH_GBS].provenance = MODELLED;
        result->values[DRAM_READ_BYTES].provenance = MODELLED;
        result->values[DRAM_WRITE_BYTES].provenance = MODELLED;
        result->values[ACHIEVED_OCCUPANCY].provenance = MODELLED;
        result->limits = limits[i];
        set_limiter(&result->limits, result->values);
        metrics_derive(result->values, run.device.dram_peak_gbs);
    }
    assert_page(print_run(&run, style_ascii), style_ascii, "run-simulated.txt");
}

TEST(a_run_without_times)
{
    struct run run;
    sample_run(&run);
    const struct value none = value_unavailable("no memory left for the timing model");
    simulate(&run);
    run.copy = (struct timing){0};
    run.copy_gbs = value_unavailable("the timing model gave none");
    for (int i = 0; i < run.count; i++) {
        struct step_result *result = &run.steps[i];
        result->values[TIME_MS] = result->values[BANDWIDTH_GBS] = none;
        result->values[DRAM_READ_BYTES] = result->values[DRAM_WRITE_BYTES] = none;
        result->values[DRAM_UTILIZATION] = none;
        result->values[ACHIEVED_OCCUPANCY] = none;
        metrics_derive(result->values, 0);
    }
    char *text = print_run(&run, style_ascii);
    assert_page(text, style_ascii, "run-without-times.txt");
    ck_assert_ptr_null(strstr(text, "faster"));
    ck_assert_ptr_null(strstr(text, "GB/s of useful bytes"));
    ck_assert_ptr_null(strstr(text, "Limited by"));
}

// A step that has no time, between others that have one: nothing is so many times as fast, or promised by it.
TEST(one_step_without_a_time, .times = 2)
{
    struct run run;
    sample_run(&run);
    simulate(&run);
    const struct value none = value_unavailable("blocks draw work from a counter");
    run.steps[2 * _i].values[TIME_MS] = run.steps[2 * _i].values[BANDWIDTH_GBS] = none;
    char *text = print_run(&run, style_ascii);
    ck_assert_ptr_null(strstr(text, "inf"));
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "0.00x"));
    const char *turn = strstr(text, "your turn");
    ck_assert_ptr_nonnull(turn); // of the last step alone
    ck_assert_ptr_null(strstr(turn + 1, "your turn"));
}

TEST(a_run_that_goes_wrong)
{
    struct run run;
    sample_run(&run);
    run.steps[2].outcome = WRONG;
    strcpy(run.steps[2].complaint,
           "42 of 67108864 elements are wrong; the first is out[row 3][column 5]. This suggests: "
           "the tiles are turned, but stand in the wrong places");
    run.steps[3].outcome = FAILED;
    strcpy(run.steps[3].complaint, "the kernel did not end within 30 seconds (--timeout).");
    assert_page(print_run(&run, style_ascii), style_ascii, "run-wrong.txt");
}

TEST(one_metric_that_the_chip_lacks_and_added_ones)
{
    struct run run;
    sample_run(&run);
    run.count = 1;
    struct step_result *step = &run.steps[0];
    const struct value none = value_unavailable("this chip has no metric 'dram__bytes_read.sum'");
    step->values[DRAM_READ_BYTES] = step->values[DRAM_UTILIZATION] = none;
    metrics_derive(step->values, 0);
    run.extra_count = 2;
    strcpy(run.extra_names[0], "ipc");
    step->extras[0] = value_of(1.25, MEASURED);
    strcpy(run.extra_names[1], "sm__nothing.sum");
    step->extras[1] = value_unavailable("this chip has no metric 'sm__nothing.sum'");
    assert_page(print_run(&run, style_ascii), style_ascii, "run-missing-metric.txt");
}

// The 2012 deck's rows, in its order and with its names.
TEST(the_panel_has_the_decks_rows_in_order)
{
    static const char *const rows[] = {"Duration",
                                       "Grid Size",
                                       "Block Size",
                                       "Registers/Thread",
                                       "Shared Memory/Block",
                                       "Memory",
                                       "Global Load Efficiency",
                                       "Global Store Efficiency",
                                       "Local Memory Overhead",
                                       "DRAM Utilization",
                                       "Instruction",
                                       "Branch Divergence Overhead",
                                       "Total Replay Overhead",
                                       "Shared Memory Replay Overhead",
                                       "Global Memory Replay Overhead",
                                       "Global Cache Replay Overhead",
                                       "Local Cache Replay Overhead",
                                       "Occupancy",
                                       "Achieved",
                                       "Theoretical"};
    struct run run;
    sample_run(&run);
    char *text = print_run(&run, style_ascii);
    const char *at = strstr(text, "Step 1");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ck_assert_ptr_nonnull(at);
        at = strstr(at, rows[i]);
        ck_assert_msg(at != NULL, "no row %s in its place", rows[i]);
    }
}

static bool is_bad(const struct run *run, const struct step_result *result, enum metric metric)
{
    return metric_is_bad(metric, &result->values[metric],
                         matrix_size_fits_in_l2(&run->device, result->n));
}

// The deck's own figures (NVIDIA, GTC 2012): what it marks is bad here, what it leaves is not.
TEST(marks_are_the_decks)
{
    struct run run;
    sample_run(&run);
    struct step_result result = run.steps[1];
    struct value *values = result.values;
    values[GST_EFFICIENCY].number = 12.5;
    values[DRAM_UTILIZATION].number = 6.5;
    values[TOTAL_REPLAY_OVERHEAD].number = 83;
    values[ACHIEVED_OCCUPANCY].number = 49.8;
    ck_assert(is_bad(&run, &result, GST_EFFICIENCY));
    ck_assert(is_bad(&run, &result, DRAM_UTILIZATION));
    ck_assert(is_bad(&run, &result, TOTAL_REPLAY_OVERHEAD));
    ck_assert(!is_bad(&run, &result, ACHIEVED_OCCUPANCY));
    values[GST_EFFICIENCY].number = 100;
    values[DRAM_UTILIZATION].number = 50.9;
    values[TOTAL_REPLAY_OVERHEAD].number = 17.6;
    ck_assert(!is_bad(&run, &result, GST_EFFICIENCY));
    ck_assert(!is_bad(&run, &result, DRAM_UTILIZATION));
    ck_assert(!is_bad(&run, &result, TOTAL_REPLAY_OVERHEAD));
    values[TOTAL_REPLAY_OVERHEAD].number = 26; // the deck discusses 30.4, and has 17.6 in the end
    ck_assert(is_bad(&run, &result, TOTAL_REPLAY_OVERHEAD));
    values[GST_EFFICIENCY].number = 70; // a quarter of what is moved is of no use
    ck_assert(is_bad(&run, &result, GST_EFFICIENCY));
    values[GST_EFFICIENCY] = value_unavailable("nothing is stored");
    ck_assert(!is_bad(&run, &result, GST_EFFICIENCY));
    values[DRAM_UTILIZATION].number = 1;
    result.n = 512; // two matrices of 1 MiB lie in the L2: no reason to use DRAM
    ck_assert(!is_bad(&run, &result, DRAM_UTILIZATION));
}

// What the sentences say in which case; each case is step 5 against step 4, changed a little.
static void assert_reading(struct run *run, double ms, enum metric metric, double number,
                           const char *part)
{
    char text[SENTENCE_SIZE];
    struct step_result result = run->steps[4];
    result.values[BANDWIDTH_GBS].number = bandwidth_gbs(result.n, ms);
    result.values[metric].number = number;
    step_sentence(run, &result, &run->steps[3], text);
    assert_contains(text, part);
}

TEST(readings)
{
    struct run run;
    sample_run(&run);
    double before = run.steps[3].values[TIME_MS].number;
    assert_reading(&run, before * 2, GST_EFFICIENCY, 12.5,
                   "2.00x slower than step 4: store efficiency went from 100% to 12.5%");
    assert_reading(&run, before * 2, GLD_EFFICIENCY, 25, "load efficiency went from 100% to 25%");
    assert_reading(&run, before * 2, ACHIEVED_OCCUPANCY, 20, "fewer warps hide the latency");
    assert_reading(&run, before, GST_EFFICIENCY, 100, "As fast as step 4, within 3%.");
    assert_reading(&run, before / 2, SHARED_REPLAY_OVERHEAD, 0, "the bank conflicts are gone");
}

// The next step that is right counts; what it brings beyond the promise, it did not get by the advice.
TEST(promises)
{
    struct run run;
    sample_run(&run);
    run.steps[2].outcome = WRONG;
    run.steps[3].outcome = FAILED;
    char *text = print_run(&run, style_ascii);
    assert_contains(text, "  step 2, n = 8192   too few threads              266.2 us    33.0x     "
                          "step 5       57.7x  (changed more)\n");
    ck_assert_ptr_null(strstr(text, "  step 3, n = 8192"));
    assert_contains(text, "1.19x     your turn\n");
    run.steps[4].values[TIME_MS].number = run.copy.median_ms; // at the roof: nothing is promised
    run.steps[4].values[BANDWIDTH_GBS] = run.copy_gbs;
    text = print_run(&run, style_ascii);
    ck_assert_ptr_null(strstr(text, "your turn"));
}

// A step near the roof that others follow is no end: it has its row, and its advice does not say that nothing is left.
TEST(a_step_near_the_roof_has_others_behind_it)
{
    struct run run;
    sample_run(&run);
    run.steps[3].values[BANDWIDTH_GBS].number = .96 * run.copy_gbs.number;
    run.steps[3].values[TIME_MS].number = run.copy.median_ms / .96;
    run.steps[4].values[BANDWIDTH_GBS].number = .97 * run.copy_gbs.number;
    run.steps[4].values[TIME_MS].number = run.copy.median_ms / .97;
    char *text = print_run(&run, style_ascii);
    assert_contains(text, "  step 4, n = 8192   the roof ", "1.04x     step 5       1.01x\n",
                    "Little is left to win at this n");
    // One threshold: the column and the sentence below do not contradict each other.
    assert_contains(text, "within 3%\n", "As fast as step 4, within 3%.");
}
