#include "sim/count/l2_log.h"

#include <stdlib.h>
#include <string.h>

#include "sim/count/dram_pages.h"

// Accesses of a launch that are noted, so that the memory for them is bounded: of a block as many as there are on
// average, and a few more, because a block that comes to a sampled page comes to many lines of it.
enum { MAX_NOTED = 1 << 23, MORE_OF_A_BLOCK = 16 };

void l2_forget(struct l2_accesses *accesses)
{
    for (size_t i = 0; i < accesses->run_count; i++)
        free(accesses->runs[i].log.items);
    free(accesses->runs);
    accesses->runs = NULL;
    accesses->run_count = accesses->run_capacity = 0;
    accesses->count = accesses->left_out = 0;
    accesses->rounds = 1;
}

void l2_begin_log(struct l2_accesses *accesses, uint64_t block_count)
{
    l2_forget(accesses);
    accesses->block_count = block_count;
    accesses->block_limit = MAX_NOTED / block_count + MORE_OF_A_BLOCK;
    accesses->is_broken = 0;
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

static int is_sampled(const struct l2_accesses *accesses, uint64_t line)
{
    return accesses->log2_sample == 0 ||
           line_hash(line / PAGE_LINES) >> (64 - accesses->log2_sample) == 0;
}

// Whether one of the access's lines is sampled; may say yes of lines between its lanes' too.
static int may_be_sampled(const struct l2_accesses *accesses, const struct access *access)
{
    const uint64_t first = (access->address[0] - accesses->origin) / LINE_SIZE,
                   last = (access->address[LANES - 1] - accesses->origin) / LINE_SIZE;
    if (access->pattern == STRIDED && first == last)
        return is_sampled(accesses, first);
    for (int l = 0; l < LANES; l++)
        if (access->mask & lane_bit[l] &&
            is_sampled(accesses, (access->address[l] - accesses->origin) / LINE_SIZE))
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

void l2_note(const struct l2_accesses *accesses, struct l2_log *log, const struct access *access,
             unsigned warp, uint32_t instruction, int is_store)
{
    uint16_t round = round_of(log, warp, is_store), store = log->warps[warp].stores;
    log->warps[warp].stores += is_store != 0;
    if (!may_be_sampled(accesses, access))
        return;
    struct line_use uses[LANES];
    unsigned count = access_lines(access, accesses->origin, uses);
    int is_full = log->count - log->block_start >= accesses->block_limit;
    if (!is_full && !make_room(log))
        return;
    for (unsigned i = 0; i < count; i++) {
        if (!is_sampled(accesses, uses[i].number))
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

// Gives back what a log grew beyond its items: there is one for each run until the launch ends.
static void trim(struct l2_log *log)
{
    struct l2_access *items = log->count ? realloc(log->items, log->count * sizeof *items) : NULL;
    if (items)
        log->items = items;
}

void l2_commit(struct l2_accesses *accesses, struct l2_log *log, uint64_t first)
{
    trim(log);
    pthread_mutex_lock(&accesses->lock);
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
        accesses->left_out += log->left_out;
    } else {
        accesses->is_broken = 1;
        free(log->items);
    }
    accesses->is_broken |= log->is_broken;
    accesses->rounds = log->rounds + 1u > accesses->rounds ? log->rounds + 1u : accesses->rounds;
    pthread_mutex_unlock(&accesses->lock);
    *log = (struct l2_log){0};
}
