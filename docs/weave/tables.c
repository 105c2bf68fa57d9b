// What recorded runs, and the table of a step's numbers, say as tables of Markdown and as reports:
//
//   tables TO_ROOT NAME WORD...
//
// `make walkthrough` types it (weave.awk, which lists the names); TO_ROOT leads from the document's folder to the
// kit's ("" or "../"). Of a report the last line is where it is from. Exit status: 0, or 1 after a message on standard
// error.
#include "facts/format.h"
#include "files/run_read.h"
#include "show/report.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 24 };

static const struct style plain = {.utf8 = true};
static const char *to_root;

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(EXIT_FAILURE);
}

// Where the values of a run come from, in a sentence: "Measured: NVIDIA H200, n = 8192 (...)."
static void put_origin(const struct run *run, size_t n)
{
    printf("%s %s, n = %zu", run->device.simulated ? "Modelled:" : "Measured:", run->device.name,
           n);
    if (*run->source)
        printf(", by %s", run->kit);
    printf(" ([`docs/runs/%s.json`](%sdocs/runs/%s.json)).", run->label, to_root, run->label);
}

// ---- What a run printed ----------------------------------------------------------------------------

static struct run *open_for_report(const char *name)
{
    struct run *run = run_open(name);
    if (!run)
        give_up("the run %s cannot be read", name);
    if (run->device.sm.warps == 0 || run->device.sms == 0 || !value_known(&run->copy_gbs))
        give_up("the run %s does not say what its device has", name);
    for (int i = 0; i < run->count; i++) {
        const struct step_result *step = &run->steps[i];
        if (!step->launched || step->outcome != VERIFIED || !step_of(step))
            give_up("step %g of %s is not in this program, or not known to be right", step->number,
                    name);
    }
    return run;
}

static void write_panel(int count, char **words)
{
    if (count != 2)
        give_up("panel takes a run and a step's number");
    struct run *run = open_for_report(words[0]);
    const struct step_result *step = run_find(run, atoi(words[1]));
    if (!step)
        give_up("run %s, step %s: it has no such step", words[0], words[1]);
    report_panel(&(struct report){stdout, plain}, run, (int)(step - run->steps));
    put_origin(run, step->n);
    putchar('\n');
    free(run);
}

static void write_summary(int count, char **words)
{
    if (count != 1)
        give_up("summary takes a run, and perhaps \"FROM\" and \"TO\"");
    struct run *run = open_for_report(words[0]);
    report_summary(&(struct report){stdout, plain}, run);
    put_origin(run, run->n);
    putchar('\n');
    free(run);
}

static void write_device(int count, char **words)
{
    struct run *run = count == 1 ? run_open(words[0]) : NULL;
    if (!run)
        give_up("device takes a recorded run");
    char peak[FORMAT_SIZE], copy[FORMAT_SIZE], l2[FORMAT_SIZE], cpu[FORMAT_SIZE],
        cpu_gbs[FORMAT_SIZE];
    format_number(peak, run->device.dram_peak_gbs);
    format_number(copy, run->copy_gbs.number);
    format_bytes(l2, run->device.l2_bytes);
    format_duration(cpu, run->cpu.median_ms, &plain);
    format_number(cpu_gbs, bandwidth_gbs(run->n, run->cpu.median_ms));
    printf("| %s | |\n|---|---:|\n", run->device.name);
    printf("| streaming multiprocessors (SMs) | %d |\n", run->device.sms);
    printf("| L2 cache | %s |\n", l2);
    printf("| DRAM bandwidth, data sheet: the peak | %s GB/s |\n", peak);
    printf("| the device's own copy: the roof | %s GB/s |\n", copy);
    printf("| the host's CPU, all cores: where we start | %s, %s GB/s |\n\n", cpu, cpu_gbs);
    put_origin(run, run->n);
    putchar('\n');
    free(run);
}

// ---- A row a step ----------------------------------------------------------------------------------

// What a table's columns are, besides the recorded metrics.
enum { BLOCK_COLUMN = METRICS, NO_COLUMN };

static int column_find(const char *key)
{
    if (strcmp(key, "block") == 0)
        return BLOCK_COLUMN;
    enum metric metric = metric_find(key);
    return metric == METRICS ? NO_COLUMN : (int)metric;
}

static void put_row(const struct step_result *step, const int *columns, int count)
{
    if (step->number < OWN_KERNEL)
        printf("| %g. %s |", step->number, step->title);
    else
        printf("| %s |", step->title);
    for (int i = 0; i < count; i++) {
        char text[FORMAT_SIZE];
        if (columns[i] == BLOCK_COLUMN)
            format_dimensions(text, step->block);
        else
            format_value(text, columns[i], &step->values[columns[i]], &plain);
        printf(" %s |", text);
    }
    putchar('\n');
}

static void put_marks(int columns)
{
    while (columns-- > 0)
        printf("---:|");
    putchar('\n');
}

// The rows of one run, or of one step of it: "h200" or "h200:4". The run, which the caller frees.
static struct run *put_run(char *word, const int *columns, int count)
{
    char *step = strchr(word, ':');
    if (step)
        *step++ = '\0';
    struct run *run = run_open(word);
    bool found = false;
    for (int i = 0; run && i < run->count; i++)
        if (!step || run->steps[i].number == atof(step)) {
            put_row(&run->steps[i], columns, count);
            found = true;
        }
    if (!found)
        give_up("%s is no recorded run, or no step of one", word);
    return run;
}

static void write_table(int count, char **words)
{
    int columns[MAX_WORDS], shown = 0, runs = 0;
    struct run *records[MAX_WORDS];
    while (runs < count && column_find(words[runs]) == NO_COLUMN)
        runs++;
    for (int i = runs; i < count; i++)
        if ((columns[shown++] = column_find(words[i])) == NO_COLUMN)
            give_up("table takes runs, and then keys of the JSON");
    if (!runs || !shown)
        give_up("table takes runs, and then keys of the JSON");
    printf("| |");
    for (int i = 0; i < shown; i++)
        printf(" %s |", columns[i] == BLOCK_COLUMN ? "Block Size" : metric_table[columns[i]].label);
    printf("\n|---|");
    put_marks(shown);
    for (int i = 0; i < runs; i++)
        records[i] = put_run(words[i], columns, shown);
    putchar('\n');
    for (int i = 0; i < runs; i++) { // where the rows are from, each run once
        bool again = false;
        for (int k = 0; k < i; k++)
            again |= strcmp(words[k], words[i]) == 0;
        if (i > 0 && !again)
            putchar(' ');
        if (!again)
            put_origin(records[i], records[i]->n);
    }
    putchar('\n');
    for (int i = 0; i < runs; i++)
        free(records[i]);
}

// ---- A row a run -----------------------------------------------------------------------------------

// The device's name without what the column beside it says, or what all of them have in front.
static const char *short_name(const struct run *run)
{
    static const char *const prefixes[] = {"Simulated device ", "NVIDIA "};
    const char *name = run->device.name;
    for (int i = 0; i < 2; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            name += strlen(prefixes[i]);
    return name;
}

static void put_gbs(double gbs, bool modelled)
{
    char text[FORMAT_SIZE];
    format_number(text, gbs);
    printf(" %s%s |", gbs > 0 && modelled ? "~" : "", gbs > 0 ? text : "–");
}

static void put_bandwidths(const struct run *run, int steps)
{
    // Who says so: a published run names its maker, a simulated device its model.
    const char *origin = run->device.simulated ? "modelled" : *run->source ? run->kit : "measured";
    printf("| %s | [%s](%sdocs/runs/%s.json) | %zu |", short_name(run), origin, to_root, run->label,
           run->n);
    for (int number = 1; number <= steps; number++) {
        const struct step_result *step = run_find(run, number);
        put_gbs(step ? step->values[BANDWIDTH_GBS].number : 0, run->device.simulated);
    }
    put_gbs(run->copy_gbs.number, run->device.simulated);
    putchar('\n');
}

static void write_bandwidths(int count, char **words)
{
    struct run *records[MAX_WORDS];
    int steps = 0;
    for (int i = 0; i < count; i++) {
        if (!(records[i] = run_open(words[i])))
            give_up("bandwidths takes recorded runs");
        int last = (int)records[i]->steps[records[i]->count - 1].number;
        steps = last > steps ? last : steps;
    }
    printf("| useful GB/s | | n |");
    for (int step = 1; step <= steps; step++)
        printf(" step %d |", step);
    printf(" copy |\n|---|---|---:|");
    put_marks(steps + 1);
    for (int i = 0; i < count; i++) {
        put_bandwidths(records[i], steps);
        free(records[i]);
    }
}

// ---- Names, which no run decides -------------------------------------------------------------------

// The expression in backquotes; between names for other chips, which '|' parts, stands "or".
static void put_expression(const char *expression)
{
    size_t length = strcspn(expression, "|");
    printf("`%.*s`", (int)length, expression);
    if (expression[length]) {
        printf(" or ");
        put_expression(expression + length + 1);
    }
}

// nvprof's name, or what it had instead, which the note says; NULL when it had nothing of the kind.
static const char *nvprof_name(const struct metric_row *row)
{
    static const char instead[] = "nvprof: ";
    if (row->nvprof)
        return row->nvprof;
    return row->note && strncmp(row->note, instead, strlen(instead)) == 0
               ? row->note + strlen(instead)
               : NULL;
}

static void write_definitions(int count, char **words)
{
    if (count)
        give_up("definitions takes no words, as %s", words[0]);
    printf("| shown | definition |\n|---|---|\n");
    for (enum metric i = 0; i < FIRST_COUNT; i++)
        if (metric_table[i].formula)
            printf("| %s | %s |\n", metric_table[i].label, metric_table[i].formula);
}

static void write_metrics(int count, char **words)
{
    if (count)
        give_up("metrics takes no words, as %s", words[0]);
    printf("| shown | nvprof | kit: key in the JSON | CUPTI, or else the kit's formula |\n");
    printf("|---|---|---|---|\n");
    for (enum metric i = FIRST_METRIC; i < FIRST_COUNT; i++) {
        const struct metric_row *row = &metric_table[i];
        const char *nvprof = nvprof_name(row);
        printf("| %s | ", row->label);
        printf(nvprof ? "`%s`" : "–", nvprof);
        printf(" | `%s` | ", row->key);
        if (row->cupti)
            put_expression(row->cupti);
        else
            printf("%s", row->formula);
        printf(" |\n");
    }
}

static void write_counts(int count, char **words)
{
    if (count)
        give_up("counts takes no words, as %s", words[0]);
    printf("| count | CUPTI |\n|---|---|\n");
    for (enum metric i = FIRST_COUNT; i < METRICS; i++) {
        printf("| `%s` | ", metric_table[i].key);
        put_expression(metric_table[i].cupti);
        printf(" |\n");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*write)(int count, char **words);
    } tables[] = {
        {"panel", write_panel},     {"summary", write_summary},
        {"device", write_device},   {"table", write_table},
        {"metrics", write_metrics}, {"definitions", write_definitions},
        {"counts", write_counts},   {"bandwidths", write_bandwidths},
    };
    setlocale(LC_CTYPE, "");
    if (argc < 3 || argc > 3 + MAX_WORDS)
        give_up("Usage: tables TO_ROOT NAME WORD...");
    to_root = argv[1];
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(argv[2], tables[i].name) == 0) {
            tables[i].write(argc - 3, argv + 3);
            return EXIT_SUCCESS;
        }
    give_up("there is no table %s", argv[2]);
}
