// The L2 cache: which sectors of global and local memory a launch finds there, and what DRAM has to move.
//
// A cache in which the least recently used line is replaced (l2_sets.h), simulated for the pages that the log of accesses
// samples (l2_log.h): it is as many times smaller. The accesses of a launch go through it twice, in the order that l2_order.h
// says, and count the second time: a kernel is timed when it has run before. Of what a block loads again, which L1 may have,
// as much comes here as the order says.
//
// A load that misses brings the sectors beside it, too, as far as the device fetches them together.
//
// A write allocates its line, bytes of which are marked; a sector that leaves, or is written back, before all its bytes
// were written or read costs a read from DRAM (dram_pages.h) beside the write.
#ifndef SIM_L2_H
#define SIM_L2_H

#include <stddef.h>
#include <stdint.h>

#include "sim/count/dram_pages.h"
#include "sim/count/l2_order.h"

struct l2;

// It takes the L2 about as long to note the bytes of so many parts as it is held up for a line, or a sector, that they split:
// l2_split / l2_part_line of base/sim_devices.h.
enum { SPLIT_PARTS = 3 };

// What one launch made of the L2.
struct l2_outcome {
    double read_bytes, write_bytes; // of DRAM
    double fill_bytes;              // of what is read: for sectors that were stored in part
    double own_fill_bytes;          // of these: for sectors to which one warp alone had stored
    // That DRAM moves for nothing, beside a sector of what it fetches together: those that it fills, and those that it writes
    // alone in a page that is open.
    double idle_bytes;
    // Of what is written: in lines that are far from what was stored before, and from what other blocks stored.
    double far_write_bytes, apart_write_bytes;
    double loads, reloads; // sectors of the sample, with those that L1 has
    // Sectors that are stored in part, and those of them that the L2 has not whole then; of the sample.
    double part_stores, unfinished;
    double waiting; // those of all that it has not whole thereafter, either
    double shared;  // sectors of the sample that are whole once another block stored its part, too
    // Lines that DRAM writes of which a sector was not here when a warp stored a part, and not the rest next. Such lines that
    // are far from what other blocks stored before, and their sectors of the kind, where the parts come at different times, and
    // the parts: no more than SPLIT_PARTS for each line and for each of its sectors.
    double split_lines, far_split_lines, far_split_sectors, far_split_parts;
    // How often a line is open, as it has sectors of which others store the rest, and for how long, in sum; likewise such
    // sectors, how many of them are a block's own, whose warps store all parts, for how long the others are, and of how many of
    // these the first block and the last are more than an eighth of the blocks that run apart. Time is counted in blocks that
    // are launched. And how often a part comes to a line that was not open, be it the warp itself that stores the rest.
    struct l2_open {
        double lines, line_launches, sectors, sector_launches, own, shared_launches, distant,
            opened;
    } open;
    // Chunks of 1 to 8 sectors that DRAM moved of a page that was not open: each as likely as that is, which it is the more
    // the more chunks of other pages were read, or written, since the last one of this.
    double scattered_reads[CHUNK_SECTORS + 1], scattered_writes[CHUNK_SECTORS + 1];
    uint32_t instruction_count;
    // Of sampled accesses, by the instruction's index; and the sectors that loads ask for of a line of which they do not find
    // all of these. A store hits a line.
    struct l2_hits {
        uint32_t sectors, hits, of_missed_lines;
    } * of_instruction;
};

static inline struct l2_open l2_open_times(const struct l2_open *open, double times)
{
    return (struct l2_open){.lines = open->lines * times,
                            .line_launches = open->line_launches * times,
                            .sectors = open->sectors * times,
                            .sector_launches = open->sector_launches * times,
                            .own = open->own * times,
                            .shared_launches = open->shared_launches * times,
                            .distant = open->distant * times,
                            .opened = open->opened * times};
}

// Sectors of a line, a bit for each, and those that an L2 which fetches so many at once brings with them.
static inline unsigned l2_fetched_with(unsigned sectors, unsigned fetch)
{
    unsigned all = 0, group = (1u << fetch) - 1;
    for (unsigned s = 0; s < LINE_SECTORS; s += fetch)
        if (sectors >> s & group)
            all |= group << s;
    return all;
}

// A cache of `bytes` (at least a sampled page's sets), in 1 or 2 partitions, which fetches so many sectors at once (1, 2 or 4),
// before a DRAM with so many pages that are open, for device memory that begins at the host's address `origin`, or NULL when
// no memory is left. The caller frees it with l2_free().
struct l2 *l2_open(size_t bytes, unsigned partitions, unsigned fetch, double open_pages,
                   uint64_t origin);
void l2_free(struct l2 *l2);

// Whether a launch from now on finds what those before it left, as where several follow each other again and again, rather
// than what it left itself. Not between l2_begin() and l2_end(). Returns 0 when no memory is left for that.
int l2_follow(struct l2 *l2, int follows);

// Starts a launch of `block_count` blocks of a module with that many instructions. Returns where its accesses are to be
// noted, which is the L2's, or NULL when no memory is left.
struct l2_accesses *l2_begin(struct l2 *l2, uint64_t block_count, uint32_t instruction_count);

// After the launch: what came of it, valid until the next l2_end() or l2_begin(); NULL when memory ran out. May be asked
// again, in another order, until l2_forget().
const struct l2_outcome *l2_end(struct l2 *l2, const struct l2_order *order);

#endif
