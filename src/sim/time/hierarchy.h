// What lies behind an SM's load/store unit: its L1, and what one SM of as many as are busy gets of
// the L2 and of DRAM. Each is a latency and a rate that requests queue for.
#ifndef SIM_HIERARCHY_H
#define SIM_HIERARCHY_H

#include "base/sim_devices.h"
#include "sim/count/l2.h"
#include "sim/exec/trace.h"
#include "sim/sim.h"
#include "sim/time/events.h"
#include "sim/time/l2_part_sectors.h"

struct memory_share {
    const struct sim_device *device;
    const struct l2_outcome *l2;
    double busy_sms;
    double dram_byte;  // cycles for each that this SM moves to or from DRAM
    double dram_queue; // cycles that loads wait longer for DRAM as others do
    // The share of loads that hit the L2 which wait for others that miss it, and for how many cycles at most.
    double late_hits, late_cycles;
    // For each sector that is stored: bytes that DRAM moves, writes and reads to fill the rest; and cycles, of all SMs,
    // for which the L2 takes nothing, as sectors come in parts and others are completed.
    double dram_a_stored_sector, held_up_a_stored_sector;
    // Lines of which the L2 notes which bytes are stored, and whose sectors blocks share.
    double part_lines_a_stored_sector;
    // Sectors of the launch that DRAM completes, as the rest comes too late, beside those that are completed as the SM is
    // simulated, of which there are so many.
    double completed_besides, completed_own;
    double warps_apart; // see arrivals.h
    double unfinished;  // of what is stored in part, the share that finds no whole sector
    // Of sectors that a warp stores in parts, the share that is whole before it leaves the L2.
    double undisturbed;
    // Of the times at which a part is stored and not all of the sector is there, the share after which more of it comes before
    // it leaves the L2.
    double followed;
    // The shares of what DRAM writes that are far from what was stored before, and from what other blocks stored.
    double far_stores, apart_stores;
    double part_bytes;  // that a request stores of a sector, in the mean, half of it at most
    size_t l1_bytes;    // what shared memory leaves of L1
    size_t local_lines; // of a warp
    uint64_t seed;      // of what is random: waits for DRAM, and in the L2
};

// What loads and stores of global and local memory brought to the unit, and what of it went on to the L2, by lines and by
// sectors.
struct l2_requests {
    double load_sectors, reads, read_sectors;
    double global_sectors, global_hits; // of global loads: sectors, and those that L1 had
    double stores;                      // sectors, of all requests
    // Lines that went on, and their sectors: of requests that joined, one.
    double writes, write_sectors;
    // Sectors of global memory stored in part; and those that left the SM so.
    double parts, parts_left;
    double part_lines; // that left with such sectors, local memory's too
    // Sectors that had to be completed from DRAM, and written there, to make room for others that were stored in part.
    double completed;
};

enum { DRAM_VISITS = 256, DRAM_VISIT_LINES = 4 };

// What aligned groups of so many lines wait for DRAM, if they are asked for until the first of them is there.
struct dram_visit {
    uint64_t number; // the group's, + 1; 0: none
    double wait, there;
};

struct hierarchy {
    const struct memory_share *share;
    const struct sim_timing *t;
    double part;     // busy SMs / all SMs: of the cycles that are given for all
    int is_together; // the SMs do the same at the same time: their first blocks
    double reached;  // when the L2 gets the SM's first requests; 0: before there is one
    double way_free, l2_free, read_free, dram_free;
    double *owed; // by instruction: sectors that it still has to miss
    struct l1_line *l1;
    size_t l1_sets;
    uint64_t l1_now;
    struct events fetched;      // when lines are there that L1 has a place for, and waits for
    struct part_sectors *parts; // of the L2; or NULL: see memory_share.unfinished
    uint64_t evictions;         // of them, so far
    double first_evicted;       // when the first was
    unsigned warp;              // whose request it is: local memory is its own
    uint64_t random;            // where the waits are in their row
    struct dram_visit visits[DRAM_VISITS]; // by a hash
    struct l2_granule *granules;           // that the SM loaded some of, by sets
    uint64_t granules_now;
    double dram_there;          // when DRAM has brought all that it was asked for
    double busy[SIM_RESOURCES]; // cycles
    struct l2_requests requests;
};

// The sectors that a device's L2 fetches at once: 64 bytes where cudaLimitMaxL2FetchGranularity is (since compute capability
// 8.0). On an H200 and an H100 scattered reads of 32 bytes take as long as of 64: dram_read_32_bytes is half of
// dram_read_64_bytes; and a sector is in the L2 once the one beside it was loaded (l2_fetched_*).
unsigned fetched_sectors(const struct sim_device *device);

// Returns 0 when no memory is left. Close it in any case.
int hierarchy_open(struct hierarchy *h, const struct memory_share *share);
void hierarchy_close(struct hierarchy *h);

// A global or local load or an atomic that the unit begins at `start`. Returns when its data is there;
// *service says how many cycles the unit is busy with it.
double hierarchy_load(struct hierarchy *h, const struct trace_item *item,
                      const struct trace_line *lines, double start, double *service);

// What requests store to a line, together.
struct stored_line {
    struct trace_line line;
    const struct instruction *in; // of the first request, with which it leaves
    unsigned asked;               // sectors, in sum over the requests
};

// Adds to a line, which is all 0 at first, what an instruction's request stores to it: parts of a sector make a whole, where
// they have as many bytes. Which bytes these are is not known: they are taken to be different ones.
void hierarchy_join(struct hierarchy *h, struct stored_line *stored, const struct instruction *in,
                    const struct trace_line *line);

// A store of such lines, as hierarchy_load(). Returns for how many cycles the unit is busy with it, 1 at least: until the L2 has
// taken all but what may be on its way there. Of local ones L1 keeps a copy.
double hierarchy_store(struct hierarchy *h, const struct stored_line *lines, unsigned line_count,
                       double start);

// What was busy for how many cycles until `now`: without the turns at the L2 that are still to come.
// DRAM's are all in it, because what is stored may wait for long.
void hierarchy_busy(const struct hierarchy *h, double now, double busy[SIM_RESOURCES]);

#endif
