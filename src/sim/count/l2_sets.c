#include "sim/count/l2_sets.h"

#include <stdlib.h>
#include <string.h>

#include "sim/count/line_hash.h"

enum { WAYS = 16, DIRTY_WAYS = 8 };

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
    return sets->partitions == 2 ? side_of_pair(line / PAGE_LINES, 0) : 0;
}

unsigned l2_sets_near(const struct l2_sets *sets, uint64_t sm)
{
    enum { PAIR = 2 };
    return sets->partitions == 2 ? side_of_pair(sm / PAIR, 0) : 0;
}

// The lines of a page are in sets side by side, in an order of the page's own, so that those which came together leave together,
// as DRAM likes it; and those of the next page of the sample that is at home in the same partition in the sets after these.
// Where that went round all sets once, and a 16th of them again, it starts at any set: so lines side by side differ by as much
// from set to set as on an H200. Where there is one partition the lines at the same place of their pages share a 16th of the
// sets, so that they push each other out where rows are a power of two long, as on the board of 2012 (docs/runs/gtc2012.json:
// step 3 moves 15 bytes for each that is wanted).
static struct l2_line *set_of(const struct l2_sets *sets, uint64_t line, unsigned partition)
{
    const uint64_t page = line / PAGE_LINES, in_pairs = page >> sets->log2_sample >> 1,
                   turn_sets = sets->count + sets->count / WAYS;
    uint64_t place = line % PAGE_LINES,
             first = (sets->partitions == 2 ? in_pairs : 2 * in_pairs + page % 2) * PAGE_LINES,
             turned = mixed_bits(first / turn_sets) % sets->count;
    if (sets->partitions == 2)
        place ^= mixed_bits(page) % PAGE_LINES;
    else
        turned -= turned % PAGE_LINES;
    return sets->lines + (partition * sets->count + (first + turned + place) % sets->count) * WAYS;
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
