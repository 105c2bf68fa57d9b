// The GPUs that the simulated device can stand for: a row each, chosen by name.
//
// What all GPUs of one compute capability have (limits of an SM) is in base/compute_capability.h.
#ifndef SIM_DEVICES_H
#define SIM_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

// How long things take. Cycles are the SMs'; what "all SMs" share is per SM when all are busy.
struct sim_timing {
    double predicate_latency; // cycles until a predicate may skip an instruction
    // Cycles after its issue until a warp goes on: of a branch ahead that it takes, or does not; back; and where threads meet.
    double branch_taken, branch_passed, branch_back, branch_meeting;
    double alu_latency, shared_latency, l1_latency, l2_latency, dram_latency; // cycles
    // How much longer a load waits for DRAM beside others, in the mean; and that than the shortest; longer waits are
    // rarer, exponentially. Cycles.
    double dram_wait, dram_spread;
    double barrier_latency, barrier_warp; // cycles: of the last warp to come; for each warp
    // Cycles for each line that a request looks up in L1. Requests of shared memory wait for it, too; on an H200 they do not
    // (unit_l1_load_rows_of_33_words in the microbenchmarks).
    double tag;
    double
        pass_return; // cycles later, for each pass over L1's banks but one, that a warp has its data
    double load_packet, load_sector; // one SM's way to the L2: cycles a line, cycles a sector
    double store_sector, store_part; // the same for a sector written whole, or in part
    double store_part_line;          // cycles for a line with such parts
    // The way to the L2, cycles, all SMs: of a line to load; of one that is stored, with a sector of it, and with each more.
    double l2_load_packet, l2_store_packet, l2_store_more;
    // In the L2 itself: a line to load; a stored sector of a line that it does not hold, or does; and, for a line, which bytes
    // of its sectors are stored, where not all are. The way out: a sector.
    double l2_load_turn, l2_write_sector, l2_rewrite_sector, l2_part_line, l2_read_sector;
    // The width, in cycles, of where the latencies of single loads lie, and how much wider it is for each cycle that
    // they wait for their turn.
    double l2_spread, l2_wait_spread;
    // Of loads that hit the L2, the share that waits for others, which miss it, where these keep DRAM busy; and the share of its
    // time that these take where 63 % of them do.
    double l2_late_hits, l2_late_load;
    // Where the L2 is the limit, how long a round takes blocks on the fifth of the SMs that are fastest, beside the mean.
    double l2_fast_pace;
    // Cycles, all SMs, that a store takes on the way in besides, for which a line has to go that has sectors stored in part:
    // where lines are near each other or many go, and where they are far, few do, and half a sector was stored.
    double l2_part_eviction, l2_lone_eviction;
    // What an SM has stored and the L2 has not taken, when its load/store unit goes on: sectors.
    double stores_ahead;
    // What DRAM has to move for an SM before the L2 takes nothing more of it: bytes.
    double dram_behind;
    // Cycles, all SMs, for which DRAM is held up by a line with sectors that come in parts from two warps. If the line is far
    // from others, and the parts come at different times, the L2 is, too: for the line, and as long for each such sector, all
    // without l2_part_line for each part.
    double dram_split_line, l2_split;
    // Cycles, all SMs, for which the L2 is busy longer with each sector that DRAM brings it, where each sector that is stored is
    // a line of which it notes which bytes are, and blocks share its sectors.
    double l2_missed_sector;
    double atomic_pass; // cycles: an update of words of one sector, of one slice of the L2
    double dram_read_gbs, dram_write_gbs, dram_copy_gbs; // streams; copy: half of each
    double dram_queue; // cycles: how loads wait longer where DRAM is busy; see sim/time/dram_time.h
    // ns that DRAM as a whole loses for a chunk of 32, 64, 128 and 256 bytes of a page that it has to open
    double dram_read_chunk[4], dram_write_chunk[4];
    double launch_us; // of an empty kernel, between two events
    double event_us;  // between two events with nothing between them
    // Cycles from a block's end of which the GPU is told to the next one, of all SMs.
    double block_interval;
    // Where an empty SM is filled: cycles from a block to the next one, at least; for each warp beyond the first ones.
    double block_filling, warp_filling;
    double first_access;     // cycles that an SM's first requests of a launch take longer
    double block_turnaround; // cycles from a block's end to its successor's first instruction
    double warp_launch;      // cycles for each warp of a block
    int shared_queue, global_queue; // requests that the load/store unit takes on, a scheduler
    // Cycles from a request of shared or of global memory to the next request of its warp, and of its scheduler, be it the
    // same warp's or another one's.
    struct issue_interval {
        double of_warp, of_scheduler;
    } shared_interval, global_interval;
    int schedulers;      // of an SM
    size_t l1_bytes;     // L1 and shared memory together
    int l1_holds_global; // whether global loads are cached there
    int replays;         // whether the scheduler issues a request again for each line or bank pass
};

struct sim_device {
    const char *name;      // for --sim=NAME
    const char *full_name; // as NVIDIA calls the board
    int major, minor;      // compute capability
    int sms;
    int sm_clock_mhz;                      // the highest: cudaDevAttrClockRate says it in kHz
    int memory_clock_mhz, memory_bus_bits; // as cudaDeviceProp has them: two transfers a clock
    size_t memory_bytes, l2_bytes;
    unsigned l2_partitions; // 1, or 2 that are each near half of the SMs: see sim/count/l2_sets.h
    struct sim_timing timing;
};

// The first is the default.
extern const struct sim_device sim_devices[];
extern const int sim_device_count;

// The device of that name, or NULL.
const struct sim_device *sim_device_find(const char *name);

// The simulated device that comes nearest to a GPU of this name and compute capability: the one whose
// name is a word of the GPU's, else the one of the nearest capability. Never NULL.
const struct sim_device *sim_device_nearest(const char *gpu, int major, int minor);

// Whether it is that GPU: the device's name is a word of the GPU's.
bool sim_device_is(const struct sim_device *device, const char *gpu);

// The peak of its DRAM in 1e9 bytes a second: 2 x memory clock x bus width.
double sim_device_peak_gbs(const struct sim_device *device);

#endif
