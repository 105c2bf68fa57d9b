#include "sim/machine/machine_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/machine/equations.h"
#include "sim/ptx/predicated_branches.h"

// Code with more blocks is not solved for, as the time grows with the cube; nor are more of a block's instructions asked.
enum { MAX_BLOCKS = 256, VOTERS = 512 };

// A block's unknowns: how often it went on to its next block, and how often it ended otherwise: by its branch, by its
// exit. And how many paths more went on than came, or fewer, where threads part or meet.
enum unknown { WENT_ON, LEFT, PARTED, MET, UNKNOWNS };

struct solver {
    const struct machine_code *code;
    const struct function *function;
    const struct ptx_count *counts;
    double warps;
    int parts; // threads did, somewhere
    struct equations equations;
    double *row;
    double *blocks;   // how often each was executed, a warp
    double *taken;    // and ended by its branch, by all warps
    uint32_t *copies; // by block, of the PTX instruction that is looked at
    int is_exact;
    uint32_t asked; // with how many equations is_solved() was asked last, and what it said
    int is_known;
};

// A PTX loop: its first instruction and the branch that goes back there; how often it is begun and its rounds, a warp.
struct loop {
    uint32_t start, end;
    double begun, rounds;
};

static double *unknown_of(const struct solver *s, uint32_t block, enum unknown which)
{
    return &s->row[block * UNKNOWNS + which];
}

static void clear(struct solver *s)
{
    memset(s->row, 0, (s->equations.unknowns + 1) * sizeof *s->row);
}

// Adds `factor` times the executions of the block to the row: all that went on or left, but for those who are paths
// more.
static void add_block(const struct solver *s, uint32_t block, double factor)
{
    *unknown_of(s, block, WENT_ON) += factor;
    *unknown_of(s, block, LEFT) += factor;
    *unknown_of(s, block, PARTED) -= factor;
    *unknown_of(s, block, MET) += factor;
}

// What went from one block to another directly.
static void add_flow(const struct solver *s, uint32_t from, uint32_t to, double factor)
{
    const struct machine_block *block = &s->code->blocks[from];
    if (block->next == to)
        *unknown_of(s, from, WENT_ON) += factor;
    if (block->target == to)
        *unknown_of(s, from, LEFT) += factor;
    if (block->called == to)
        add_block(s, from, factor);
}

static enum equation_outcome add(struct solver *s, double right)
{
    s->row[s->equations.unknowns] = right;
    return equations_add(&s->equations, s->row);
}

// What is known beyond doubt, unless ptxas did what this does not foresee.
static void add_fact(struct solver *s, double right)
{
    if (add(s, right) == EQUATION_WRONG)
        s->is_exact = 0;
}

static double a_warp(const struct solver *s, uint64_t count)
{
    return (double)count / s->warps;
}

// What the machine instruction was made of, or NULL.
static const struct instruction *ptx_of(const struct solver *s,
                                        const struct machine_instruction *machine)
{
    return machine->from == NOWHERE ? NULL : &s->function->code[machine->from];
}

static void fix(struct solver *s, uint32_t block, enum unknown which, double value)
{
    clear(s);
    *unknown_of(s, block, which) = 1;
    add_fact(s, value);
}

static uint32_t machine_copies(const struct solver *s, uint32_t from, enum machine_kind kind)
{
    uint32_t copies = 0;
    for (uint32_t i = 0; i < s->code->length; i++)
        copies += s->code->code[i].from == from && s->code->code[i].kind == kind;
    return copies;
}

// Whether a copy of an access that the branch of the block leaves out stands before it: there the branch became a
// predicate.
static int is_predicate_before(const struct solver *s, uint32_t b, const struct instruction *branch)
{
    for (uint32_t i = 0; i < s->code->blocks[b].end; i++) {
        const struct machine_instruction *machine = &s->code->code[i];
        const struct instruction *in = ptx_of(s, machine);
        if (in && machine->kind == MACHINE_MEMORY && machine->is_guarded && in > branch &&
            in < branch->target && machine_copies(s, machine->from, MACHINE_MEMORY) > 1)
            return 1;
    }
    return 0;
}

// Whether the branch that ends the block is the only copy of a PTX branch.
static int ends_with_only_copy(const struct solver *s, uint32_t b)
{
    const struct machine_instruction *last = machine_last(s->code, &s->code->blocks[b]);
    const struct instruction *branch = ptx_of(s, last);
    return branch && branch->op == OP_BRANCH &&
           machine_copies(s, last->from, MACHINE_BRANCH) +
                   machine_copies(s, last->from, MACHINE_EXIT) ==
               1 &&
           !is_predicate_before(s, b, branch);
}

// How often threads parted at the block's branch: the PTX branch says it where it has one copy.
static void add_parting(struct solver *s, uint32_t block)
{
    const struct machine_instruction *last = machine_last(s->code, &s->code->blocks[block]);
    int is_branch = last->kind == MACHINE_BRANCH && last->is_guarded && !last->is_forced;
    if (!s->parts || !is_branch) {
        fix(s, block, PARTED, 0);
        return;
    }
    if (ends_with_only_copy(s, block))
        fix(s, block, PARTED, a_warp(s, s->counts[last->from].divergent));
}

static void add_block_facts(struct solver *s, uint32_t b)
{
    const struct machine_block *block = &s->code->blocks[b];
    const struct machine_instruction *last = machine_last(s->code, block);
    if (block->next == NOWHERE)
        fix(s, b, WENT_ON, 0);
    if (last->kind != MACHINE_BRANCH && last->kind != MACHINE_EXIT && last->kind != MACHINE_RETURN)
        fix(s, b, LEFT, 0);
    if (!block->is_reached || last->is_forced)
        fix(s, b, LEFT, 0);
    if (!s->parts || last->kind != MACHINE_MEETING)
        fix(s, b, MET, 0);
    add_parting(s, b);
    clear(s);
    add_block(s, b, 1);
    for (uint32_t from = 0; from < s->code->block_count && block->is_reached; from++)
        add_flow(s, from, b, -1);
    add_fact(s, b == 0 ? 1 : 0);
}

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
    const struct instruction *in = ptx_of(s, machine);
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

// Counts the copies of a PTX instruction by block. Returns how many blocks have any; 0 where one is no anchor.
static uint32_t find_copies(struct solver *s, uint32_t from)
{
    uint32_t blocks = 0;
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
        }
        blocks += s->copies[b] > 0;
    }
    return blocks;
}

static void add_anchor(struct solver *s, uint32_t from)
{
    if (!find_copies(s, from))
        return;
    clear(s);
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (s->copies[b])
            add_block(s, b, s->copies[b]);
    add_fact(s, a_warp(s, s->counts[from].executed));
    for (uint32_t b = 0; b < s->code->block_count && s->counts[from].executed == 0; b++)
        if (s->copies[b]) {
            clear(s);
            add_block(s, b, 1);
            add_fact(s, 0);
        }
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
    double rounds = a_warp(s, s->counts[start].executed);
    *loop = (struct loop){.start = start, .end = end, .begun = rounds, .rounds = rounds};
    for (uint32_t i = start; i < s->function->length; i++)
        if (code[i].op == OP_BRANCH && code[i].target == &code[start])
            loop->begun -= a_warp(s, s->counts[i].taken);
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
    clear(s);
    add_block(s, block, 1);
    add_fact(s, loop->begun * ((1 - more) * a + more * b));
    if (!find_machine_loop(s, block, &start))
        return;
    clear(s);
    add_block(s, start, 1);
    for (uint32_t from = start; from < s->code->block_count; from++)
        if (s->code->blocks[from].is_reached && s->code->blocks[from].target == start)
            *unknown_of(s, from, LEFT) -= 1;
    add_fact(s, loop->begun * ((1 - more) * (a > 0) + more * (b > 0)));
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
            clear(s);
            add_block(s, b, 1);
            add_block(s, one, -1);
            if (!equations_value(&s->equations, s->row, &more) || more != 0)
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

// What the copies of the access in the loop around it say, where it is executed in each round.
static void add_loops(struct solver *s, uint32_t from)
{
    struct loop loop;
    if (!s->counts[from].executed || !find_copies(s, from) || !find_loop(s, from, &loop) ||
        s->counts[loop.start].executed != s->counts[from].executed)
        return;
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (s->copies[b] && is_alone(s, b))
            add_unrolled(s, b, &loop);
}

static int value_of_block(struct solver *s, uint32_t b, double *value)
{
    clear(s);
    add_block(s, b, 1);
    return equations_value(&s->equations, s->row, value);
}

// The loop around an access that was executed. There are two ways of an asynchronous copy, and it does not do for these.
static int find_loop_of_access(const struct solver *s, uint32_t from, struct loop *loop)
{
    const struct instruction *in = &s->function->code[from];
    return in->size && in->op != OP_COPY_ASYNC && s->counts[from].executed &&
           find_loop(s, from, loop);
}

// As add_loops(), where rounds may leave the access out, of blocks of which nothing is known.
static void add_rounds(struct solver *s, uint32_t from)
{
    struct loop loop;
    double value;
    if (!find_loop_of_access(s, from, &loop) || !find_rounds(s, from, &loop))
        return;
    for (uint32_t b = 0; b < s->code->block_count; b++)
        if (s->copies[b] && !value_of_block(s, b, &value) &&
            (is_alone(s, b) || !has_times(s, b, &loop))) {
            s->is_exact &= !has_other_sizes(s, b); // a mean may be whole where no warp ran so many
            add_unrolled(s, b, &loop);
        }
}

// Of copies that branches may leave out, in blocks of which nothing is known, each round has as many as the others.
static void add_parts_of_rounds(struct solver *s, uint32_t from)
{
    struct loop loop;
    double value, part;
    if (!find_loop_of_access(s, from, &loop))
        return;
    part = (double)s->counts[from].executed / (double)s->counts[loop.start].executed;
    for (uint32_t b = 0; b < s->code->block_count; b++) {
        uint32_t round = has_access(s, b, from) ? round_of(s, b, from, &loop) : b;
        if (round == b || value_of_block(s, b, &value))
            continue;
        s->is_exact &= part == 1;
        clear(s);
        add_block(s, b, 1);
        add_block(s, round, -part);
        add_fact(s, 0);
    }
}

// Whether all is known: then s->blocks are the executions.
static int is_solved(struct solver *s)
{
    if (s->asked == s->equations.count)
        return s->is_known;
    s->asked = s->equations.count;
    s->is_known = 1;
    for (uint32_t b = 0; b < s->code->block_count && s->is_known; b++) {
        s->blocks[b] = 0;
        if (s->code->blocks[b].is_reached)
            s->is_known = value_of_block(s, b, &s->blocks[b]);
    }
    return s->is_known;
}

// How many of the block's instructions come from the PTX between the branch and its target.
static uint32_t count_skipped(const struct solver *s, uint32_t b, const struct instruction *branch)
{
    const struct machine_block *block = &s->code->blocks[b];
    uint32_t skipped = 0;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct machine_instruction *machine = &s->code->code[i];
        const struct instruction *in = ptx_of(s, machine);
        skipped += in && machine->kind != MACHINE_MEETING && in > branch && in < branch->target;
    }
    return skipped;
}

// How often the block's branch was taken, or its exit, if it is as the PTX has it, or the other way round. Returns 0
// when that cannot be told.
static int find_left(const struct solver *s, uint32_t b, double *left)
{
    const struct machine_block *block = &s->code->blocks[b];
    const struct machine_instruction *last = machine_last(s->code, block);
    const struct instruction *branch = &s->function->code[last->from];
    const struct ptx_count *count = &s->counts[last->from];
    if (last->kind == MACHINE_EXIT) { // of warps none of whose threads goes on
        *left = a_warp(s, count->taken - count->divergent);
        return becomes_exit(branch);
    }
    if (block->next == NOWHERE || block->target == NOWHERE)
        return 0;
    uint32_t next = count_skipped(s, block->next, branch);
    uint32_t target = count_skipped(s, block->target, branch);
    *left = a_warp(s, next ? count->taken : count->executed - count->taken + count->divergent);
    return (next == 0) != (target == 0);
}

// Whether the block ends with a PTX branch forward that has one copy. Those back are the loops' affair.
static int ends_with_branch(const struct solver *s, uint32_t b)
{
    const struct machine_block *block = &s->code->blocks[b];
    const struct machine_instruction *last = machine_last(s->code, block);
    if (!block->is_reached || last->from == NOWHERE || !last->is_guarded ||
        (last->kind != MACHINE_BRANCH && last->kind != MACHINE_EXIT))
        return 0;
    const struct instruction *branch = &s->function->code[last->from];
    return branch->target > branch && ends_with_only_copy(s, b);
}

// What such a branch says of its block.
static void add_branch(struct solver *s, uint32_t b)
{
    double left;
    if (!ends_with_branch(s, b))
        return;
    const struct machine_instruction *last = machine_last(s->code, &s->code->blocks[b]);
    clear(s);
    add_block(s, b, 1);
    add_fact(s, a_warp(s, s->counts[last->from].executed));
    if (find_left(s, b, &left))
        fix(s, b, LEFT, left);
}

// How often the block was executed if instruction `at` of it and its copies, which must all be in the block, were as
// often as the PTX says; a negative number where that cannot be told.
static double opinion(const struct solver *s, const struct machine_block *block, uint32_t at)
{
    const struct machine_instruction *in = &s->code->code[at];
    uint32_t copies = 0;
    if (in->from == NOWHERE || in->is_guarded)
        return -1;
    for (uint32_t i = 0; i < s->code->length; i++) {
        const struct machine_instruction *other = &s->code->code[i];
        if (other->from != in->from || other->opcode != in->opcode)
            continue;
        if (i < block->first || i >= block->end)
            return -1;
        copies++;
    }
    return a_warp(s, s->counts[in->from].executed) / copies;
}

// The executions that most of the block's first instructions speak for; or a negative number.
static double vote(const struct solver *s, const struct machine_block *block)
{
    double opinions[VOTERS], elected = -1;
    uint32_t count = 0, most = 0;
    for (uint32_t i = block->first; i < block->end && count < VOTERS; i++) {
        double mine = opinion(s, block, i);
        if (mine >= 0)
            opinions[count++] = mine;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t votes = 0;
        for (uint32_t k = 0; k < count; k++)
            votes += opinions[k] == opinions[i];
        if (votes > most) {
            most = votes;
            elected = opinions[i];
        }
    }
    return elected;
}

// At the end of a loop that has one copy, the rounds of it that the block takes at once are a whole number: makes it one.
static double whole_rounds(const struct solver *s, const struct machine_block *block,
                           double elected)
{
    const struct machine_instruction *last = machine_last(s->code, block);
    const struct instruction *branch = ptx_of(s, last);
    if (!branch || branch->op != OP_BRANCH || branch->target > branch || elected <= 0 ||
        last->kind != MACHINE_BRANCH || machine_copies(s, last->from, last->kind) != 1)
        return elected;
    double rounds = a_warp(s, s->counts[last->from].executed);
    return rounds / fmax(1, round(rounds / elected));
}

static void add_vote(struct solver *s, uint32_t b)
{
    const struct machine_block *block = &s->code->blocks[b];
    double value, elected;
    if (!block->is_reached || value_of_block(s, b, &value) || (elected = vote(s, block)) < 0)
        return;
    s->is_exact = 0;
    clear(s);
    add_block(s, b, 1);
    (void)add(s, whole_rounds(s, block, elected));
}

// Whether less than nothing flows anywhere.
static int has_contradiction(struct solver *s)
{
    for (uint32_t i = 0; i < s->equations.unknowns; i++) {
        double value;
        clear(s);
        s->row[i] = 1;
        if (equations_value(&s->equations, s->row, &value) && value < -1e-6)
            return 1;
    }
    return 0;
}

static int solve(struct solver *s)
{
    uint32_t blocks = s->code->block_count, length = (uint32_t)s->function->length;
    for (uint32_t b = 0; b < blocks; b++)
        add_block_facts(s, b);
    for (uint32_t i = 0; i < length; i++)
        add_anchor(s, i);
    equations_use_signs(&s->equations);
    for (uint32_t b = 0; b < blocks && !is_solved(s); b++)
        add_branch(s, b);
    equations_use_signs(&s->equations);
    for (uint32_t i = 0; i < length && !is_solved(s); i++)
        add_loops(s, i);
    equations_use_signs(&s->equations);
    for (uint32_t i = 0; i < length && !is_solved(s); i++)
        add_rounds(s, i);
    equations_use_signs(&s->equations);
    for (uint32_t i = 0; i < length && !is_solved(s); i++)
        add_parts_of_rounds(s, i);
    equations_use_signs(&s->equations);
    for (uint32_t b = 0; b < blocks && !is_solved(s); b++) {
        add_vote(s, b);
        equations_use_signs(&s->equations);
    }
    int good = is_solved(s);
    s->is_exact &= !has_contradiction(s);
    for (uint32_t b = 0; b < blocks; b++)
        good &= s->blocks[b] > -1e-6 && isfinite(s->blocks[b]);
    return good;
}

// How often the block's branch was taken; where that does not follow, in half of its executions.
static double taken_of_block(struct solver *s, uint32_t b)
{
    double taken;
    clear(s);
    *unknown_of(s, b, LEFT) = 1;
    if (!equations_value(&s->equations, s->row, &taken) &&
        !(ends_with_branch(s, b) && find_left(s, b, &taken)))
        taken = s->blocks[b] / 2;
    return fmax(0, fmin(s->blocks[b], taken));
}

static int count(struct solver *s, struct machine_counts *result)
{
    uint32_t length = (uint32_t)s->function->length, blocks = s->code->block_count;
    for (uint32_t i = 0; i < length; i++)
        s->parts |= s->counts[i].divergent != 0 && s->code->leaves[i]; // predicates part no threads
    s->row = calloc((size_t)blocks * UNKNOWNS + 1, sizeof *s->row);
    s->blocks = calloc(blocks, sizeof *s->blocks);
    s->taken = calloc(blocks, sizeof *s->taken);
    s->copies = calloc(blocks, sizeof *s->copies);
    result->costs = calloc(length, sizeof *result->costs);
    if (!equations_open(&s->equations, blocks * UNKNOWNS) || !s->row || !s->blocks || !s->taken ||
        !s->copies || !result->costs || !solve(s))
        return 0;
    for (uint32_t b = 0; b < blocks; b++) {
        s->taken[b] = taken_of_block(s, b) * s->warps;
        s->blocks[b] *= s->warps;
    }
    machine_costs_sum(&(struct machine_executions){s->code, s->blocks, s->taken, s->warps},
                      s->counts, length, result);
    result->is_exact = s->is_exact;
    return 1;
}

int machine_count(const struct machine_code *code, const struct function *function,
                  const struct ptx_count *counts, double warps, struct machine_counts *result)
{
    struct solver s = {
        .code = code, .function = function, .counts = counts, .warps = warps, .is_exact = 1};
    *result = (struct machine_counts){0};
    if (code->block_count > MAX_BLOCKS || warps <= 0 || counts[0].executed == 0)
        return 0;
    int good = count(&s, result);
    equations_close(&s.equations);
    free(s.row);
    free(s.blocks);
    free(s.taken);
    free(s.copies);
    if (!good) {
        free(result->costs);
        result->costs = NULL;
    }
    return good;
}
