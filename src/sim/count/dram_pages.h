// DRAM, as the L2 (l2.h) comes to it: it moves up to a chunk of 256 bytes at once, and takes longer for smaller ones where
// it has to open their pages of 2 KiB. Chunks are counted by their sectors, 1 to 8, each as much as it is likely that its
// page was closed, 0 to 1: the more so the more chunks of other pages were read, or stored, since the last one of this.
//
// What a request asks for of a chunk is moved at once with what the next two of its block do, and those behind them: requests of
// the same warp, or, as the simulator runs a block's warps one after the other up to a barrier, of warps side by side that have
// few each. That it is two is a guess. It is not what other blocks ask for, however soon, nor what another warp does that has many
// requests: of rows of whole sectors an H200 copies tiles of 32, 64 and 128 words that lie beside each other to those below at
// 1795, 1822 and 1816 GB/s, so that the lines of the wider ones join no more than those of the others (shifts_* in the
// microbenchmarks).
#ifndef SIM_DRAM_PAGES_H
#define SIM_DRAM_PAGES_H

#include <stdint.h>

#include "sim/count/access.h"

enum { DRAM_PAGE = 2048, DRAM_CHUNK = 256, CHUNK_SECTORS = 8 }; // bytes, bytes, of 32
enum { PAGE_LINES = DRAM_PAGE / LINE_SIZE, DRAM_TABLE = 4096 };

// Who asks for it: a block, and its request, by the number of those before it, of loads or of stores.
struct dram_request {
    uint64_t block;
    uint16_t number;
};

// A page or a chunk of DRAM, and when it was moved last: after how many sectors, and how many chunks, and by which block; of
// a page also when another block did last. How many sectors of it were moved, each soon after the one before; of a chunk
// also for which request, how far it was from others, whether it was from other blocks', and how likely it is that its page
// was closed.
struct dram_moved {
    uint64_t number, when, chunks, block, others;
    unsigned sectors;
    uint16_t request;
    int is_apart;
    double page_closed, far;
};

// A caller sets the first two, and all else to 0.
struct dram_pages {
    unsigned log2_sample; // one page in 2^this comes here
    double open_pages;    // at a time
    uint64_t moved;       // sectors that it read, or will have to write, so far
    // What was moved last, by a hash of the number. What is written counts when it is stored.
    struct dram_moves {
        uint64_t count; // chunks
        struct dram_moved pages[DRAM_TABLE], chunks[DRAM_TABLE];
    } reads, writes;
};

// A line that will be written.
struct dram_write {
    double page_closed; // how likely it is that it was
    double far; // from other lines, 0 to 1, when it was stored to: 0 beside half a page of them
    uint8_t is_apart; // from those that other blocks stored
    uint8_t joins;    // another one of its chunk that was stored to, too
};

// All pages are closed from here on.
void dram_close_pages(struct dram_pages *dram);

// Reads so many sectors of a line, 1 to LINE_SECTORS, for a load, and counts them.
void dram_read(struct dram_pages *dram, uint64_t line, unsigned sectors,
               const struct dram_request *load, double scattered[CHUNK_SECTORS + 1]);

// A line that was clean is stored to.
struct dram_write dram_store(struct dram_pages *dram, uint64_t line,
                             const struct dram_request *store);

// So many sectors of the line, 1 to LINE_SECTORS, are written, and counted.
void dram_count_write(const struct dram_write *write, unsigned sectors,
                      double scattered[CHUNK_SECTORS + 1]);

#endif
