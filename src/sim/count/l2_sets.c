#include "sim/count/l2_sets.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS = 16, DIRTY_WAYS = 9 };

static size_t count_groups(const struct l2_sets *sets, unsigned log2_sample)
{
    size_t groups = (sets->bytes / LINE_SIZE >> log2_sample) / WAYS / PAGE_LINES / sets->partitions;
    return groups + (groups == 0);
}

int l2_sets_open(struct l2_sets *sets, size_t bytes, unsigned partitions, unsigned log2_sample)
{
    *sets = (struct l2_sets){.bytes = bytes, .partitions = partitions, .log2_sample = log2_sample};
    sets->groups = count_groups(sets, log2_sample);
    sets->lines_bytes = partitions * sets->groups * PAGE_LINES * WAYS * sizeof *sets->lines;
    sets->lines = calloc(1, sets->lines_bytes);
    return sets->lines != NULL;
}

void l2_sets_for(struct l2_sets *sets, unsigned log2_sample)
{
    if (log2_sample == sets->log2_sample)
        return;
    sets->log2_sample = log2_sample;
    sets->groups = count_groups(sets, log2_sample);
    memset(sets->lines, 0, sets->lines_bytes);
}

unsigned l2_sets_home(const struct l2_sets *sets, uint64_t line)
{
    return (unsigned)(line_hash(line / PAGE_LINES) >> 36) % sets->partitions;
}

unsigned l2_sets_near(const struct l2_sets *sets, uint64_t place)
{
    return (unsigned)(line_hash(place) >> 36) % sets->partitions;
}

// The lines of a page are in sets of one group, so that those which came together leave together, as DRAM likes it. Of the
// hash, the bits below those that chose the sample: neighbouring pages spread evenly by them. Where there is one partition
// the lines at the same place of their pages share a 16th of the sets, so that they push each other out where rows are a power
// of two long, as on the board of 2012 (docs/runs/gtc2012.json: step 3 moves 15 bytes for each that is wanted); on an H200 and
// an H100 they do not.
static struct l2_line *set_of(const struct l2_sets *sets, uint64_t line, unsigned partition)
{
    uint64_t hash = line_hash(line / PAGE_LINES), bits = hash << sets->log2_sample >> 32,
             group = partition * sets->groups + (bits * sets->groups >> 32),
             turn = sets->partitions > 1 ? hash >> 37 : 0;
    return sets->lines + (group * PAGE_LINES + (line + turn) % PAGE_LINES) * WAYS;
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

struct l2_line *l2_sets_too_dirty(const struct l2_sets *sets, uint64_t line)
{
    struct l2_line *set = set_of(sets, line, l2_sets_home(sets, line)), *oldest = NULL;
    int dirty = 0;
    for (int w = 0; w < WAYS; w++) {
        if (!set[w].dirty)
            continue;
        dirty++;
        if (!oldest || set[w].used < oldest->used)
            oldest = &set[w];
    }
    return dirty > DIRTY_WAYS ? oldest : NULL;
}
