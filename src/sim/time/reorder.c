#include "sim/time/reorder.h"

#include <string.h>

#include "sim/ptx/cost.h"

// Stretches longer than this are cut: ptxas runs out of registers to keep loads in.
enum { MAX_STRETCH = 256, TABLE = 1024 };

// An instruction's depth: how many loads of the stretch it waits for, one after the other. Or, where machine code says
// the order, the place of the last one that it waits for.
struct writer {
    uint32_t slot;  // + 1; 0: none
    unsigned depth; // of those who read the slot
};

_Static_assert(TABLE >= MAX_STRETCH * MAX_VECTOR, "a stretch's registers have room in the table");

struct stretch {
    struct writer writers[TABLE];                           // by slot, hashed
    unsigned store_depth[PARAM + 1], load_depth[PARAM + 1]; // of the last ones, by space
    unsigned branch_depth;
    const struct machine_order *machine; // or NULL
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

static uint32_t smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
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

static int is_access(const struct instruction *in)
{
    return in->size != 0 && in->space != PARAM && in->space != KERNEL_PARAM;
}

static int is_read_only(const struct instruction *in)
{
    return in->space == CONSTANT || in->is_read_only;
}

static uint32_t place_of(const struct machine_order *machine, const struct instruction *in)
{
    return machine->places[in - machine->first];
}

// The depth of one instruction; notes what it writes.
static unsigned enter(struct stretch *s, const struct instruction *in)
{
    unsigned depth = deeper(operand_depth(s, in->guard), operand_depth(s, in->q));
    depth = deeper(depth, deeper(operand_depth(s, in->a), operand_depth(s, in->b)));
    depth = deeper(depth, deeper(operand_depth(s, in->c), s->branch_depth));
    if (s->machine)
        depth = deeper(depth, place_of(s->machine, in));
    int many = in->vector > 1;
    for (unsigned i = 0; many && !in->is_load && i < in->vector; i++)
        depth = deeper(depth, operand_depth(s, in->v[i]));
    if (is_access(in)) {
        unsigned *last = in->is_load ? &s->load_depth[in->space] : &s->store_depth[in->space];
        if (!is_read_only(in))
            depth = deeper(depth, same_memory(s->store_depth, in->space));
        if (!in->is_load)
            depth = deeper(depth, same_memory(s->load_depth, in->space));
        *last = deeper(*last, depth);
    }
    unsigned after = depth + (!s->machine && is_access(in) && in->is_load);
    set_depth(s, in->d, after);
    for (unsigned i = 0; many && in->is_load && i < in->vector; i++)
        set_depth(s, in->v[i], after);
    if (in->op == OP_BRANCH)
        s->branch_depth = depth;
    return depth;
}

// Whether nothing may move across the instruction.
static int ends_stretch(const struct machine_order *machine, const struct instruction *in)
{
    switch (in->op) {
    case OP_BRANCH:
        return machine ? place_of(machine, in) != 0 : !becomes_predicate(in);
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

// Sorts items first .. first + count - 1 by depth, and keeps the order of those of one depth.
static void sort(uint32_t *order, uint32_t first, uint32_t count, const unsigned *depth)
{
    uint32_t lists[2][MAX_STRETCH], *from = lists[0], *to = lists[1];
    for (uint32_t i = 0; i < count; i++)
        from[i] = i;
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t start = 0; start < count; start += 2 * width) {
            uint32_t a = start, middle = smaller(start + width, count), b = middle;
            uint32_t end = smaller(start + 2 * width, count);
            for (uint32_t k = start; k < end; k++)
                to[k] = a < middle && (b == end || depth[from[a]] <= depth[from[b]]) ? from[a++]
                                                                                     : from[b++];
        }
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    for (uint32_t i = 0; i < count; i++)
        order[first + i] = first + from[i];
}

// How many items the stretch has that begins with this one.
static uint32_t length_of(const struct warp_trace *trace, const struct machine_order *machine,
                          uint32_t first)
{
    uint32_t count = 0;
    while (count < MAX_STRETCH && first + count < trace->count)
        if (ends_stretch(machine, trace->items[first + count++].in))
            break;
    return count;
}

// Whether each of the stretch's accesses has one place in the machine code.
static int has_places(const struct warp_trace *trace, const struct machine_order *machine,
                      uint32_t first, uint32_t count)
{
    for (uint32_t i = first; i < first + count; i++)
        if (is_access(trace->items[i].in) && !place_of(machine, trace->items[i].in))
            return 0;
    return 1;
}

void reorder(const struct warp_trace *trace, const struct machine_order *machine, uint32_t *order)
{
    unsigned depth[MAX_STRETCH];
    struct stretch stretch;
    for (uint32_t first = 0, count; first < trace->count; first += count) {
        memset(&stretch, 0, sizeof stretch);
        count = length_of(trace, machine, first);
        stretch.machine = machine && has_places(trace, machine, first, count) ? machine : NULL;
        for (uint32_t i = 0; i < count; i++) {
            const struct instruction *in = trace->items[first + i].in;
            depth[i] = enter(&stretch, in);
            // What ends a stretch waits for all before it.
            for (uint32_t k = 0; k < i && ends_stretch(machine, in); k++)
                depth[i] = deeper(depth[i], depth[k]);
        }
        sort(order, first, count, depth);
    }
}
