#include "sim/count/l2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/count/l2_sets.h"
#include "sim/count/line_hash.h"

enum { LEAST_SAMPLED = 4096 };

struct l2 {
    struct l2_accesses accesses; // of the launch
    struct l2_order order;       // that was asked for last
    struct dram_pages dram;
    unsigned fetch; // sectors that a miss brings
    struct l2_sets sets;
    uint64_t now;           // uses of lines so far
    uint64_t tosses;        // of coins that say which reloads L1 has
    unsigned near;          // the partition that is asked
    uint64_t block;         // the present one, of all that have been
    double when;            // blocks that have been launched when the present access comes
    uint64_t blocks_before; // of replays before this one
    // What the launches before this one left of both; NULL: it follows none.
    struct l2_line *before;
    unsigned log2_before; // the sample that it is of
    uint64_t blocks_at_begin;
    struct l2_outcome outcome;
};

struct l2 *l2_open(size_t bytes, unsigned partitions, unsigned fetch, double open_pages,
                   uint64_t origin)
{
    struct l2 *l2 = calloc(1, sizeof *l2);
    if (!l2)
        return NULL;
    size_t lines = bytes / LINE_SIZE;
    unsigned log2_sample = 0;
    while (lines >> (log2_sample + 1) >= LEAST_SAMPLED)
        log2_sample++;
    l2->accesses.origin = origin;
    l2->accesses.log2_most = log2_sample;
    l2->dram.open_pages = open_pages;
    l2->fetch = fetch;
    if (!l2_sets_open(&l2->sets, bytes, partitions, log2_sample) ||
        pthread_mutex_init(&l2->accesses.lock, NULL) != 0) {
        free(l2->sets.lines);
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
    free(l2->sets.lines);
    free(l2->before);
    free(l2);
}

int l2_follow(struct l2 *l2, int follows)
{
    free(l2->before);
    l2->before = follows ? malloc(l2->sets.lines_bytes) : NULL;
    return l2->before || !follows;
}

struct l2_accesses *l2_begin(struct l2 *l2, uint64_t block_count, uint32_t instruction_count)
{
    l2_begin_log(&l2->accesses, block_count);
    if (l2->before)
        memcpy(l2->before, l2->sets.lines, l2->sets.lines_bytes);
    l2->log2_before = l2->sets.log2_sample;
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

// Those of which all bytes are there, a bit for each.
static unsigned whole_sectors(const struct line_use *use)
{
    unsigned sectors = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++)
        sectors |= (unsigned)is_whole(use, s) << s;
    return sectors;
}

// More parts count no more once they take as long as the line is held up.
static void count_split(struct l2 *l2, const struct l2_line *line)
{
    double lines = 0, sectors = 0, parts = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        double lost = line->begun >> s & 1 ? 1 : line->lost[s];
        lines = fmax(lines, lost);
        sectors += lost;
        parts += lost * line->parts[s];
    }
    l2->outcome.split_lines += lines;
    if (!line->write.is_apart)
        return;
    l2->outcome.far_split_lines += lines;
    l2->outcome.far_split_sectors += sectors;
    l2->outcome.far_split_parts += fmin(parts, SPLIT_PARTS * (lines + sectors));
}

// Sectors that DRAM moves with some of a line's for nothing.
static double idle_beside(const struct l2 *l2, unsigned sectors)
{
    return __builtin_popcount(l2_fetched_with(sectors, l2->fetch) & ~sectors);
}

static void write_back(struct l2 *l2, const struct l2_line *line)
{
    unsigned sectors = (unsigned)__builtin_popcount(line->dirty);
    if (!sectors)
        return;
    dram_count_write(&line->write, sectors, l2->outcome.scattered_writes);
    count_split(l2, line);
    l2->outcome.write_bytes += sectors * SECTOR_SIZE;
    l2->outcome.far_write_bytes += line->write.far * sectors * SECTOR_SIZE;
    l2->outcome.apart_write_bytes += line->write.is_apart * sectors * SECTOR_SIZE;
    unsigned fills = line->dirty & ~whole_sectors(&line->held);
    l2->outcome.fill_bytes += __builtin_popcount(fills) * SECTOR_SIZE;
    // That a sector alone takes as long as two is in what a chunk of a closed page costs, where that counts.
    double open_lines = 1 - line->write.page_closed + line->write.halves_behind +
                        line->write.wholes_behind * DRAM_CHUNK / LINE_SIZE;
    l2->outcome.idle_bytes +=
        (idle_beside(l2, fills) + open_lines * idle_beside(l2, line->dirty)) * SECTOR_SIZE;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        const struct wait *wait = &line->sector_waits[s];
        int is_own = wait->blocks == 1 && wait->warps == 1;
        l2->outcome.own_fill_bytes += (fills >> s & 1 && is_own) * SECTOR_SIZE;
    }
}

// The line's place in a partition, after the least recently used one has made room for it.
static struct l2_line *use(struct l2 *l2, uint64_t number, unsigned partition)
{
    struct l2_line *line = l2_sets_way(&l2->sets, number, partition);
    if (!line->used || line->held.number != number) {
        write_back(l2, line);
        *line = (struct l2_line){.held.number = number};
    }
    line->used = ++l2->now;
    return line;
}

// All bytes of some sectors are here from now on.
static void hold(struct l2_line *line, unsigned sectors)
{
    for (unsigned s = 0; s < LINE_SECTORS; s++)
        if (sectors >> s & 1)
            line->held.bytes[s / 2] |= (uint64_t)UINT32_MAX << s % 2 * SECTOR_SIZE;
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
        hold(line, 1u << s);
    }
    return fetched;
}

// Loads some of the sectors that an access asks for.
static void read_sectors(struct l2 *l2, struct l2_line *line, const struct l2_access *access,
                         unsigned sectors)
{
    struct l2_hits *hits = &l2->outcome.of_instruction[access->instruction];
    struct line_use before = line->held;
    unsigned fetched = 0, misses = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        uint32_t wanted = line_use_sector(&access->use, s);
        if (!(sectors >> s & 1))
            continue;
        int hit = (wanted & ~line_use_sector(&before, s)) == 0;
        hits->sectors++;
        hits->hits += hit;
        misses += !hit;
        if (wanted & ~line_use_sector(&line->held, s))
            fetched += fetch(l2, line, s);
    }
    if (misses)
        hits->of_missed_lines += (uint32_t)__builtin_popcount(line_use_sectors(&access->use));
    const struct dram_request request = {l2->block, access->number};
    if (fetched)
        dram_read(&l2->dram, access->use.number, fetched, &request, l2->outcome.scattered_reads);
}

// Loads what the near partition has a copy of from there, and the rest from the line's home, for it to keep with what that
// fetches together.
static void load(struct l2 *l2, const struct l2_access *access, unsigned home)
{
    struct l2_hits *hits = &l2->outcome.of_instruction[access->instruction];
    struct l2_line *copy = l2->near != home ? use(l2, access->use.number, l2->near) : NULL;
    unsigned sectors = line_use_sectors(&access->use),
             left = copy ? sectors & ~whole_sectors(&copy->held) : sectors;
    uint32_t copied = (uint32_t)__builtin_popcount(sectors ^ left);
    hits->sectors += copied;
    hits->hits += copied;
    if (!left)
        return;
    struct l2_line *line = use(l2, access->use.number, home);
    read_sectors(l2, line, access, left);
    if (copy)
        hold(copy, l2_fetched_with(left, l2->fetch) & whole_sectors(&line->held));
}

// How much is lost by two parts of a sector that come at different times, of what two blocks lose that are far apart. Of a warp's
// own, which an SM sends one after the other, the more the more of its stores lie between them: sharers_apart_* in the
// microbenchmarks lose 0.2, 0.5 and 0.8 with 1, 3 and 7 between.
static double lost(const struct l2 *l2, const struct storer *one, const struct storer *other)
{
    const double STORES = 4.5;
    if (one->block != other->block)
        return 1;
    if (one->warp != other->warp)
        return l2->order.warps_lose;
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
            line->lost[s] = fmax(line->lost[s], lost(l2, &line->storers[s], &storer));
        line->storers[s] = storer;
        line->parts[s] += line->parts[s] < UINT8_MAX;
        line->begun |= (uint8_t)(1u << s);
    }
}

static void end_sectors(struct l2_line *line)
{
    line->begun &= (uint8_t)~whole_sectors(&line->held);
}

// The mean time from the first to the last of so many that wait for exponential times, of that mean.
static double first_to_last(unsigned count, double mean)
{
    double sum = 0;
    for (unsigned i = 1; i < count; i++)
        sum += mean / i;
    return sum;
}

// A warp stores a part. A line that was whole a moment ago is still open, as blocks do not come in their order. Returns whether
// it was not.
static int wait_on(const struct l2 *l2, struct wait *wait, unsigned warp, int is_open)
{
    // Blocks that run at the same time may come in any order.
    double idle = fabs(l2->when - wait->until);
    int begins = !wait->blocks || (!is_open && idle > first_to_last(2, l2->order.spread));
    if (begins)
        *wait = (struct wait){.since = l2->when, .blocks = 1, .warps = 1};
    else if (wait->block != l2->block)
        wait->blocks++;
    else if (wait->warp != warp)
        wait->warps++;
    wait->until = l2->when;
    wait->block = l2->block;
    wait->warp = (uint8_t)warp;
    return begins;
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

// Whether it was whole long after the block began it that came first.
static int is_distant(const struct l2 *l2, const struct wait *wait)
{
    const double LONG = 1. / 8; // of what is launched while a block runs
    return wait->blocks > 1 && fabs(l2->when - wait->since) > LONG * (double)l2->order.running;
}

// A sector is whole now.
static void end_sector_wait(struct l2 *l2, struct wait *wait)
{
    struct l2_open *open = &l2->outcome.open;
    double launches = 0;
    int was_open = end_wait(l2, wait, &launches), is_shared = wait->blocks > 1;
    l2->outcome.shared += is_shared;
    open->sector_launches += launches;
    open->shared_launches += is_shared * launches;
    if (!was_open)
        return;
    open->sectors++;
    open->own += !is_shared;
    open->distant += is_distant(l2, wait);
}

// Sectors of a line of which some bytes are here, and not all.
static unsigned open_sectors(const struct l2_line *line)
{
    return line_use_sectors(&line->held) & ~whole_sectors(&line->held);
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
        if (closed >> s & 1)
            end_sector_wait(l2, &line->sector_waits[s]);
    }
    if (parts)
        open->opened += wait_on(l2, &line->wait, warp, before != 0);
    if (closed && !now)
        open->lines += end_wait(l2, &line->wait, &open->line_launches);
}

// Writes back what a line has that is dirty, and keeps it, completed.
static void clean(struct l2 *l2, struct l2_line *line)
{
    write_back(l2, line);
    hold(line, line->dirty);
    line->dirty = 0;
    end_sectors(line);
    memset(line->lost, 0, sizeof line->lost);
}

static void store(struct l2 *l2, const struct l2_access *access, unsigned home)
{
    uint64_t number = access->use.number;
    unsigned whole = whole_sectors(&access->use), stored = line_use_sectors(&access->use);
    if (l2->near != home && whole)
        hold(use(l2, number, l2->near), whole);
    struct l2_hits *hits = &l2->outcome.of_instruction[access->instruction];
    struct l2_line *line = use(l2, number, home);
    int is_here = line_use_sectors(&line->held) != 0;
    int was_clean = !line->dirty;
    const struct dram_request request = {l2->block, access->number};
    if (was_clean)
        line->write = dram_store(&l2->dram, number, &request);
    uint32_t count = (uint32_t)__builtin_popcount(stored);
    unsigned open = open_sectors(line), parts = stored & ~whole & ~whole_sectors(&line->held);
    line->dirty |= (uint8_t)stored;
    hits->sectors += count;
    hits->hits += is_here ? count : 0;
    l2->outcome.part_stores += __builtin_popcount(stored & ~whole);
    l2->outcome.unfinished += __builtin_popcount(parts);
    line->held.bytes[0] |= access->use.bytes[0];
    line->held.bytes[1] |= access->use.bytes[1];
    l2->outcome.waiting += __builtin_popcount(open_sectors(line) & parts);
    count_open(l2, line, access->warp, open, parts);
    store_parts(l2, line, access, parts, open);
    end_sectors(line);
    struct l2_line *too_dirty = was_clean ? l2_sets_too_dirty(&l2->sets, number, home) : NULL;
    if (too_dirty)
        clean(l2, too_dirty);
}

// Whether L1 has what a load asks for, so that it does not come here. It counts as a hit.
static int is_in_l1(struct l2 *l2, const struct l2_access *access)
{
    struct l2_hits *hits = &l2->outcome.of_instruction[access->instruction];
    uint32_t sectors = (uint32_t)__builtin_popcount(line_use_sectors(&access->use));
    l2->outcome.loads += sectors;
    if (!access->is_reload)
        return 0;
    l2->outcome.reloads += sectors;
    if (chance(l2->tosses++) >= l2->order.l1_keeps)
        return 0;
    hits->sectors += sectors;
    hits->hits += sectors;
    return 1;
}

static void apply(struct l2 *l2, const struct l2_access *access)
{
    unsigned home = l2_sets_home(&l2->sets, access->use.number);
    if (access->is_store)
        store(l2, access, home);
    else if (!is_in_l1(l2, access))
        load(l2, access, home);
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
        l2->near = l2_sets_near(&l2->sets, ordered[i].block % l2->order.running % l2->order.sms);
        l2->when =
            (double)l2->blocks_before + l2_launches_before(&l2->accesses, &l2->order, &ordered[i]);
        apply(l2, ordered[i].access);
    }
    l2->blocks_before += l2->accesses.block_count;
}

// To all that was accessed, from what was sampled.
static void scale_outcome(struct l2_outcome *outcome, double scale)
{
    double *counts[] = {
        &outcome->read_bytes,        &outcome->write_bytes,     &outcome->fill_bytes,
        &outcome->own_fill_bytes,    &outcome->waiting,         &outcome->far_write_bytes,
        &outcome->apart_write_bytes, &outcome->split_lines,     &outcome->far_split_lines,
        &outcome->far_split_sectors, &outcome->far_split_parts, &outcome->idle_bytes};
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
    struct l2_ordered_access *ordered =
        l2->accesses.is_broken ? NULL : l2_take_turns(&l2->accesses, order);
    if (!ordered)
        return NULL;
    l2_find_reloads(&l2->accesses);
    l2->order = *order;
    l2->dram.log2_sample = l2->accesses.log2_sample;
    l2_sets_for(&l2->sets, l2->accesses.log2_sample);
    if (l2->before && l2->log2_before == l2->sets.log2_sample) {
        memcpy(l2->sets.lines, l2->before, l2->sets.lines_bytes);
        l2->blocks_before = l2->blocks_at_begin;
    } else {
        replay(l2, ordered);
    }
    replay(l2, ordered);
    free(ordered);
    l2->outcome.read_bytes += l2->outcome.fill_bytes;
    scale_outcome(&l2->outcome, ldexp(1, (int)l2->sets.log2_sample));
    return &l2->outcome;
}
