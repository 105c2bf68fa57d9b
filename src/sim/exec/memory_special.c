// Atomics, asynchronous copies and what turns addresses of one space into another's.
#include "sim/exec/execute.h"
#include "sim/exec/memory.h"
#include "sim/exec/trace.h"

void execute_to_window(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    FOR_LANES(l, mask)
        lane_put(lanes_at(warp, in->d), in->width_d, l,
                 lane_get(lanes_at(warp, in->a), in->width_a, l) + in->window);
}

void execute_is_space(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t holds = 0;
    for (int l = 0; l < LANES; l++) {
        uint64_t window = lane_get(lanes_at(warp, in->a), in->width_a, l) >> WINDOW_SHIFT;
        int is_there = in->space == SHARED  ? window == SHARED_WINDOW
                       : in->space == LOCAL ? window == LOCAL_WINDOW
                                            : window == 0 && in->space == GLOBAL;
        holds |= is_there ? lane_bit[l] : 0;
    }
    put_predicate(warp, in->d, holds, mask);
}

// Of `size` bytes, the first `b` come from global memory and the rest are zeros.
void execute_copy_async(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    struct access to, from;
    read_addresses(warp, in, in->d, in->width_d, mask, &to);
    read_addresses(warp, in, in->a, in->width_a, mask, &from);
    for (int l = 0; l < LANES; l++) // the displacement is the destination's
        from.address[l] += (uint64_t)in->source_offset - (uint64_t)in->offset;
    access_classify(&from);
    uint32_t wanted = mask;
    if (in->b != NO_SLOT)
        for (int l = 0; l < LANES; l++)
            if (((const u32 *)lanes_at(warp, in->b))[l] == 0)
                wanted &= ~lane_bit[l];
    from.mask = wanted;
    if (wanted != mask)
        access_classify(&from);
    if (wanted && !admit_global(warp, in, &from, ACCESS_LOAD, &to))
        return;
    if (!admit_shared(warp, in, &to, ACCESS_COPY, &from))
        return;
    FOR_LANES(l, mask) {
        uint32_t bytes = in->b == NO_SLOT ? in->size : ((const u32 *)lanes_at(warp, in->b))[l];
        bytes = bytes < in->size ? bytes : in->size;
        unsigned char *shared = warp->block->shared + to.address[l];
        memset(shared, 0, in->size);
        for (uint32_t i = 0; i < bytes; i++)
            shared[i] = (unsigned char)read_bits((const char *)(uintptr_t)from.address[l] + i, 1);
    }
}

// Replaces the value at `where` by a function of it, as one step among the host's threads.
static uint64_t update(void *where, unsigned size, scalar_fn *of, uint64_t b, uint64_t c)
{
    if (size == 4) {
        u32 old = __atomic_load_n((u32 *)where, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n((u32 *)where, &old, (u32)of(old, b, c), 0,
                                            __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
            ;
        return old;
    }
    u64 old = __atomic_load_n((u64 *)where, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n((u64 *)where, &old, of(old, b, c), 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
        ;
    return old;
}

static void update_lanes(struct warp *warp, const struct instruction *in,
                         const struct access *access, int is_shared)
{
    FOR_LANES(l, access->mask) {
        void *where = is_shared ? (void *)(warp->block->shared + access->address[l])
                                : (void *)(uintptr_t)access->address[l];
        uint64_t b = lane_get(lanes_at(warp, in->b), in->width_b, l), c = 0;
        if (in->c != NO_SLOT)
            c = lane_get(lanes_at(warp, in->c), in->width_c, l);
        uint64_t old = update(where, in->size, scalar_of(in), b, c);
        if (in->d != NO_SLOT)
            lane_put(lanes_at(warp, in->d), in->width_d, l, old);
    }
}

void execute_atomic(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    struct access shared, global;
    read_addresses(warp, in, in->a, in->width_a, mask, &global);
    shared = global;
    if (in->space == GENERIC) {
        global.mask &= ~split_window(&global, SHARED_WINDOW, &shared);
        access_classify(&global);
    } else if (in->space == SHARED) {
        global.mask = 0;
    } else {
        shared.mask = 0;
    }
    if (shared.mask && admit_shared(warp, in, &shared, ACCESS_ATOMIC, NULL))
        update_lanes(warp, in, &shared, 1);
    if (!global.mask || !admit_global(warp, in, &global, ACCESS_ATOMIC, NULL))
        return;
    if (warp->block->launch->trace)
        trace_update(warp->block->launch->trace, &global);
    update_lanes(warp, in, &global, 0);
}
