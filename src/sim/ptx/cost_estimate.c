#include "sim/ptx/cost_estimate.h"

#include "sim/ptx/loader.h"
#include "sim/ptx/operations.h"
#include "sim/ptx/predicated_branches.h"

// A kernel sets up its stack pointer and descriptors; the address of its shared memory depends on
// the block's place in its cluster, and takes three instructions. Lanes that part at a branch come together
// again by two more.
enum { PROLOGUE = 2, FINDING_SHARED = 3, REJOINING = 2 };

// Who reads a register.
struct uses {
    uint32_t count;
    uint32_t sums;   // how many of them are 64-bit integer sums, or as wide as it
    uint32_t reader; // the last one's number
    uint32_t writer; // who writes it last
};

struct program {
    struct instruction *code;
    uint32_t length;
    struct uses *uses; // by slot
    char *is_constant; // by slot
    uint32_t *special; // by slot: enum special + 1 of a special register, or 0
};

static enum arithmetic kind_of(const struct instruction *in)
{
    if (in->op == OP_CARRY && !in->takes_carry && in->carry <= CARRY_SUB)
        return in->carry == CARRY_ADD ? ADD : SUB;
    return in->op == OP_ARITHMETIC || in->op == OP_CAREFUL ? operations[in->operation].kind : OTHER;
}

static int is_wide(const struct instruction *in)
{
    return in->width_d == 8 || in->width_a == 8;
}

static int is_integer_sum(const struct instruction *in)
{
    return (kind_of(in) == ADD || kind_of(in) == SUB) && !type_is_float(in->type);
}

static void add_use(struct program *p, slot at, uint32_t reader)
{
    if (at == NO_SLOT)
        return;
    p->uses[at / SLOT_BYTES].count++;
    p->uses[at / SLOT_BYTES].reader = reader;
}

static void find_uses(struct program *p)
{
    for (uint32_t i = 0; i < p->length; i++) {
        const struct instruction *in = &p->code[i];
        if (in->d != NO_SLOT && in->op != OP_COPY_ASYNC)
            p->uses[in->d / SLOT_BYTES].writer = i;
        if (kind_of(in) == ADD && is_integer_sum(in)) {
            p->uses[in->a / SLOT_BYTES].sums++;
            p->uses[in->b / SLOT_BYTES].sums++;
        }
        add_use(p, in->a, i);
        add_use(p, in->b, i);
        add_use(p, in->c, i);
        add_use(p, in->guard, i);
        for (unsigned k = 0; k < in->vector && in->vector > 1 && !in->is_load; k++)
            add_use(p, in->v[k], i);
    }
}

// Whether everybody who reads the result is a sum as wide as it.
static int feeds_sums(const struct program *p, uint32_t at)
{
    const struct instruction *in = &p->code[at];
    return in->d != NO_SLOT && p->uses[in->d / SLOT_BYTES].count > 0 &&
           p->uses[in->d / SLOT_BYTES].count == p->uses[in->d / SLOT_BYTES].sums;
}

static unsigned division_cost(const struct instruction *in)
{
    // Sequences of ptxas: a reciprocal and its corrections, a subroutine for 64 bits.
    if (in->type == F32)
        return 10;
    if (in->type == F64)
        return 24;
    return is_wide(in) ? 70 : 18;
}

// Whether the upper half of a 64-bit operand is zero: a 32-bit value made wider.
static int is_widened(const struct program *p, slot at)
{
    return at != NO_SLOT && p->code[p->uses[at / SLOT_BYTES].writer].op == OP_WIDEN_U32;
}

static unsigned product_cost(const struct program *p, const struct instruction *in)
{
    if (!is_wide(in))
        return 1;
    return is_widened(p, in->a) || is_widened(p, in->b) ? 3 : 4; // of 32-bit products and a sum
}

static unsigned arithmetic_cost(const struct program *p, uint32_t at)
{
    const struct instruction *in = &p->code[at];
    enum arithmetic kind = kind_of(in);
    if (kind == DIVIDE)
        return division_cost(in);
    if (kind == ROOT)
        return in->type == F64 ? 20 : in->approximate ? 2 : 8;
    if (type_is_float(in->type) || kind == MAD_WIDE)
        return 1;
    if (kind == MUL_WIDE)
        return feeds_sums(p, at) ? 0 : 1; // the sums take it along
    if (kind == MUL || kind == MAD)
        return product_cost(p, in);
    if (kind == SHIFT_LEFT && feeds_sums(p, at))
        return 0; // LEA shifts and adds
    return is_wide(in) ? 2 : 1;
}

// What a 64-bit sum costs when a product that it adds is computed with it: IMAD.WIDE is one
// instruction; a 64-bit product's last one adds for free.
static int is_taken_along(const struct program *p, uint32_t at, unsigned *cost)
{
    const struct instruction *in = &p->code[at];
    if (kind_of(in) != ADD || !is_integer_sum(in) || in->width_d != 8)
        return 0;
    const slot terms[] = {in->a, in->b};
    for (int i = 0; i < 2; i++) {
        uint32_t writer = p->uses[terms[i] / SLOT_BYTES].writer;
        const struct instruction *product = &p->code[writer];
        int is_product = kind_of(product) == MUL || kind_of(product) == MUL_WIDE;
        if (product->d != terms[i] || !is_product || !feeds_sums(p, writer))
            continue;
        int is_single = p->uses[terms[i] / SLOT_BYTES].count == 1;
        *cost = kind_of(product) == MUL_WIDE ? 1 : is_single ? 0 : 2;
        return 1;
    }
    return 0;
}

static unsigned move_cost(const struct program *p, const struct instruction *in)
{
    if (in->space == KERNEL_PARAM)
        return 1; // a load into uniform registers
    if (in->space == SHARED)
        return FINDING_SHARED;
    // Copies and literals cost nothing: the reader takes them from where they are.
    return in->a != NO_SLOT && p->special[in->a / SLOT_BYTES] ? 1 : 0;
}

// Whether lanes part at a branch that goes over neither another one nor a barrier.
static int rejoins(const struct instruction *branch)
{
    if (branch->guard == NO_SLOT || branch->target <= branch || becomes_predicate(branch) ||
        becomes_exit(branch))
        return 0;
    for (const struct instruction *in = branch + 1; in < branch->target; in++)
        if (in->op == OP_BRANCH || in->op == OP_BARRIER)
            return 0;
    return 1;
}

static unsigned cost_of(const struct program *p, uint32_t at)
{
    const struct instruction *in = &p->code[at];
    unsigned cost = 1;
    switch (in->op) {
    case OP_END:
    case OP_PREDICATE:
    case OP_WIDEN_U32:
    case OP_NARROW_64:
        return 0;
    case OP_MOVE:
        return move_cost(p, in);
    case OP_LOAD:
    case OP_STORE:
        return in->space == PARAM ? 0 : 1; // of a call: in registers
    case OP_SETP:
    case OP_SET:
        return is_wide(in) ? 2 : 1;
    case OP_SELECT:
        return in->width_d == 8 ? 2 : 1;
    case OP_BRANCH:
        return rejoins(in) ? 1 + REJOINING : 1;
    case OP_ARITHMETIC:
    case OP_CAREFUL:
        return is_taken_along(p, at, &cost) ? cost : arithmetic_cost(p, at);
    default:
        return 1;
    }
}

// What counts the rounds of a loop: a sum of a register with a literal, and what only the exit's
// comparison reads.
static int counts_rounds(const struct program *p, uint32_t at, const struct instruction *branch)
{
    const struct instruction *in = &p->code[at];
    if (in == branch || (in->op == OP_SETP && in->d == branch->guard))
        return 1;
    if (!is_integer_sum(in))
        return 0;
    if (in->d == in->a && in->b != NO_SLOT && p->is_constant[in->b / SLOT_BYTES])
        return 1;
    const struct uses *uses = &p->uses[in->d / SLOT_BYTES];
    return uses->count == 1 && p->code[uses->reader].op == OP_SETP &&
           p->code[uses->reader].d == branch->guard;
}

static void share_loops(struct program *p)
{
    for (uint32_t end = 0; end < p->length; end++) {
        const struct instruction *branch = &p->code[end];
        if (branch->op != OP_BRANCH || branch->guard == NO_SLOT || branch->target > branch)
            continue;
        uint32_t start = (uint32_t)(branch->target - p->code);
        int is_one_block = 1;
        for (uint32_t i = start; i < end; i++)
            is_one_block &= p->code[i].op != OP_BRANCH && p->code[i].op != OP_RETURN &&
                            p->code[i].op != OP_BARRIER;
        for (uint32_t i = start; i <= end && is_one_block; i++)
            if (counts_rounds(p, i, branch))
                p->code[i].machine_cost /= COST_UNIT;
    }
}

void estimate_costs(struct loader *loader)
{
    const struct function *function = loader->function;
    struct program p = {.code = loader->code, .length = loader->length};
    size_t slots = function->frame_size / SLOT_BYTES + 1;
    p.uses = load_take(loader, slots * sizeof *p.uses);
    p.is_constant = load_take(loader, slots);
    p.special = load_take(loader, slots * sizeof *p.special);
    for (size_t i = 0; i < function->constant_count; i++) {
        const struct constant *c = &function->constants[i];
        p.is_constant[c->at / SLOT_BYTES] = c->kind == CONSTANT_BITS;
        if (c->kind == CONSTANT_SPECIAL)
            p.special[c->at / SLOT_BYTES] = (uint32_t)c->value + 1;
    }
    find_uses(&p);
    for (uint32_t i = 0; i < p.length; i++)
        p.code[i].machine_cost = (uint8_t)(COST_UNIT * cost_of(&p, i));
    for (uint32_t i = 0; i < p.length; i++)
        if (jumps_over_jump(&p.code[i]))
            p.code[i + 1].machine_cost = 0;
    share_loops(&p);
    if (function->is_kernel)
        p.code[0].machine_cost = (uint8_t)(p.code[0].machine_cost + COST_UNIT * PROLOGUE);
}
