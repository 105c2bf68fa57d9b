#include "sim/time/reorder.h"

#include <string.h>

#include "sim/ptx/cost_estimate.h"

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

static int is_access(const struct instruction *in)
{
    return in->size != 0 && in->space != PARAM && in->space != KERNEL_PARAM;
}

static int is_read_only(const struct instruction *in)
{
    return in->space == CONSTANT || in->is_read_only;
}

// The depth of one instruction; notes what it writes.
static unsigned enter(struct stretch *s, const struct instruction *in)
{
    unsigned depth = deeper(operand_depth(s, in->guard), operand_depth(s, in->q));
    depth = deeper(depth, deeper(operand_depth(s, in->a), operand_depth(s, in->b)));
    depth = deeper(depth, deeper(operand_depth(s, in->c), s->branch_depth));
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
    unsigned after = depth + (is_access(in) && in->is_load);
    set_depth(s, in->d, after);
    for (unsigned i = 0; many && in->is_load && i < in->vector; i++)
        set_depth(s, in->v[i], after);
    if (in->op == OP_BRANCH)
        s->branch_depth = depth;
    return depth;
}

// Whether nothing may move across the instruction.
static int ends_stretch(const struct instruction *in)
{
    switch (in->op) {
    case OP_BRANCH:
        return !becomes_predicate(in);
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
static void sort(uint32_t *order, uint32_t first, uint32_t count, const unsigned char *depth)
{
    uint32_t place[MAX_STRETCH + 1] = {0};
    for (uint32_t i = 0; i < count; i++)
        place[depth[i] + 1]++;
    for (int d = 1; d <= MAX_STRETCH; d++)
        place[d] += place[d - 1];
    for (uint32_t i = 0; i < count; i++)
        order[first + place[depth[i]]++] = first + i;
}

void reorder(const struct warp_trace *trace, uint32_t *order)
{
    unsigned char depth[MAX_STRETCH];
    struct stretch stretch;
    for (uint32_t first = 0, count; first < trace->count; first += count) {
        memset(&stretch, 0, sizeof stretch);
        int is_over = 0;
        for (count = 0; !is_over && count < MAX_STRETCH && first + count < trace->count; count++) {
            const struct instruction *in = trace->items[first + count].in;
            is_over = ends_stretch(in);
            unsigned d = enter(&stretch, in);
            // What ends a stretch waits for all before it.
            depth[count] = (unsigned char)d;
            if (is_over)
                for (uint32_t i = 0; i < count; i++)
                    depth[count] = (unsigned char)deeper(depth[count], depth[i]);
        }
        sort(order, first, count, depth);
    }
}
