// The memory chart: that it shows the counters and nothing else, and that what flows in comes out.
#include "facts/memory_ways.h"
#include "files/html.h"
#include "files/run_read.h"
#include "show/report.h"
#include "suites.h"
#include "support.h"

#include <math.h>
#include <string.h>

#define RECORD "build/check/memory_chart.json"

static struct run *run;

static void predict(void)
{
    type_well("build/sim/run --sim -n 1024 --summary --json " RECORD);
    run = keep(run_read(RECORD, "now"));
}

static double number_of(const struct step_result *step, enum metric metric)
{
    ck_assert_msg(value_known(&step->values[metric]), "%s", metric_table[metric].key);
    return step->values[metric].number;
}

static double bytes_of(const struct step_result *step, enum memory_way way)
{
    struct value bytes = memory_bytes(step, way);
    ck_assert_msg(value_known(&bytes), "%s", memory_ways[way].key);
    return bytes.number;
}

SUITE(memory_chart, .seconds = 120, .set_up = predict)

// docs/metrics.md: what L1 does not have it reads from the L2, and it writes through, less what joins.
TEST(what_flows_in_is_what_the_counters_say)
{
    for (int i = 0; i < run->count; i++) {
        const struct step_result *step = &run->steps[i];
        double missed = number_of(step, GLOBAL_LOAD_SECTORS) - number_of(step, GLOBAL_LOAD_L1_HITS);
        ck_assert_double_eq_tol(missed, number_of(step, L2_READ_SECTORS), 1); // both are rounded
        ck_assert(number_of(step, L2_WRITE_SECTORS) <= number_of(step, GLOBAL_STORE_SECTORS));
        ck_assert(bytes_of(step, WAY_LOADS) == 32 * number_of(step, GLOBAL_LOAD_SECTORS));
        ck_assert(bytes_of(step, WAY_L2_READS) == 32 * missed);
        ck_assert(bytes_of(step, WAY_L2_WRITES) == 32 * number_of(step, L2_WRITE_SECTORS));
        ck_assert(bytes_of(step, WAY_SHARED) == number_of(step, SHARED_DATA_BYTES));
        ck_assert(number_of(step, L2_READ_HITS) <= number_of(step, L2_READ_SECTORS));
        ck_assert(number_of(step, L2_READ_REQUESTS) <= number_of(step, L2_READ_SECTORS));
        ck_assert(number_of(step, L2_WRITE_REQUESTS) <= number_of(step, L2_WRITE_SECTORS));
        ck_assert(4 * number_of(step, L2_READ_REQUESTS) >= number_of(step, L2_READ_SECTORS));
    }
}

// Of 32 lanes' bytes, one sector serves 8 loads of the serial step: L1 keeps it.
TEST(hit_rates)
{
    ck_assert(number_of(&run->steps[0], L1_HIT_RATE) == 87.5);
    ck_assert(number_of(&run->steps[3], L1_HIT_RATE) == 0);
    ck_assert(number_of(&run->steps[3], L2_HIT_RATE) == 100); // 8 MiB in an L2 of 60
}

// At a size that no L2 holds, what misses there is what DRAM reads.
TEST(what_misses_the_l2_comes_from_dram)
{
    type_well("APODKIT_SIM_CHECKS=0 build/sim/run --sim -n 4096 5 --summary --json " RECORD);
    run = keep(run_read(RECORD, "now"));
    const struct step_result *step = &run->steps[0];
    double missed = 32 * (number_of(step, L2_READ_SECTORS) - number_of(step, L2_READ_HITS));
    ck_assert(missed > 0.9 * 4096 * 4096 * 4 && missed <= bytes_of(step, WAY_DRAM_READS));
}

// What ncu counted on an H200 at this size, caches warm (--cache-control none).
TEST(the_counts_are_an_h200s)
{
    static const struct {
        enum metric metric;
        double of_step2, of_step4;
    } counted[] = {{GLOBAL_LOAD_SECTORS, 2097152, 2097152},
                   {GLOBAL_LOAD_L1_HITS, 0, 0},
                   {L2_READ_REQUESTS, 524288, 524288},
                   {L2_READ_SECTORS, 2097152, 2097152},
                   {L2_READ_HITS, 0, 0},
                   {L2_WRITE_REQUESTS, 16777216, 524288},
                   {L2_WRITE_SECTORS, 16777216, 2097152}};
    type_well("APODKIT_SIM_CHECKS=0 build/sim/run --sim -n 4096 2 4 --summary --json " RECORD);
    run = keep(run_read(RECORD, "now"));
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        ck_assert(number_of(&run->steps[0], counted[i].metric) == counted[i].of_step2);
        ck_assert(number_of(&run->steps[1], counted[i].metric) == counted[i].of_step4);
    }
    // Shares of the time that it took there: what keeps them busy is the same where the model, or a compiler, is slower.
    double as_long = number_of(&run->steps[1], TIME_MS) / 0.135;
    ck_assert_double_eq_tol(number_of(&run->steps[1], L1_UTILIZATION) * as_long, 62.48, 5);
    ck_assert_double_eq_tol(number_of(&run->steps[1], L2_UTILIZATION) * as_long, 8.36, 5);
    ck_assert_double_eq_tol(number_of(&run->steps[0], L1_UTILIZATION), 1.59, 5);
}

TEST(bandwidths_are_bytes_over_time)
{
    const struct step_result *step = &run->steps[2];
    double ns = number_of(step, TIME_MS) * 1e6;
    struct value l1 = memory_gbs(step, UNIT_L1), dram = memory_gbs(step, UNIT_DRAM);
    ck_assert(fabs(l1.number - (bytes_of(step, WAY_LOADS) + bytes_of(step, WAY_STORES)) / ns) <
              1e-9);
    ck_assert(l1.provenance == MODELLED && dram.number == number_of(step, DRAM_THROUGHPUT_GBS));
    run->steps[2].values[L2_READ_SECTORS] = value_unavailable("because");
    struct value l2 = memory_gbs(step, UNIT_L2);
    ck_assert_str_eq(l2.why, "because");
}

// What most kernels do not use has a row where it is used, and none where it is not or nobody knows.
TEST(local_memory_shows_where_it_is)
{
    struct step_result *step = &run->steps[0];
    ck_assert(!memory_has_way(step, WAY_LOCAL));
    step->values[LOCAL_SECTORS] = value_of(1024, COUNTED);
    ck_assert(memory_has_way(step, WAY_LOCAL));
    struct report report = {.style = style_ascii, .file = text_begin()};
    report_memory(&report, step);
    assert_contains(text_end(report.file),
                    "    | local memory                          1024     32 KiB\n");
    struct html_page both = {.count = 1, .runs = {run}};
    char *html = keep(html_of_page(&both));
    assert_contains(html, "data-way=\"local\"", ">1024 sectors<");
    step->values[LOCAL_SECTORS] = value_unavailable("nobody looked");
    ck_assert(!memory_has_way(step, WAY_LOCAL));
}

// Every number on the page is a counter's, in any style; what is not known is a dash, with its reason.
TEST(the_page)
{
    struct step_result *step = &run->steps[3];
    struct report report = {.style = style_ascii};
    step->values[L2_READ_REQUESTS] = value_unavailable("nobody looked");
    step->values[L2_READ_HITS] = value_unavailable("nobody looked");
    report.file = text_begin();
    report_memory(&report, step);
    char *page = text_end(report.file);
    assert_page(page, style_ascii, NULL);
    for (char *line = page; *line; line += strcspn(line, "\n") + 1)
        ck_assert_uint_le(strcspn(line, "\n"), 80);
    assert_contains(page, "    | shared memory            65536     1081344      8 MiB",
                    "    ^ reads                        -     ~131072     ~4 MiB",
                    "  l2_read_requests: nobody looked\n");
    ck_assert(!strstr(page, "atomics") && !strstr(page, "local memory"));
    step->values[L2_HIT_RATE] = value_unavailable("nobody looked");
    report.file = text_begin();
    report_memory(&report, step);
    assert_contains(text_end(report.file), "  l2_read_requests and 1 more: nobody looked\n");
}
