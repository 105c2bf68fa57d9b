#include "sim/exec/memory.h"

#include "sim/check/checks.h"
#include "sim/check/endless.h"
#include "sim/check/fault.h"
#include "sim/exec/execute.h"
#include "sim/exec/trace.h"

void read_addresses(const struct warp *warp, const struct instruction *in, slot at, unsigned width,
                    uint32_t mask, struct access *access)
{
    access->mask = mask;
    access->size = (unsigned)in->size * in->vector;
    if (width == 8) {
        const u64 *a = lanes_at(warp, at);
        for (int l = 0; l < LANES; l++)
            access->address[l] = a[l] + (uint64_t)in->offset;
    } else {
        const u32 *a = lanes_at(warp, at);
        for (int l = 0; l < LANES; l++)
            access->address[l] = (uint32_t)(a[l] + (uint64_t)in->offset);
    }
    access_classify(access);
}

// Whether each lane's access is aligned and within [base, base + size). Raises the fault of the
// first that is not.
static int is_legal(struct warp *warp, const struct instruction *in, const struct access *access,
                    uint64_t base, uint64_t size, enum space space)
{
    const uint64_t *address = access->address;
    uint64_t misaligned = 0, outside = 0;
    if (access->mask == ALL_LANES) {
        for (int l = 0; l < LANES; l++) {
            misaligned |= address[l] & (access->size - 1);
            outside |= address[l] - base > size - access->size;
        }
        if (size >= access->size && !misaligned && !outside)
            return 1;
    }
    FOR_LANES(l, access->mask) {
        int is_inside = size >= access->size && address[l] - base <= size - access->size;
        if (is_inside && address[l] % access->size == 0)
            continue;
        fault_access(warp, in, l, is_inside ? FAULT_MISALIGNED : FAULT_OUT_OF_BOUNDS, address[l],
                     access->size, space, NULL);
        return 0;
    }
    return 1;
}

enum line_access_kind line_access_kind_of(const struct instruction *in, enum space space)
{
    int is_other = in->is_atomic || in->op == OP_COPY_ASYNC;
    if (space == SHARED)
        return is_other ? SHARED_OTHER : in->is_load ? SHARED_LOAD : SHARED_STORE;
    return is_other ? GLOBAL_OTHER : in->is_load ? GLOBAL_LOAD : GLOBAL_STORE;
}

// Shows an access to the timing model.
static void watch_global(struct warp *warp, const struct instruction *in,
                         const struct access *access)
{
    struct block *block = warp->block;
    if (block->launch->l2_accesses)
        l2_note(block->launch->l2_accesses, &block->l2_log, access, warp->number, in->index,
                !in->is_load);
    if (warp->trace)
        trace_global(block->launch->trace, block->trace, warp->trace, access);
}

// Shows an access to whoever asked for it with sim_watch().
static void show(struct warp *warp, const struct instruction *in, const struct access *access,
                 enum line_access_kind kind, unsigned passes)
{
    const struct launch *launch = warp->block->launch;
    int is_global = kind < SHARED_LOAD;
    struct sim_seen seen = {.kind = kind,
                            .file = module_file(launch->module, in->file),
                            .line = in->line,
                            .block = warp->block->number,
                            .warp = warp->number,
                            .mask = access->mask,
                            .size = access->size,
                            .sectors = is_global ? passes : 0,
                            .wavefronts = is_global ? 0 : passes};
    memcpy(seen.address, access->address, sizeof seen.address);
    launch->watcher(&seen, launch->watcher_context);
}

int admit_global(struct warp *warp, const struct instruction *in, struct access *access, int kind,
                 const struct access *to)
{
    if (!is_legal(warp, in, access, device_memory.base, device_memory.size, GLOBAL))
        return 0;
    if (device_memory.checks && warp->block->launch->checks &&
        !check_access(warp, in, access, GLOBAL, kind))
        return 0;
    struct instruction_counters *c = &warp->block->counters[in->index];
    struct footprint footprint = access_footprint(access);
    if (to && in->passes_l1)
        footprint.sectors = access_copy_sectors(to, access);
    c->requests++;
    c->sectors += footprint.sectors;
    c->tags += footprint.lines;
    c->bytes += footprint.bytes;
    c->ideal_sectors += access_ideal_sectors(access, footprint.sectors);
    watch_global(warp, in, access);
    if (warp->block->launch->watcher)
        show(warp, in, access, line_access_kind_of(in, GLOBAL), footprint.sectors);
    endless_note(warp, in, &c->reach, access->address[__builtin_ctz(access->mask)]);
    return 1;
}

static unsigned count_wavefronts(const struct warp *warp, const struct instruction *in,
                                 const struct access *access, const struct access *from)
{
    if (warp->block->launch->has_kepler_banks)
        return access_wavefronts_kepler(access);
    if (from)
        return access_copy_wavefronts(access, from, in->passes_l1);
    return in->is_load && !in->is_atomic ? access_load_wavefronts(access)
                                         : access_wavefronts(access);
}

int admit_shared(struct warp *warp, const struct instruction *in, struct access *access, int kind,
                 const struct access *from)
{
    if (!is_legal(warp, in, access, 0, warp->block->launch->shared_size, SHARED))
        return 0;
    if (warp->block->launch->checks && !check_access(warp, in, access, SHARED, kind))
        return 0;
    struct instruction_counters *c = &warp->block->counters[in->index];
    c->shared_requests++;
    int is_kepler = warp->block->launch->has_kepler_banks;
    unsigned bytes = access_bytes(access);
    unsigned wavefronts = count_wavefronts(warp, in, access, from);
    c->wavefronts += wavefronts;
    c->ideal_wavefronts += is_kepler ? access_ideal_wavefronts_kepler(bytes)
                                     : access_ideal_wavefronts(access, wavefronts);
    c->shared_bytes += bytes;
    if (warp->trace) // what a copy reads of L1 goes on beside what it writes
        trace_shared(warp->trace, from ? access_wavefronts(access) : wavefronts);
    if (warp->block->launch->watcher)
        show(warp, in, access, line_access_kind_of(in, SHARED), wavefronts);
    return 1;
}

// Shows a local access to it. In the L2 the warps that run at the same time have their memory side by side, and those that
// come later have it in their place.
static void watch_local(struct warp *warp, const struct instruction *in,
                        const struct access *access)
{
    struct block *block = warp->block;
    const struct launch *launch = block->launch;
    if (warp->trace)
        trace_local(launch->trace, block->trace, warp->trace, access);
    if (!launch->l2_accesses)
        return;
    const uint64_t running = (uint64_t)launch->trace->resident * launch->multiprocessors,
                   place = block->number % running * launch->warps_per_block + warp->number,
                   base = device_memory.base + LOCAL_LINES * LINE_SIZE +
                          place * launch->local_bytes * LANES;
    for (unsigned w = 0; w < access_words(access); w++) {
        struct access of_words = access_local_word(access, w, base);
        l2_note(launch->l2_accesses, &block->l2_log, &of_words, warp->number, in->index,
                !in->is_load);
    }
}

static int admit_local(struct warp *warp, const struct instruction *in, struct access *access)
{
    if (!is_legal(warp, in, access, 0, warp->block->launch->local_bytes, LOCAL))
        return 0;
    if (in->space == PARAM) // of a call: the hardware passes these in registers
        return 1;
    warp->block->counters[in->index].local_sectors += access_local_sectors(access);
    watch_local(warp, in, access);
    return 1;
}

// Where lane l's bytes are, in a space whose addresses were admitted.
static char *place(const struct warp *warp, const struct access *access, enum space space, int l)
{
    if (space == SHARED)
        return (char *)warp->block->shared + access->address[l];
    if (space == LOCAL)
        return warp->local + (uint64_t)l * warp->block->launch->local_bytes + access->address[l];
    return (char *)(uintptr_t)access->address[l];
}

static uint64_t extended(uint64_t bits, const struct instruction *in)
{
    unsigned unused = 64 - 8 * in->size;
    if (type_is_signed(in->type))
        return (uint64_t)((int64_t)(bits << unused) >> unused);
    return bits;
}

static void load_lanes(struct warp *warp, const struct instruction *in, const struct access *access,
                       enum space space)
{
    if (in->vector == 1 && in->size == 4 && in->width_d == 4) {
        u32 r[LANES] = {0};
        if (access->pattern == STRIDED && access->stride == 4 && space != LOCAL) {
            const u32 *from = (const u32 *)place(warp, access, space, 0);
            for (int l = 0; l < LANES; l++)
                r[l] = (u32)read_bits(&from[l], sizeof *r);
        } else {
            FOR_LANES(l, access->mask)
                r[l] = (u32)read_bits(place(warp, access, space, l), sizeof *r);
        }
        put_u32(lanes_at(warp, in->d), r, access->mask);
        return;
    }
    for (unsigned i = 0; i < in->vector; i++) {
        slot to = in->vector == 1 ? in->d : in->v[i];
        for (int l = 0; l < LANES && to != NO_SLOT; l++) {
            if (!(access->mask & lane_bit[l]))
                continue;
            uint64_t bits = read_bits(place(warp, access, space, l) + i * in->size, in->size);
            lane_put(lanes_at(warp, to), in->width_d, l, extended(bits, in));
        }
    }
}

static void store_lanes(struct warp *warp, const struct instruction *in,
                        const struct access *access, enum space space)
{
    if (in->vector == 1 && in->size == 4 && in->width_b == 4) {
        const u32 *b = lanes_at(warp, in->b);
        if (access->pattern == STRIDED && access->stride == 4 && space != LOCAL) {
            u32 *to = (u32 *)place(warp, access, space, 0);
            for (int l = 0; l < LANES; l++)
                write_bits(&to[l], sizeof *b, b[l]);
        } else {
            FOR_LANES(l, access->mask)
                write_bits(place(warp, access, space, l), sizeof *b, b[l]);
        }
        return;
    }
    for (unsigned i = 0; i < in->vector; i++) {
        const void *from = lanes_at(warp, in->vector == 1 ? in->b : in->v[i]);
        FOR_LANES(l, access->mask)
            write_bits(place(warp, access, space, l) + i * in->size, in->size,
                       lane_get(from, in->width_b, l));
    }
}

// Constants and a kernel's parameters lie in device memory but are read through a cache of their
// own: they are no global requests.
static int admit_constant(struct warp *warp, const struct instruction *in, struct access *access)
{
    return is_legal(warp, in, access, device_memory.base, device_memory.size, CONSTANT) &&
           (!warp->block->launch->checks || check_constant(warp, in, access));
}

static int admit(struct warp *warp, const struct instruction *in, struct access *access,
                 enum space space)
{
    int kind = in->is_volatile ? ACCESS_ATOMIC : in->is_load ? ACCESS_LOAD : ACCESS_STORE;
    switch (space) {
    case SHARED:
        return admit_shared(warp, in, access, kind, NULL);
    case LOCAL:
        return admit_local(warp, in, access);
    case CONSTANT:
        return admit_constant(warp, in, access);
    default:
        return admit_global(warp, in, access, kind, NULL);
    }
}

// Returns 0 when the access must not happen.
static int access_space(struct warp *warp, const struct instruction *in, struct access *access,
                        enum space space)
{
    if (!admit(warp, in, access, space))
        return 0;
    (in->is_load ? load_lanes : store_lanes)(warp, in, access, space);
    return 1;
}

uint32_t split_window(const struct access *from, unsigned window, struct access *part)
{
    *part = *from;
    part->mask = 0;
    for (int l = 0; l < LANES; l++) {
        if (from->address[l] >> WINDOW_SHIFT != window)
            continue;
        part->mask |= lane_bit[l] & from->mask;
        part->address[l] = from->address[l] & (((uint64_t)1 << WINDOW_SHIFT) - 1);
    }
    access_classify(part);
    return part->mask;
}

// Lanes of a generic access may be in different spaces: one space after the other.
static void access_generic(struct warp *warp, const struct instruction *in, struct access *all)
{
    static const enum space spaces[] = {[SHARED_WINDOW] = SHARED, [LOCAL_WINDOW] = LOCAL};
    struct access part;
    for (unsigned window = SHARED_WINDOW; window <= LOCAL_WINDOW; window++) {
        if (split_window(all, window, &part) && !access_space(warp, in, &part, spaces[window]))
            return;
        all->mask &= ~part.mask;
    }
    access_classify(all);
    if (all->mask)
        access_space(warp, in, all, GLOBAL);
}

void execute_access(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    // A call's parameters lie in local memory, a kernel's are constants.
    static const enum space lies_in[] = {
        [GLOBAL] = GLOBAL,     [SHARED] = SHARED, [LOCAL] = LOCAL,
        [CONSTANT] = CONSTANT, [PARAM] = LOCAL,   [KERNEL_PARAM] = CONSTANT};
    struct access access;
    read_addresses(warp, in, in->a, in->width_a, mask, &access);
    if (in->space == GENERIC)
        access_generic(warp, in, &access);
    else
        access_space(warp, in, &access, lies_in[in->space]);
}
