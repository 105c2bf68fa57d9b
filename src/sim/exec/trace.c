#include "sim/exec/trace.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "sim/count/access.h"
#include "sim/count/dram_pages.h"
#include "sim/ptx/module.h"
#include "sim/state/launch.h"

// Enough blocks that the SM's slots are filled several times over, the last time perhaps in part, and no more items
// than a fraction of a second's work for the model. Till it is known how long warps are, SPARE times as many, but of a
// warp no more than a long one has.
enum { WAVES = 6, LEAST_WAVES = 3, MAX_ITEMS = 1 << 19, MAX_LINES = 1 << 17 };
enum { SPARE = 16, LONG_ITEMS = 1 << 13, LONG_LINES = 1 << 14, FIRST_CAPACITY = 64 };
enum { LANE_WORDS = 4 }; // that an access moves at most

// Blocks that an SM gets one after the other as two of its blocks end, and how many it holds at least where it does.
enum { PAIR = 2, LEAST_TO_PAIR = 3 };

// Those that one SM runs.
static uint64_t blocks_of_sm(const struct launch *launch)
{
    return (launch->block_count + launch->multiprocessors - 1) / launch->multiprocessors;
}

// As few of those that an SM runs as that, but so many that the last ones are as many as its last ones.
static uint32_t count_blocks(const struct launch *launch, unsigned resident)
{
    uint64_t of_sm = blocks_of_sm(launch);
    uint64_t wanted = (uint64_t)(WAVES - 1) * resident + (of_sm - 1) % resident + 1;
    return (uint32_t)(of_sm < wanted ? of_sm : wanted);
}

static void free_block(const struct trace *trace, struct block_trace *block)
{
    for (uint32_t w = 0; w < trace->warps && block->warps; w++)
        free(block->warps[w].items);
    free(block->warps);
    free(block->lines);
}

static void free_blocks(const struct trace *trace, struct block_trace *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count && blocks; i++)
        free_block(trace, &blocks[i]);
    free(blocks);
}

// Room for as many as are traced, or NULL when no memory is left.
static struct block_trace *open_blocks(const struct trace *trace)
{
    struct block_trace *blocks = calloc(trace->block_count, sizeof *blocks);
    for (uint32_t i = 0; i < trace->block_count && blocks; i++) {
        blocks[i].warps = calloc(trace->warps, sizeof *blocks[i].warps);
        if (!blocks[i].warps) {
            free_blocks(trace, blocks, trace->block_count);
            return NULL;
        }
    }
    return blocks;
}

// A warp's part of what all have together.
static uint32_t a_warps(const struct trace *trace, uint32_t all)
{
    return (all - 1) / (trace->block_count * trace->warps) + 1;
}

// The same until it is known whether the warp is long.
static uint32_t at_first(const struct trace *trace, uint32_t all, uint32_t of_long)
{
    uint32_t in_the_end = a_warps(trace, all), spare = a_warps(trace, SPARE * all);
    if (spare > of_long)
        spare = of_long;
    return spare > in_the_end ? spare : in_the_end;
}

struct trace *trace_open(const struct launch *launch, unsigned resident)
{
    struct trace *trace = calloc(1, sizeof *trace);
    if (!trace)
        return NULL;
    trace->stride = launch->multiprocessors;
    trace->warps = launch->warps_per_block;
    trace->block_count = count_blocks(launch, resident);
    trace->resident = resident;
    trace->limit = at_first(trace, MAX_ITEMS, LONG_ITEMS);
    trace->line_limit = at_first(trace, MAX_LINES, LONG_LINES);
    trace->of_sm = blocks_of_sm(launch);
    trace->part_blocks = (launch->block_count - 1) / TRACE_PARTS + 1;
    trace->blocks = open_blocks(trace);
    const int may_pair = resident >= LEAST_TO_PAIR && trace->block_count > resident + 1;
    if (may_pair)
        trace->next = open_blocks(trace);
    if (trace->of_sm > trace->block_count)
        trace->spread = open_blocks(trace);
    trace->traced = trace->block_count;
    if (trace->blocks && (trace->next || !may_pair) &&
        (trace->spread || trace->of_sm <= trace->block_count))
        return trace;
    trace_free(trace);
    return NULL;
}

void trace_free(struct trace *trace)
{
    if (!trace)
        return;
    free_blocks(trace, trace->blocks, trace->block_count);
    free_blocks(trace, trace->next, trace->traced);
    free_blocks(trace, trace->spread, trace->traced);
    free(trace);
}

double trace_executed(const struct trace *trace, const struct block_trace *block)
{
    double executed = 0;
    for (uint32_t w = 0; w < trace->warps; w++)
        executed += (double)block->warps[w].executed;
    return executed;
}

// Which of the SM's blocks is number i of the spread ones.
static uint64_t spread_to(const struct trace *trace, uint64_t i)
{
    return i * trace->of_sm / trace->block_count;
}

static int is_like(double executed, double mean)
{
    const double UNLIKE = 0.125; // of the mean
    return fabs(executed - mean) <= UNLIKE * mean;
}

int trace_is_even(const struct trace *trace, double mean)
{
    for (uint32_t i = 0; i < trace->block_count; i++)
        if (!is_like(trace_executed(trace, &trace->blocks[i]), mean))
            return 0;
    return 1;
}

// Whether the first blocks execute about as much as all do in the mean.
static int stand_for_all(const struct trace *trace, double mean)
{
    double executed = 0;
    for (uint32_t i = 0; i < trace->block_count; i++)
        executed += trace_executed(trace, &trace->blocks[i]);
    return is_like(executed / trace->block_count, mean);
}

static void exchange(struct block_trace *one, struct block_trace *other)
{
    struct block_trace instead = *one;
    *one = *other;
    *other = instead;
}

static void choose_spread(struct trace *trace)
{
    uint32_t count = trace->block_count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t of_sm = spread_to(trace, i); // i or more, and more for the next one
        exchange(&trace->blocks[i], of_sm < count ? &trace->blocks[of_sm] : &trace->spread[i]);
    }
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

// Has blocks from all parts of the launch follow each other everywhere: the next one is a golden section of them all on, or
// less, so that each is met once. Returns 0 when no memory is left.
static int mix(struct trace *trace)
{
    const double GOLDEN_SECTION = 0.618;
    uint32_t count = trace->block_count, step = (uint32_t)(count * GOLDEN_SECTION);
    struct block_trace *mixed = malloc(count * sizeof *mixed);
    if (!mixed)
        return 0;
    while (common_divisor(step, count) > 1)
        step--;
    for (uint32_t i = 0; i < count; i++)
        mixed[i] = trace->blocks[(uint64_t)i * step % count];
    free(trace->blocks);
    trace->blocks = mixed;
    return 1;
}

// Whether block i of the SM's, once it is full, is the second one of a pair.
static int comes_second(const struct trace *trace, uint64_t i)
{
    return i >= trace->resident && (i - trace->resident) % PAIR == 1;
}

static int compare_lines(const void *a, const void *b)
{
    const struct trace_line *x = a, *y = b;
    return (x->number > y->number) - (x->number < y->number);
}

// The lines of global memory that a block loads, each once, by their numbers; NULL when no memory is left. The caller frees them.
static struct trace_line *loaded_lines(const struct trace *trace, const struct block_trace *block,
                                       size_t *count)
{
    struct trace_line *lines = malloc((block->line_count + 1) * sizeof *lines);
    size_t all = 0;
    *count = 0;
    for (uint32_t w = 0; w < trace->warps && lines; w++)
        for (uint32_t i = 0; i < block->warps[w].count; i++) {
            const struct trace_item *item = &block->warps[w].items[i];
            for (uint32_t l = 0; item->in->is_load && l < item->lines; l++)
                if (!is_local_line(&block->lines[item->first_line + l]))
                    lines[all++] = block->lines[item->first_line + l];
        }
    if (lines)
        qsort(lines, all, sizeof *lines, compare_lines);
    for (size_t i = 0; i < all; i++) {
        if (*count > 0 && lines[*count - 1].number == lines[i].number)
            lines[*count - 1].sectors |= lines[i].sectors;
        else
            lines[(*count)++] = lines[i];
    }
    return lines;
}

// Counts the sectors that a block loads, and those of them that another one loads, too.
static void count_loaded(struct trace *trace, const struct block_trace *block,
                         const struct block_trace *other, uint64_t *sectors, uint64_t *both)
{
    size_t count, others;
    struct trace_line *lines = loaded_lines(trace, block, &count),
                      *of_other = loaded_lines(trace, other, &others);
    trace->is_broken |= !lines || !of_other;
    for (size_t i = 0; i < count && of_other; i++) {
        const struct trace_line *line =
            bsearch(&lines[i], of_other, others, sizeof *lines, compare_lines);
        *sectors += (unsigned)__builtin_popcount(lines[i].sectors);
        *both += line ? (unsigned)__builtin_popcount(lines[i].sectors & line->sectors) : 0;
    }
    free(lines);
    free(of_other);
}

// Has blocks come in pairs of neighbours that load most of the same sectors, as the first few pairs do.
static void choose_next(struct trace *trace)
{
    enum { FEW = 8 * PAIR };
    const uint32_t first = trace->resident + 1;
    uint64_t sectors = 0, both = 0;
    for (uint32_t i = first; trace->next && i < trace->block_count && i < first + FEW; i += PAIR)
        count_loaded(trace, &trace->next[i], &trace->blocks[i - 1], &sectors, &both);
    if (2 * both <= sectors)
        return;
    for (uint32_t i = first; i < trace->block_count; i += PAIR)
        exchange(&trace->blocks[i], &trace->next[i]);
}

int trace_choose(struct trace *trace, double mean)
{
    if (!trace->spread || stand_for_all(trace, mean)) {
        choose_next(trace);
        return 0;
    }
    choose_spread(trace);
    trace->is_broken |= !mix(trace);
    return 1;
}

// Of some of the trace's blocks, if there are any. Those of the spread ones that are among the first were not traced twice.
static const struct block_trace *find_idle(const struct trace *trace,
                                           const struct block_trace *blocks, uint32_t count)
{
    for (uint32_t i = 0; i < count && blocks; i++)
        if (!blocks[i].line_count && trace_executed(trace, &blocks[i]) > 0)
            return &blocks[i];
    return NULL;
}

const struct block_trace *trace_idle(const struct trace *trace)
{
    const struct block_trace *idle = find_idle(trace, trace->blocks, trace->block_count);
    if (!idle)
        idle = find_idle(trace, trace->next, trace->traced);
    return idle ? idle : find_idle(trace, trace->spread, trace->traced);
}

static size_t items_of(const struct trace *trace, const struct block_trace *block)
{
    size_t items = 0;
    for (uint32_t w = 0; w < trace->warps; w++)
        items += block->warps[w].count;
    return items;
}

static int is_cut(const struct trace *trace)
{
    int is_full = 0;
    for (uint32_t b = 0; b < trace->block_count; b++)
        for (uint32_t w = 0; w < trace->warps; w++)
            is_full |= trace->blocks[b].warps[w].is_full;
    return is_full;
}

// Ends the warp's trace as if it had had these limits from the start.
static void cut(struct warp_trace *warp, uint32_t limit, uint32_t line_limit)
{
    uint32_t count = 0;
    warp->lines = 0;
    while (count < warp->count && count < limit && warp->lines < line_limit)
        warp->lines += warp->items[count++].lines;
    warp->is_full |= count < warp->count;
    warp->count = count;
}

void trace_trim(struct trace *trace)
{
    uint32_t blocks = 0, least = LEAST_WAVES * trace->resident + 1;
    if (is_cut(trace)) {
        uint32_t limit = a_warps(trace, MAX_ITEMS), line_limit = a_warps(trace, MAX_LINES);
        for (uint32_t b = 0; b < trace->block_count; b++)
            for (uint32_t w = 0; w < trace->warps; w++)
                cut(&trace->blocks[b].warps[w], limit, line_limit);
        return;
    }
    for (size_t items = 0, lines = 0; blocks < trace->block_count; blocks++) {
        items += items_of(trace, &trace->blocks[blocks]);
        lines += trace->blocks[blocks].line_count;
        if (blocks >= least && (trace->block_count - blocks) % trace->resident == 0 &&
            (items > MAX_ITEMS || lines > MAX_LINES))
            break;
    }
    for (uint32_t b = blocks; b < trace->block_count; b++)
        free_block(trace, &trace->blocks[b]);
    trace->block_count = blocks;
}

struct block_trace *trace_of_block(struct trace *trace, uint64_t number)
{
    if (!trace)
        return NULL;
    uint64_t i = number / trace->stride, after = number % trace->stride;
    if (after == 1 && trace->next && i + 1 < trace->block_count && comes_second(trace, i + 1))
        return &trace->next[i + 1];
    if (after > 0)
        return NULL;
    if (i < trace->block_count)
        return &trace->blocks[i];
    uint64_t at = (i * trace->block_count + trace->of_sm - 1) / trace->of_sm;
    int is_spread = trace->spread && at < trace->block_count && spread_to(trace, at) == i;
    return is_spread ? &trace->spread[at] : NULL;
}

void trace_end_block(struct trace *trace, uint64_t number, uint64_t executed, uint64_t asked)
{
    struct trace_part *part = &trace->parts[number / trace->part_blocks];
    atomic_fetch_add_explicit(&part->executed, executed, memory_order_relaxed);
    atomic_fetch_add_explicit(&part->asked, asked, memory_order_relaxed);
}

// Doubles an array that is full. Returns 0 when no memory is left.
static int grow(struct trace *trace, void **array, size_t capacity, size_t size)
{
    void *larger = realloc(*array, capacity * size);
    if (!larger)
        trace->is_broken = 1;
    else
        *array = larger;
    return larger != NULL;
}

void trace_instruction(struct trace *trace, struct warp_trace *warp, const struct instruction *in)
{
    warp->executed++;
    warp->is_full |= warp->count == trace->limit || warp->lines >= trace->line_limit;
    if (warp->is_full)
        return;
    if (warp->count == warp->capacity) {
        uint32_t capacity = warp->capacity ? 2 * warp->capacity : FIRST_CAPACITY;
        if (!grow(trace, (void **)&warp->items, capacity, sizeof *warp->items))
            return;
        warp->capacity = capacity;
    }
    warp->items[warp->count++] = (struct trace_item){.in = in};
}

// The item of the instruction that is being executed, or NULL when it was left out.
static struct trace_item *newest(struct warp_trace *warp)
{
    return warp->is_full || warp->count == 0 ? NULL : &warp->items[warp->count - 1];
}

// Room for the lines of the item, at most one for each lane and word. Returns 0 when there is none.
static int make_room(struct trace *trace, struct block_trace *block)
{
    enum { MOST = LANES * LANE_WORDS };
    if (block->line_count + MOST <= block->line_capacity)
        return 1;
    size_t capacity = 2 * block->line_capacity + 4 * MOST;
    if (!grow(trace, (void **)&block->lines, capacity, sizeof *block->lines))
        return 0;
    block->line_capacity = capacity;
    return 1;
}

// The lines that the newest request touches besides those that it has, numbered from `first` on for addresses from
// `origin` on.
static void add_lines(struct block_trace *block, struct warp_trace *warp, struct trace_item *item,
                      const struct access *access, uint64_t origin, uint64_t first)
{
    struct line_use uses[LANES];
    unsigned count = access_lines(access, origin, uses);
    item->lines = (uint16_t)(item->lines + count);
    warp->lines += count;
    for (unsigned i = 0; i < count; i++) {
        struct trace_line *line = &block->lines[block->line_count++];
        *line = (struct trace_line){.number = first + uses[i].number};
        for (unsigned s = 0; s < LINE_SECTORS; s++) {
            uint32_t bytes = line_use_sector(&uses[i], s);
            line->sectors |= (uint8_t)((bytes != 0) << s);
            line->whole |= (uint8_t)((bytes == UINT32_MAX) << s);
            line->parts[s] = (uint8_t)(bytes == UINT32_MAX ? 0 : __builtin_popcount(bytes));
        }
    }
}

// Of a generic access some lanes may ask for local memory, and then others for global memory: its lines follow each other.
static void begin_lines(struct trace_item *item, const struct block_trace *block)
{
    if (item->lines == 0)
        item->first_line = (uint32_t)block->line_count;
}

void trace_global(struct trace *trace, struct block_trace *block, struct warp_trace *warp,
                  const struct access *access)
{
    struct trace_item *item = newest(warp);
    if (!item || !make_room(trace, block))
        return;
    begin_lines(item, block);
    item->passes = (uint8_t)access_wavefronts(access);
    add_lines(block, warp, item, access, device_memory.base, 0);
}

void trace_local(struct trace *trace, struct block_trace *block, struct warp_trace *warp,
                 const struct access *access)
{
    struct trace_item *item = newest(warp);
    if (!item || !make_room(trace, block))
        return;
    unsigned words = access_words(access);
    begin_lines(item, block);
    item->passes = (uint8_t)words;
    for (unsigned w = 0; w < words; w++) {
        struct access of_words = access_local_word(access, w, 0);
        add_lines(block, warp, item, &of_words, 0, LOCAL_LINES);
    }
}

// Whether a lane's update takes a pass of its own: as many earlier lanes have its word as of no other word of the
// sector; those that have fewer go with earlier passes. *before is that number.
static int takes_a_pass(const struct access *access, int lane, unsigned before[LANES])
{
    uint64_t word = access->address[lane], sector = word / SECTOR_SIZE;
    unsigned most = 0;
    before[lane] = 0;
    for (int l = 0; l < lane; l++) {
        if (!(access->mask & lane_bit[l]) || access->address[l] / SECTOR_SIZE != sector)
            continue;
        before[lane] += access->address[l] == word;
        most = before[l] + 1 > most ? before[l] + 1 : most;
    }
    return before[lane] == most;
}

void trace_update(struct trace *trace, const struct access *access)
{
    unsigned before[LANES];
    FOR_LANES(l, access->mask) {
        if (takes_a_pass(access, l, before))
            atomic_fetch_add_explicit(&trace->passes[access->address[l] / DRAM_CHUNK % PASS_COUNTS],
                                      1, memory_order_relaxed);
    }
}

uint32_t trace_most_passes(const struct trace *trace)
{
    uint32_t most = 0;
    for (int i = 0; i < PASS_COUNTS; i++)
        most = trace->passes[i] > most ? trace->passes[i] : most;
    return most;
}

void trace_shared(struct warp_trace *warp, unsigned wavefronts)
{
    struct trace_item *item = newest(warp);
    if (item)
        item->wavefronts = (uint8_t)wavefronts;
}
