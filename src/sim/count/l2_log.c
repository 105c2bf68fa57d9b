#include "sim/count/l2_log.h"

#include <stdlib.h>
#include <string.h>

#include "sim/count/dram_pages.h"
#include "sim/count/line_hash.h"

// Accesses of a launch that are kept, so that the memory for them is bounded.
enum { MAX_NOTED = 1 << 23 };

// A line of which a block has loaded some sectors.
struct loaded_line {
    uint64_t number;
    uint32_t block; // of those that have items, from 1 on
    uint32_t sectors;
};

void l2_forget(struct l2_accesses *accesses)
{
    for (size_t i = 0; i < accesses->run_count; i++)
        free(accesses->runs[i].log.items);
    free(accesses->runs);
    accesses->runs = NULL;
    accesses->run_count = accesses->run_capacity = 0;
    accesses->count = 0;
    accesses->rounds = 1;
}

void l2_begin_log(struct l2_accesses *accesses, uint64_t block_count)
{
    l2_forget(accesses);
    accesses->block_count = block_count;
    accesses->log2_sample = accesses->log2_most;
    accesses->is_broken = 0;
}

void l2_begin_block(struct l2_log *log)
{
    log->begun++;
    log->loads = log->stores = 0;
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

// Of the pages side by side, one in each partition's 2^log2_sample is (l2_sets.h has a page's partition by level 0).
static int is_sampled(unsigned log2_sample, uint64_t line)
{
    for (unsigned level = 1; level <= log2_sample; level++)
        if (side_of_pair(line / PAGE_LINES, level))
            return 0;
    return 1;
}

// Whether one of the access's lines is sampled; may say yes of lines between its lanes' too.
static int may_be_sampled(const struct l2_accesses *accesses, unsigned log2_sample,
                          const struct access *access)
{
    const uint64_t first = (access->address[0] - accesses->origin) / LINE_SIZE,
                   last = (access->address[LANES - 1] - accesses->origin) / LINE_SIZE;
    if (access->pattern == STRIDED && first == last)
        return is_sampled(log2_sample, first);
    for (int l = 0; l < LANES; l++)
        if (access->mask & lane_bit[l] &&
            is_sampled(log2_sample, (access->address[l] - accesses->origin) / LINE_SIZE))
            return 1;
    return 0;
}

// Drops what is not of the sample any more.
static void thin(const struct l2_accesses *accesses, struct l2_log *log)
{
    const unsigned log2_sample = accesses->log2_sample;
    if (log2_sample == accesses->log2_most)
        return;
    uint32_t begun = 0;
    size_t kept = 0;
    for (size_t i = 0; i < log->count; i++) {
        begun += log->items[i].begun;
        if (!is_sampled(log2_sample, log->items[i].use.number))
            continue;
        log->items[kept] = log->items[i];
        log->items[kept++].begun = (uint16_t)(begun < UINT16_MAX ? begun : UINT16_MAX);
        begun = 0;
    }
    log->begun += begun;
    log->count = kept;
}

// Of a log that alone is too much.
static void thin_alone(struct l2_accesses *accesses, struct l2_log *log)
{
    pthread_mutex_lock(&accesses->lock);
    thin(accesses, log);
    while (log->count >= MAX_NOTED) {
        accesses->log2_sample++;
        thin(accesses, log);
    }
    pthread_mutex_unlock(&accesses->lock);
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

void l2_note(struct l2_accesses *accesses, struct l2_log *log, const struct access *access,
             unsigned warp, uint32_t instruction, int is_store)
{
    uint16_t round = round_of(log, warp, is_store), store = log->warps[warp].stores;
    log->warps[warp].stores += is_store != 0;
    uint16_t number = (uint16_t)(is_store ? log->stores++ : log->loads++);
    const unsigned log2_sample = accesses->log2_sample;
    if (!may_be_sampled(accesses, log2_sample, access))
        return;
    struct line_use uses[LANES];
    unsigned count = access_lines(access, accesses->origin, uses);
    if (log->count >= MAX_NOTED)
        thin_alone(accesses, log);
    if (!make_room(log))
        return;
    for (unsigned i = 0; i < count; i++) {
        if (!is_sampled(log2_sample, uses[i].number))
            continue;
        uint16_t begun = (uint16_t)(log->begun < UINT16_MAX ? log->begun : UINT16_MAX);
        log->begun = 0;
        log->items[log->count++] = (struct l2_access){.use = uses[i],
                                                      .instruction = instruction,
                                                      .begun = begun,
                                                      .round = round,
                                                      .store = store,
                                                      .number = number,
                                                      .is_store = is_store != 0,
                                                      .warp = (uint8_t)warp};
    }
}

// Gives back what a log grew beyond its items: there is one for each run until the launch ends.
static void trim(struct l2_log *log)
{
    struct l2_access *items = log->count ? realloc(log->items, log->count * sizeof *items) : NULL;
    if (items)
        log->items = items;
}

// Keeps a page of the sample in two, till the runs are not too much.
static void thin_all(struct l2_accesses *accesses)
{
    while (accesses->count > MAX_NOTED) {
        accesses->log2_sample++;
        accesses->count = 0;
        for (size_t i = 0; i < accesses->run_count; i++) {
            struct l2_log *log = &accesses->runs[i].log;
            thin(accesses, log);
            trim(log);
            accesses->count += log->count;
        }
    }
}

void l2_commit(struct l2_accesses *accesses, struct l2_log *log, uint64_t first)
{
    pthread_mutex_lock(&accesses->lock);
    thin(accesses, log);
    trim(log);
    if (accesses->run_count == accesses->run_capacity) {
        size_t capacity = 2 * accesses->run_capacity + 64;
        struct l2_run *runs = realloc(accesses->runs, capacity * sizeof *runs);
        if (runs) {
            accesses->runs = runs;
            accesses->run_capacity = capacity;
        }
    }
    if (accesses->run_count < accesses->run_capacity) {
        accesses->runs[accesses->run_count++] = (struct l2_run){*log, first};
        accesses->count += log->count;
        thin_all(accesses);
    } else {
        accesses->is_broken = 1;
        free(log->items);
    }
    accesses->is_broken |= log->is_broken;
    accesses->rounds = log->rounds + 1u > accesses->rounds ? log->rounds + 1u : accesses->rounds;
    pthread_mutex_unlock(&accesses->lock);
    *log = (struct l2_log){0};
}

// Whether the block has loaded all its sectors before; from now on it has.
static int is_loaded(struct loaded_line *loaded, const struct line_use *use, uint32_t block)
{
    unsigned sectors = line_use_sectors(use);
    if (loaded->number != use->number || loaded->block != block)
        *loaded = (struct loaded_line){.number = use->number, .block = block};
    int is_loaded = (sectors & ~loaded->sectors) == 0;
    loaded->sectors |= sectors;
    return is_loaded;
}

void l2_find_reloads(struct l2_accesses *accesses)
{
    enum { LINES = 256 };
    struct loaded_line loaded[LINES] = {{0}}; // by a hash
    uint32_t block = 0;
    for (size_t r = 0; r < accesses->run_count; r++)
        for (size_t i = 0; i < accesses->runs[r].log.count; i++) {
            struct l2_access *access = &accesses->runs[r].log.items[i];
            const struct line_use *use = &access->use;
            block += access->begun != 0;
            access->is_reload = !access->is_store &&
                                is_loaded(&loaded[mixed_bits(use->number) % LINES], use, block);
        }
}
