// The simulated device, beyond what CUDA's own interface says of it.
//
// Environment (a value that makes no sense ends the program with status 2):
// APODKIT_SIM_DEVICE=name is the GPU that it stands for (base/sim_devices.h; the H200);
// APODKIT_SIM_CHECKS=0 turns the memory and race checks off, for speed;
// APODKIT_SIM_MODEL=0 the timing model;
// APODKIT_SIM_THREADS=n is the number of the host's threads that run blocks (all cores);
// APODKIT_SIM_BUDGET=n how many warp instructions a block may execute before its loop counts as
// endless, when no warp of it ends and no access to global memory reaches further meanwhile.
#ifndef SIM_H
#define SIM_H

#include "base/source_lines.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Counts of the launches since sim_counts_reset(); the names are those of metrics' counts in
// metric_table.h. Exact, and the same for any number of the host's threads.
struct sim_counts {
    uint64_t instructions; // machine instructions
    // 1: they and the branches are not all counted by machine code (machine_counts.h), but estimated (cost_estimate.h).
    // As wide as the counts, so that no padding lies between what tests compare as bytes.
    uint64_t machine_is_estimated;
    uint64_t ptx_instructions;
    uint64_t load_requests, load_sectors, load_bytes;
    uint64_t store_requests, store_sectors, store_bytes;
    uint64_t tags;
    uint64_t shared_requests, shared_wavefronts, shared_bytes;
    uint64_t local_sectors;
    uint64_t branches, divergent_branches;
    uint64_t blocks_per_sm_max, blocks_per_sm_min;
    uint64_t launches;
};

// One warp's access to global or shared memory, as it was executed.
struct sim_seen {
    enum line_access_kind kind;
    const char *file; // of the source line; "?" when the PTX has no line information
    unsigned line;
    uint64_t block;       // its number in the grid: x runs fastest
    unsigned warp;        // its number in the block
    uint32_t mask;        // a bit for each lane that takes part
    unsigned size;        // bytes a lane
    uint64_t address[32]; // of each lane in the mask: in shared memory, from the block's start
    unsigned sectors, wavefronts; // of global, and of shared memory; else 0
};

// Is shown every access, after its checks, block after block; it must not call the runtime.
typedef void sim_watcher(const struct sim_seen *seen, void *context);

// Shows the accesses of the launches from now on to `watcher`; NULL for nobody.
void sim_watch(sim_watcher *watcher, void *context);

// Adds to `stalls` what the warps of the launches from now on wait for, as the timing model has it: a sample of each
// warp of an SM every cycle. NULL: nobody asks.
struct stall_samples;
void sim_watch_stalls(struct stall_samples *stalls);

// What the timing model keeps busy.
enum sim_resource {
    SIM_ISSUE,        // the schedulers
    SIM_SHARED_PIPE,  // the load/store unit, with shared requests
    SIM_GLOBAL_PIPE,  // the same with global requests: tags, data, packets
    SIM_L2_PACKETS,   // the way to the L2: lines to load, and what is stored
    SIM_L2_REQUESTS,  // the L2's own turns at these
    SIM_L2_READ,      // sectors out of it
    SIM_L2_WRITE,     // sectors into it, of the requests' time
    SIM_DRAM_DATA,    // what DRAM moves, without the time in which it is held up
    SIM_BLOCK_LAUNCH, // the GPU's block scheduler: blocks' ends, one after the other
    SIM_ARITHMETIC,   // the busiest of an SM's units that compute
    SIM_ATOMICS,      // what updates the word that atomics update most often
    SIM_RESOURCES
};

// What the timing model makes of the launches since sim_counts_reset(). Shares of time are averages
// over the launches.
struct sim_prediction {
    // As between two events around all launches, less what these take; 0 when nothing was launched.
    double ms;
    double dram_read_bytes, dram_write_bytes;
    double l1_hits;                                 // sectors of global loads
    double l2_reads, l2_read_sectors, l2_read_hits; // requests, and sectors
    double l2_writes, l2_write_sectors;             // likewise
    double active_cycles;                           // those in which an SM has a warp, over all SMs
    double achieved_occupancy;  // percent of the warps that an SM holds, over these cycles
    double busy[SIM_RESOURCES]; // shares of the time, 0..1, where blocks run
    double busy_sms;            // share of the SMs that have any
    char why[80];               // there is none: the reason; else ""
};

struct sim_prediction sim_prediction_total(void);

// Starts counting anew.
void sim_counts_reset(void);

struct sim_counts sim_counts_total(void);

// Whether the timing model takes launches from now on to follow each other again and again, and find in the L2 what those
// before them left; else each finds what it left itself. Returns false when no memory is left for that.
bool sim_launches_follow(bool follow);

// The accesses by source line since then (base/source_lines.h), in order.
struct source_lines;
void sim_counts_lines(struct source_lines *lines);

// How many of a launch's blocks the SM of that number runs: the device hands them out in turn.
uint64_t sim_blocks_on_sm(uint64_t blocks, unsigned sm);

// What the environment said, from now on otherwise. The checks only before the first allocation, or after
// cudaDeviceReset().
enum sim_setting { SIM_CHECKS, SIM_MODEL, SIM_THREADS, SIM_BUDGET };
void sim_set(enum sim_setting setting, uint64_t value);

// Whether the checks are on.
int sim_checks(void);

// Whether the registers of a kernel (the address of its host stub) that cudaFuncGetAttributes() gives
// are an estimate: from the PTX, or from machine code for another architecture than the device's.
int sim_registers_are_estimated(const void *host);

// What the last launch reported on stderr when it failed, or what a later call was given that it refused; ""
// when all went well.
const char *sim_last_report(void);

// From now on a launch that fails reports nothing on stderr: the caller does.
void sim_leave_reports(void);

#endif
