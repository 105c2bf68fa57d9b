#include "sim/time/l2_part_sectors.h"

#include <stdlib.h>

#include "sim/count/access.h"
#include "sim/ptx/module.h"

// Of the halves of lines that a slice of 640 KiB keeps so, 1024 in sets of two.
enum { BYTES_A_SET = 1280, WAYS = 2, PLACES_A_SET = 256, HALF_SECTORS = LINE_SECTORS / 2 };

// Two sectors side by side, of which some bytes are there.
struct part_half {
    uint64_t number, used;        // when last; 0: the way is empty
    unsigned bytes[HALF_SECTORS]; // of each that is there in part
};

// What is known of a half: its set, and its sectors that were completed, which are whole from then on.
struct known_half {
    uint64_t number; // + 1; 0: none
    uint32_t set, sectors;
};

struct part_sectors {
    // Of lines: the share that was not there whole, and the share that is far from those of other blocks.
    double share, apart;
    size_t sets, places, turn;
    uint64_t now;
    struct part_half *ways;
    // By a hash, with more places than the L2 has halves of lines: few share one.
    struct known_half *known;
};

struct part_sectors *part_sectors_open(size_t l2_bytes, double sms, double share, double apart)
{
    size_t sets = (size_t)((double)l2_bytes / BYTES_A_SET / sms) + 1;
    struct part_sectors *all = calloc(1, sizeof *all);
    if (!all)
        return NULL;
    *all = (struct part_sectors){
        .share = share, .apart = apart, .sets = sets, .places = sets * PLACES_A_SET};
    all->ways = calloc(sets * WAYS, sizeof *all->ways);
    all->known = calloc(all->places, sizeof *all->known);
    if (all->ways && all->known)
        return all;
    part_sectors_free(all);
    return NULL;
}

void part_sectors_free(struct part_sectors *sectors)
{
    if (!sectors)
        return;
    free(sectors->ways);
    free(sectors->known);
    free(sectors);
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
// from other blocks' fall into sets as if by chance.
static struct known_half *know(struct part_sectors *sectors, uint64_t number)
{
    struct known_half *known = &sectors->known[hash(number) % sectors->places];
    if (known->number != number + 1) {
        int is_apart = falls(~(number / (LINE_SECTORS / HALF_SECTORS)), sectors->apart);
        size_t set = is_apart ? hash(number + 1) : sectors->turn++;
        *known = (struct known_half){.number = number + 1, .set = (uint32_t)(set % sectors->sets)};
    }
    return known;
}

// The half's way in its set, or that of the one that was stored to least recently, for it to take.
static struct part_half *find(struct part_sectors *sectors, uint64_t number, uint32_t of_set)
{
    struct part_half *set = sectors->ways + of_set * WAYS, *oldest = set;
    for (int w = 0; w < WAYS; w++) {
        if (set[w].used && set[w].number == number)
            return &set[w];
        if (set[w].used < oldest->used)
            oldest = &set[w];
    }
    return oldest;
}

// A bit for each sector of which some bytes are there.
static unsigned sectors_of(const unsigned bytes[HALF_SECTORS])
{
    unsigned sectors = 0;
    for (unsigned s = 0; s < HALF_SECTORS; s++)
        sectors |= (bytes[s] != 0u) << s;
    return sectors;
}

// Completes what another half has to give way for. Returns how many sectors that are.
static unsigned complete(struct part_sectors *sectors, const struct part_half *half)
{
    if (!half->used)
        return 0;
    unsigned parts = sectors_of(half->bytes);
    know(sectors, half->number)->sectors |= parts;
    return (unsigned)__builtin_popcount(parts);
}

// Parts of so many bytes are stored. Returns how many sectors of others are completed to make room for them.
static unsigned store_parts(struct part_sectors *sectors, uint64_t number,
                            const unsigned bytes[HALF_SECTORS])
{
    unsigned completed = 0, stored = sectors_of(bytes);
    if (!stored) // takes no turn at the sets
        return 0;
    const struct known_half *known = know(sectors, number);
    stored &= ~known->sectors;
    if (!stored)
        return 0;
    struct part_half *half = find(sectors, number, known->set);
    if (!half->used || half->number != number) {
        completed = complete(sectors, half);
        *half = (struct part_half){.number = number};
    }
    for (unsigned s = 0; s < HALF_SECTORS; s++) {
        half->bytes[s] += stored >> s & 1 ? bytes[s] : 0;
        if (half->bytes[s] >= SECTOR_SIZE)
            half->bytes[s] = 0;
    }
    half->used = sectors_of(half->bytes) ? ++sectors->now : 0;
    return completed;
}

// Whether the L2 has the line whole, because it was written before.
static int is_held(const struct part_sectors *sectors, uint64_t line)
{
    return !falls(line + 2, sectors->share);
}

unsigned part_sectors_store(struct part_sectors *sectors, const struct trace_line *stored)
{
    unsigned completed = 0;
    // What is whole needs no place, nor a turn at the sets.
    if (!stored->waits || is_held(sectors, stored->number))
        return 0;
    for (unsigned first = 0; first < LINE_SECTORS; first += HALF_SECTORS) {
        unsigned bytes[HALF_SECTORS];
        for (unsigned s = 0; s < HALF_SECTORS; s++)
            bytes[s] = stored->waits >> (first + s) & 1 ? stored->parts[first + s] : 0;
        completed +=
            store_parts(sectors, (stored->number * LINE_SECTORS + first) / HALF_SECTORS, bytes);
    }
    return completed;
}

// What a block stores of the sectors of a line in parts.
struct sum {
    uint64_t number; // + 1; 0: none
    unsigned bytes[LINE_SECTORS];
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
    for (int s = 0; s < LINE_SECTORS; s++)
        sum->bytes[s] += line->parts[s];
}

static void note(const struct sums *sums, struct trace_line *line)
{
    const struct sum *sum = sum_of_warp(sums, line);
    for (int s = 0; s < LINE_SECTORS; s++)
        if (line->parts[s] && sum->bytes[s] >= SECTOR_SIZE)
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

int part_sectors_find(struct trace *trace)
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
