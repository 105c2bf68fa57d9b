// What cupti/ does without a GPU. For every chip that the installed host API knows, the kit's names resolve,
// the number of passes is known, and what is missing is exactly what is known to be missing.
#include "cupti/errors.h"
#include "cupti/host.h"
#include "facts/expression.h"
#include "facts/metric_names.h"
#include "facts/metric_table.h"
#include "measure/instruments.h"
#include "suites.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *chip, const char *list)
{
    const char *found = strstr(list, chip);
    return found && found[strlen(chip)] == ' ';
}

// Chips that share the system's memory have no DRAM counters of their own.
static bool shares_memory(const char *chip)
{
    return is_one_of(chip, "GA10B GB10B GB20B ");
}

static bool has(void *host, const char *name)
{
    return host_has(host, name);
}

// Every expression of the kit on this chip; schedules the panel's and returns the passes.
static size_t check_chip(const char *chip, struct host *host)
{
    static struct expression expressions[METRICS];
    const char *names[METRICS * MAX_TERMS];
    char why[512];
    size_t count = 0, passes = 0;
    for (enum metric i = 0; i < METRICS; i++) {
        const char *text = metric_table[i].cupti;
        if (!metric_table[i].is_counted)
            continue;
        bool resolved = expression_resolve(text, has, host, &expressions[i], why, sizeof why);
        bool expected = !(shares_memory(chip) && strncmp(text, "dram__", 6) == 0);
        ck_assert_msg(resolved == expected, "%s: %s: %s", chip, text, why);
        for (int t = 0; resolved && t < expressions[i].count; t++)
            names[count++] = expressions[i].terms[t].name;
    }
    ck_assert_msg(host_schedule(host, names, count, &passes, why, sizeof why), "%s: %s", chip, why);
    return passes;
}

static size_t known_passes(const char *chip)
{
    if (strcmp(chip, "GV100") == 0)
        return 9;
    return strcmp(chip, "GA100") == 0 || strncmp(chip, "TU", 2) == 0 ? 5 : 4;
}

SUITE(cupti, .seconds = 120)

TEST(the_panel_on_every_chip)
{
    size_t count, opened = 0;
    const char *const *chips = host_chips(&count);
    ck_assert_uint_gt(count, 20);
    for (size_t i = 0; i < count; i++) {
        char why[512];
        struct host *host = host_open(chips[i], NULL, why, sizeof why);
        if (!host) {
            ck_assert_msg(strcmp(chips[i], "GV11B") == 0, "%s: %s", chips[i], why);
            assert_contains(why, "error 27");
            continue;
        }
        ck_assert_uint_eq(check_chip(chips[i], host), known_passes(chips[i]));
        host_close(host);
        opened++;
    }
    ck_assert_uint_ge(opened, 20);
}

TEST(dram_bytes_have_another_name_on_blackwell_2)
{
    char names[512];
    struct chip *chip = instruments.chips->open("GB202", names, sizeof names);
    ck_assert_ptr_nonnull(chip);
    ck_assert(
        instruments.chips->counts(chip, metric_table[DRAM_READ_BYTES].cupti, names, sizeof names));
    ck_assert_str_eq(names, "dram__bytes_op_read.sum");
    instruments.chips->close(chip);
    chip = instruments.chips->open("GH100", names, sizeof names);
    ck_assert(
        instruments.chips->counts(chip, metric_table[DRAM_READ_BYTES].cupti, names, sizeof names));
    ck_assert_str_eq(names, "dram__bytes_read.sum");
    instruments.chips->close(chip);
}

// Every nvprof metric with a successor, on every chip: only the DRAM ones may be missing.
TEST(nvprofs_metrics_on_every_chip)
{
    size_t count;
    const char *const *chips = host_chips(&count);
    for (size_t i = 0; i < count; i++) {
        char text[512];
        struct chip *chip = instruments.chips->open(chips[i], text, sizeof text);
        for (int m = 0; chip && m < nvprof_metric_count; m++) {
            const struct nvprof_metric *metric = &nvprof_metrics[m];
            bool expected = !(shares_memory(chips[i]) && strncmp(metric->name, "dram_", 5) == 0);
            bool found = instruments.chips->counts(chip, metric->cupti, text, sizeof text);
            ck_assert_msg(found == expected, "%s: %s: %s", chips[i], metric->name, text);
        }
        if (chip)
            instruments.chips->close(chip);
    }
}

TEST(names_are_sorted_and_unique)
{
    for (int i = 1; i < nvprof_metric_count; i++)
        ck_assert_msg(strcmp(nvprof_metrics[i - 1].name, nvprof_metrics[i].name) < 0, "%s",
                      nvprof_metrics[i].name);
}

// A chip that has only what the context says.
static bool has_only(void *context, const char *name)
{
    return strcmp(name, context) == 0 || strcmp(name, "x__y.sum") == 0;
}

TEST(expressions)
{
    struct expression result;
    char why[256];
    ck_assert(expression_resolve("a.sum|b.sum + 2*x__y.sum", has_only, "b.sum", &result, why,
                                 sizeof why));
    ck_assert_int_eq(result.count, 2);
    ck_assert_str_eq(result.terms[0].name, "b.sum");
    ck_assert(result.terms[0].factor == 1);
    ck_assert_str_eq(result.terms[1].name, "x__y.sum");
    ck_assert(result.terms[1].factor == 2);
    ck_assert(
        !expression_resolve("a.sum|c.sum + x__y.sum", has_only, "b.sum", &result, why, sizeof why));
    assert_contains(why, "'a.sum|c.sum'");
}

TEST(bad_expressions_are_refused)
{
    static const char *const bad[] = {"",
                                      "+",
                                      "|",
                                      "x__y.sum +",
                                      "+ x__y.sum",
                                      "2*",
                                      "*x__y.sum",
                                      "x__y.sum + + x__y.sum",
                                      "x__y.sum x__y.sum",
                                      "x__y.sum + x__y.sum + x__y.sum + x__y.sum + x__y.sum"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct expression result;
        char why[256] = "";
        ck_assert_msg(!expression_resolve(bad[i], has_only, "b.sum", &result, why, sizeof why),
                      "'%s' was accepted", bad[i]);
        ck_assert_str_ne(why, "");
    }
    char longest[1000];
    memset(longest, 'a', sizeof longest);
    longest[999] = '\0';
    struct expression result;
    char why[256];
    ck_assert(!expression_resolve(longest, has_only, longest, &result, why, sizeof why));
}

TEST(a_name_needs_its_rollup)
{
    char why[512];
    struct host *host = host_open("GH100", NULL, why, sizeof why);
    ck_assert_ptr_nonnull(host);
    ck_assert(!host_has(host, "dram__bytes_read"));
    ck_assert(!host_has(host, "no__such_metric.sum"));
    ck_assert(host_has(host, "dram__bytes_read.sum")); // a bad name before it does no harm
    host_close(host);
}

// Errors that readers meet: what it is, and on the lines after it what to do.
TEST(errors_explain_themselves)
{
    static const struct {
        int error;
        const char *what, *advice;
    } cases[] = {{35, "may not read", "NVreg_RestrictProfilingToAdminUsers=0"},
                 {26, "another profiler", "dcgmi profile --pause"},
                 {39, "another tool", "compute-sanitizer"},
                 {15, "did not start", "driver"},
                 {27, "no range profiler", "7.5"},
                 {40, "virtual", "administrator"},
                 {41, "confidential", "not in that mode"},
                 {999, "cannot be had", "cupti_result.h"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char why[1024], number[32];
        ck_assert(!cupti_ok((CUptiResult)cases[i].error, "cuptiCall", why, sizeof why));
        snprintf(number, sizeof number, "error %d,", cases[i].error);
        assert_contains(why, number);
        char *advice = strchr(why, '\n');
        ck_assert_ptr_nonnull(advice);
        assert_contains(advice, cases[i].advice);
        *advice = '\0';
        assert_contains(why, cases[i].what);
    }
}
