// One warp's memory access, and what the hardware would make of it.
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include "lanes.h"

enum { SECTOR_SIZE = 32, LINE_SIZE = 128, BANKS = 32, BANK_WIDTH = 4 };

enum pattern {
    SCATTERED, // or not all lanes take part
    STRIDED,   // lane l is at the first lane's address + l * stride
};

struct access {
    uint64_t address[LANES]; // of each lane in the mask
    uint32_t mask;
    unsigned size; // bytes a lane: 1, 2, 4, 8 or 16
    enum pattern pattern;
    uint64_t stride; // of STRIDED: bytes, negative ones modulo 2^64
};

// Fills in the pattern.
void access_classify(struct access *access);

// What a global access asks of the L1 cache. On an NVIDIA H200 the counters
// l1tex__t_sectors_pipe_lsu_mem_global_op_ld/st, smsp__sass_l1tex_tags_mem_global and
// sm__sass_data_bytes_mem_global_op_ld/st give exactly these sums.
struct footprint {
    unsigned sectors; // distinct 32-byte sectors
    unsigned lines;   // distinct 128-byte lines: tags
    unsigned bytes;   // distinct bytes
};

// Of naturally aligned addresses.
struct footprint access_footprint(const struct access *access);

// Passes over the 32 banks that a shared access takes
// (sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared on an NVIDIA H200): the largest number of distinct
// 4-byte words in one bank. Lanes of 8 bytes go in halves of the warp, lanes of 16 bytes in
// quarters, each with passes of its own.
unsigned access_wavefronts(const struct access *access);

// Distinct bytes of a shared access.
unsigned access_bytes(const struct access *access);

// Sectors of a local access: local memory interleaves the threads of a warp by 4-byte words.
unsigned access_local_sectors(const struct access *access);

#endif
