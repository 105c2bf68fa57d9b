#define _POSIX_C_SOURCE 200809L // strncasecmp
#include "base/sim_devices.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const size_t M = 1 << 20;

// The compute capability, SMs and their clock (MHz); DRAM's clock (MHz), its bus (bits), bytes of it, partitions of the L2
// and bytes of all of it. NVIDIA's "A100 Tensor Core GPU Architecture" and "H100 Tensor Core GPU Architecture" say that there
// are two; of the other boards nothing was found.
#define BOARD(its_name, its_full_name, its_major, its_minor, its_sms, mhz)                         \
    .name = (its_name), .full_name = (its_full_name), .major = (its_major), .minor = (its_minor),  \
    .sms = (its_sms), .sm_clock_mhz = (mhz)
#define MEMORY(mhz, bits, bytes, partitions, l2)                                                   \
    .memory_clock_mhz = (mhz), .memory_bus_bits = (bits), .memory_bytes = (bytes),                 \
    .l2_partitions = (partitions), .l2_bytes = (l2)

// Latencies, in cycles: of arithmetic, shared memory, L1, L2, DRAM.
#define LATENCIES(alu, shared, l1, l2, dram)                                                       \
    .alu_latency = (alu), .shared_latency = (shared), .l1_latency = (l1), .l2_latency = (l2),      \
    .dram_latency = (dram)

// What was measured of an H200's SM: tests/micro, recorded in docs/runs/micro-h200.csv, in cycles.
// The other GPUs' are taken to be alike: nobody seems to have published the like of it for them.
// Latencies bear their names in the record. From its other values:
//   barrier_warp      (barrier_32_warps - barrier_1_warps) / 31
//   barrier_latency   barrier_1_warps - barrier_warp
//   tag               l1_load_32_lines_spread / 32
//   pass_return       (l1_latency_32_lines - l1_latency) / 31 - 1
//   load_packet       l2_load_32_lines_one / 32     load_sector      l2_load_1_lines_one / 4
//   store_part_line   (l2_store_32_lines_one - l2_store_2_parts_one) / 16
//   store_part        l2_store_32_lines_one / 32 - store_part_line
//   store_sector      l2_store_1_lines_one / 4
//   block_interval    block_interval_32_threads     block_turnaround block_alone_32_threads
//   block_filling     start_filling_4224x32_threads / 31
//   warp_filling      (start_filling_1056x256_threads - 32 warp_launch) / 24, where the eighth block has 56 warps before it
//   first_access      start_first_load_132x1_threads - start_second_load_132x1_threads
//   warp_launch       (block_alone_1024_threads - block_alone_32_threads) / 31
//   event_us          events_apart
//   shared_queue      shared_load_queue, shared_store_queue; global_queue likewise (who needs which: *_beside_*_queue)
//   shared_interval   shared_load_interval_1_warps and _2_warps; global_interval global_load_interval_* and, of an H200, _store_*
//   stores_ahead      of a block that stores and ends, what its stores take less than the way into the L2 does: the mean of
//                     N x (l2_store_N_lines_all + (block_stores_l2_0_lines_1x1024_threads - 31 warp_launch -
//                     block_stores_l2_N_lines_1x1024_threads) / 32) / l2_store_N_lines_all for N = 8 and 32
//   dram_behind       by how much longer l2_load_beside_dram_stores is than l1_load_beside_dram_stores, beyond l2_latency -
//                     l1_latency, as both wait in the unit: dram_stores_beside_l2_loads in that time
//   branch_taken      branch_taken - 1, the slot that it is issued in                  branch_back     branch_back - 1
//   branch_passed     branch_not_taken - branch_straight - 4: ptxas puts 3 cycles before the branch, besides its slot
//   branch_meeting    branch_parting_taken - branch_taken - 5: ptxas puts 4 behind what parts the threads, besides its slot
//   predicate_latency what ptxas puts between a comparison and an instruction that its outcome skips
//   atomic_pass       1 / atomics_1_words_4_bytes_apart
//   l2_fast_pace      pace_l2_8_blocks_fast
#define SM_LIKE_H200                                                                               \
    .predicate_latency = 13, .branch_taken = 11.5, .branch_passed = 5.3, .branch_back = 6,         \
    .branch_meeting = 13, .barrier_latency = 12, .barrier_warp = 2, .tag = 0.25,                   \
    .pass_return = 1.23, .load_packet = 1, .load_sector = 0.28, .store_sector = 1,                 \
    .store_part = 1, .store_part_line = 1, .block_interval = 1.19, .block_filling = 22,            \
    .warp_filling = 16, .first_access = 91, .block_turnaround = 288, .warp_launch = 2,             \
    .event_us = 1.3, .shared_queue = 15, .global_queue = 15, .schedulers = 4,                      \
    .shared_interval = {4, 4}, .global_interval = {4, 2}, .stores_ahead = 153,                     \
    .dram_behind = 36000, .atomic_pass = 1.448, .l2_fast_pace = 0.745

// The same of its L2 when all SMs are busy:
//   l2_read_sector    l2_load_1_lines_all / 4
//   l2_load_packet    mix_4x32_lines_loaded_0x32_stored / 128: 4 requests of 32 lines
//   l2_store_packet   what a line with a part that is stored adds to that: (mix_4x32_lines_loaded_1x32_stored -
//                     mix_4x32_lines_loaded_0x32_stored) / 32
//   l2_store_more     what a whole line adds, of 4 sectors, beyond l2_store_packet, of each of the other 3:
//                     mix_4x32_lines_loaded_1x4_stored likewise, / 4
//   l2_load_turn      what a line to load adds to stores of parts, which keep the L2 itself busy:
//                     (mix_4x32_lines_loaded_4x32_stored - mix_0x32_lines_loaded_4x32_stored) / 128
//   l2_write_sector   l2_store_1_lines_all / 4      l2_rewrite_sector  l2_sweep_16_bytes_0_behind / 16
//   l2_part_line      (l2_sweep_4_bytes_4_behind - l2_sweep_4_bytes_0_behind - l2_rewrite_sector) / 2: a line more, of
//                     whose sectors one is stored by two lines, in parts
//   l2_part_eviction  (l2_unfinished_1024_lines - l2_unfinished_128_lines) / 0.52, or 0.63 on the H100: so many of
//                     the sectors are completed then, as lts__t_sectors_data_ecc has it
//   l2_lone_eviction  what half a sector that is completed costs where few are: by how much longer rows_16_bytes_* of one
//                     warp and of 16 blocks take down the columns than along the rows, for each that is completed more
//                     (completed-sectors.csv), as a mean, with and without reads; of an H200
//   l2_spread         from the first tenth of l2_load_beside_0_warps to the last, / 0.8
//   l2_wait_spread    the mean of the same beside 31 warps that store to 8 lines, and 2, 8 and 31 to 32, as a share of
//                     how much longer the median is; without the former
//   l2_late_*         l2_hit_beside_misses_N_warps beyond l2_hit_beside_hits_1_warps, 36 to 103 cycles, to 20, by the bytes
//                     that N warps an SM load, of both GPUs, if a load that waits does so for 0 to dram_latency - l2_latency
//                     cycles times the share of the time in which DRAM is idle
// and for another GPU, of an L2 that gives each SM `slower` times fewer bytes a cycle:
// 32 bytes x SMs x clock / (0.88 x the L2's bandwidth).
// And of the GPUs that were measured alone, as nothing says what it depends on:
//   dram_split_line   by how much longer DRAM must take over a line of tiles_copy_rows_N_words in the 7 of 8 rows that start
//                     within sectors, beside the L2, which gets 5 sectors of 2 requests for 4 of one, as
//                     dram_beside_l2_cycles() has it, and without the sectors that are completed (split-tiles.csv): the mean of
//                     N = 32, 64 and 128, of which the first is twice the last
//   l2_split          by how much longer a line of strips_N_words_1_stores_* and _4_stores_* takes in the 7 of 8 rows that start
//                     within sectors, stores alone, than its way into the L2, where another part of it is there, and the sectors
//                     that are completed (completed-strips.csv), with l2_part_line for each part of a sector that others share:
//                     for the line, and as much for each such sector; the mean of N = 8, 16 and 32, in rows of 4096 and 8192 words
//   l2_missed_sector  by how much longer a sector of strips_N_words_*_loading_* takes than of those that load nothing, and than
//                     l2_load_turn and what is completed more: the mean of N = 1, 2 and 4, likewise, 0.5 to 2.4
// Both of an H200; the H100's are as much longer as its l2_part_line is.
#define L2_PACKETS(load, store, store_more)                                                        \
    .l2_load_packet = (load), .l2_store_packet = (store), .l2_store_more = (store_more)
#define L2_RATES(load_turn, write_sector, rewrite_sector, part_line, read_sector)                  \
    .l2_load_turn = (load_turn), .l2_write_sector = (write_sector),                                \
    .l2_rewrite_sector = (rewrite_sector), .l2_part_line = (part_line),                            \
    .l2_read_sector = (read_sector)
#define L2_EVICTIONS(part, lone) .l2_part_eviction = (part), .l2_lone_eviction = (lone)
#define L2_LATE_HITS .l2_late_hits = 0.55, .l2_late_load = 0.04
#define L2_LIKE_H200(slower)                                                                       \
    L2_PACKETS(1.79 * (slower), 2.54 * (slower), 0.17 * (slower)),                                 \
        L2_RATES(0.98 * (slower), 1.77 * (slower), 2.04 * (slower), 1.57 * (slower),               \
                 0.88 * (slower)),                                                                 \
        L2_EVICTIONS(15.6 * (slower), 117 * (slower)), .l2_spread = 60, .l2_wait_spread = 0.8,     \
                                                       L2_LATE_HITS

// DRAM: the shares of its peak that streams reach (dram_read, dram_write, dram_copy), and what a
// chunk of N bytes costs of a page that is not open, in ns: 2 N x (1 / dram_copy_read_N_bytes - 1 / dram_copy_chunks),
// and dram_copy_written_N_bytes likewise. Waits are in cycles:
//   dram_wait         dram_copy_few_wait - dram_latency      dram_spread      dram_copy_few_spread
// dram_queue is nearest to dram_copy_N_blocks: by how much longer their blocks take than one alone.
#define DRAM_LIKE_H200(peak_gbs)                                                                   \
    .dram_read_gbs = 0.955 * (peak_gbs), .dram_write_gbs = 0.972 * (peak_gbs),                     \
    .dram_copy_gbs = 0.89 * (peak_gbs), .dram_queue = 235,                                         \
    .dram_read_chunk = {80. / (peak_gbs), 44. / (peak_gbs), 12. / (peak_gbs), 0},                  \
    .dram_write_chunk = {163. / (peak_gbs), 115. / (peak_gbs), 47. / (peak_gbs),                   \
                         24. / (peak_gbs)},                                                        \
    .dram_wait = 111, .dram_spread = 136

// Sources of the latencies: the H200's and the H100's were measured (tests/micro); V100 and A100: gpu-benches
// (github.com/te42kyfo/gpu-benches); T4: Jia et al., "Dissecting the NVidia Turing T4 GPU via
// Microbenchmarking" (2019); Kepler: a K40's, of PPT (github.com/lanl/PPT). Nothing was found for the
// RTX 4090: the H200's. Bandwidths of the L2: V100 2155 GB/s and T4 1270 GB/s (Jia et al., 2018 and
// 2019); the others by their SMs' share on the H200. launch_us is what a launch takes besides its blocks: launch in the records,
// that of an empty kernel, but for an H200, which takes 0.2 us more where there are loads or stores: start_copy_132x256_threads
// less first_access, l2_latency and some 110 cycles of code, which is 3.1 on an H100; the H200's where it was not measured.
const struct sim_device sim_devices[] = {
    // NVIDIA H200 SXM, as cudaGetDeviceProperties() and cudaDeviceGetAttribute() describe it.
    {BOARD("h200", "NVIDIA H200", 9, 0, 132, 1980), MEMORY(3201, 6016, 150109880320, 2, 60 * M),
     .timing = {SM_LIKE_H200, LATENCIES(4.2, 29, 32, 280, 671), L2_LIKE_H200(1),
                .dram_split_line = 3.5, .l2_split = 4.9, .l2_missed_sector = 1.5,
                DRAM_LIKE_H200(4814), .launch_us = 2.95, .l1_bytes = 256 << 10,
                .l1_holds_global = 1}},
    // H100 SXM5 80 GB, of the H200's chip; what differs is of docs/runs/micro-h100.csv: the L2, DRAM and
    // the launch. NVIDIA's "H100 Tensor Core GPU Architecture" (132 SMs, 50 MB of L2, five
    // stacks of HBM3, 3352 GB/s); clocks and memory as nvidia-smi has them (1980 and 2619 MHz).
    {BOARD("h100", "NVIDIA H100 80GB HBM3", 9, 0, 132, 1980),
     MEMORY(2619, 5120, 81559 * M, 2, 50 * M),
     .timing = {SM_LIKE_H200,
                LATENCIES(4.2, 29, 32, 280, 673),
                L2_PACKETS(2.09, 3.02, 0.27),
                L2_RATES(1.01, 2.09, 2.32, 1.84, 1.05),
                L2_EVICTIONS(15.75, 117),
                .l2_spread = 62,
                .l2_wait_spread = 0.6,
                L2_LATE_HITS,
                .dram_split_line = 5.1,
                .l2_split = 5.75,
                .l2_missed_sector = 1.76,
                .dram_read_gbs = 3205,
                .dram_write_gbs = 3290,
                .dram_copy_gbs = 3029,
                .dram_queue = 235,
                .dram_read_chunk = {0.0212, 0.0111, 0.0037, 0.0019},
                .dram_write_chunk = {0.0373, 0.0248, 0.0077, 0.0045},
                .dram_wait = 114,
                .dram_spread = 103,
                .launch_us = 3.1,
                .l1_bytes = 256 << 10,
                .l1_holds_global = 1}},
    // A100 SXM4, the one of 80 GB: NVIDIA's "A100 80GB" data sheet (2039 GB/s) and "A100 Tensor
    // Core GPU Architecture" (108 SMs, 1410 MHz boost, 40 MB of L2, a bus of 5120 bits).
    {BOARD("a100", "NVIDIA A100-SXM4-80GB", 8, 0, 108, 1410),
     MEMORY(1593, 5120, 81920 * M, 2, 40 * M),
     .timing = {SM_LIKE_H200, LATENCIES(4.2, 29, 33, 300, 552), L2_LIKE_H200(1),
                DRAM_LIKE_H200(2039), .launch_us = 2.95, .l1_bytes = 192 << 10,
                .l1_holds_global = 1}},
    // V100 SXM2 16 GB: NVIDIA's "Tesla V100 GPU Architecture" (80 SMs, 1530 MHz boost, 6 MB of L2,
    // 4096 bits, 900 GB/s); memory and its clock (877 MHz) as deviceQuery prints them.
    {BOARD("v100", "Tesla V100-SXM2-16GB", 7, 0, 80, 1530), MEMORY(877, 4096, 16160 * M, 1, 6 * M),
     .timing = {SM_LIKE_H200, LATENCIES(4.2, 18, 28, 212, 430), L2_LIKE_H200(2.06),
                DRAM_LIKE_H200(898), .launch_us = 2.95, .l1_bytes = 128 << 10,
                .l1_holds_global = 1}},
    // T4: deviceQuery (40 SMs, 1590 MHz, 5001 MHz x 256 bits, 15110 MiB, 4 MiB of L2). Under load
    // its 70 W seldom let it run at that clock.
    {BOARD("t4", "Tesla T4", 7, 5, 40, 1590), MEMORY(5001, 256, 15110 * M, 1, 4 * M),
     .timing = {SM_LIKE_H200, LATENCIES(4.2, 19, 32, 188, 296), L2_LIKE_H200(1.82),
                DRAM_LIKE_H200(320), .launch_us = 2.95, .l1_bytes = 96 << 10,
                .l1_holds_global = 1}},
    // GeForce RTX 4090: NVIDIA's "Ada GPU Architecture" (128 SMs, 2520 MHz boost, 72 MB of L2,
    // 384 bits of GDDR6X at 21 Gbit/s, 1008 GB/s); memory as nvidia-smi has it.
    {BOARD("rtx4090", "NVIDIA GeForce RTX 4090", 8, 9, 128, 2520),
     MEMORY(10501, 384, 24564 * M, 1, 72 * M),
     .timing = {SM_LIKE_H200, LATENCIES(4.2, 29, 32, 280, 671), L2_LIKE_H200(1),
                DRAM_LIKE_H200(1008), .launch_us = 2.95, .l1_bytes = 128 << 10,
                .l1_holds_global = 1}},
    // The Kepler board of the GTC 2012 deck, from before the Tesla K20X was for sale. Its 14 SMs are
    // in the deck's per-SM trace and its peak of 183 GB/s in the DRAM figures, which NVIDIA never
    // sold so: a memory clock of 1906 MHz on the 384 bits of the K20X gives it. The rest is the
    // K20X's (NVIDIA's "Tesla K20X" board specification: GK110, 732 MHz, 1.5 MB of L2, 6 GB).
    {BOARD("kepler", "Kepler GK110 (GTC 2012)", 3, 5, 14, 732),
     MEMORY(1906, 384, 6144 * M, 1, 1536 << 10),
     .timing = {SM_LIKE_H200, LATENCIES(9, 26, 32, 188, 331), L2_LIKE_H200(1), DRAM_LIKE_H200(183),
                .launch_us = 2.95, .l1_bytes = 64 << 10, .replays = 1}},
};

const int sim_device_count = sizeof sim_devices / sizeof *sim_devices;

const struct sim_device *sim_device_find(const char *name)
{
    for (int i = 0; i < sim_device_count; i++)
        if (strcmp(sim_devices[i].name, name) == 0)
            return &sim_devices[i];
    return NULL;
}

double sim_device_peak_gbs(const struct sim_device *device)
{
    return 2e6 * device->memory_clock_mhz * device->memory_bus_bits / 8 * 1e-9;
}

// "NVIDIA A100-SXM4-40GB" has the word "a100", "NVIDIA RTX A1000" has not.
static bool has_word(const char *text, const char *word)
{
    static const char between[] = " -";
    for (const char *at = text + strspn(text, between); *at; at += strspn(at, between)) {
        size_t length = strcspn(at, between);
        if (length == strlen(word) && strncasecmp(at, word, length) == 0)
            return true;
        at += length;
    }
    return false;
}

bool sim_device_is(const struct sim_device *device, const char *gpu)
{
    return has_word(gpu, device->name);
}

const struct sim_device *sim_device_nearest(const char *gpu, int major, int minor)
{
    const struct sim_device *nearest = sim_devices;
    for (int i = 0; i < sim_device_count; i++)
        if (sim_device_is(&sim_devices[i], gpu))
            return &sim_devices[i];
    int least = 1000;
    for (int i = 0; i < sim_device_count && major > 0; i++) {
        int distance = abs(10 * (sim_devices[i].major - major) + sim_devices[i].minor - minor);
        if (distance < least) {
            least = distance;
            nearest = &sim_devices[i];
        }
    }
    return nearest;
}
