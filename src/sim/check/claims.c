#include "sim/check/claims.h"

#include "sim/check/races.h"

enum { LOG2_LINE = 7 };

static int claim_line(uint64_t line, uint16_t worker)
{
    uint16_t *claim = &device_memory.claims[line],
             keeper = __atomic_load_n(claim, __ATOMIC_RELAXED);
    if (!keeper &&
        __atomic_compare_exchange_n(claim, &keeper, worker, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return 1;
    return keeper == worker;
}

uint32_t claim_lines(const struct warp *warp, const struct access *access)
{
    const struct block *block = warp->block;
    if (!block->launch->is_shared_out)
        return access->mask;
    uint64_t first = (access->address[0] - device_memory.base) >> LOG2_LINE,
             last = (access->address[LANES - 1] - device_memory.base) >> LOG2_LINE;
    if (access->pattern == STRIDED && last - first <= 1 && claim_line(first, block->worker) &&
        claim_line(last, block->worker))
        return ALL_LANES;
    uint32_t mine = 0;
    last = UINT64_MAX;
    int is_mine = 0;
    for (int l = 0; l < LANES; l++) {
        if (!(access->mask & lane_bit[l]))
            continue;
        uint64_t line = (access->address[l] - device_memory.base) >> LOG2_LINE;
        if (line != last)
            is_mine = claim_line(line, block->worker);
        last = line;
        mine |= is_mine ? lane_bit[l] : 0;
    }
    return mine;
}

void claims_give_up(struct block *block)
{
    block->failed = 1;
    atomic_store(&block->launch->is_dependent, 1);
}

// Both shadows know of the word; byte by byte where one of them does.
static int word_agrees(size_t word)
{
    const struct device_memory *m = &device_memory;
    uint32_t a = m->shadow.owner[word], b = m->others.owner[word];
    if (!owner_is_split(a) && !owner_is_split(b))
        return owners_agree(a, b);
    for (size_t i = 4 * word; i < 4 * word + 4; i++)
        if (!owners_agree(owner_is_split(a) ? m->shadow.byte_owner[i] : a,
                          owner_is_split(b) ? m->others.byte_owner[i] : b))
            return 0;
    return 1;
}

int claims_agree(void)
{
    const struct device_memory *m = &device_memory;
    for (size_t i = 0; i <= (m->top - m->base) >> DIRTY_SHIFT; i++) {
        if (!(m->dirty[i] & DIRTY_OTHERS))
            continue;
        for (size_t word = i * PIECE_WORDS; word < (i + 1) * PIECE_WORDS; word++)
            if (m->others.owner[word] && m->shadow.owner[word] && !word_agrees(word))
                return 0;
    }
    return 1;
}
