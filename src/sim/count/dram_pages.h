// DRAM, as the L2 (l2.h) comes to it: it moves up to a chunk of 256 bytes at once, and takes longer for smaller ones where
// it has to open their pages of 2 KiB. Chunks are counted by their sectors, 1 to 8, each as much as it is likely that its
// page was closed when their block came to it, 0 to 1: the more so the more chunks of other pages were read, or stored, since the
// last one of this.
//
// What a request asks for of a chunk is moved at once with what the next two of its block do, and those behind them: requests of
// the same warp, or, as the simulator runs a block's warps one after the other up to a barrier, of warps side by side that have
// few each. That it is two is a guess. What later ones of the block ask for of the same chunk finds the page open, and of the same
// line it is moved with it, too. What other blocks ask for is not, however soon.
//
// Where a block comes to several chunks of a page, each is as scattered as the first one: an H200 copies pieces of 512 and 4096
// bytes to places in any order at 3914 and 3920 GB/s, as it does chunks (3911), but pieces of 256 bytes that lie in two chunks at
// 3522, as those of 128 bytes (3526; dram_copy_written_*, and likewise of what is read). But a page that is moved whole within a
// short time, be it by halves of chunks, is one that a stream comes to: it counts once. (So do pieces of 4096 bytes in any order,
// which are 4 % too fast.)
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
// a page also when another block did last. How many sectors of it were moved, each soon after the one before. Of a chunk also
// its last line and for which request, how far it was from others, and whether it was from other blocks'. How likely it is that
// the page was closed, of a page: when its block came to it; and how much more that is than when it came to the chunk. Of a page
// that in sum over its chunks of so many sectors, and these sectors, until all of it is moved: then both begin anew.
struct dram_moved {
    uint64_t number, when, chunks, block, others, line;
    unsigned sectors, until_whole;
    uint16_t request;
    int is_apart;
    double page_closed, far, behind, behind_by_sectors[CHUNK_SECTORS + 1];
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
    // Halves of chunks, and whole ones, that count no more, as the last line of their page was stored to with this one.
    double halves_behind, wholes_behind;
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
