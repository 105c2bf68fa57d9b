#include "sim/check/poison.h"

#include "sim/check/fault.h"
#include "sim/ptx/operations.h"

size_t poison_size(uint64_t frame_bytes)
{
    return sizeof(struct poison) + (frame_bytes / SLOT_BYTES + 1) * sizeof(uint32_t);
}

void poison_clear(struct warp *warp)
{
    struct poison *p = warp->poison;
    warp->is_watched = warp->trace != NULL;
    if (!p || !(p->slots || p->carry || p->strayed))
        return;
    memset(p->lanes, 0, warp->block->launch->frame_bytes / SLOT_BYTES * sizeof *p->lanes);
    p->slots = 0;
    p->carry = p->strayed = 0;
    p->rejoin = NULL;
}

static uint32_t *marks_at(const struct warp *warp, slot at)
{
    return &warp->poison
                ->lanes[((size_t)(warp->registers - warp->frames_memory) + at) / SLOT_BYTES];
}

// The lanes in which a register is undefined.
static uint32_t undefined(const struct warp *warp, slot at)
{
    return at == NO_SLOT ? 0 : *marks_at(warp, at);
}

static void mark(uint32_t *marks, struct poison *p, uint32_t lanes, uint32_t mask)
{
    uint32_t next = (*marks & ~mask) | (lanes & mask);
    p->slots += (next != 0) - (size_t)(*marks != 0);
    *marks = next;
}

static void put(struct warp *warp, slot at, uint32_t lanes, uint32_t mask)
{
    if (at != NO_SLOT)
        mark(marks_at(warp, at), warp->poison, lanes, mask);
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
    warp->is_watched |= p->slots > 0;
}

// Raises a fault when a lane in `lanes` has an undefined value. Returns whether it did.
static int is_used(struct warp *warp, const struct instruction *in, uint32_t lanes, const char *how)
{
    if (!lanes)
        return 0;
    const struct poison_origin *o = &warp->poison->origin[__builtin_ctz(lanes)];
    fault_raise(
        warp, o->in, o->reader, FAULT_LANES,
        "lane %d of the warp reads lane %d, %s (mask 0x%08x): what it gets is undefined, and %s "
        "in line %u %s",
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
    case OP_LOAD:
    case OP_ATOMIC:
        return 0; // it comes from memory
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

// The lanes whose address is not in local memory.
static uint32_t beyond_local(const struct warp *warp, const struct instruction *in)
{
    if (in->space == LOCAL || in->space == PARAM)
        return 0;
    uint32_t lanes = ALL_LANES;
    for (int l = 0; l < LANES && in->space == GENERIC; l++)
        if (lane_get(lanes_at(warp, in->a), in->width_a, l) >> WINDOW_SHIFT == LOCAL_WINDOW)
            lanes &= ~lane_bit[l];
    return lanes;
}

// Whether an access, or the result of a barrier, depends on an undefined value: a fault. `guards`: the lanes
// in which it is undefined whether it is executed at all.
static int is_misused(struct warp *warp, const struct instruction *in, uint32_t mask,
                      uint32_t guards)
{
    uint32_t address = undefined(warp, in->a), stored = warp->poison->strayed & mask;
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
    return is_used(warp, in, address & mask, "takes it as an address") ||
           is_used(warp, in, (stored | guards) & beyond_local(warp, in), "stores it");
}

// Lanes that an undefined value sends somewhere: what they compute until all meet again is undefined.
static void note_strayed(struct warp *warp, const struct instruction *in, uint32_t lanes)
{
    struct poison *p = warp->poison;
    p->strayed |= lanes;
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

// A call's registers are new, and its result comes by memory.
static void enter_call(struct warp *warp, const struct call *call)
{
    if (call->builtin != NO_BUILTIN)
        return;
    const struct function *caller = warp->frames[warp->frame_count - 1].function;
    for (slot at = 0; at < call->function->frame_size; at += SLOT_BYTES)
        put(warp, caller->frame_size + at, 0, ALL_LANES);
    if (call->result_count)
        put(warp, call->results[0].from, 0, ALL_LANES);
}

static void put_results(struct warp *warp, const struct instruction *in, uint32_t lanes,
                        uint32_t mask)
{
    int is_vector = in->op == OP_UNPACK || (in->op == OP_LOAD && in->vector > 1);
    for (unsigned i = 0; i < in->vector && is_vector; i++)
        put(warp, in->v[i], lanes, mask);
    put(warp, in->d, lanes, mask);
    put(warp, in->q, lanes, mask);
    if (in->sets_carry)
        warp->poison->carry = (warp->poison->carry & ~mask) | (lanes & mask);
}

void poison_step(struct warp *warp, const struct instruction *in)
{
    struct poison *p = warp->poison;
    if (!p->slots && !p->carry && !p->strayed) // watched for the trace alone
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
    case OP_STORE:
    case OP_COPY_ASYNC:
        return;
    case OP_BRANCH:
    case OP_RETURN:
    case OP_EXIT:
    case OP_JUMP_TABLE:
        note_strayed(warp, in, guards | (undefined(warp, in->a) & mask));
        return;
    case OP_CALL:
        enter_call(warp, in->call);
        return;
    default:
        break;
    }
    uint32_t lanes = (of_values(warp, in, mask) | p->strayed) & mask;
    put_results(warp, in, lanes | guards, mask | guards);
    if (!p->slots && !p->carry && !p->strayed)
        warp->is_watched = warp->trace != NULL;
}
