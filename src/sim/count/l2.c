#include "sim/count/l2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WAYS = 16, LEAST_SAMPLED = 4096 };

// Who stored a part of a sector last, and which store of the warp that was.
struct storer {
    uint64_t block;
    uint16_t store;
    uint8_t warp;
};

// What is open since a block stored the first part until one stored the last, with the warp that did; how often a part
// came from another block than the one before it, or from another warp of it, each and the first; and for how many
// launches of blocks that is, once it was whole.
struct wait {
    double since, until; // in launches
    uint64_t block;
    unsigned blocks, warps;
    uint8_t warp;
    double launches;
};

struct l2_line {
    struct line_use held; // the bytes that are known here
    uint64_t used;        // when last; 0: the way is empty
    struct storer storers[LINE_SECTORS];
    double apart[LINE_SECTORS]; // how much of a sector's parts came at different times
    struct wait wait, sector_waits[LINE_SECTORS];
    // A bit for each sector: what is dirty; and what was not here when somebody stored a part, and not all the rest since.
    uint8_t dirty, begun;
    struct dram_write write; // once a sector is dirty
};

struct l2 {
    struct l2_accesses accesses; // of the launch
    struct l2_order order;       // that was asked for last
    struct dram_pages dram;
    unsigned fetch;         // sectors that a miss brings
    size_t groups;          // of sets: one for each line of a page
    struct l2_line *lines;  // [groups][PAGE_LINES][WAYS]
    uint64_t now;           // accesses so far
    uint64_t block;         // the present one, of all that have been
    double when;            // blocks that have been launched when the present access comes
    uint64_t blocks_before; // of replays before this one
    // What the launches before this one left of both; NULL: it follows none.
    struct l2_line *before;
    uint64_t blocks_at_begin;
    struct l2_outcome outcome;
};

static size_t bytes_of_lines(const struct l2 *l2)
{
    return l2->groups * PAGE_LINES * WAYS * sizeof *l2->lines;
}

struct l2 *l2_open(size_t bytes, unsigned fetch, double open_pages, uint64_t origin)
{
    struct l2 *l2 = calloc(1, sizeof *l2);
    if (!l2)
        return NULL;
    size_t lines = bytes / LINE_SIZE;
    unsigned log2_sample = 0;
    while (lines >> (log2_sample + 1) >= LEAST_SAMPLED)
        log2_sample++;
    l2->accesses.origin = origin;
    l2->accesses.log2_sample = l2->dram.log2_sample = log2_sample;
    l2->dram.open_pages = open_pages;
    l2->fetch = fetch;
    l2->groups = (lines >> log2_sample) / WAYS / PAGE_LINES;
    l2->groups += l2->groups == 0;
    l2->lines = calloc(1, bytes_of_lines(l2));
    if (!l2->lines || pthread_mutex_init(&l2->accesses.lock, NULL) != 0) {
        free(l2->lines);
        free(l2);
        return NULL;
    }
    return l2;
}

void l2_free(struct l2 *l2)
{
    if (!l2)
        return;
    l2_forget(&l2->accesses);
    pthread_mutex_destroy(&l2->accesses.lock);
    free(l2->outcome.of_instruction);
    free(l2->lines);
    free(l2->before);
    free(l2);
}

int l2_follow(struct l2 *l2, int follows)
{
    free(l2->before);
    l2->before = follows ? malloc(bytes_of_lines(l2)) : NULL;
    return l2->before || !follows;
}

struct l2_accesses *l2_begin(struct l2 *l2, uint64_t block_count, uint32_t instruction_count)
{
    l2_begin_log(&l2->accesses, block_count);
    if (l2->before)
        memcpy(l2->before, l2->lines, bytes_of_lines(l2));
    l2->blocks_at_begin = l2->blocks_before;
    free(l2->outcome.of_instruction);
    l2->outcome = (struct l2_outcome){.instruction_count = instruction_count};
    l2->outcome.of_instruction = calloc(instruction_count + 1, sizeof *l2->outcome.of_instruction);
    return l2->outcome.of_instruction ? &l2->accesses : NULL;
}

static int is_whole(const struct line_use *use, unsigned sector)
{
    return line_use_sector(use, sector) == UINT32_MAX;
}

static void count_split(struct l2 *l2, const struct l2_line *line)
{
    double lines = 0, sectors = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        double apart = line->begun >> s & 1 ? 1 : line->apart[s];
        lines = fmax(lines, apart);
        sectors += apart;
    }
    l2->outcome.split_lines += lines;
    if (!line->write.is_apart)
        return;
    l2->outcome.far_split_lines += lines;
    l2->outcome.far_split_sectors += sectors;
}

static void write_back(struct l2 *l2, const struct l2_line *line)
{
    unsigned sectors = (unsigned)__builtin_popcount(line->dirty);
    if (!sectors)
        return;
    dram_count_write(&line->write, sectors, l2->outcome.scattered_writes);
    count_split(l2, line);
    l2->outcome.write_bytes += sectors * SECTOR_SIZE;
    l2->outcome.far_write_bytes += line->write.is_far * sectors * SECTOR_SIZE;
    for (unsigned s = 0; s < LINE_SECTORS; s++)
        if (line->dirty >> s & 1 && !is_whole(&line->held, s))
            l2->outcome.fill_bytes += SECTOR_SIZE;
}

// The set that a line belongs to. The lines of a page are in sets of one group, so that those which
// came together leave together, as DRAM likes it. Of the hash, the bits below those that chose the
// sample: neighbouring pages spread evenly by them.
static struct l2_line *set_of(const struct l2 *l2, uint64_t number)
{
    uint64_t bits = line_hash(number / PAGE_LINES) << l2->dram.log2_sample >> 32;
    return l2->lines + ((bits * l2->groups >> 32) * PAGE_LINES + number % PAGE_LINES) * WAYS;
}

// The line's place in the cache, after the least recently used one has made room for it.
static struct l2_line *find(struct l2 *l2, uint64_t number)
{
    struct l2_line *set = set_of(l2, number), *oldest = set;
    for (int w = 0; w < WAYS; w++) {
        if (set[w].used && set[w].held.number == number)
            return &set[w];
        if (set[w].used < oldest->used)
            oldest = &set[w];
    }
    write_back(l2, oldest);
    *oldest = (struct l2_line){.held.number = number};
    return oldest;
}

// Brings a sector from DRAM with those beside it that are fetched together and not here. Returns how many came.
static unsigned fetch(struct l2 *l2, struct l2_line *line, unsigned sector)
{
    unsigned fetched = 0, first = sector - sector % l2->fetch;
    for (unsigned s = first; s < first + l2->fetch; s++) {
        if (is_whole(&line->held, s))
            continue;
        fetched++;
        l2->outcome.read_bytes += SECTOR_SIZE;
        line->held.bytes[s / 2] |= (uint64_t)UINT32_MAX << s % 2 * SECTOR_SIZE;
    }
    return fetched;
}

static void read_sectors(struct l2 *l2, struct l2_line *line, const struct l2_access *access)
{
    struct l2_hits *hits = &l2->outcome.of_instruction[access->instruction];
    struct line_use before = line->held;
    unsigned missed = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        uint32_t wanted = line_use_sector(&access->use, s);
        if (!wanted)
            continue;
        hits->sectors++;
        if ((wanted & ~line_use_sector(&before, s)) == 0)
            hits->hits++;
        else if (wanted & ~line_use_sector(&line->held, s))
            missed += fetch(l2, line, s);
    }
    if (missed)
        dram_read(&l2->dram, access->use.number, missed, l2->block, l2->outcome.scattered_reads);
}

// How much of two parts of a sector comes at different times. Of a warp's own, which an SM sends one after the other, the
// more the more of its stores lie between them: sharers_apart_* in the microbenchmarks lose 0.2, 0.5 and 0.8 of what two
// blocks do that are far apart, with 1, 3 and 7 between.
static double apart(const struct l2 *l2, const struct storer *one, const struct storer *other)
{
    const double STORES = 4.5;
    if (one->block != other->block)
        return 1;
    if (one->warp != other->warp)
        return l2->order.warps_apart;
    return 1 - exp(-(uint16_t)(other->store - one->store - 1) / STORES);
}

// Parts of sectors are stored, some of which were open before.
static void store_parts(const struct l2 *l2, struct l2_line *line, const struct l2_access *access,
                        unsigned parts, unsigned open)
{
    const struct storer storer = {l2->block, access->store, access->warp};
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        if (!(parts >> s & 1))
            continue;
        if (open >> s & 1)
            line->apart[s] = fmax(line->apart[s], apart(l2, &line->storers[s], &storer));
        line->storers[s] = storer;
        line->begun |= (uint8_t)(1u << s);
    }
}

static void end_sectors(struct l2_line *line)
{
    for (unsigned s = 0; s < LINE_SECTORS; s++)
        line->begun &= (uint8_t) ~((unsigned)is_whole(&line->held, s) << s);
}

// The mean time from the first to the last of so many that wait for exponential times, of that mean.
static double first_to_last(unsigned count, double mean)
{
    double sum = 0;
    for (unsigned i = 1; i < count; i++)
        sum += mean / i;
    return sum;
}

// A warp stores a part. A line that was whole a moment ago is still open, as blocks do not come in their order.
static void wait_on(const struct l2 *l2, struct wait *wait, unsigned warp, int is_open)
{
    // Blocks that run at the same time may come in any order.
    double idle = fabs(l2->when - wait->until);
    if (!wait->blocks || (!is_open && idle > first_to_last(2, l2->order.spread)))
        *wait = (struct wait){.since = l2->when, .blocks = 1, .warps = 1};
    else if (wait->block != l2->block)
        wait->blocks++;
    else if (wait->warp != warp)
        wait->warps++;
    wait->until = l2->when;
    wait->block = l2->block;
    wait->warp = (uint8_t)warp;
}

// It is whole now: adds for how many launches it was open, beyond those till it was whole before. Returns whether it was
// open at all, and not whole before.
static int end_wait(const struct l2 *l2, struct wait *wait, double *launches)
{
    double before = wait->launches, launched = fabs(l2->when - wait->since),
           blocks = hypot(launched, first_to_last(wait->blocks, l2->order.spread));
    wait->launches = hypot(blocks, first_to_last(wait->warps, l2->order.warp_spread));
    *launches += wait->launches - before;
    return before == 0 && wait->launches > 0;
}

// Sectors of a line, a bit for each, of which some bytes are here, and not all.
static unsigned open_sectors(const struct l2_line *line)
{
    unsigned open = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++)
        open |= (unsigned)(line_use_sector(&line->held, s) && !is_whole(&line->held, s)) << s;
    return open;
}

// A warp has stored parts of sectors to the line, some of which were open before.
static void count_open(struct l2 *l2, struct l2_line *line, unsigned warp, unsigned before,
                       unsigned parts)
{
    struct l2_open *open = &l2->outcome.open;
    unsigned now = open_sectors(line), closed = before & ~now & parts;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        if (parts >> s & 1)
            wait_on(l2, &line->sector_waits[s], warp, before >> s & 1);
        if (closed >> s & 1 && end_wait(l2, &line->sector_waits[s], &open->sector_launches)) {
            open->sectors++;
            open->own += line->sector_waits[s].blocks == 1;
            open->far_own += line->sector_waits[s].blocks == 1 && line->write.is_far;
        }
    }
    if (parts)
        wait_on(l2, &line->wait, warp, before != 0);
    if (closed && !now)
        open->lines += end_wait(l2, &line->wait, &open->line_launches);
}

static void apply(struct l2 *l2, const struct l2_access *access)
{
    struct l2_line *line = find(l2, access->use.number);
    int is_here = line->used != 0;
    line->used = ++l2->now;
    if (!access->is_store) {
        read_sectors(l2, line, access);
        return;
    }
    if (!line->dirty)
        line->write = dram_store(&l2->dram, line->held.number, l2->block);
    struct l2_hits *hits = &l2->outcome.of_instruction[access->instruction];
    unsigned parts = 0, open = open_sectors(line);
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        int is_stored = line_use_sector(&access->use, s) != 0;
        line->dirty |= (uint8_t)(is_stored << s);
        hits->sectors += (uint32_t)is_stored;
        hits->hits += (uint32_t)(is_stored && is_here);
        int is_part = is_stored && !is_whole(&access->use, s);
        l2->outcome.part_stores += is_part;
        l2->outcome.unfinished += is_part && !is_whole(&line->held, s);
        parts |= (unsigned)(is_part && !is_whole(&line->held, s)) << s;
    }
    line->held.bytes[0] |= access->use.bytes[0];
    line->held.bytes[1] |= access->use.bytes[1];
    count_open(l2, line, access->warp, open, parts);
    store_parts(l2, line, access, parts, open);
    end_sectors(line);
}

// Sends all accesses through the cache; what came of earlier ones is forgotten, but not what they
// left in it: of DRAM's pages all are closed.
static void replay(struct l2 *l2, const struct l2_ordered_access *ordered)
{
    dram_close_pages(&l2->dram);
    struct l2_outcome *o = &l2->outcome;
    *o = (struct l2_outcome){.instruction_count = o->instruction_count,
                             .of_instruction = o->of_instruction};
    memset(o->of_instruction, 0, o->instruction_count * sizeof *o->of_instruction);
    for (uint64_t i = 0; i < l2->accesses.count; i++) {
        l2->block = l2->blocks_before + ordered[i].block + 1; // 0: a line that none has stored to
        l2->when =
            (double)l2->blocks_before + l2_launches_before(&l2->accesses, &l2->order, &ordered[i]);
        apply(l2, ordered[i].access);
    }
    l2->blocks_before += l2->accesses.block_count;
}

// To all that was accessed, from what was sampled.
static void scale_outcome(struct l2_outcome *outcome, double scale)
{
    double *counts[] = {&outcome->read_bytes,       &outcome->write_bytes,
                        &outcome->fill_bytes,       &outcome->far_write_bytes,
                        &outcome->split_lines,      &outcome->far_split_lines,
                        &outcome->far_split_sectors};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        *counts[i] *= scale;
    outcome->open = l2_open_times(&outcome->open, scale);
    for (int s = 1; s <= CHUNK_SECTORS; s++) {
        outcome->scattered_reads[s] *= scale;
        outcome->scattered_writes[s] *= scale;
    }
}

const struct l2_outcome *l2_end(struct l2 *l2, const struct l2_order *order)
{
    const struct l2_accesses *accesses = &l2->accesses;
    struct l2_ordered_access *ordered =
        accesses->is_broken ? NULL : l2_take_turns(&l2->accesses, order);
    if (!ordered)
        return NULL;
    l2->order = *order;
    if (l2->before) {
        memcpy(l2->lines, l2->before, bytes_of_lines(l2));
        l2->blocks_before = l2->blocks_at_begin;
    } else {
        replay(l2, ordered);
    }
    replay(l2, ordered);
    free(ordered);
    double noted = (double)accesses->count, left_out = (double)accesses->left_out;
    l2->outcome.read_bytes += l2->outcome.fill_bytes;
    double scale = (double)(1u << l2->dram.log2_sample) * (noted ? (noted + left_out) / noted : 1);
    scale_outcome(&l2->outcome, scale);
    return &l2->outcome;
}
