#include "sim/machine/machine_copies.h"

#include <math.h>
#include <string.h>

// A PTX loop: its first instruction and the branch that goes back there; how often it is begun and its rounds, a warp.
struct loop {
    uint32_t start, end;
    double begun, rounds;
};

// Whether no warp leaves the instruction out by a branch over it that became predicates: none all of whose threads take it.
static int is_never_skipped(const struct solver *s, uint32_t from)
{
    const struct instruction *code = s->function->code;
    for (uint32_t i = 0; i < from; i++)
        if (code[i].op == OP_BRANCH && code[i].target > &code[from] && !s->code->leaves[i] &&
            s->counts[i].taken > s->counts[i].divergent)
            return 0;
    return 1;
}

// Whether the machine instruction is what the PTX instruction asks for, in each of its copies, and does it as often as that is
// executed. A predicate takes the place of a branch, but there are two ways of an asynchronous copy.
static int is_anchor(const struct solver *s, const struct machine_instruction *machine)
{
    const struct instruction *in = solver_ptx(s, machine);
    if (!in || (machine->is_guarded && in->guard == NO_SLOT &&
                (in->op == OP_COPY_ASYNC || !is_never_skipped(s, machine->from))))
        return 0;
    switch (machine->kind) {
    case MACHINE_MEMORY:
        return in->size != 0 && in->space != PARAM && in->space != KERNEL_PARAM &&
               in->space != CONSTANT;
    case MACHINE_BARRIER:
        return in->op == OP_BARRIER;
    case MACHINE_EXCHANGE:
        return in->op == OP_SHUFFLE;
    default:
        return 0;
    }
}

// Counts the copies of a PTX instruction by block. Returns 0 where there are none, or one is no anchor.
static int find_copies(struct solver *s, uint32_t from)
{
    int found = 0;
    memset(s->copies, 0, s->code->block_count * sizeof *s->copies);
    for (uint32_t b = 0; b < s->code->block_count; b++) {
        const struct machine_block *block = &s->code->blocks[b];
        for (uint32_t i = block->first; i < block->end && block->is_reached; i++) {
            const struct machine_instruction *in = &s->code->code[i];
            if (in->from != from || in->kind < MACHINE_MEMORY || in->kind > MACHINE_BARRIER)
                continue;
            if (!is_anchor(s, in))
                return 0;
            s->copies[b]++;
            found = 1;
        }
    }
    return found;
}

void copies_add_anchor(struct solver *s, uint32_t from)
{
    if (!find_copies(s, from))
        return;
    solver_clear(s);
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (s->copies[b])
            solver_add_block(s, b, s->copies[b]);
    solver_add_fact(s, solver_a_warp(s, s->counts[from].executed));
    for (uint32_t b = 0; b < s->code->block_count && s->counts[from].executed == 0; b++)
        if (s->copies[b])
            solver_fix_block(s, b, 0);
}

// The innermost PTX loop around the instruction. Returns 0 when there is none.
static int find_loop(const struct solver *s, uint32_t at, struct loop *loop)
{
    const struct instruction *code = s->function->code;
    uint32_t end = at;
    while (end < s->function->length &&
           !(code[end].op == OP_BRANCH && code[end].target <= &code[at]))
        end++;
    if (end == s->function->length)
        return 0;
    uint32_t start = (uint32_t)(code[end].target - code);
    double rounds = solver_a_warp(s, s->counts[start].executed);
    *loop = (struct loop){.start = start, .end = end, .begun = rounds, .rounds = rounds};
    for (uint32_t i = start; i < s->function->length; i++)
        if (code[i].op == OP_BRANCH && code[i].target == &code[start])
            loop->begun -= solver_a_warp(s, s->counts[i].taken);
    return loop->begun > 0;
}

// The block's innermost loop in the machine code, which no other block with copies is in: its first block. Returns 0
// when there is none.
static int find_machine_loop(const struct solver *s, uint32_t block, uint32_t *start)
{
    const struct machine_code *code = s->code;
    uint32_t end = block;
    while (end < code->block_count &&
           !(code->blocks[end].is_reached && code->blocks[end].target <= block))
        end++;
    if (end == code->block_count)
        return 0;
    *start = code->blocks[end].target;
    for (uint32_t b = *start; b <= end; b++)
        if (b != block && s->copies[b])
            return 0;
    return 1;
}

// How often each of the copies runs in a loop of so many rounds: those of most rounds as often as so many are left.
// Returns the times for `block`.
static double share(const struct solver *s, double rounds, uint32_t block)
{
    for (uint32_t most = 0, below = UINT32_MAX;; below = most) {
        most = 0;
        for (uint32_t b = 0; b < s->code->block_count; b++)
            if (s->copies[b] > most && s->copies[b] < below)
                most = s->copies[b];
        double times = most ? floor(rounds / most) : 0;
        if (most == 0 || s->copies[block] == most)
            return times;
        rounds -= times * most;
    }
}

// Whether no other block has as many copies.
static int is_alone(const struct solver *s, uint32_t block)
{
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (b != block && s->copies[b] == s->copies[block])
            return 0;
    return 1;
}

// Whether some blocks have fewer copies than others, or more: then it matters how many rounds each warp ran.
static int has_other_sizes(const struct solver *s, uint32_t block)
{
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (s->copies[b] && s->copies[b] != s->copies[block])
            return 1;
    return 0;
}

// Whether any are left for the block in the loop, whose rounds may not be the same each time.
static int has_times(const struct solver *s, uint32_t block, const struct loop *loop)
{
    double average = loop->rounds / loop->begun;
    return share(s, floor(average + 1e-9), block) > 0 || share(s, ceil(average - 1e-9), block) > 0;
}

// Of a loop whose rounds are not the same each time, some times are taken to have one round more than the others.
static void add_unrolled(struct solver *s, uint32_t block, const struct loop *loop)
{
    double average = loop->rounds / loop->begun, few = floor(average + 1e-9);
    double more = average - few < 1e-6 ? 0 : average - few;
    double a = share(s, few, block), b = share(s, few + 1, block);
    uint32_t start;
    if (more > 0)
        s->is_exact = 0;
    solver_fix_block(s, block, loop->begun * ((1 - more) * a + more * b));
    if (!find_machine_loop(s, block, &start))
        return;
    solver_clear(s);
    solver_add_block(s, start, 1);
    for (uint32_t from = start; from < s->code->block_count; from++)
        if (s->code->blocks[from].is_reached && s->code->blocks[from].target == start)
            *solver_unknown(s, from, LEFT) -= 1;
    solver_add_fact(s, loop->begun * ((1 - more) * (a > 0) + more * (b > 0)));
}

// The block that is executed in each round of the loop in which a copy of the instruction, which branches may leave
// out, is come to from the block.
static uint32_t round_of(const struct solver *s, uint32_t block, uint32_t from,
                         const struct loop *loop)
{
    const struct instruction *code = s->function->code;
    for (uint32_t b = 0; b < s->code->block_count; b++) {
        const struct machine_block *before = &s->code->blocks[b];
        const struct machine_instruction *last = machine_last(s->code, before);
        uint32_t branch = last->from;
        int leads_there = before->is_reached && (before->next == block || before->target == block);
        if (leads_there && b < block && branch != NOWHERE && branch >= loop->start &&
            branch < from && (last->kind == MACHINE_BRANCH || last->kind == MACHINE_EXIT) &&
            code[branch].op == OP_BRANCH && code[branch].target > &code[from] &&
            code[branch].target <= &code[loop->end])
            return round_of(s, b, from, loop);
    }
    return block;
}

// Takes copies in blocks that are executed as often as each other together, in the first of these.
static void join_copies(struct solver *s)
{
    for (uint32_t one = 0; one < s->code->block_count; one++)
        for (uint32_t b = one + 1; b < s->code->block_count && s->copies[one]; b++) {
            double more;
            if (!s->copies[b])
                continue;
            solver_clear(s);
            solver_add_block(s, b, 1);
            solver_add_block(s, one, -1);
            if (!solver_value(s, &more) || more != 0)
                continue;
            s->copies[one] += s->copies[b];
            s->copies[b] = 0;
        }
}

static int has_access(const struct solver *s, uint32_t b, uint32_t from)
{
    const struct machine_block *block = &s->code->blocks[b];
    for (uint32_t i = block->first; i < block->end && block->is_reached; i++)
        if (s->code->code[i].from == from && s->code->code[i].kind == MACHINE_MEMORY)
            return 1;
    return 0;
}

// Counts the copies of the loop's rounds that have the access, which some may leave out, by block. Returns 0 where that
// cannot be told.
static int find_rounds(struct solver *s, uint32_t from, const struct loop *loop)
{
    int is_in_all = s->counts[from].executed == s->counts[loop->start].executed, found = 0;
    memset(s->copies, 0, s->code->block_count * sizeof *s->copies);
    for (uint32_t b = 0; b < s->code->block_count; b++) {
        const struct machine_block *block = &s->code->blocks[b];
        for (uint32_t i = block->first; i < block->end && block->is_reached; i++) {
            const struct machine_instruction *in = &s->code->code[i];
            if (in->from != from || in->kind != MACHINE_MEMORY)
                continue;
            uint32_t round = round_of(s, b, from, loop);
            if (round == b && !in->is_guarded && !is_in_all)
                return 0;
            s->copies[round]++;
            found = 1;
        }
    }
    join_copies(s);
    return found;
}

void copies_add_loops(struct solver *s, uint32_t from)
{
    struct loop loop;
    if (!s->counts[from].executed || !find_copies(s, from) || !find_loop(s, from, &loop) ||
        s->counts[loop.start].executed != s->counts[from].executed)
        return;
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (s->copies[b] && is_alone(s, b))
            add_unrolled(s, b, &loop);
}

// The loop around an access that was executed. There are two ways of an asynchronous copy, and it does not do for these.
static int find_loop_of_access(const struct solver *s, uint32_t from, struct loop *loop)
{
    const struct instruction *in = &s->function->code[from];
    return in->size && in->op != OP_COPY_ASYNC && s->counts[from].executed &&
           find_loop(s, from, loop);
}

void copies_add_rounds(struct solver *s, uint32_t from)
{
    struct loop loop;
    double value;
    if (!find_loop_of_access(s, from, &loop) || !find_rounds(s, from, &loop))
        return;
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (s->copies[b] && !solver_block_value(s, b, &value) &&
            (is_alone(s, b) || !has_times(s, b, &loop))) {
            s->is_exact &= !has_other_sizes(s, b); // a mean may be whole where no warp ran so many
            add_unrolled(s, b, &loop);
        }
}

void copies_add_parts_of_rounds(struct solver *s, uint32_t from)
{
    struct loop loop;
    double value, part;
    if (!find_loop_of_access(s, from, &loop))
        return;
    part = (double)s->counts[from].executed / (double)s->counts[loop.start].executed;
    for (uint32_t b = 0; b < s->code->block_count; b++) {
        uint32_t round = has_access(s, b, from) ? round_of(s, b, from, &loop) : b;
        if (round == b || solver_block_value(s, b, &value))
            continue;
        s->is_exact &= part == 1;
        solver_clear(s);
        solver_add_block(s, b, 1);
        solver_add_block(s, round, -part);
        solver_add_fact(s, 0);
    }
}
