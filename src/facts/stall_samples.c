#include "facts/stall_samples.h"

#include <stdlib.h>

void stall_samples_add(struct stall_samples *samples, const char *file, unsigned line,
                       enum stall_reason reason, uint64_t count)
{
    int place = source_files_place(&samples->files, file), i = 0;
    while (i < samples->count &&
           (samples->lines[i].file != place || samples->lines[i].line != line))
        i++;
    if (place < 0 || i == MAX_STALL_LINES) {
        samples->overflowed = true;
        return;
    }
    if (i == samples->count)
        samples->lines[samples->count++] = (struct stall_line){.file = place, .line = line};
    samples->lines[i].samples[reason] += count;
}

static bool is_same(const struct stall_cause *a, const struct stall_cause *b)
{
    return a->file == b->file && a->line == b->line && a->reason == b->reason &&
           a->cause_file == b->cause_file && a->cause_line == b->cause_line;
}

void stall_samples_add_cause(struct stall_samples *samples, const char *file, unsigned line,
                             enum stall_reason reason, const char *cause_file, unsigned cause_line,
                             uint64_t count)
{
    struct stall_cause cause = {.file = source_files_place(&samples->files, file),
                                .line = line,
                                .reason = reason,
                                .cause_file = source_files_place(&samples->files, cause_file),
                                .cause_line = cause_line};
    int i = 0;
    while (i < samples->cause_count && !is_same(&samples->causes[i], &cause))
        i++;
    if (cause.file < 0 || cause.cause_file < 0 || i == MAX_STALL_CAUSES) {
        samples->overflowed = true;
        return;
    }
    if (i == samples->cause_count)
        samples->causes[samples->cause_count++] = cause;
    samples->causes[i].samples += count;
}

static int compare_places(int file, unsigned line, int other_file, unsigned other_line)
{
    if (file != other_file)
        return file < other_file ? -1 : 1;
    return (line > other_line) - (line < other_line);
}

static int compare(const void *a, const void *b)
{
    const struct stall_line *x = a, *y = b;
    return compare_places(x->file, x->line, y->file, y->line);
}

static int compare_causes(const void *a, const void *b)
{
    const struct stall_cause *x = a, *y = b;
    int order = compare_places(x->file, x->line, y->file, y->line);
    if (order == 0)
        order = (x->samples < y->samples) - (x->samples > y->samples);
    if (order == 0)
        order = compare_places(x->cause_file, x->cause_line, y->cause_file, y->cause_line);
    return order ? order : (x->reason > y->reason) - (x->reason < y->reason);
}

void stall_samples_sort(struct stall_samples *samples)
{
    qsort(samples->lines, (size_t)samples->count, sizeof *samples->lines, compare);
    qsort(samples->causes, (size_t)samples->cause_count, sizeof *samples->causes, compare_causes);
}

int stall_line_causes(const struct stall_samples *samples, const struct stall_line *line,
                      int *first)
{
    const struct stall_cause *causes = samples->causes;
    int i = 0, count = 0;
    while (i < samples->cause_count &&
           (causes[i].file != line->file || causes[i].line != line->line))
        i++;
    *first = i;
    while (i + count < samples->cause_count && causes[i + count].file == line->file &&
           causes[i + count].line == line->line)
        count++;
    return count;
}

uint64_t stall_samples_of(const struct stall_samples *samples, enum stall_reason reason)
{
    uint64_t sum = 0;
    for (int i = 0; i < samples->count; i++)
        sum += samples->lines[i].samples[reason];
    return sum;
}

uint64_t stall_samples_total(const struct stall_samples *samples)
{
    uint64_t sum = 0;
    for (int i = 0; i < samples->count; i++)
        sum += stall_line_total(&samples->lines[i]);
    return sum;
}

uint64_t stall_line_total(const struct stall_line *line)
{
    uint64_t sum = 0;
    for (int reason = 0; reason < STALL_REASONS; reason++)
        sum += line->samples[reason];
    return sum;
}

uint64_t stall_line_waiting(const struct stall_line *line)
{
    return stall_line_total(line) - line->samples[STALL_SELECTED] -
           line->samples[STALL_NOT_SELECTED];
}
