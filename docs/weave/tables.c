#include "tables.h"

#include "facts/format.h"
#include "recorded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const struct style plain = {.utf8 = true};

bool write_device(const struct words *words, const char *to_root, FILE *out, char *why)
{
    struct run *run = words->count == 1 ? run_open(words->word[0]) : NULL;
    if (!run) {
        snprintf(why, BLOCK_WHY_SIZE, "device takes a recorded run");
        return false;
    }
    char peak[FORMAT_SIZE], copy[FORMAT_SIZE], l2[FORMAT_SIZE], cpu[FORMAT_SIZE],
        cpu_gbs[FORMAT_SIZE];
    format_number(peak, run->device.dram_peak_gbs);
    format_number(copy, run->copy_gbs.number);
    format_bytes(l2, run->device.l2_bytes);
    format_duration(cpu, run->cpu.median_ms, &plain);
    format_number(cpu_gbs, bandwidth_gbs(run->n, run->cpu.median_ms));
    fprintf(out, "| %s | |\n|---|---:|\n", run->device.name);
    fprintf(out, "| streaming multiprocessors (SMs) | %d |\n", run->device.sms);
    fprintf(out, "| L2 cache | %s |\n", l2);
    fprintf(out, "| DRAM bandwidth, data sheet: the peak | %s GB/s |\n", peak);
    fprintf(out, "| the device's own copy: the roof | %s GB/s |\n", copy);
    fprintf(out, "| the host's CPU, all cores: where we start | %s, %s GB/s |\n\n", cpu, cpu_gbs);
    put_origin(out, run, run->n, to_root);
    fputc('\n', out);
    free(run);
    return true;
}

// ---- A row a step ----------------------------------------------------------------------------------

// What a table's columns are, besides the recorded quantities.
enum { BLOCK_COLUMN = QUANTITIES, NO_COLUMN };

static int column_find(const char *key)
{
    if (strcmp(key, "block") == 0)
        return BLOCK_COLUMN;
    enum quantity quantity = quantity_find(key);
    return quantity == QUANTITIES ? NO_COLUMN : (int)quantity;
}

static void put_cell(FILE *out, const struct step_result *step, int column)
{
    char text[FORMAT_SIZE];
    if (column == BLOCK_COLUMN)
        format_dimensions(text, step->block);
    else
        format_value(text, column, &step->values[column], &plain);
    fprintf(out, " %s |", text);
}

static void put_row(FILE *out, const struct step_result *step, const int *columns, int count)
{
    fprintf(out, "| %g. %s |", step->number, step->title);
    for (int i = 0; i < count; i++)
        put_cell(out, step, columns[i]);
    fputc('\n', out);
}

static void put_heading(FILE *out, const int *columns, int count)
{
    fprintf(out, "| |");
    for (int i = 0; i < count; i++)
        fprintf(out, " %s |",
                columns[i] == BLOCK_COLUMN ? "Block Size" : quantities[columns[i]].label);
    fprintf(out, "\n|---|");
    for (int i = 0; i < count; i++)
        fprintf(out, "---:|");
    fputc('\n', out);
}

// The rows of one run, or of one step of it: "h200" or "h200:4". False when it has none such.
static bool put_run(FILE *out, const char *word, const int *columns, int count, struct run **opened)
{
    char name[WORDS_SIZE];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word, ":"), word);
    const char *step = strchr(word, ':');
    *opened = run_open(name);
    bool found = false;
    for (int i = 0; *opened && i < (*opened)->count; i++)
        if (!step || (*opened)->steps[i].number == atof(step + 1)) {
            put_row(out, &(*opened)->steps[i], columns, count);
            found = true;
        }
    return found;
}

// Says where the rows come from, each run once.
static void put_origins(FILE *out, struct run *const *records, int count, const char *to_root)
{
    fputc('\n', out);
    for (int i = 0; i < count; i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again |= strcmp(records[k]->label, records[i]->label) == 0;
        if (!again) {
            fprintf(out, i > 0 ? " " : "");
            put_origin(out, records[i], records[i]->n, to_root);
        }
    }
    fputc('\n', out);
}

bool write_table(const struct words *words, const char *to_root, FILE *out, char *why)
{
    int columns[MAX_WORDS], count = 0, runs = 0;
    struct run *records[MAX_WORDS] = {NULL};
    for (int i = 0; i < words->count; i++) {
        int column = column_find(words->word[i]);
        if (column == NO_COLUMN && count == 0)
            runs++;
        else
            columns[count++] = column;
    }
    bool good = runs > 0 && count > 0;
    for (int i = 0; i < count; i++)
        good &= columns[i] != NO_COLUMN;
    snprintf(why, BLOCK_WHY_SIZE, "table takes runs, and then keys of the JSON");
    if (good)
        put_heading(out, columns, count);
    for (int i = 0; i < runs && good; i++) {
        good = put_run(out, words->word[i], columns, count, &records[i]);
        if (!good)
            snprintf(why, BLOCK_WHY_SIZE, "%s is no recorded run, or no step of one",
                     words->word[i]);
    }
    if (good)
        put_origins(out, records, runs, to_root);
    for (int i = 0; i < runs; i++)
        free(records[i]);
    return good;
}

// ---- Microbenchmarks -------------------------------------------------------------------------------

static const char micro[] = "docs/runs/micro-h200.csv";

// The row of the value in the microbenchmarks' file. False when there is none.
static bool put_micro(FILE *out, FILE *file, const char *name)
{
    char line[160];
    rewind(file);
    while (fgets(line, sizeof line, file)) {
        char *fields[3];
        line[strcspn(line, "\n")] = '\0';
        fields[0] = strtok(line, ",");
        fields[1] = strtok(NULL, ",");
        fields[2] = strtok(NULL, ",");
        if (fields[2] && strcmp(fields[0], name) == 0) {
            fprintf(out, "| `%s` | %s %s |\n", name, fields[1], fields[2]);
            return true;
        }
    }
    return false;
}

bool write_micro(const struct words *words, const char *to_root, FILE *out, char *why)
{
    FILE *file = fopen(micro, "r");
    if (!file) {
        snprintf(why, BLOCK_WHY_SIZE, "cannot read %s: %s", micro, strerror(errno));
        return false;
    }
    bool good = words->count > 0;
    fprintf(out, "| microbenchmark | |\n|---|---:|\n");
    for (int i = 0; i < words->count && good; i++) {
        good = put_micro(out, file, words->word[i]);
        if (!good)
            snprintf(why, BLOCK_WHY_SIZE, "%s has no %s", micro, words->word[i]);
    }
    fclose(file);
    fprintf(out, "\nMeasured: NVIDIA H200, `make micro` ([`%s`](%s%s)).\n", micro, to_root, micro);
    return good;
}
