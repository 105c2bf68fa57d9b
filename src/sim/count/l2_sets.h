// The lines that an L2 (l2.h) holds: sets of 16 ways, in one partition or two.
//
// Where it has two partitions, a line's home is one of them, and an SM asks the one that is near it: that keeps a copy of what
// it loads of lines that are at home in the other one, and of sectors that are stored there as a whole, while the home keeps
// all that is stored. (NVIDIA's "A100 Tensor Core GPU Architecture" has the partitions; on an H200 and an H100 half of the
// sectors come again by lts__t_sectors_srcunit_ltcfabric.) So what is loaded, or stored as a whole, takes the place of one and
// a half lines. On the GPUs that is so but for lines that are only loaded, again and again, of which they hold more: see
// docs/runs/l2-capacity.csv.
//
// No more than 9 of a set's lines are dirty there: of more, the one that was used least recently is written to DRAM, and
// stays. Of lines that are stored again and again, down the columns of a matrix, half are written each time where they fill 0.55 of
// an H200's L2 and 0.57 of an H100's, as lines would at 0.54 that fall into sets by chance. That it is so on a chip of one
// partition nobody has measured.
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
    double apart[LINE_SECTORS]; // how much of a sector's parts came at different times
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

// The partition in which a line is at home, and the one that is near an SM. Which these are is not known: as if by chance.
unsigned l2_sets_home(const struct l2_sets *sets, uint64_t line);
unsigned l2_sets_near(const struct l2_sets *sets, uint64_t sm);

// The line's way in a partition, or the one that was used least recently, for it to take.
struct l2_line *l2_sets_way(const struct l2_sets *sets, uint64_t line, unsigned partition);

// Of the lines in that line's set in its home, the dirty one that was used least recently, if more are dirty than may be; or
// NULL.
struct l2_line *l2_sets_too_dirty(const struct l2_sets *sets, uint64_t line, unsigned home);

#endif
