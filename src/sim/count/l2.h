// The L2 cache: which sectors of global and local memory a launch finds there, and what DRAM has to move.
//
// A cache of 16 ways with the least recently used line replaced, simulated for one page of 2 KiB in
// many: a hash picks the pages, and the cache that holds their lines is as many times smaller.
// (Sampling of sets: Puzak, "Analysis of cache replacement algorithms", 1985.) The accesses of a
// launch go through it twice, and count the second time: a kernel is timed when it has run before.
// Blocks are taken in the order of their numbers, whatever order they ran in, or where warps load again
// after they have stored, as in the rounds of a loop, in turns of those that run at the same time, a round each: so the
// outcome does not depend on the number of the host's threads.
//
// A load that misses brings the sectors beside it, too, as far as the device fetches them together.
//
// A write allocates its line, bytes of which are marked; a sector that leaves before all its bytes
// were written or read costs a read from DRAM beside the write. DRAM moves up to 256 bytes at once, and
// takes longer for smaller chunks, where it has to open their pages: such are counted.
#ifndef SIM_L2_H
#define SIM_L2_H

#include <stddef.h>
#include <stdint.h>

enum { DRAM_PAGE = 2048, DRAM_CHUNK = 256, CHUNK_SECTORS = 8 }; // bytes, bytes, of 32

struct access;
struct l2;

// What one launch made of the L2.
struct l2_outcome {
    double read_bytes, write_bytes; // of DRAM
    double fill_bytes;              // of what is read: for sectors that were stored in part
    double far_write_bytes; // of what is written: in lines that are far from what was stored before
    // Sectors that are stored in part, and those of them that the L2 has not whole then; of the sample.
    double part_stores, unfinished;
    // Lines that DRAM writes of which a sector was not here when a warp stored a part, and not the rest next. Such lines that
    // are far from what was stored before, and their sectors of the kind, where the parts come at different times.
    double split_lines, far_split_lines, far_split_sectors;
    // How often a line is open, as it has sectors of which others store the rest, and for how long, in sum; likewise such
    // sectors, and how many of them are a block's own, whose warps store all parts. Time is counted in blocks that are
    // launched. Of lines that are near others, and far.
    struct l2_open {
        double lines, line_launches, sectors, sector_launches, own;
    } open[2];
    // Chunks of 1 to 8 sectors that DRAM moved of a page that was not open: each as likely as that is, which it is the more
    // the more chunks of other pages were read, or written, since the last one of this.
    double scattered_reads[CHUNK_SECTORS + 1], scattered_writes[CHUNK_SECTORS + 1];
    uint32_t instruction_count;
    // Of sampled accesses, by the instruction's index. A store hits a line.
    struct l2_hits {
        uint32_t sectors, hits;
    } * of_instruction;
};

static inline struct l2_open l2_open_times(const struct l2_open *open, double times)
{
    return (struct l2_open){open->lines * times, open->line_launches * times, open->sectors * times,
                            open->sector_launches * times, open->own * times};
}

enum { L2_LOG_WARPS = 32 }; // of a block, at most

// The lines that the sampled accesses of a run of blocks touch, of global and local memory. Of each block no more than a
// limit: how many were left out is counted.
struct l2_log {
    struct l2_access *items;
    size_t count, capacity;
    size_t block_start; // where the present block's items begin
    uint32_t begun;     // blocks since the last item
    uint16_t rounds;    // the most of a warp
    struct {
        uint16_t round; // how often the present block's warp has loaded after it had stored
        uint16_t stores;
        uint8_t has_stored;
    } warps[L2_LOG_WARPS];
    uint64_t left_out;
    int is_broken; // no memory was left
};

// A cache of `bytes` (at least one sampled set), which fetches so many sectors at once (1, 2 or 4), before a DRAM with so
// many pages that are open, for device memory that begins at the host's address `origin`, or NULL when no memory is left.
struct l2 *l2_open(size_t bytes, unsigned fetch, double open_pages, uint64_t origin);
void l2_free(struct l2 *l2);

// Starts a launch of `block_count` blocks of a module with that many instructions. Returns 0 when no
// memory is left.
int l2_begin(struct l2 *l2, uint64_t block_count, uint32_t instruction_count);

// The accesses that follow are another block's.
void l2_begin_block(struct l2_log *log);

// Notes an access by a warp of the block, if the cache samples one of its lines.
void l2_note(const struct l2 *l2, struct l2_log *log, const struct access *access, unsigned warp,
             uint32_t instruction, int is_store);

// Hands over the log of a run of blocks from number `first` on, and leaves an empty one. May be
// called by several of the host's threads at once.
void l2_commit(struct l2 *l2, struct l2_log *log, uint64_t first);

// How much of what two warps of a block store side by side comes at different times: 0 to 1, the more the more each stores
// from one barrier to the next. sharers_warps_* and tiles_* in the microbenchmarks lose nothing where these are two stores
// at most, as the warps begin together, and of what two blocks lose that are far apart 0.2 with 4, and 0.7 with 8 or 16;
// here it is 0.3, 0.6 and 0.7.
// Where they have met before, sharers_met_* lose a third of it in the mean: more where blocks do nothing else, and less
// where they load.
double l2_warps_apart(unsigned stores, int have_met);

// Of a launch, what says when its blocks come to their accesses. Two blocks that begin together come to a store within the
// time in which `spread` others are launched. `running` blocks do so at a time, on so many SMs; where no others are launched, those on one
// SM of five may be faster than the rest (pace_*): a round takes them `fast` as long as the mean.
struct l2_order {
    double warps_apart, spread;
    uint64_t running;
    unsigned sms;
    double fast;
};

// After the launch: what came of it, valid until the next l2_end() or l2_begin(); NULL when memory ran out. May be asked
// again, in another order, until l2_forget().
const struct l2_outcome *l2_end(struct l2 *l2, const struct l2_order *order);

// Whether the order in which blocks take turns matters: no more are launched than run at a time, and they go through rounds.
int l2_has_pace(const struct l2 *l2, const struct l2_order *order);

// Gives back the log.
void l2_forget(struct l2 *l2);

#endif
