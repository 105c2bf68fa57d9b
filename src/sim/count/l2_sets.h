// The lines that an L2 (l2.h) holds: sets of 16 ways, in one partition or two.
//
// Where it has two partitions, a line's home is one of them, and an SM asks the one that is near it, as half of the SMs are to
// each: that keeps a copy of what it loads of lines that are at home in the other one, with what is fetched together, and of
// sectors that are stored there as a whole, while the home keeps all that is stored. (NVIDIA's "A100 Tensor Core GPU
// Architecture" has the partitions.) A load that finds a copy does not come to the line's home, where it gets older
// meanwhile. No more than 8 of a set's lines are dirty: of more, the one that was used least recently is written to DRAM, and
// stays.
//
// On an H200 and an H100 (docs/runs/l2-partitions.csv) a fourth of the lines or fewer fall into sets as by chance, 16 ways
// each, and all lines side by side evenly (every other line, too, which here is less even); what is read again where they fill
// the L2 to some share is what sets come to that lose the least recently used line. Half of the lines are dirty at most, in
// those sets. But of lines that are stored again and again, a set of 9 or 10 has 0.74 to 0.83 written the second time there,
// and 0.55 to 0.66 the eighth, which is all of them here; and of what only just does not fit, GPUs keep more and more, as not
// all comes in the same order each time. How it is on a chip of one partition nobody has measured.
#ifndef SIM_L2_SETS_H
#define SIM_L2_SETS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/count/dram_pages.h"

// Who stored a part of a sector last, and which store of the warp that was.
struct storer {
    uint64_t block;
    uint16_t store;
    uint8_t warp;
};

// What is open since a block stored the first part until one stored the last, with the warp that did; how often a part
// came from another block than the one before it, or from another warp of it, each and the first; and for how many
// launches of blocks that is, once it was whole.
struct wait {
    double since, until; // in launches
    uint64_t block;
    unsigned blocks, warps;
    uint8_t warp;
    double launches;
};

struct l2_line {
    struct line_use held; // the bytes that are known here
    uint64_t used;        // when last; 0: the way is empty
    struct storer storers[LINE_SECTORS];
    double lost[LINE_SECTORS];   // by a sector's parts, of what two blocks lose that are far apart
    uint8_t parts[LINE_SECTORS]; // that were stored of it
    struct wait wait, sector_waits[LINE_SECTORS];
    // A bit for each sector: what is dirty; and what was not here when somebody stored a part, and not all the rest since.
    uint8_t dirty, begun;
    struct dram_write write; // once a sector is dirty
};

struct l2_sets {
    size_t bytes; // of the cache
    unsigned partitions, log2_sample;
    size_t count; // of a partition's sets
    struct l2_line
        *lines; // [partitions][count][ways], with room for as many as there were at first
    size_t lines_bytes;
};

// Empty sets for the pages that a cache of so many bytes has of a sample: one in 2^log2_sample; at least one for each line of
// a page in each of its partitions, 1 or 2. Returns 0 when no memory is left; the caller frees ->lines.
int l2_sets_open(struct l2_sets *sets, size_t bytes, unsigned partitions, unsigned log2_sample);

// From now on for a sample that is no larger than the one that they were opened for: empty again, if it is another one.
void l2_sets_for(struct l2_sets *sets, unsigned log2_sample);

// The partition in which a line is at home, and the one that is near an SM: of two pages side by side one, and of two pairs
// of SMs one, as if by chance. (On the GPUs 4 KiB are at home in one, and three pairs side by side may be near one.)
unsigned l2_sets_home(const struct l2_sets *sets, uint64_t line);
unsigned l2_sets_near(const struct l2_sets *sets, uint64_t sm);

// The line's way in a partition, or the one that was used least recently, for it to take.
struct l2_line *l2_sets_way(const struct l2_sets *sets, uint64_t line, unsigned partition);

// Of the lines in that line's set in its home, the dirty one that was used least recently, if more are dirty than may be; or
// NULL.
struct l2_line *l2_sets_too_dirty(const struct l2_sets *sets, uint64_t line, unsigned home);

#endif
