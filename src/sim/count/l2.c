#include "sim/count/l2.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/count/access.h"

enum { WAYS = 16, LEAST_SAMPLED = 4096 };

// Accesses of a launch that are noted, so that the memory for them is bounded: of a block as many as there are on
// average, and a few more, because a block that comes to a sampled page comes to many lines of it.
enum { MAX_NOTED = 1 << 23, MORE_OF_A_BLOCK = 16 };

// A chunk is moved at once if one block moves its sectors one after the other, within so many of all: what another block
// asks for, however soon, costs as much as a chunk of its own. Lines that are stored are near each other where they are in
// a page of which another one was within so many sectors.
enum {
    PAGE_LINES = DRAM_PAGE / LINE_SIZE,
    CHUNK_LINES = DRAM_CHUNK / LINE_SIZE,
    CHUNK_WINDOW = 512,
    NEAR_WINDOW = 16384,
    TABLE = 4096
};

struct l2_access {
    struct line_use use;
    uint32_t instruction;
    uint16_t begun; // blocks since the access before it
    uint16_t round; // of the warp
    uint16_t store; // how many of the warp's stores it comes after
    uint8_t is_store, warp;
};

struct ordered_access {
    const struct l2_access *access;
    uint64_t block;
};

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
    uint8_t is_far;     // from other lines, when it was stored to
    uint8_t joins;      // another one of its chunk that was stored to, too
    double page_closed; // how likely it is that it was
};

// A page or a chunk of DRAM, and when it was moved last: after how many sectors, and how many chunks. Of a chunk, by which
// block, how many sectors since then, whether it was far from others, and how likely it is that its page was closed.
struct moved {
    uint64_t number, when, chunks, block;
    unsigned sectors;
    int is_far;
    double page_closed;
};

// What was moved last, by a hash of the number.
struct moves {
    uint64_t count; // chunks
    struct moved pages[TABLE], chunks[TABLE];
};

// The log of a run of blocks.
struct run {
    struct l2_log log;
    uint64_t first;
};

enum { MOST_TURNS = 1 << 22 }; // that are told apart

struct l2 {
    unsigned log2_sample; // one line in 2^this is simulated
    uint64_t origin;
    unsigned fetch;             // sectors that a miss brings
    double open_pages;          // of DRAM
    size_t groups;              // of sets: one for each line of a page
    struct l2_line *lines;      // [groups][PAGE_LINES][WAYS]
    uint64_t now;               // accesses so far
    uint64_t block;             // the present one, of all that have been
    double when;                // blocks that have been launched when the present access comes
    uint64_t blocks_before;     // of replays before this one
    uint64_t block_count;       // of the launch
    uint64_t moved;             // sectors that DRAM read, or will have to write, so far
    struct moves reads, writes; // writes: as they are stored
    struct l2_outcome outcome;
    struct l2_order order; // that was asked for last
    size_t block_limit;    // accesses of a block that are noted
    pthread_mutex_t lock;  // of what follows
    struct run *runs;
    size_t run_count, run_capacity;
    uint32_t rounds;                // of the warp that has most
    struct ordered_access *ordered; // while a launch ends
    size_t ordered_count;
    int is_broken;
};

struct l2 *l2_open(size_t bytes, unsigned fetch, double open_pages, uint64_t origin)
{
    struct l2 *l2 = calloc(1, sizeof *l2);
    if (!l2)
        return NULL;
    size_t lines = bytes / LINE_SIZE;
    l2->origin = origin;
    l2->fetch = fetch;
    l2->open_pages = open_pages;
    while (lines >> (l2->log2_sample + 1) >= LEAST_SAMPLED)
        l2->log2_sample++;
    l2->groups = (lines >> l2->log2_sample) / WAYS / PAGE_LINES;
    l2->groups += l2->groups == 0;
    l2->lines = calloc(l2->groups * PAGE_LINES * WAYS, sizeof *l2->lines);
    if (!l2->lines || pthread_mutex_init(&l2->lock, NULL) != 0) {
        free(l2->lines);
        free(l2);
        return NULL;
    }
    return l2;
}

void l2_forget(struct l2 *l2)
{
    for (size_t i = 0; i < l2->run_count; i++)
        free(l2->runs[i].log.items);
    l2->run_count = 0;
    l2->rounds = 1;
}

void l2_free(struct l2 *l2)
{
    if (!l2)
        return;
    l2_forget(l2);
    free(l2->runs);
    pthread_mutex_destroy(&l2->lock);
    free(l2->outcome.of_instruction);
    free(l2->lines);
    free(l2);
}

int l2_begin(struct l2 *l2, uint64_t block_count, uint32_t instruction_count)
{
    l2_forget(l2);
    free(l2->outcome.of_instruction);
    l2->outcome = (struct l2_outcome){.instruction_count = instruction_count};
    l2->outcome.of_instruction = calloc(instruction_count + 1, sizeof *l2->outcome.of_instruction);
    l2->block_count = block_count;
    l2->block_limit = MAX_NOTED / block_count + MORE_OF_A_BLOCK;
    l2->is_broken = 0;
    return l2->outcome.of_instruction != NULL;
}

void l2_begin_block(struct l2_log *log)
{
    log->block_start = log->count;
    log->begun++;
    memset(log->warps, 0, sizeof log->warps);
}

// The round in which the warp is that comes with the access.
static uint16_t round_of(struct l2_log *log, unsigned warp, int is_store)
{
    uint16_t *round = &log->warps[warp].round;
    uint8_t *has_stored = &log->warps[warp].has_stored;
    *round += *has_stored && !is_store && *round < UINT16_MAX;
    *has_stored = is_store != 0;
    log->rounds = *round > log->rounds ? *round : log->rounds;
    return *round;
}

static int is_sampled(const struct l2 *l2, uint64_t line)
{
    return l2->log2_sample == 0 || line_hash(line / PAGE_LINES) >> (64 - l2->log2_sample) == 0;
}

// Whether one of the access's lines is sampled; may say yes of lines between its lanes' too.
static int may_be_sampled(const struct l2 *l2, const struct access *access)
{
    const uint64_t first = (access->address[0] - l2->origin) / LINE_SIZE,
                   last = (access->address[LANES - 1] - l2->origin) / LINE_SIZE;
    if (access->pattern == STRIDED && first == last)
        return is_sampled(l2, first);
    for (int l = 0; l < LANES; l++)
        if (access->mask & lane_bit[l] &&
            is_sampled(l2, (access->address[l] - l2->origin) / LINE_SIZE))
            return 1;
    return 0;
}

// Makes sure that a warp's lines can be added. Returns 0 when no memory is left.
static int make_room(struct l2_log *log)
{
    if (log->count + LANES <= log->capacity)
        return 1;
    size_t capacity = 2 * log->capacity + 8 * LANES;
    struct l2_access *items = realloc(log->items, capacity * sizeof *items);
    if (!items) {
        log->is_broken = 1;
        return 0;
    }
    log->items = items;
    log->capacity = capacity;
    return 1;
}

void l2_note(const struct l2 *l2, struct l2_log *log, const struct access *access, unsigned warp,
             uint32_t instruction, int is_store)
{
    uint16_t round = round_of(log, warp, is_store), store = log->warps[warp].stores;
    log->warps[warp].stores += is_store != 0;
    if (!may_be_sampled(l2, access))
        return;
    struct line_use uses[LANES];
    unsigned count = access_lines(access, l2->origin, uses);
    int is_full = log->count - log->block_start >= l2->block_limit;
    if (!is_full && !make_room(log))
        return;
    for (unsigned i = 0; i < count; i++) {
        if (!is_sampled(l2, uses[i].number))
            continue;
        if (is_full) {
            log->left_out++;
            continue;
        }
        uint16_t begun = (uint16_t)(log->begun < UINT16_MAX ? log->begun : UINT16_MAX);
        log->begun = 0;
        log->items[log->count++] = (struct l2_access){uses[i], instruction,   begun,        round,
                                                      store,   is_store != 0, (uint8_t)warp};
    }
}

static int is_near(const struct l2 *l2, const struct moved *moved, uint64_t number, uint64_t window)
{
    return moved->when && moved->number == number &&
           (l2->moved - moved->when) << l2->log2_sample <= window;
}

// How likely it is that a page was closed since it was moved last: the more chunks others were moved of.
static double page_closed(const struct l2 *l2, const struct moves *moves, const struct moved *page,
                          uint64_t number)
{
    if (!page->when || page->number != number)
        return 1;
    double since = (double)((moves->count - page->chunks) << l2->log2_sample);
    return since / (since + l2->open_pages);
}

// DRAM comes to a line. Returns its chunk, with no sectors yet if it is not the one it was at just before.
static struct moved *come_to(struct l2 *l2, struct moves *moves, uint64_t line, unsigned sectors)
{
    uint64_t number = line / CHUNK_LINES, page_number = line / PAGE_LINES;
    struct moved *chunk = &moves->chunks[(line_hash(number) >> 20) % TABLE],
                 *page = &moves->pages[(line_hash(page_number) >> 20) % TABLE];
    l2->moved += sectors;
    if (!is_near(l2, chunk, number, CHUNK_WINDOW) || chunk->block != l2->block) {
        *chunk = (struct moved){.number = number,
                                .block = l2->block,
                                .is_far = !is_near(l2, page, page_number, NEAR_WINDOW),
                                .page_closed = page_closed(l2, moves, page, page_number)};
        moves->count++;
    }
    *page = (struct moved){.number = page_number, .when = l2->moved, .chunks = moves->count};
    chunk->when = l2->moved;
    return chunk;
}

static int is_whole(const struct line_use *use, unsigned sector)
{
    return line_use_sector(use, sector) == UINT32_MAX;
}

// DRAM reads sectors of a line, and a larger chunk at once if it read more of it just before.
static void read_dram(struct l2 *l2, uint64_t line, unsigned sectors)
{
    struct moved *chunk = come_to(l2, &l2->reads, line, sectors);
    double *scattered = l2->outcome.scattered_reads;
    if (chunk->sectors + sectors > CHUNK_SECTORS) // some of it again
        chunk->sectors = 0;
    if (chunk->sectors)
        scattered[chunk->sectors] -= chunk->page_closed;
    scattered[chunk->sectors + sectors] += chunk->page_closed;
    chunk->sectors += sectors;
}

// A line that was clean is stored to, and will be written at once with the chunk's other one if that was just before.
static void make_dirty(struct l2 *l2, struct l2_line *line)
{
    struct moved *chunk = come_to(l2, &l2->writes, line->held.number, LINE_SECTORS);
    line->is_far = chunk->is_far != 0;
    line->page_closed = chunk->page_closed;
    line->joins = chunk->sectors > 0;
    chunk->sectors = LINE_SECTORS;
}

// The line that joins another makes a chunk of twice as many sectors.
static void count_write(struct l2 *l2, const struct l2_line *line)
{
    unsigned sectors = (unsigned)__builtin_popcount(line->dirty);
    if (!sectors)
        return;
    l2->outcome.far_write_bytes += line->is_far * sectors * SECTOR_SIZE;
    l2->outcome.scattered_writes[sectors] += line->joins ? -line->page_closed : line->page_closed;
    l2->outcome.scattered_writes[2 * sectors] += line->joins * line->page_closed;
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
    if (!line->is_far)
        return;
    l2->outcome.far_split_lines += lines;
    l2->outcome.far_split_sectors += sectors;
}

static void write_back(struct l2 *l2, const struct l2_line *line)
{
    count_write(l2, line);
    count_split(l2, line);
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        if (!(line->dirty >> s & 1))
            continue;
        l2->outcome.write_bytes += SECTOR_SIZE;
        if (!is_whole(&line->held, s))
            l2->outcome.fill_bytes += SECTOR_SIZE;
    }
}

// The set that a line belongs to. The lines of a page are in sets of one group, so that those which
// came together leave together, as DRAM likes it. Of the hash, the bits below those that chose the
// sample: neighbouring pages spread evenly by them.
static struct l2_line *set_of(const struct l2 *l2, uint64_t number)
{
    uint64_t bits = line_hash(number / PAGE_LINES) << l2->log2_sample >> 32;
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
        read_dram(l2, access->use.number, missed);
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

// The mean time from the first to the last of so many that come at any time of a while.
static double first_to_last(unsigned count, double of)
{
    return of * (count - 1) / (count + 1);
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
// open at all, and not whole before. A block comes to its
// stores at any time of its spread (open_*_threads_apart in the microbenchmarks); its warps, in the mean, within a fourth
// of that (open_8_warps_*, of an H100).
static int end_wait(const struct l2 *l2, struct wait *wait, double *launches)
{
    enum { WARPS_SHARE = 4 };
    double before = wait->launches, launched = fabs(l2->when - wait->since),
           blocks = hypot(launched, first_to_last(wait->blocks, l2->order.spread));
    wait->launches = hypot(blocks, first_to_last(wait->warps, l2->order.spread / WARPS_SHARE));
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
    struct l2_open *open = &l2->outcome.open[line->is_far];
    unsigned now = open_sectors(line), closed = before & ~now & parts;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        if (parts >> s & 1)
            wait_on(l2, &line->sector_waits[s], warp, before >> s & 1);
        if (closed >> s & 1 && end_wait(l2, &line->sector_waits[s], &open->sector_launches)) {
            open->sectors++;
            open->own += line->sector_waits[s].blocks == 1;
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
        make_dirty(l2, line);
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

// Gives back what a log grew beyond its items: there is one for each run until the launch ends.
static void trim(struct l2_log *log)
{
    struct l2_access *items = log->count ? realloc(log->items, log->count * sizeof *items) : NULL;
    if (items)
        log->items = items;
}

void l2_commit(struct l2 *l2, struct l2_log *log, uint64_t first)
{
    trim(log);
    pthread_mutex_lock(&l2->lock);
    if (l2->run_count == l2->run_capacity) {
        size_t capacity = 2 * l2->run_capacity + 64;
        struct run *runs = realloc(l2->runs, capacity * sizeof *runs);
        if (runs) {
            l2->runs = runs;
            l2->run_capacity = capacity;
        }
    }
    if (l2->run_count < l2->run_capacity) {
        l2->runs[l2->run_count++] = (struct run){*log, first};
    } else {
        l2->is_broken = 1;
        free(log->items);
    }
    l2->is_broken |= log->is_broken;
    l2->rounds = log->rounds + 1u > l2->rounds ? log->rounds + 1u : l2->rounds;
    pthread_mutex_unlock(&l2->lock);
    *log = (struct l2_log){0};
}

static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

// How far somebody came who goes through all accesses of the log, in the order of their blocks.
struct cursor {
    size_t run, item;
    uint64_t block; // of the access
};

// The next one, or NULL after the last.
static const struct l2_access *next_access(const struct l2 *l2, struct cursor *at)
{
    while (at->run < l2->run_count && at->item == l2->runs[at->run].log.count) {
        at->run++;
        at->item = 0;
    }
    if (at->run == l2->run_count)
        return NULL;
    const struct run *run = &l2->runs[at->run];
    if (at->item == 0)
        at->block = run->first - 1; // which the first item's block begins behind
    const struct l2_access *access = &run->log.items[at->item++];
    at->block += access->begun;
    return access;
}

int l2_has_pace(const struct l2 *l2, const struct l2_order *order)
{
    return l2->rounds > 1 && l2->block_count <= order->running;
}

// The round of all blocks in which a block's one falls. They start in the order of their numbers, one whenever another one
// ends; or all at once, and go at the paces of their SMs.
static double round_of_all(const struct l2 *l2, uint64_t block, uint32_t round)
{
    enum { ONE_IN = 5 }; // SMs that are faster
    const struct l2_order *order = &l2->order;
    if (!l2_has_pace(l2, order))
        return (double)block * l2->rounds / (double)order->running + round;
    double slow = (ONE_IN - order->fast) / (ONE_IN - 1);
    return round * (block % order->sms % ONE_IN == 0 ? order->fast : slow);
}

// The number of an access's turn: of its round, or of some rounds if there are more than `rounds` can be told apart.
static size_t turn_of(const struct l2 *l2, const struct l2_access *access, uint64_t block,
                      double rounds)
{
    double turn = round_of_all(l2, block, access->round);
    return (size_t)(rounds < MOST_TURNS ? turn : turn / rounds * MOST_TURNS);
}

// Puts all accesses into the order of their turns, and in a turn of their blocks. Returns 0 when no memory is left.
static int take_turns(struct l2 *l2)
{
    const struct l2_access *access;
    const double rounds = round_of_all(l2, l2->block_count, 2 * l2->rounds);
    const size_t turns = (size_t)fmin(rounds, MOST_TURNS) + 1;
    l2->ordered_count = 0;
    for (size_t r = 0; r < l2->run_count; r++)
        l2->ordered_count += l2->runs[r].log.count;
    l2->ordered = malloc((l2->ordered_count + 1) * sizeof *l2->ordered);
    size_t *begins = calloc(turns + 1, sizeof *begins);
    if (l2->ordered && begins) {
        for (struct cursor at = {0}; (access = next_access(l2, &at));)
            begins[turn_of(l2, access, at.block, rounds) + 1]++;
        for (size_t t = 0; t < turns; t++)
            begins[t + 1] += begins[t];
        for (struct cursor at = {0}; (access = next_access(l2, &at));)
            l2->ordered[begins[turn_of(l2, access, at.block, rounds)]++] =
                (struct ordered_access){access, at.block};
    }
    free(begins);
    return l2->ordered && begins;
}

// How many blocks have been launched before the access. Of blocks that all run at once, as many count as launched with each
// of their rounds.
static double launches_before(const struct l2 *l2, const struct ordered_access *ordered)
{
    if (!l2_has_pace(l2, &l2->order))
        return (double)ordered->block;
    return round_of_all(l2, ordered->block, ordered->access->round) * (double)l2->block_count /
           l2->rounds;
}

// Sends all accesses through the cache; what came of earlier ones is forgotten, but not what they
// left in it: of DRAM's pages all are closed.
static void replay(struct l2 *l2)
{
    memset(&l2->reads, 0, sizeof l2->reads);
    memset(&l2->writes, 0, sizeof l2->writes);
    struct l2_outcome *o = &l2->outcome;
    *o = (struct l2_outcome){.instruction_count = o->instruction_count,
                             .of_instruction = o->of_instruction};
    memset(o->of_instruction, 0, o->instruction_count * sizeof *o->of_instruction);
    for (size_t i = 0; i < l2->ordered_count; i++) {
        const struct ordered_access *ordered = &l2->ordered[i];
        l2->block = l2->blocks_before + ordered->block + 1; // 0: a line that none has stored to
        l2->when = (double)l2->blocks_before + launches_before(l2, ordered);
        apply(l2, ordered->access);
    }
    l2->blocks_before += l2->block_count;
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
    for (int is_far = 0; is_far < 2; is_far++)
        outcome->open[is_far] = l2_open_times(&outcome->open[is_far], scale);
    for (int s = 1; s <= CHUNK_SECTORS; s++) {
        outcome->scattered_reads[s] *= scale;
        outcome->scattered_writes[s] *= scale;
    }
}

double l2_warps_apart(unsigned stores, int have_met)
{
    const double TOGETHER = 2, SOON = 4, most = have_met ? 0.25 : 0.75;
    return stores > TOGETHER ? most * (1 - exp((TOGETHER - stores) / SOON)) : 0;
}

const struct l2_outcome *l2_end(struct l2 *l2, const struct l2_order *order)
{
    double left_out = 0;
    l2->order = *order;
    if (l2->run_count)
        qsort(l2->runs, l2->run_count, sizeof *l2->runs, compare_runs);
    if (!take_turns(l2))
        l2->is_broken = 1;
    for (int pass = 0; pass < 2 && !l2->is_broken; pass++)
        replay(l2);
    free(l2->ordered);
    l2->ordered = NULL;
    double noted = (double)l2->ordered_count;
    for (size_t r = 0; r < l2->run_count; r++)
        left_out += (double)l2->runs[r].log.left_out;
    l2->outcome.read_bytes += l2->outcome.fill_bytes;
    double scale = (double)(1u << l2->log2_sample) * (noted ? (noted + left_out) / noted : 1);
    scale_outcome(&l2->outcome, scale);
    return l2->is_broken ? NULL : &l2->outcome;
}
