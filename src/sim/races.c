#include "races.h"

// One access, and what is known of the last one to the same word.
struct meeting {
    const struct warp *warp;
    uint32_t me, thread; // numbers of this thread and of the last one, modulo 2^28
    enum owner_state state;
    uint32_t interval; // the last access's
    int same_thread, same_warp, same_block;
};

static struct meeting meet(const struct warp *warp, int lane, uint32_t owner, uint16_t interval)
{
    uint32_t threads = warp->block->launch->threads_per_block;
    uint32_t first = (uint32_t)(warp->block->number * threads) & OWNER_MASK;
    uint32_t mine = warp->number * LANES + (uint32_t)lane;
    struct meeting m = {.warp = warp,
                        .me = (first + mine) & OWNER_MASK,
                        .thread = owner & OWNER_MASK,
                        .state = (enum owner_state)(owner >> OWNER_SHIFT),
                        .interval = interval};
    uint32_t in_block = (m.thread - first) & OWNER_MASK;
    m.same_thread = m.thread == m.me;
    m.same_block = in_block < threads;
    m.same_warp = m.same_block && in_block / LANES == warp->number;
    return m;
}

// Whether the last access of that thread came before this one by a barrier. A count of intervals
// that has reached its end tells nothing: then no alarm is given.
static int is_ordered(const struct meeting *m)
{
    if (m->same_thread || m->interval == MAX_INTERVAL)
        return 1;
    if (m->same_warp)
        return m->interval < m->warp->interval;
    uint32_t first = (uint32_t)(m->warp->block->number * m->warp->block->launch->threads_per_block);
    const struct warp *other = &m->warp->block->warps[((m->thread - first) & OWNER_MASK) / LANES];
    return m->interval < other->barrier_interval;
}

// The same for all readers of a word, of whom the last is known.
static int readers_ordered(const struct meeting *m)
{
    switch (m->state) {
    case READ_BY_WARP:
    case WRITTEN_READ_BY_WARP:
        if (m->same_warp)
            return m->interval == MAX_INTERVAL || m->interval < m->warp->interval;
        return is_ordered(m);
    case READ_BY_BLOCK:
    case WRITTEN_READ_BY_BLOCK:
        if (m->same_warp)
            return m->interval == MAX_INTERVAL || m->interval < m->warp->barrier_interval;
        return is_ordered(m);
    default:
        return is_ordered(m);
    }
}

static int is_written(enum owner_state state)
{
    return state >= WRITTEN && state <= WRITTEN_READ_BY_BLOCK;
}

static int is_atomic(enum owner_state state)
{
    return state == ATOMIC || state == ATOMIC_BY_BLOCKS;
}

// What one more reader makes of a word that only readers touched since its last write.
static enum owner_state joined(const struct meeting *m, int was_written)
{
    int ordered = readers_ordered(m);
    enum owner_state state;
    if (ordered || m->state == UNTOUCHED || m->state == WRITTEN)
        state = READ_BY_THREAD;
    else if (m->same_warp && m->state != READ_BY_BLOCK && m->state != WRITTEN_READ_BY_BLOCK)
        state = READ_BY_WARP;
    else
        state = READ_BY_BLOCK;
    return was_written ? state + (WRITTEN_READ_BY_THREAD - READ_BY_THREAD) : state;
}

static enum owner_state after_load(const struct meeting *m, int fenced, int *race)
{
    if (m->state == UNTOUCHED)
        return READ_BY_THREAD;
    if (is_atomic(m->state) || m->state == READ_BY_BLOCKS || m->state == UNTRACKED)
        return m->state; // a plain look at what atomics change is common and harmless
    if (is_written(m->state)) {
        if (m->same_thread && m->state == WRITTEN && m->interval >= m->warp->barrier_interval)
            return WRITTEN; // others have still to be ordered with the write
        *race = m->same_block ? m->state == WRITTEN && !is_ordered(m) : !fenced;
        return m->same_block ? joined(m, 1) : UNTRACKED;
    }
    return m->same_block ? joined(m, 0) : READ_BY_BLOCKS;
}

static enum owner_state after_store(const struct meeting *m, int fenced, int *race)
{
    if (m->state == UNTOUCHED)
        return WRITTEN;
    if (m->state == UNTRACKED)
        return UNTRACKED;
    if (m->state == READ_BY_BLOCKS || m->state == ATOMIC_BY_BLOCKS || !m->same_block) {
        *race = !fenced;
        return UNTRACKED;
    }
    *race = !readers_ordered(m);
    return WRITTEN;
}

static enum owner_state after_atomic(const struct meeting *m, int fenced, int *race)
{
    if (m->state == ATOMIC || m->state == ATOMIC_BY_BLOCKS)
        return m->same_block ? m->state : ATOMIC_BY_BLOCKS;
    if (m->state == UNTRACKED)
        return UNTRACKED;
    if (is_written(m->state))
        *race = m->same_block ? m->state == WRITTEN && !is_ordered(m) : !fenced;
    return m->same_block || m->state == UNTOUCHED ? ATOMIC : ATOMIC_BY_BLOCKS;
}

struct race race_check(struct warp *warp, int lane, enum access_kind kind, int is_whole,
                       int same_value, uint32_t *owner, uint16_t *interval)
{
    struct meeting m = meet(warp, lane, *owner, *interval);
    int fenced = warp->block->launch->kernel->orders_blocks, race = 0;
    enum owner_state next = kind == ACCESS_LOAD    ? after_load(&m, fenced, &race)
                            : kind == ACCESS_STORE ? after_store(&m, fenced, &race)
                                                   : after_atomic(&m, fenced, &race);
    if (!is_whole) // who touched which byte is not kept
        next = m.state == UNTOUCHED || !race ? UNTRACKED : next;
    uint32_t now = warp->interval < MAX_INTERVAL ? warp->interval : MAX_INTERVAL;
    if (kind != ACCESS_LOAD || next != WRITTEN) { // a writer that reads stays its last writer
        *owner = owner_word(next, m.me);
        if (*interval != now)
            *interval = (uint16_t)now;
    }
    int wrote = is_written(m.state) || is_atomic(m.state);
    int known = m.state != READ_BY_BLOCKS && m.state != ATOMIC_BY_BLOCKS &&
                !(m.state >= WRITTEN_READ_BY_THREAD && m.state <= WRITTEN_READ_BY_BLOCK);
    return (struct race){race && !same_value, wrote, known, m.thread};
}
