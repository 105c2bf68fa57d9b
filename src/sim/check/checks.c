#include "sim/check/checks.h"

#include <string.h>

#include "sim/check/claims.h"
#include "sim/check/fault.h"
#include "sim/check/race_report.h"
#include "sim/check/races.h"

// The shadow of an access's space, and how to find a word in it.
struct view {
    const struct shadow *shadow;
    uint64_t base; // the address of the shadow's first word
    enum space space;
};

static struct view view_of(const struct warp *warp, enum space space)
{
    if (space == SHARED)
        return (struct view){&warp->block->shared_shadow, 0, space};
    return (struct view){&device_memory.shadow, device_memory.base, space};
}

static size_t word_of(const struct view *view, uint64_t address)
{
    return (size_t)((address - view->base) >> 2);
}

// The bytes that a store instruction writes for one lane: at most 16. Returns how many.
static unsigned stored_bytes(const struct warp *warp, const struct instruction *in, int lane,
                             unsigned char *bytes)
{
    for (unsigned i = 0; i < in->vector; i++) {
        slot from = in->vector == 1 ? in->b : in->v[i];
        uint64_t bits = lane_get(lanes_at(warp, from), in->width_b, lane);
        memcpy(bytes + i * in->size, &bits, in->size);
    }
    return (unsigned)in->vector * in->size;
}

static unsigned char *host_address(const struct warp *warp, enum space space, uint64_t address)
{
    return space == SHARED ? warp->block->shared + address : (unsigned char *)(uintptr_t)address;
}

// The bytes of the word that the access touches, one bit each.
static unsigned touched(uint64_t address, unsigned size)
{
    if (size >= 4)
        return WORD_WRITTEN;
    return ((1u << size) - 1) << (address & 3);
}

// Is the memory there, and for a read: was it written? Faults by the state of the word.
static int check_word_state(struct warp *warp, const struct instruction *in, int lane,
                            const struct view *view, uint64_t address, unsigned size,
                            unsigned bytes, int reads, uint8_t *state)
{
    uint8_t known = __atomic_load_n(state, __ATOMIC_RELAXED);
    unsigned tail = known >> WORD_TAIL_SHIFT;
    if (!(known & WORD_LIVE) || (tail && bytes >> tail)) {
        fault_access(warp, in, lane, known & WORD_FREED ? FAULT_FREED : FAULT_OUT_OF_BOUNDS,
                     address, size, view->space, NULL);
        return 0;
    }
    if (reads && (known & bytes) != bytes) {
        if (view->space != SHARED && warp->block->launch->is_shared_out) {
            claims_give_up(warp->block); // an earlier block may have to write it yet
            return 0;
        }
        fault_access(warp, in, lane, FAULT_UNWRITTEN, address, size, view->space,
                     view->space == SHARED ? "no thread of the block wrote what is read here: is "
                                             "all of it filled, and before the barrier?"
                                           : "nobody wrote what is read here");
        return view->space == SHARED; // there it may yet prove to be a race
    }
    if (!reads && (known & bytes) != bytes) {
        if (bytes == WORD_WRITTEN)
            __atomic_store_n(state, (uint8_t)(known | bytes), __ATOMIC_RELAXED);
        else // a neighbour may write the word's other bytes at the same time
            __atomic_fetch_or(state, (uint8_t)bytes, __ATOMIC_RELAXED);
    }
    return 1;
}

// Whether a store changes nothing: `size` is at most 4.
static int holds(const unsigned char *there, const unsigned char *stored, unsigned size)
{
    uint64_t bits = 0;
    memcpy(&bits, stored, size);
    return read_bits(there, size) == bits;
}

static void store(unsigned char *there, const unsigned char *stored, unsigned size)
{
    unsigned step = size < 4 ? size : 4;
    for (unsigned i = 0; i < size; i += step) {
        uint64_t bits = 0;
        memcpy(&bits, stored + i, step);
        write_bits(there + i, step, bits);
    }
}

// One lane, with all that can be wrong.
static int check_lane(struct warp *warp, const struct instruction *in, int lane,
                      const struct view *view, const struct access *access, enum access_kind kind,
                      int is_mine)
{
    uint64_t address = access->address[lane];
    unsigned char stored[16], *there = host_address(warp, view->space, address);
    int stores = kind == ACCESS_STORE;
    // A copy's write to shared memory is an access of ACCESS_COPY, not the load it starts with.
    int reads = kind != ACCESS_COPY && (in->is_load || in->is_atomic);
    if (stores)
        stored_bytes(warp, in, lane, stored);
    for (unsigned i = 0; i < access->size; i += 4) {
        size_t word = word_of(view, address + i);
        unsigned bytes = touched(address, access->size);
        if (!check_word_state(warp, in, lane, view, address, access->size, bytes, reads,
                              &view->shadow->state[word]))
            return 0;
        if (kind == ACCESS_ATOMIC && in->is_load)
            continue; // a volatile read
        unsigned size = access->size < 4 ? access->size : 4;
        int same = stores && holds(there + i, stored + i, size);
        struct race race = race_check(warp, lane, kind, same, is_mine, word, bytes,
                                      is_mine ? view->shadow : &device_memory.others);
        if (race.is_dependent) {
            claims_give_up(warp->block);
            return 0;
        }
        if (race.is_race) {
            race_report(warp, in, lane, view->space, address, access->size, &race);
            return 0;
        }
    }
    if (stores)
        store(there, stored, access->size);
    return 1;
}

static void mark_piece(size_t piece, uint8_t what)
{
    if ((__atomic_load_n(&device_memory.dirty[piece], __ATOMIC_ACQUIRE) & what) != what)
        device_note_dirty(piece, what);
}

static void mark_dirty(const struct access *access, uint32_t lanes, uint8_t what)
{
    size_t first = (access->address[0] - device_memory.base) >> DIRTY_SHIFT,
           last = (access->address[LANES - 1] - device_memory.base) >> DIRTY_SHIFT;
    if (access->pattern == STRIDED && first == last) {
        mark_piece(first, what);
        return;
    }
    for (int l = 0; l < LANES; l++)
        if (lanes & lane_bit[l])
            mark_piece((access->address[l] - device_memory.base) >> DIRTY_SHIFT, what);
}

// Claims the lines of a global access, and notes what it will write of shadows and of memory. Returns the
// lanes whose shadow is this worker's.
static uint32_t prepare(const struct warp *warp, const struct instruction *in,
                        const struct access *access, enum access_kind kind)
{
    uint8_t what = warp->interval ? DIRTY_OWNER | DIRTY_INTERVAL : DIRTY_OWNER;
    if (warp->block->launch->is_shared_out && kind != ACCESS_LOAD && !in->is_load)
        what |= DIRTY_SAVED;
    mark_dirty(access, access->mask, what);
    uint32_t mine = claim_lines(warp, access);
    if (mine != access->mask)
        mark_dirty(access, access->mask & ~mine, DIRTY_OTHERS);
    return mine;
}

// The lanes whose 4-byte word is ready and untouched: the common case, entered at once.
static inline __attribute__((always_inline)) uint32_t
enter_fresh(const struct warp *warp, const struct access *access, uint32_t mine,
            const struct view *view, enum access_kind kind)
{
    uint8_t *state = view->shadow->state;
    uint32_t passed = 0;
    uint64_t thread =
        warp->block->number * warp->block->launch->threads_per_block + warp->number * LANES;
    enum owner_state next = kind == ACCESS_LOAD ? READ_BY_THREAD : WRITTEN;
    uint16_t now = warp->interval < MAX_INTERVAL ? (uint16_t)warp->interval : MAX_INTERVAL;
    for (int l = 0; l < LANES; l++) {
        size_t word = word_of(view, access->address[l]);
        uint8_t known = __atomic_load_n(&state[word], __ATOMIC_RELAXED);
        int ready =
            kind == ACCESS_LOAD ? known == WORD_READY : (known & ~WORD_WRITTEN) == WORD_LIVE;
        int is_mine = (mine & lane_bit[l]) != 0;
        const struct shadow *shadow = is_mine ? view->shadow : &device_memory.others;
        if (!ready || !race_enter_fresh(is_mine, owner_word(next, (uint32_t)thread + (uint32_t)l),
                                        now, word, shadow))
            continue;
        if (kind == ACCESS_STORE)
            __atomic_store_n(&state[word], WORD_READY, __ATOMIC_RELAXED);
        passed |= lane_bit[l];
    }
    return passed;
}

// Stores what the lanes that were entered store: another may store the same to the same word.
static void store_entered(struct warp *warp, const struct instruction *in,
                          const struct access *access, enum space space, uint32_t entered)
{
    unsigned char stored[16];
    for (int l = 0; l < LANES; l++) {
        if (!(entered & lane_bit[l]))
            continue;
        store(host_address(warp, space, access->address[l]), stored,
              stored_bytes(warp, in, l, stored));
    }
}

int check_access(struct warp *warp, const struct instruction *in, const struct access *access,
                 enum space space, enum access_kind kind)
{
    struct view view = view_of(warp, space);
    uint32_t left = access->mask, mine = left;
    if (space != SHARED)
        mine = prepare(warp, in, access, kind);
    if (left == ALL_LANES && access->size == 4 && kind < ACCESS_ATOMIC &&
        !(access->pattern == STRIDED && access->stride == 0))
        left &= mine == ALL_LANES ? ~enter_fresh(warp, access, ALL_LANES, &view, kind)
                                  : ~enter_fresh(warp, access, mine, &view, kind);
    if (left && left != access->mask && kind == ACCESS_STORE)
        store_entered(warp, in, access, space, access->mask & ~left);
    for (int l = 0; l < LANES && left; l++) {
        if (!(left & lane_bit[l]))
            continue;
        if (!check_lane(warp, in, l, &view, access, kind, (mine & lane_bit[l]) != 0))
            return 0;
        left &= ~lane_bit[l];
    }
    if (kind == ACCESS_ATOMIC)
        race_hand_over(warp, in);
    return 1;
}

int check_constant(struct warp *warp, const struct instruction *in, const struct access *access)
{
    struct view view = view_of(warp, CONSTANT);
    for (int l = 0; l < LANES; l++)
        for (unsigned i = 0; i < access->size && access->mask & lane_bit[l]; i += 4) {
            uint64_t address = access->address[l];
            if (!check_word_state(warp, in, l, &view, address, access->size,
                                  touched(address, access->size), 1,
                                  &view.shadow->state[word_of(&view, address + i)]))
                return 0;
        }
    return 1;
}
