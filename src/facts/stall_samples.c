#include "facts/stall_samples.h"

#include <stdlib.h>
#include <string.h>

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

static int compare(const void *a, const void *b)
{
    const struct stall_line *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

void stall_samples_sort(struct stall_samples *samples)
{
    qsort(samples->lines, (size_t)samples->count, sizeof *samples->lines, compare);
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
