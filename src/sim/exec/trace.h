// What the warps of a few blocks executed, instruction by instruction, how often all blocks' atomics updated a word, and how
// much the parts of a launch did: the food of the timing model.
//
// Traced are the blocks that one SM would run: every multiprocessors-th, from block 0, as long as there is room. Where it holds
// three or more, blocks that load most of the same sectors come in pairs of neighbours once it is full, as they go on together
// and end together. Of an H200's blocks of up to 512 threads that go down a column each 0.07 to 0.28 have the next one on their
// SM, and 0.24 to 0.46 one of the next eight, which share their sectors: here half have the next one, as if it were that. Of
// blocks that copy 0.01 to 0.04 have the next one (one of eight: 0.07 to 0.16), of those that move an element a thread 0.03 to
// 0.04 (0.18 to 0.31), and of those that pass on a tile 0.0003 to 0.0014 (0.01 to 0.05): as they share nothing, or little, with
// others than the next one, here none has (neighbours_* in the microbenchmarks). That most is more than half is a guess. So the
// neighbour of every second block that comes when the SM is full is traced, too, until it is known what these load
// (trace_choose).
// The last ones that fill the SM are as many as in the launch, where not all of its slots may be filled then.
// A warp's trace ends when it has `limit` items or `line_limit` lines; how much was left out is counted, so that the model can
// scale what it saw. In the end as much of it is kept as the model can eat: fewer blocks, if all are whole.
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "sim/count/access.h"

struct instruction;
struct launch;

struct trace_item {
    const struct instruction *in;
    uint32_t first_line; // of a global or local request: its lines' place in the block's `lines`
    uint16_t lines;      // how many; 0 when it is neither
    uint8_t passes;      // of a global or local request: over the banks of L1's data, if L1 has it
    uint8_t wavefronts;  // of a shared request
};

// Numbers of lines from here on are of local memory, the warp's own: word w of its 32 lanes is line w.
#define LOCAL_LINES ((uint64_t)1 << 48)

// A line of 128 bytes that a request touches.
struct trace_line {
    uint64_t number;             // from the start of device memory; or see LOCAL_LINES
    uint8_t sectors;             // a bit for each of its four sectors that is touched
    uint8_t whole;               // those of which every byte is
    uint8_t parts[LINE_SECTORS]; // bytes of each of the others
    uint8_t waits; // of these, those that wait in the L2 for the rest: see part_sectors_find()
};

struct warp_trace {
    struct trace_item *items;
    uint32_t count, capacity, lines;
    int is_full;
    uint64_t executed; // all instructions, with those that were left out
};

struct block_trace {
    struct warp_trace *warps;
    struct trace_line *lines;
    size_t line_count, line_capacity;
};

static inline int is_local_line(const struct trace_line *line)
{
    return line->number >= LOCAL_LINES;
}

// What a part of a launch did: so many blocks with neighbouring numbers, of all parts but the last.
enum { TRACE_PARTS = 4096 };
struct trace_part {
    _Atomic uint64_t executed; // warp instructions
    _Atomic uint64_t asked;    // a warp's accesses to global and local memory
};

// Words share a count where their addresses are this many words apart.
enum { PASS_COUNTS = 1 << 16 };

struct trace {
    uint64_t stride; // from one to the next of the first blocks' numbers
    uint32_t block_count, warps;
    uint32_t resident;          // blocks at a time
    uint32_t limit, line_limit; // of a warp
    struct block_trace *blocks;
    // Beside the second one of each pair that comes once the SM is full: the neighbour of the first one. NULL where none is.
    struct block_trace *next;
    // Others of the SM's, as many, from all parts of the launch, of which it runs `of_sm`; NULL where it has no more.
    struct block_trace *spread;
    uint32_t traced; // as many of each were traced at first
    uint64_t of_sm;
    _Atomic int is_broken; // no memory was left for it
    uint64_t part_blocks;  // of each part
    struct trace_part parts[TRACE_PARTS];
    _Atomic uint32_t
        passes[PASS_COUNTS]; // of atomics, of all blocks, by the 256 bytes that they update
};

// Makes room for the traces of the first blocks of an SM that holds `resident` at a time. Returns
// NULL when no memory is left; the caller frees it with trace_free().
struct trace *trace_open(const struct launch *launch, unsigned resident);
void trace_free(struct trace *trace);

// After the launch, whose blocks execute so many instructions each in the mean: neighbours take the places of every second block,
// if those load most of what they do. Or, where the first blocks execute more or fewer, as where those on one side of a matrix
// have nothing to do, others take their places, from all parts of the launch, mixed, none with its neighbour beside it. Returns
// whether these did.
int trace_choose(struct trace *trace, double mean);

// One of the blocks that were traced, chosen or not, that asks nothing of global or local memory; or NULL.
const struct block_trace *trace_idle(const struct trace *trace);

// After that: drops blocks of a trace that is too long, as many at a time as fill the SM, down to those that come
// after it was filled three times, or cuts the warps' traces shorter, if some were cut before they ended.
void trace_trim(struct trace *trace);

// The instructions that all warps of a traced block executed, also those that were not recorded.
double trace_executed(const struct trace *trace, const struct block_trace *block);

// Whether each of the traced blocks executed about as many instructions as that.
int trace_is_even(const struct trace *trace, double mean);

// Block `number`'s trace, or NULL when it is not traced.
struct block_trace *trace_of_block(struct trace *trace, uint64_t number);

// After any block: what its warps did.
void trace_end_block(struct trace *trace, uint64_t number, uint64_t executed, uint64_t asked);

// While a warp runs: each instruction, and then what it asks of memory.
void trace_instruction(struct trace *trace, struct warp_trace *warp, const struct instruction *in);
void trace_global(struct trace *trace, struct block_trace *block, struct warp_trace *warp,
                  const struct access *access);
void trace_local(struct trace *trace, struct block_trace *block, struct warp_trace *warp,
                 const struct access *access);
void trace_shared(struct warp_trace *warp, unsigned wavefronts);

// Of any block's warp: an atomic on global memory.
void trace_update(struct trace *trace, const struct access *access);

// How many passes the 256 bytes took that took most; of those that share a count, all of them. A pass updates each
// word of a sector once at most, for one request.
uint32_t trace_most_passes(const struct trace *trace);

#endif
