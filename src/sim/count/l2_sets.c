#include "sim/count/l2_sets.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS = 16, DIRTY_WAYS = 9 };

static size_t count_sets(const struct l2_sets *sets, unsigned log2_sample)
{
    size_t count = (sets->bytes / LINE_SIZE >> log2_sample) / WAYS / sets->partitions;
    return count < PAGE_LINES ? PAGE_LINES : count;
}

int l2_sets_open(struct l2_sets *sets, size_t bytes, unsigned partitions, unsigned log2_sample)
{
    *sets = (struct l2_sets){.bytes = bytes, .partitions = partitions, .log2_sample = log2_sample};
    sets->count = count_sets(sets, log2_sample);
    sets->lines_bytes = partitions * sets->count * WAYS * sizeof *sets->lines;
    sets->lines = calloc(1, sets->lines_bytes);
    return sets->lines != NULL;
}

void l2_sets_for(struct l2_sets *sets, unsigned log2_sample)
{
    if (log2_sample == sets->log2_sample)
        return;
    sets->log2_sample = log2_sample;
    sets->count = count_sets(sets, log2_sample);
    memset(sets->lines, 0, sets->lines_bytes);
}

unsigned l2_sets_home(const struct l2_sets *sets, uint64_t line)
{
    return (unsigned)(line_hash(line / PAGE_LINES) >> 36) % sets->partitions;
}

// Not the same hash: an SM's lines may be as far apart as the SMs are.
unsigned l2_sets_near(const struct l2_sets *sets, uint64_t sm)
{
    return (unsigned)(line_hash(line_hash(sm + 1) >> 32) >> 36) % sets->partitions;
}

// The lines of a page are in sets side by side, so that those which came together leave together, as DRAM likes it. Of the
// hash, the bits below those that chose the sample: neighbouring pages spread evenly by them. Where there is one partition
// the lines at the same place of their pages share a 16th of the sets, so that they push each other out where rows are a power
// of two long, as on the board of 2012 (docs/runs/gtc2012.json: step 3 moves 15 bytes for each that is wanted); on an H200 and
// an H100 they do not.
static struct l2_line *set_of(const struct l2_sets *sets, uint64_t line, unsigned partition)
{
    uint64_t bits = line_hash(line / PAGE_LINES) << sets->log2_sample >> 32,
             first = bits * sets->count >> 32;
    if (sets->partitions == 1)
        first -= first % PAGE_LINES;
    return sets->lines +
           (partition * sets->count + (first + line % PAGE_LINES) % sets->count) * WAYS;
}

struct l2_line *l2_sets_way(const struct l2_sets *sets, uint64_t line, unsigned partition)
{
    struct l2_line *set = set_of(sets, line, partition), *oldest = set;
    for (int w = 0; w < WAYS; w++) {
        if (set[w].used && set[w].held.number == line)
            return &set[w];
        if (set[w].used < oldest->used)
            oldest = &set[w];
    }
    return oldest;
}

struct l2_line *l2_sets_too_dirty(const struct l2_sets *sets, uint64_t line, unsigned home)
{
    struct l2_line *set = set_of(sets, line, home), *oldest = NULL;
    int dirty = 0;
    if (sets->partitions == 1)
        return NULL;
    for (int w = 0; w < WAYS; w++) {
        if (!set[w].dirty)
            continue;
        dirty++;
        if (!oldest || set[w].used < oldest->used)
            oldest = &set[w];
    }
    return dirty > DIRTY_WAYS ? oldest : NULL;
}
