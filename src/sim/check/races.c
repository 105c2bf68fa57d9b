#include "sim/check/races.h"

#include <pthread.h>

// One access, and what is known of the last one to the same word.
struct meeting {
    const struct warp *warp;
    uint32_t me, thread; // numbers of this thread and of the last one, modulo 2^27
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

static uint32_t number_of(const struct warp *warp, int lane)
{
    uint64_t first = warp->block->number * warp->block->launch->threads_per_block;
    return (uint32_t)first + warp->number * LANES + (uint32_t)lane;
}

static uint16_t interval_of(const struct warp *warp)
{
    return warp->interval < MAX_INTERVAL ? (uint16_t)warp->interval : MAX_INTERVAL;
}

static enum owner_state first_state(enum access_kind kind)
{
    return kind == ACCESS_LOAD     ? READ_BY_THREAD
           : kind == ACCESS_ATOMIC ? ATOMIC_BY_THREAD
                                   : WRITTEN;
}

// Whether an access of warp `by` in that interval was handed over to this one's warp.
static int is_handed_over(const struct meeting *m, const struct warp *by)
{
    return m->warp->has_acquired && m->interval < by->released_interval;
}

// Whether the last access of that thread came before this one. A count of intervals that has
// reached its end tells nothing: then no alarm is given.
static int is_ordered(const struct meeting *m)
{
    if (m->same_thread || m->interval == MAX_INTERVAL)
        return 1;
    if (m->same_warp)
        return m->interval < m->warp->sync_interval || is_handed_over(m, m->warp);
    uint32_t first = (uint32_t)(m->warp->block->number * m->warp->block->launch->threads_per_block);
    const struct warp *other = &m->warp->block->warps[((m->thread - first) & OWNER_MASK) / LANES];
    return m->interval < other->barrier_interval || is_handed_over(m, other);
}

// The same for all threads of this block that the state stands for, of whom the last is known.
static int all_ordered(const struct meeting *m)
{
    if (!m->same_warp || m->interval == MAX_INTERVAL || is_handed_over(m, m->warp))
        return is_ordered(m);
    switch (m->state) {
    case READ_BY_WARP:
    case WRITTEN_READ_BY_WARP:
    case ATOMIC_BY_WARP:
    case MIXED_BY_WARP:
        return m->interval < m->warp->sync_interval;
    case READ_BY_BLOCK:
    case WRITTEN_READ_BY_BLOCK:
    case ATOMIC_BY_BLOCK:
    case MIXED_BY_BLOCK:
        return m->interval < m->warp->barrier_interval;
    default:
        return is_ordered(m);
    }
}

static int is_by_block(enum owner_state state)
{
    return state == READ_BY_BLOCK || state == WRITTEN_READ_BY_BLOCK || state == ATOMIC_BY_BLOCK ||
           state == MIXED_BY_BLOCK;
}

static int is_written(enum owner_state state)
{
    return state >= WRITTEN && state <= WRITTEN_READ_BY_BLOCK;
}

static int is_only_read(enum owner_state state)
{
    return state >= READ_BY_THREAD && state <= READ_BY_BLOCKS;
}

static int is_only_atomic(enum owner_state state)
{
    return state >= ATOMIC_BY_THREAD && state <= ATOMIC_BY_BLOCKS;
}

static int is_atomic(enum owner_state state)
{
    return state >= ATOMIC_BY_THREAD && state <= MIXED_BY_BLOCK;
}

int owners_agree(uint32_t a, uint32_t b)
{
    enum owner_state x = (enum owner_state)(a >> OWNER_SHIFT),
                     y = (enum owner_state)(b >> OWNER_SHIFT);
    return x == UNTOUCHED || y == UNTOUCHED || (is_only_read(x) && is_only_read(y)) ||
           (is_only_atomic(x) && is_only_atomic(y));
}

// One more thread does what others of its block did: who they are now, from `by_thread` on.
static enum owner_state joined(const struct meeting *m, enum owner_state by_thread)
{
    if (all_ordered(m))
        return by_thread;
    return m->same_warp && !is_by_block(m->state) ? by_thread + 1 : by_thread + 2;
}

// Whether this thread alone changed the word and others have still to be ordered with that.
static int is_mine(const struct meeting *m, enum owner_state state)
{
    return m->same_thread && m->state == state && m->interval >= m->warp->barrier_interval;
}

// The same, and not even its warp met since then: after a __syncwarp() the warp's own lanes are
// ordered with the change, and only what comes after it may be held against them.
static int is_mine_now(const struct meeting *m, enum owner_state state)
{
    return is_mine(m, state) && m->interval >= m->warp->sync_interval;
}

static enum owner_state after_load(const struct meeting *m, int fenced, int *race)
{
    int was_changed = is_written(m->state) || is_atomic(m->state);
    if (m->state == UNTOUCHED)
        return first_state(ACCESS_LOAD);
    if (m->state == READ_BY_BLOCKS || m->state == UNTRACKED)
        return m->state;
    if (m->state == ATOMIC_BY_BLOCKS || !m->same_block) {
        *race = was_changed && !fenced;
        return was_changed ? UNTRACKED : READ_BY_BLOCKS;
    }
    if (is_mine(m, WRITTEN) || is_mine_now(m, ATOMIC_BY_THREAD) || is_mine_now(m, MIXED_BY_THREAD))
        return WRITTEN;
    if (m->state == WRITTEN) {
        *race = !is_ordered(m);
        return WRITTEN_READ_BY_THREAD;
    }
    *race = is_atomic(m->state) && !all_ordered(m);
    return joined(m, was_changed ? WRITTEN_READ_BY_THREAD : READ_BY_THREAD);
}

// A store, or with `atomic` what may meet others of its kind.
static enum owner_state after_write(const struct meeting *m, int atomic, int fenced, int *race)
{
    if (m->state == UNTOUCHED)
        return first_state(atomic ? ACCESS_ATOMIC : ACCESS_STORE);
    if (m->state == UNTRACKED)
        return UNTRACKED;
    int both = atomic && is_only_atomic(m->state);
    if (m->state == READ_BY_BLOCKS || m->state == ATOMIC_BY_BLOCKS || !m->same_block) {
        *race = !both && !fenced;
        return both ? ATOMIC_BY_BLOCKS : UNTRACKED;
    }
    if (atomic && is_atomic(m->state))
        return joined(m, both ? ATOMIC_BY_THREAD : MIXED_BY_THREAD);
    *race = !all_ordered(m);
    return atomic && !is_mine_now(m, WRITTEN) ? MIXED_BY_THREAD : WRITTEN;
}

// Whether the access can be in any order with what other blocks did.
static int is_independent(const struct meeting *m, enum access_kind kind)
{
    int by_blocks = m->state == READ_BY_BLOCKS || m->state == ATOMIC_BY_BLOCKS;
    if (m->state == UNTOUCHED || (m->same_block && !by_blocks))
        return 1;
    return (kind == ACCESS_LOAD && is_only_read(m->state)) ||
           (kind == ACCESS_ATOMIC && is_only_atomic(m->state));
}

// What check_one() enters, and where.
struct entry {
    struct warp *warp;
    int lane;
    enum access_kind kind;
    int same_value, is_mine;
};

// Replaces what was known of a word. Others may do so too where the shadow is not this worker's alone:
// then 0 says that one did, and nothing was replaced.
static int replace(const struct entry *e, uint32_t *owner, uint32_t old, uint32_t next)
{
    if (!e->is_mine)
        return __atomic_compare_exchange_n(owner, &old, next, 0, __ATOMIC_RELEASE,
                                           __ATOMIC_RELAXED);
    *owner = next;
    return 1;
}

// The same for a word as a whole, or for one byte, of which `old` is known. Returns 0 when another worker
// changed that meanwhile. The interval is of no use to other blocks: so it may follow.
static int check_one(const struct entry *e, uint32_t *owner, uint32_t old, uint16_t *interval,
                     struct race *found)
{
    const struct warp *warp = e->warp;
    struct meeting m = meet(warp, e->lane, old, __atomic_load_n(interval, __ATOMIC_RELAXED));
    if (warp->block->launch->is_shared_out && !is_independent(&m, e->kind)) {
        found->is_dependent = 1;
        return 1;
    }
    int fenced = warp->block->launch->kernel->orders_blocks, race = 0;
    enum owner_state next = e->kind == ACCESS_LOAD
                                ? after_load(&m, fenced, &race)
                                : after_write(&m, e->kind != ACCESS_STORE, fenced, &race);
    if (race && e->same_value) // as if it had not been
        return 1;
    uint16_t now = interval_of(warp);
    if (e->kind != ACCESS_LOAD || m.state != WRITTEN || next != WRITTEN) { // its writer stays that
        if (!replace(e, owner, old, owner_word(next, m.me)))
            return 0;
        if (m.interval != now)
            __atomic_store_n(interval, now, __ATOMIC_RELAXED);
    }
    if (!race)
        return 1;
    // Of a word that was read since it was written, another block's write is what matters.
    int is_read = m.state < WRITTEN || (is_written(m.state) && m.state != WRITTEN && m.same_block);
    const char *did = is_read ? "read" : is_atomic(m.state) ? "executed an atomic on" : "wrote";
    int by_blocks = m.state == READ_BY_BLOCKS || m.state == ATOMIC_BY_BLOCKS;
    int known =
        !by_blocks && !m.same_thread && (is_read || m.state <= WRITTEN || is_atomic(m.state));
    *found = (struct race){1, 0, did, known, m.thread, m.same_block && !by_blocks};
    return 1;
}

// From now on the word's bytes are looked at. Their states are there before the word says so; where others
// may do the same, one at a time does.
static void split(const struct entry *e, const struct shadow *shadow, size_t word)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    uint32_t *owner = &shadow->owner[word], old;
    if (!e->is_mine)
        pthread_mutex_lock(&lock);
    do {
        old = __atomic_load_n(owner, __ATOMIC_RELAXED);
        for (size_t i = 4 * word; i < 4 * word + 4 && !owner_is_split(old); i++) {
            shadow->byte_owner[i] = old;
            shadow->byte_interval[i] = __atomic_load_n(&shadow->interval[word], __ATOMIC_RELAXED);
        }
    } while (!owner_is_split(old) && !replace(e, owner, old, owner_word(SPLIT, 0)));
    if (!e->is_mine)
        pthread_mutex_unlock(&lock);
}

struct race race_check(struct warp *warp, int lane, enum access_kind kind, int same_value,
                       int is_mine, size_t word, unsigned bytes, const struct shadow *shadow)
{
    const struct entry entry = {warp, lane, kind, same_value, is_mine};
    struct race race = {.is_race = 0};
    uint32_t *owner = &shadow->owner[word], old = __atomic_load_n(owner, __ATOMIC_ACQUIRE);
    if (!old && bytes == WORD_WRITTEN &&
        race_enter_fresh(is_mine, owner_word(first_state(kind), number_of(warp, lane)),
                         interval_of(warp), word, shadow))
        return race;
    while (!owner_is_split(old) && bytes == WORD_WRITTEN) {
        if (check_one(&entry, owner, old, &shadow->interval[word], &race))
            return race;
        old = __atomic_load_n(owner, __ATOMIC_ACQUIRE);
    }
    if (!owner_is_split(old))
        split(&entry, shadow, word);
    for (size_t i = 4 * word; i < 4 * word + 4 && !race.is_race && !race.is_dependent; i++) {
        if (!(bytes >> i % 4 & 1))
            continue;
        owner = &shadow->byte_owner[i];
        while (!check_one(&entry, owner, __atomic_load_n(owner, __ATOMIC_RELAXED),
                          &shadow->byte_interval[i], &race))
            ;
    }
    return race;
}

void race_hand_over(struct warp *warp, const struct instruction *in)
{
    if (in->is_release)
        warp_fence(warp);
    if (in->is_atomic || !in->is_load)
        warp->released_interval = warp->fence_interval;
    warp->has_acquired = 1;
}
