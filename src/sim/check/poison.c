#include "sim/check/poison.h"

#include <stdlib.h>

#include "sim/check/fault.h"
#include "sim/ptx/align_up.h"
#include "sim/ptx/operations.h"

static size_t mark_count(uint64_t frame_bytes, uint64_t local_bytes)
{
    return frame_bytes / SLOT_BYTES + local_bytes;
}

size_t poison_size(uint64_t frame_bytes, uint64_t local_bytes)
{
    return sizeof(struct poison) + mark_count(frame_bytes, local_bytes) * sizeof(uint32_t);
}

void poison_clear(struct warp *warp)
{
    struct poison *p = warp->poison;
    const struct launch *launch = warp->block->launch;
    warp->is_watched = warp->trace != NULL;
    if (!p || !(p->marked || p->carry || p->strayed))
        return;
    memset(p->lanes, 0, mark_count(launch->frame_bytes, launch->local_bytes) * sizeof *p->lanes);
    p->marked = 0;
    p->carry = p->strayed = 0;
    p->rejoin = NULL;
}

// Of a slot of the frame at those registers.
static uint32_t *marks_in(const struct warp *warp, const char *registers, slot at)
{
    return &warp->poison->lanes[((size_t)(registers - warp->frames_memory) + at) / SLOT_BYTES];
}

static uint32_t *marks_at(const struct warp *warp, slot at)
{
    return marks_in(warp, warp->registers, at);
}

// The lanes in which a register is undefined.
static uint32_t undefined(const struct warp *warp, slot at)
{
    return at == NO_SLOT ? 0 : *marks_at(warp, at);
}

static void mark(uint32_t *marks, struct poison *p, uint32_t lanes, uint32_t mask)
{
    uint32_t next = (*marks & ~mask) | (lanes & mask);
    p->marked += (next != 0) - (size_t)(*marks != 0);
    *marks = next;
}

static void put(struct warp *warp, slot at, uint32_t lanes, uint32_t mask)
{
    if (at != NO_SLOT)
        mark(marks_at(warp, at), warp->poison, lanes, mask);
}

// Of `size` bytes of the threads' local memory; NULL where it ends before.
static uint32_t *marks_of_local(const struct warp *warp, uint64_t address, uint64_t size)
{
    const struct launch *launch = warp->block->launch;
    if (size > launch->local_bytes || address > launch->local_bytes - size)
        return NULL;
    return &warp->poison->lanes[launch->frame_bytes / SLOT_BYTES + address];
}

// The lanes in which a byte of it is undefined.
static uint32_t undefined_local(const struct warp *warp, uint64_t address, uint64_t size)
{
    const uint32_t *marks = marks_of_local(warp, address, size);
    uint32_t lanes = 0;
    for (uint64_t i = 0; marks && i < size; i++)
        lanes |= marks[i];
    return lanes;
}

static void put_local(struct warp *warp, uint64_t address, uint64_t size, uint32_t lanes,
                      uint32_t mask)
{
    uint32_t *marks = marks_of_local(warp, address, size);
    for (uint64_t i = 0; marks && i < size; i++)
        mark(&marks[i], warp->poison, lanes, mask);
}

static void copy_local(struct warp *warp, uint64_t to, uint64_t from, uint64_t size, uint32_t mask)
{
    for (uint64_t i = 0; i < size; i++)
        put_local(warp, to + i, 1, undefined_local(warp, from + i, 1), mask);
}

// Why lane `from` has nothing to give to a reader that names those lanes; NULL when it has.
static const char *absence_of(const struct warp *warp, uint32_t mask, uint32_t named, int from)
{
    if (!(named & lane_bit[from]))
        return "which its mask does not name";
    if (mask & lane_bit[from])
        return NULL;
    return !(warp->population & lane_bit[from]) ? "which the block has no thread for"
           : !(warp->live & lane_bit[from])     ? "which has exited"
                                                : "which does not execute it";
}

void poison_shuffle(struct warp *warp, const struct instruction *in, uint32_t mask,
                    const int from[LANES])
{
    struct poison *p = warp->poison;
    const u32 *members = in->members == NO_SLOT ? NULL : lanes_at(warp, in->members);
    uint32_t named = ALL_LANES, sources = undefined(warp, in->a);
    for (int l = 0; l < LANES && members; l++)
        named &= members[l];
    if ((mask & named) == ALL_LANES && !warp->is_watched)
        return;
    uint32_t lanes = undefined(warp, in->b) | undefined(warp, in->c) | p->strayed;
    struct poison_origin before[LANES];
    memcpy(before, p->origin, sizeof before);
    for (int l = 0; l < LANES; l++) {
        if (!(mask & lane_bit[l]))
            continue;
        uint32_t of_lane = members ? members[l] : ALL_LANES;
        const char *absence = absence_of(warp, mask, of_lane, from[l]);
        if (!absence && !(sources & lane_bit[from[l]]))
            continue;
        lanes |= lane_bit[l];
        if (sources & lane_bit[l]) // as in a sum: what it has is undefined already
            continue;
        if (absence)
            p->origin[l] = (struct poison_origin){in, l, from[l], of_lane, absence};
        else
            p->origin[l] = before[from[l]];
    }
    put(warp, in->d, lanes, mask);
    warp->is_watched |= p->marked > 0;
}

// Raises a fault when a lane in `lanes` has an undefined value. Returns whether it did.
static int is_used(struct warp *warp, const struct instruction *in, uint32_t lanes, const char *how)
{
    if (!lanes)
        return 0;
    const struct poison_origin *o = &warp->poison->origin[__builtin_ctz(lanes)];
    fault_raise(warp, o->in, o->reader, FAULT_LANES,
                "lane %d of the warp reads lane %d, %s (mask 0x%08x): what it gets is undefined, "
                "and %s in line %u %s",
                o->reader, o->from, o->absence, o->named, in->opcode,
                in->outer_line ? in->outer_line : in->line, how);
    return 1;
}

// The lanes in which a register is known to be zero.
static uint32_t zeros(const struct warp *warp, slot at, unsigned width)
{
    uint32_t lanes = 0;
    for (int l = 0; l < LANES; l++)
        lanes |= lane_get(lanes_at(warp, at), width, l) == 0 ? lane_bit[l] : 0;
    return lanes & ~undefined(warp, at);
}

// Of a conjunction, or else a disjunction, of predicates: undefined unless one that is known decides.
static uint32_t of_logic(uint32_t a, uint32_t value_a, uint32_t b, uint32_t value_b, int is_and)
{
    uint32_t flip = is_and ? 0 : ALL_LANES;
    return (a & b) | (a & (value_b ^ flip)) | (b & (value_a ^ flip));
}

static uint32_t of_predicates(const struct warp *warp, const struct instruction *in)
{
    uint32_t a = undefined(warp, in->a), b = undefined(warp, in->b);
    if (in->combine != COMBINE_AND && in->combine != COMBINE_OR)
        return a | b;
    return of_logic(a, *predicate_at(warp, in->a), b, *predicate_at(warp, in->b),
                    in->combine == COMBINE_AND);
}

static uint32_t of_selection(const struct warp *warp, const struct instruction *in)
{
    uint32_t chosen = *predicate_at(warp, in->c);
    return undefined(warp, in->c) | (undefined(warp, in->a) & chosen) |
           (undefined(warp, in->b) & ~chosen);
}

// Zero decides of a product of integers, and of `and`.
static uint32_t of_arithmetic(const struct warp *warp, const struct instruction *in)
{
    uint32_t a = undefined(warp, in->a), b = undefined(warp, in->b);
    const struct operation *operation = &operations[in->operation];
    int is_product = operation->kind >= MUL && operation->kind <= MAD_WIDE &&
                     !type_is_float((enum type)in->type);
    if ((a | b) && (is_product || strncmp(operation->name, "and.", 4) == 0)) {
        a &= ~zeros(warp, in->b, in->width_b);
        b &= ~zeros(warp, in->a, in->width_a);
    }
    return a | b | undefined(warp, in->c) | undefined(warp, in->e);
}

// What lanes make together, of all their values: undefined for all that name one whose value is.
static uint32_t of_group(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    struct poison *p = warp->poison;
    uint32_t some = (undefined(warp, in->a) | p->strayed) & mask, lanes = some;
    for (int l = 0; l < LANES && some; l++) {
        uint32_t named = in->members == NO_SLOT ? some : ((u32 *)lanes_at(warp, in->members))[l];
        if (!(mask & ~some & lane_bit[l]) || !(named & some))
            continue;
        p->origin[l] = p->origin[__builtin_ctz(named & some)];
        lanes |= lane_bit[l];
    }
    return lanes;
}

static uint32_t of_values(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    uint32_t lanes = 0;
    switch (in->op) {
    case OP_PREDICATE:
        return of_predicates(warp, in);
    case OP_SELECT:
        return of_selection(warp, in);
    case OP_ARITHMETIC:
        return of_arithmetic(warp, in);
    case OP_VOTE:
    case OP_MATCH:
    case OP_REDUCE:
        return of_group(warp, in, mask);
    case OP_ATOMIC:
        return 0; // it comes from memory that all see
    case OP_PACK:
        for (unsigned i = 0; i < in->vector; i++)
            lanes |= undefined(warp, in->v[i]);
        return lanes;
    case OP_CARRY:
        lanes = in->takes_carry ? warp->poison->carry : 0;
        break;
    default:
        break;
    }
    return lanes | undefined(warp, in->a) | undefined(warp, in->b) | undefined(warp, in->c) |
           undefined(warp, in->e);
}

// The lanes whose access is to local memory, and where there.
static uint32_t local_places(const struct warp *warp, const struct instruction *in,
                             uint64_t places[LANES])
{
    uint32_t lanes = 0;
    if (in->space != GENERIC && in->space != LOCAL && in->space != PARAM)
        return 0;
    for (int l = 0; l < LANES; l++) {
        uint64_t address = lane_get(lanes_at(warp, in->a), in->width_a, l) + (uint64_t)in->offset;
        if (in->space != GENERIC || address >> WINDOW_SHIFT == LOCAL_WINDOW)
            lanes |= lane_bit[l];
        places[l] = in->width_a == 4 ? (uint32_t)address : address & (LOCAL_BASE - 1);
    }
    return lanes;
}

// Whether an access, or the result of a barrier, depends on an undefined value: a fault. `guards`: the lanes
// in which it is undefined whether it is executed at all.
static int is_misused(struct warp *warp, const struct instruction *in, uint32_t mask,
                      uint32_t guards)
{
    uint32_t address = undefined(warp, in->a), stored = warp->poison->strayed & mask;
    uint64_t places[LANES];
    switch (in->op) {
    case OP_COPY_ASYNC:
        return is_used(warp, in, (address | undefined(warp, in->d)) & mask,
                       "takes it as an address");
    case OP_BARRIER:
        return is_used(warp, in, undefined(warp, in->c) & mask, "hands it to the block");
    case OP_LOAD:
        return is_used(warp, in, address & mask, "takes it as an address");
    case OP_STORE:
    case OP_ATOMIC:
        break;
    default:
        return 0;
    }
    stored |= (undefined(warp, in->b) | undefined(warp, in->c)) & mask;
    for (unsigned i = 0; i < in->vector && in->vector > 1; i++)
        stored |= undefined(warp, in->v[i]) & mask;
    stored |= guards;
    return is_used(warp, in, address & mask, "takes it as an address") ||
           (stored && is_used(warp, in, stored & ~local_places(warp, in, places), "stores it"));
}

static void put_results(struct warp *warp, const struct instruction *in, uint32_t lanes,
                        uint32_t mask)
{
    for (unsigned i = 0; i < in->vector && in->op == OP_UNPACK; i++)
        put(warp, in->v[i], lanes, mask);
    put(warp, in->d, lanes, mask);
    put(warp, in->q, lanes, mask);
    if (in->sets_carry)
        warp->poison->carry = (warp->poison->carry & ~mask) | (lanes & mask);
}

// What lies between a branch and where its lanes are together again.
struct region {
    const struct function *function;
    const struct instruction *end;
    unsigned char *queued; // of each of the function's instructions: it was put into `left` before
    const struct instruction **left;
    size_t left_count;
};

static void enqueue(struct region *region, const struct instruction *in)
{
    unsigned char *queued = &region->queued[in - region->function->code];
    if (in == region->end || *queued)
        return;
    *queued = 1;
    region->left[region->left_count++] = in;
}

static void enqueue_next(struct region *region, const struct instruction *in)
{
    int ends = in->op == OP_RETURN || in->op == OP_EXIT || in->op == OP_BRANCH;
    if (in->op == OP_BRANCH)
        enqueue(region, in->target);
    for (size_t i = 0; in->op == OP_JUMP_TABLE && i < in->table->count; i++)
        enqueue(region, in->table->targets[i]);
    if (in->op != OP_END && in->op != OP_JUMP_TABLE && !(ends && in->guard == NO_SLOT))
        enqueue(region, in + 1);
}

// Where it is undefined which way a lane goes, all that any way writes is.
static void mark_region(struct warp *warp, const struct instruction *branch, uint32_t lanes)
{
    const struct function *function = warp->frames[warp->frame_count - 1].function;
    struct region region = {.function = function,
                            .end = branch->reconverge,
                            .queued = calloc(function->length, 1),
                            .left = calloc(function->length, sizeof *region.left)};
    if (region.queued && region.left && region.end)
        enqueue_next(&region, branch);
    while (region.left_count) {
        const struct instruction *in = region.left[--region.left_count];
        enqueue_next(&region, in);
        for (unsigned i = 0; i < in->vector && in->op == OP_LOAD; i++)
            put(warp, in->v[i], lanes, lanes);
        if (in->op == OP_CALL && in->call->result_count)
            put(warp, in->call->results[0].from, lanes, lanes);
        if (in->op != OP_COPY_ASYNC)
            put_results(warp, in, lanes, lanes);
    }
    free(region.queued);
    free(region.left);
}

// Lanes that an undefined value sends somewhere: what they compute until all meet again is undefined.
static void note_strayed(struct warp *warp, const struct instruction *in, uint32_t lanes)
{
    struct poison *p = warp->poison;
    p->strayed |= lanes;
    if (lanes)
        mark_region(warp, in, lanes);
    if (!lanes || p->rejoin)
        return;
    p->rejoin = in->reconverge;
    p->rejoin_frame = warp->frame_count;
}

static void note_rejoined(struct warp *warp, const struct instruction *in)
{
    struct poison *p = warp->poison;
    if (in != p->rejoin || warp->frame_count != p->rejoin_frame)
        return;
    p->strayed &= ~warp->now.mask;
    if (!p->strayed)
        p->rejoin = NULL;
}

// Of a load's values those that come from local memory may be undefined: what lies elsewhere was stored, and told.
static void load(struct warp *warp, const struct instruction *in, uint32_t mask, uint32_t guards)
{
    uint64_t places[LANES];
    uint32_t local = local_places(warp, in, places) & mask;
    for (unsigned i = 0; i < in->vector; i++) {
        uint32_t lanes = warp->poison->strayed & mask;
        for (int l = 0; l < LANES; l++)
            if (local & lane_bit[l])
                lanes |= undefined_local(warp, places[l] + i * in->size, in->size) & lane_bit[l];
        put(warp, in->v[i], lanes | guards, mask | guards);
    }
}

static void store(struct warp *warp, const struct instruction *in, uint32_t mask, uint32_t guards)
{
    uint64_t places[LANES];
    uint32_t local = local_places(warp, in, places) & (mask | guards);
    for (unsigned i = 0; i < in->vector; i++) {
        uint32_t lanes = undefined(warp, in->v[i]) | warp->poison->strayed | guards;
        for (int l = 0; l < LANES; l++)
            if (local & lane_bit[l])
                put_local(warp, places[l] + i * in->size, in->size, lanes, lane_bit[l]);
    }
}

// A call's registers and local memory are new, but for its parameters.
static void enter_call(struct warp *warp, const struct call *call, uint32_t mask)
{
    const struct frame *frame = &warp->frames[warp->frame_count - 1];
    const struct function *caller = frame->function, *callee = call->function;
    if (call->builtin != NO_BUILTIN)
        return;
    uint64_t base = frame->local_base, local = base + align_up(caller->local_size, 16);
    for (slot at = 0; at < callee->frame_size; at += SLOT_BYTES)
        put(warp, caller->frame_size + at, 0, ALL_LANES);
    put_local(warp, local, callee->local_size, 0, mask);
    for (int i = 0; i < call->argument_count; i++) {
        const struct argument *from = &call->arguments[i];
        const struct variable *to = &callee->params[i];
        if (from->from == NO_SLOT)
            copy_local(warp, local + to->offset, base + from->offset, to->size, mask);
        else
            put_local(warp, local + to->offset, to->size, undefined(warp, from->from), mask);
    }
}

static void leave_call(struct warp *warp, uint32_t mask)
{
    if (warp->frame_count == 1)
        return;
    const struct frame *callee = &warp->frames[warp->frame_count - 1], *caller = callee - 1;
    if (!callee->call->result_count)
        return;
    const struct argument *to = &callee->call->results[0];
    const struct variable *from = &callee->function->result;
    uint64_t at = callee->local_base + from->offset;
    if (to->from == NO_SLOT)
        copy_local(warp, caller->local_base + to->offset, at, from->size, mask);
    else
        mark(marks_in(warp, warp->registers - caller->function->frame_size, to->from), warp->poison,
             undefined_local(warp, at, from->size), mask);
}

void poison_step(struct warp *warp, const struct instruction *in)
{
    struct poison *p = warp->poison;
    if (!p->marked && !p->carry && !p->strayed) // watched for the trace alone
        return;
    uint32_t here = warp->now.mask, mask = here, guards = 0;
    note_rejoined(warp, in);
    if (in->guard != NO_SLOT) {
        mask &= *predicate_at(warp, in->guard) ^ (in->guard_negated ? ALL_LANES : 0);
        guards = undefined(warp, in->guard) & here;
    }
    if (is_misused(warp, in, mask, guards))
        return;
    switch (in->op) {
    case OP_SHUFFLE: // see poison_shuffle()
    case OP_COPY_ASYNC:
        return;
    case OP_LOAD:
        load(warp, in, mask, guards);
        break;
    case OP_STORE:
        store(warp, in, mask, guards);
        break;
    case OP_BRANCH:
    case OP_RETURN:
    case OP_EXIT:
    case OP_JUMP_TABLE:
        note_strayed(warp, in, guards | (undefined(warp, in->a) & mask));
        break;
    case OP_CALL:
        enter_call(warp, in->call, mask);
        break;
    case OP_END:
        leave_call(warp, mask);
        break;
    default:
        put_results(warp, in, ((of_values(warp, in, mask) | p->strayed) & mask) | guards,
                    mask | guards);
        break;
    }
    if (!p->marked && !p->carry && !p->strayed)
        warp->is_watched = warp->trace != NULL;
}
