#include "sim/time/l2_part_lines.h"

#include <stdlib.h>

#include "sim/count/access.h"
#include "sim/ptx/module.h"

enum { ONE_IN = 8, WAYS = 2, PLACES_A_LINE = 16 };

struct part_line {
    uint64_t number, used;       // when last; 0: the way is empty
    uint8_t bytes[LINE_SECTORS]; // of each sector that is there in part
};

// What is known of a line: its set, and its sectors that were completed, which are whole from then on.
struct known_line {
    uint64_t number;
    uint32_t set;
    uint8_t sectors;
};

struct part_lines {
    double share, far; // of lines that were not there whole; that are far from others
    size_t sets, places, turn;
    uint64_t now;
    struct part_line *ways;
    struct known_line *known; // by a hash, with more places than the L2 has lines: few share one
};

struct part_lines *part_lines_open(size_t l2_bytes, double sms, double share, double far)
{
    size_t lines = (size_t)((double)l2_bytes / LINE_SIZE / sms) + 1,
           sets = lines / ONE_IN / WAYS + 1;
    struct part_lines *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    *all = (struct part_lines){
        .share = share, .far = far, .sets = sets, .places = lines * PLACES_A_LINE};
    all->ways = calloc(sets * WAYS, sizeof *all->ways);
    all->known = calloc(all->places, sizeof *all->known);
    if (all->ways && all->known)
        return all;
    part_lines_free(all);
    return NULL;
}

void part_lines_free(struct part_lines *lines)
{
    if (!lines)
        return;
    free(lines->ways);
    free(lines->known);
    free(lines);
}

// MurmurHash3's last steps (Appleby, 2011).
static size_t hash(uint64_t number)
{
    number = (number ^ number >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    number = (number ^ number >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return (size_t)(number ^ number >> 33);
}

// As likely as `share`, and the same of a number in every run.
static int falls(uint64_t number, double share)
{
    return (double)(uint32_t)hash(number) < share * 0x1p32;
}

// Neighbouring lines, as all SMs store them, fill the sets evenly, so that this one's take them in turn; those that are far
// from others fall into sets as if by chance.
static struct known_line *know(struct part_lines *lines, uint64_t number)
{
    struct known_line *known = &lines->known[hash(number) % lines->places];
    if (known->number != number + 1) {
        size_t set = falls(~number, lines->far) ? hash(number + 1) : lines->turn++;
        *known = (struct known_line){.number = number + 1, .set = (uint32_t)(set % lines->sets)};
    }
    return known;
}

// The line's way in its set, or that of the line that was stored to least recently, for it to take.
static struct part_line *find(struct part_lines *lines, uint64_t number, uint32_t of_set)
{
    struct part_line *set = lines->ways + of_set * WAYS, *oldest = set;
    for (int w = 0; w < WAYS; w++) {
        if (set[w].used && set[w].number == number)
            return &set[w];
        if (set[w].used < oldest->used)
            oldest = &set[w];
    }
    return oldest;
}

// A bit for each sector of which some bytes are there.
static unsigned sectors_of(const uint8_t bytes[LINE_SECTORS])
{
    unsigned sectors = 0;
    for (unsigned s = 0; s < LINE_SECTORS; s++)
        sectors |= (bytes[s] != 0u) << s;
    return sectors;
}

// Completes what another line has to give way for. Returns how many sectors that are.
static unsigned complete(struct part_lines *lines, const struct part_line *line)
{
    if (!line->used)
        return 0;
    unsigned sectors = sectors_of(line->bytes);
    know(lines, line->number)->sectors |= (uint8_t)sectors;
    return (unsigned)__builtin_popcount(sectors);
}

// Whether the L2 has the line whole, because it was written before.
static int is_held(const struct part_lines *lines, uint64_t number)
{
    return !falls(number + 2, lines->share);
}

unsigned part_lines_store(struct part_lines *lines, const struct trace_line *stored)
{
    unsigned evicted = 0;
    if (!stored->waits || is_held(lines, stored->number)) // needs no place, nor a turn at the sets
        return 0;
    const struct known_line *known = know(lines, stored->number);
    unsigned sectors = stored->waits & ~(unsigned)known->sectors; // that it leaves in part
    if (!sectors)
        return 0;
    struct part_line *line = find(lines, stored->number, known->set);
    if (!line->used || line->number != stored->number) {
        evicted = complete(lines, line);
        *line = (struct part_line){.number = stored->number};
    }
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        line->bytes[s] = (uint8_t)(line->bytes[s] + (sectors >> s & 1 ? stored->parts[s] : 0));
        if (line->bytes[s] >= SECTOR_SIZE)
            line->bytes[s] = 0;
    }
    line->used = sectors_of(line->bytes) ? ++lines->now : 0;
    return evicted;
}

// What a block stores of a sector in parts, and whether one of its warps does so more than once.
struct part {
    unsigned bytes;
    uint32_t warp; // that stored last, + 1
    int comes_back;
};

struct sum {
    uint64_t number; // + 1; 0: none
    struct part parts[LINE_SECTORS];
};

struct sums {
    size_t room; // a power of two
    struct sum *items;
    uint32_t warp; // whose stores are visited
};

static struct sum *sum_of(const struct sums *sums, uint64_t number)
{
    size_t i = hash(number) & (sums->room - 1);
    while (sums->items[i].number && sums->items[i].number != number + 1)
        i = (i + 1) & (sums->room - 1);
    sums->items[i].number = number + 1;
    return &sums->items[i];
}

// Local memory is each warp's own.
static struct sum *sum_of_warp(const struct sums *sums, const struct trace_line *line)
{
    uint64_t warps = is_local_line(line) ? sums->warp * LOCAL_LINES : 0;
    return sum_of(sums, line->number + warps);
}

static void add(const struct sums *sums, struct trace_line *line)
{
    struct sum *sum = sum_of_warp(sums, line);
    for (int s = 0; s < LINE_SECTORS; s++) {
        struct part *part = &sum->parts[s];
        if (!line->parts[s])
            continue;
        part->bytes += line->parts[s];
        part->comes_back |= part->warp == sums->warp + 1;
        part->warp = sums->warp + 1;
    }
}

static void note(const struct sums *sums, struct trace_line *line)
{
    const struct sum *sum = sum_of_warp(sums, line);
    for (int s = 0; s < LINE_SECTORS; s++)
        if (line->parts[s] && sum->parts[s].bytes >= SECTOR_SIZE && sum->parts[s].comes_back)
            line->waits |= (uint8_t)(1u << s);
}

static void each_store(struct block_trace *block, uint32_t warps, struct sums *sums,
                       void (*visit)(const struct sums *sums, struct trace_line *line))
{
    for (sums->warp = 0; sums->warp < warps; sums->warp++)
        for (uint32_t i = 0; i < block->warps[sums->warp].count; i++) {
            const struct trace_item *item = &block->warps[sums->warp].items[i];
            for (uint32_t l = 0; l < item->lines && !item->in->is_load && !item->in->is_atomic; l++)
                visit(sums, &block->lines[item->first_line + l]);
        }
}

int part_lines_find(struct trace *trace)
{
    for (uint32_t b = 0; b < trace->block_count; b++) {
        struct block_trace *block = &trace->blocks[b];
        struct sums sums = {.room = 2};
        while (sums.room < 2 * block->line_count)
            sums.room *= 2;
        sums.items = calloc(sums.room, sizeof *sums.items);
        if (!sums.items)
            return 0;
        each_store(block, trace->warps, &sums, add);
        each_store(block, trace->warps, &sums, note);
        free(sums.items);
    }
    return 1;
}
