// One warp's memory access, and what the hardware would make of it.
#ifndef SIM_ACCESS_H
#define SIM_ACCESS_H

#include "sim/ptx/lanes.h"

enum { SECTOR_SIZE = 32, LINE_SIZE = 128, BANKS = 32, BANK_WIDTH = 4 };
enum { LINE_SECTORS = LINE_SIZE / SECTOR_SIZE };

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

enum access_kind {
    ACCESS_LOAD,
    ACCESS_STORE,
    ACCESS_ATOMIC, // also what is volatile: the program orders these itself
    ACCESS_COPY,   // the write to shared memory of an asynchronous copy
};

// Fills in the pattern.
void access_classify(struct access *access);

// What a global access asks of the L1 cache. On an NVIDIA H200 the counters
// l1tex__t_sectors_pipe_lsu_mem_global_op_ld/st, smsp__sass_l1tex_tags_mem_global and
// sm__sass_data_bytes_mem_global_op_ld/st give exactly these sums. On compute capability 3.5 they are
// what goes to the L2: it alone caches global memory, in transactions of 32 bytes (CUDA C Programming
// Guide 8.0, "Compute Capability 3.x", "Global Memory"; Kepler Tuning Guide, "L1 Cache"). Lines are
// then the passes of the load/store unit, which replays a request for each further one.
struct footprint {
    unsigned sectors; // distinct 32-byte sectors
    unsigned lines;   // distinct 128-byte lines: tags
    unsigned bytes;   // distinct bytes
};

// Of naturally aligned addresses.
struct footprint access_footprint(const struct access *access);

// What a request that touches so many sectors would move if its lanes' bytes lay side by side
// (smsp__sass_sectors_mem_global_ideal on an NVIDIA H200): lanes that share bytes each count, but never
// make the ideal more than the request moves.
unsigned access_ideal_sectors(const struct access *access, unsigned sectors);

// The bytes of one line that an access touches.
struct line_use {
    uint64_t number;   // (address - origin) / 128
    uint64_t bytes[2]; // a bit for each
};

// The lines that a global access touches, each once, in the order of its lanes, numbered from
// `origin` on. Returns how many.
unsigned access_lines(const struct access *access, uint64_t origin, struct line_use uses[LANES]);

// The bits of a sector's 32 bytes; `sector` is 0..3.
static inline uint32_t line_use_sector(const struct line_use *use, unsigned sector)
{
    return (uint32_t)(use->bytes[sector / 2] >> sector % 2 * SECTOR_SIZE);
}

// The sectors that it has any bytes of: a bit for each.
static inline unsigned line_use_sectors(const struct line_use *use)
{
    unsigned sectors = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++)
        sectors |= (line_use_sector(use, s) != 0u) << s;
    return sectors;
}

// Passes over the 32 banks that a store to shared memory takes
// (sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared on an NVIDIA H200): the largest number of distinct
// 4-byte words in one bank. Lanes of 8 bytes go in halves of the warp, lanes of 16 bytes in
// quarters, each with passes of its own. L1's data takes as many for a global load.
unsigned access_wavefronts(const struct access *access);

// The same of a load from shared memory: two halves, or the first two or the last two quarters, take one pass together
// where that has room for their words, and each lane reads what its neighbour does (l ^ 1), or each what its neighbour but
// one does (l ^ 2). Idle lanes read what any does.
unsigned access_load_wavefronts(const struct access *access);

// The same of an asynchronous copy, whose lanes never share a word: in a pass, no two of a part of the warp read or write
// in the same bank. Past L1 what a quarter writes comes in pieces, each of which takes a further pass. `from` has the lanes
// that copy anything.
unsigned access_copy_wavefronts(const struct access *to, const struct access *from, int passes_l1);

// Sectors that such a copy past L1 asks for: of each line, as many as the sectors that it writes of shared memory
// (l1tex__t_sectors_pipe_lsu_mem_global_op_ld).
unsigned access_copy_sectors(const struct access *to, const struct access *from);

// The same on compute capability 3.x, whose banks are 8 bytes wide, in their default mode for 4-byte
// words. CUDA C Programming Guide 8.0, "Compute Capability 3.x", "Shared Memory", "32-Bit Mode": two
// lanes do not conflict within one word, nor within two words i and j = i + 32 of one segment of 64
// words. Lanes of 8 and 16 bytes go together: no rule there splits the warp.
unsigned access_wavefronts_kepler(const struct access *access);

// What an access that takes so many passes would take if its lanes' bytes lay side by side
// (smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal on an NVIDIA H200).
unsigned access_ideal_wavefronts(const struct access *access, unsigned wavefronts);

// The same for the banks of compute capability 3.x, 256 bytes a pass, of the access's distinct bytes.
static inline unsigned access_ideal_wavefronts_kepler(unsigned bytes)
{
    return (bytes + 2 * BANKS * BANK_WIDTH - 1) / (2 * BANKS * BANK_WIDTH);
}

// Distinct bytes of a shared access.
unsigned access_bytes(const struct access *access);

// Sectors of a local access: local memory interleaves the threads of a warp by 4-byte words.
unsigned access_local_sectors(const struct access *access);

// How many words of 4 bytes each lane moves.
unsigned access_words(const struct access *access);

// Each lane's word number `word` as an access of its own, at the place that it has in the warp's local memory, which begins
// at `base`: what all lanes have at one address is a line, and each lane has a bank.
struct access access_local_word(const struct access *access, unsigned word, uint64_t base);

#endif
