#include "sim/time/reorder.h"

#include <string.h>

#include "sim/machine/machine_code.h"
#include "sim/ptx/predicated_branches.h"

// Stretches longer than this are cut: ptxas runs out of registers to keep loads in.
enum { MAX_STRETCH = 256, TABLE = 1024 };

// An instruction's depth: how many loads of the stretch it waits for, one after the other.
struct writer {
    uint32_t slot;  // + 1; 0: none
    unsigned depth; // of those who read the slot
};

_Static_assert(TABLE >= MAX_STRETCH * MAX_VECTOR, "a stretch's registers have room in the table");

struct stretch {
    struct writer writers[TABLE];                           // by slot, hashed
    unsigned store_depth[PARAM + 1], load_depth[PARAM + 1]; // of the last ones, by space
    unsigned branch_depth;
};

static struct writer *writer_of(struct stretch *s, slot at)
{
    uint32_t i = at / 64 * 0x9E3779B1u >> 22;
    while (s->writers[i].slot && s->writers[i].slot != at + 1)
        i = (i + 1) % TABLE;
    return &s->writers[i];
}

static unsigned deeper(unsigned a, unsigned b)
{
    return a > b ? a : b;
}

static unsigned operand_depth(struct stretch *s, slot at)
{
    return at == NO_SLOT ? 0 : writer_of(s, at)->depth;
}

static void set_depth(struct stretch *s, slot at, unsigned depth)
{
    if (at != NO_SLOT)
        *writer_of(s, at) = (struct writer){at + 1, depth};
}

// The deepest of the accesses so far that may be to the same memory: a generic address may be in any.
static unsigned same_memory(const unsigned of_space[PARAM + 1], enum space space)
{
    unsigned depth = deeper(of_space[space], of_space[GENERIC]);
    for (int other = 0; other <= PARAM && space == GENERIC; other++)
        depth = deeper(depth, of_space[other]);
    return depth;
}

static int is_read_only(const struct instruction *in)
{
    return in->space == CONSTANT || in->is_read_only;
}

// The deepest of what it reads.
static unsigned operands_depth(struct stretch *s, const struct instruction *in)
{
    unsigned depth = deeper(operand_depth(s, in->guard), operand_depth(s, in->q));
    depth = deeper(depth, deeper(operand_depth(s, in->a), operand_depth(s, in->b)));
    depth = deeper(depth, operand_depth(s, in->c));
    for (unsigned i = 0; in->vector > 1 && !in->is_load && i < in->vector; i++)
        depth = deeper(depth, operand_depth(s, in->v[i]));
    return depth;
}

static void set_depths(struct stretch *s, const struct instruction *in, unsigned depth)
{
    set_depth(s, in->d, depth);
    for (unsigned i = 0; in->vector > 1 && in->is_load && i < in->vector; i++)
        set_depth(s, in->v[i], depth);
}

// The depth of one instruction; notes what it writes.
static unsigned enter(struct stretch *s, const struct instruction *in)
{
    unsigned depth = deeper(operands_depth(s, in), s->branch_depth);
    if (is_access(in)) {
        unsigned *last = in->is_load ? &s->load_depth[in->space] : &s->store_depth[in->space];
        if (!is_read_only(in))
            depth = deeper(depth, same_memory(s->store_depth, in->space));
        if (!in->is_load)
            depth = deeper(depth, same_memory(s->load_depth, in->space));
        *last = deeper(*last, depth);
    }
    set_depths(s, in, depth + (is_access(in) && in->is_load));
    if (in->op == OP_BRANCH)
        s->branch_depth = depth;
    return depth;
}

// Whether it is a branch in the machine code, too.
static int stays_branch(const struct launch *launch, const struct instruction *in)
{
    uint32_t number;
    if (launch->code && is_of_kernel(launch, in, &number))
        return launch->code->leaves[number];
    return !becomes_predicate(in);
}

// Whether nothing may move across the instruction.
static int ends_stretch(const struct launch *launch, const struct instruction *in)
{
    switch (in->op) {
    case OP_BRANCH:
        return stays_branch(launch, in);
    case OP_BARRIER:
    case OP_JUMP_TABLE:
    case OP_CALL:
    case OP_RETURN:
    case OP_FENCE:
    case OP_COPY_ASYNC:
    case OP_COPY_COMMIT:
    case OP_COPY_WAIT:
        return 1;
    default:
        return in->is_atomic || in->is_volatile;
    }
}

// The first of the blocks that hold several rounds of the loop that the instruction begins, or NULL.
static const struct unrolled *unrolled_at(const struct launch *launch, const struct instruction *in)
{
    uint32_t number;
    if (!launch->code || !is_of_kernel(launch, in, &number))
        return NULL;
    const struct unrolled *all = launch->code->unrolled, *end = all + launch->code->unrolled_count;
    while (all < end && all->head != number)
        all++;
    return all < end ? all : NULL;
}

static uint32_t stretch_length(const struct launch *launch, const struct warp_trace *trace,
                               uint32_t first)
{
    uint32_t most = trace->count - first < MAX_STRETCH ? trace->count - first : MAX_STRETCH;
    for (uint32_t i = 0; i < most; i++) {
        const struct instruction *in = trace->items[first + i].in;
        if (i > 0 && unrolled_at(launch, in))
            return i;
        if (ends_stretch(launch, in))
            return i + 1;
    }
    return most;
}

// The length of so many rounds of an unrolled loop, from its head on; or 0 where there are not as many, they are too long, or
// something is in them that nothing passes.
static uint32_t rounds_length(const struct launch *launch, const struct warp_trace *trace,
                              uint32_t first, const struct unrolled *unrolled)
{
    uint32_t most = trace->count - first < MAX_STRETCH ? trace->count - first : MAX_STRETCH,
             rounds = 0;
    for (uint32_t i = 0; i < most; i++) {
        uint32_t number;
        const struct instruction *in = trace->items[first + i].in;
        int is_inside = is_of_kernel(launch, in, &number) && number >= unrolled->head &&
                        number <= unrolled->branch;
        int may_mix = is_access(in) || in->op == OP_BRANCH || !ends_stretch(launch, in);
        if (!is_inside || !may_mix)
            return 0;
        rounds += number == unrolled->branch;
        if (rounds == unrolled->rounds)
            return i + 1;
    }
    return 0;
}

static uint32_t place_of(const struct launch *launch, const struct instruction *in)
{
    uint32_t number;
    return is_of_kernel(launch, in, &number) ? launch->code->places[number] : NOWHERE;
}

// Where the block of machine code has each item of the rounds that it holds: its copy of that round. What has none is where
// the last of what it reads is.
static void places_of_rounds(const struct launch *launch, struct stretch *s,
                             const struct unrolled *unrolled, const struct trace_item *items,
                             uint32_t count, uint32_t *places)
{
    memset(s, 0, sizeof *s);
    uint32_t round = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct instruction *in = items[i].in;
        const uint32_t number = in->index - launch->kernel->code->index;
        uint32_t place = machine_copy(launch->code, unrolled, number, round, is_access(in));
        places[i] = deeper(operands_depth(s, in), place == NOWHERE ? 0 : place + 1);
        set_depths(s, in, places[i]);
        round += number == unrolled->branch;
    }
}

// The order of rounds that were unrolled together, if such begin with the item. Returns how many items these are.
static uint32_t order_rounds(const struct launch *launch, struct stretch *s,
                             const struct warp_trace *trace, uint32_t first, uint32_t *by)
{
    const struct unrolled *unrolled = unrolled_at(launch, trace->items[first].in), *end;
    if (!unrolled)
        return 0;
    end = launch->code->unrolled + launch->code->unrolled_count;
    for (uint32_t head = unrolled->head; unrolled < end && unrolled->head == head; unrolled++) {
        uint32_t count = rounds_length(launch, trace, first, unrolled);
        if (!count)
            continue;
        places_of_rounds(launch, s, unrolled, trace->items + first, count, by);
        return count;
    }
    return 0;
}

// Where the machine code has each item of a stretch. What became nothing of its own is where the last of what it reads
// is. Returns 0 where an access is not there, or more than once.
static int places_of_stretch(const struct launch *launch, struct stretch *s,
                             const struct trace_item *items, uint32_t count, uint32_t *places)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < count; i++) {
        const struct instruction *in = items[i].in;
        uint32_t read = operands_depth(s, in), place = place_of(launch, in);
        if (place == NOWHERE && is_access(in))
            return 0;
        places[i] = place == NOWHERE ? read : place + 1;
        set_depths(s, in, places[i]);
    }
    return 1;
}

// How many loads each item of a stretch waits for, one after the other.
static void depths_of_stretch(struct stretch *s, const struct trace_item *items, uint32_t count,
                              uint32_t *depths)
{
    memset(s, 0, sizeof *s);
    for (uint32_t i = 0; i < count; i++)
        depths[i] = enter(s, items[i].in);
}

// Sorts items first .. first + count - 1 by what stands for each, and keeps the order of those of which it is the same.
static void sort(uint32_t *order, uint32_t first, uint32_t count, const uint32_t *by)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (; at > 0 && by[order[first + at - 1] - first] > by[i]; at--)
            order[first + at] = order[first + at - 1];
        order[first + at] = first + i;
    }
}

void reorder(const struct launch *launch, const struct warp_trace *trace, uint32_t *order)
{
    uint32_t by[MAX_STRETCH];
    struct stretch stretch;
    for (uint32_t first = 0, count; first < trace->count; first += count) {
        const struct trace_item *items = trace->items + first;
        count = order_rounds(launch, &stretch, trace, first, by);
        if (!count) {
            count = stretch_length(launch, trace, first);
            if (!launch->code || !places_of_stretch(launch, &stretch, items, count, by))
                depths_of_stretch(&stretch, items, count, by);
        }
        if (ends_stretch(launch, items[count - 1].in)) // it waits for all before it
            by[count - 1] = UINT32_MAX;
        sort(order, first, count, by);
    }
}
