#include "sim/machine/machine_counts.h"

#include <math.h>
#include <stdlib.h>

#include "sim/machine/machine_copies.h"
#include "sim/machine/machine_solver.h"
#include "sim/ptx/predicated_branches.h"

// Code with more blocks is not solved for, as the time grows with the cube; nor are more of a block's instructions asked.
enum { MAX_BLOCKS = 256, VOTERS = 512 };

// What went from one block to another directly.
static void add_flow(const struct solver *s, uint32_t from, uint32_t to, double factor)
{
    const struct machine_block *block = &s->code->blocks[from];
    if (block->next == to)
        *solver_unknown(s, from, WENT_ON) += factor;
    if (block->target == to)
        *solver_unknown(s, from, LEFT) += factor;
    if (block->called == to)
        solver_add_block(s, from, factor);
}

static uint32_t count_copies(const struct solver *s, uint32_t from, enum machine_kind kind)
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
        const struct instruction *in = solver_ptx(s, machine);
        if (in && machine->kind == MACHINE_MEMORY && machine->is_guarded && in > branch &&
            in < branch->target && count_copies(s, machine->from, MACHINE_MEMORY) > 1)
            return 1;
    }
    return 0;
}

// Whether the branch that ends the block is the only copy of a PTX branch.
static int ends_with_only_copy(const struct solver *s, uint32_t b)
{
    const struct machine_instruction *last = machine_last(s->code, &s->code->blocks[b]);
    const struct instruction *branch = solver_ptx(s, last);
    return branch && branch->op == OP_BRANCH &&
           count_copies(s, last->from, MACHINE_BRANCH) +
                   count_copies(s, last->from, MACHINE_EXIT) ==
               1 &&
           !is_predicate_before(s, b, branch);
}

// How often threads parted at the block's branch: the PTX branch says it where it has one copy.
static void add_parting(struct solver *s, uint32_t block)
{
    const struct machine_instruction *last = machine_last(s->code, &s->code->blocks[block]);
    int is_branch = last->kind == MACHINE_BRANCH && last->is_guarded && !last->is_forced;
    if (!s->parts || !is_branch)
        solver_fix(s, block, PARTED, 0);
    else if (ends_with_only_copy(s, block))
        solver_fix(s, block, PARTED, solver_a_warp(s, s->counts[last->from].divergent));
}

static void add_block_facts(struct solver *s, uint32_t b)
{
    const struct machine_block *block = &s->code->blocks[b];
    const struct machine_instruction *last = machine_last(s->code, block);
    if (block->next == NOWHERE)
        solver_fix(s, b, WENT_ON, 0);
    if (last->kind != MACHINE_BRANCH && last->kind != MACHINE_EXIT && last->kind != MACHINE_RETURN)
        solver_fix(s, b, LEFT, 0);
    if (!block->is_reached || last->is_forced)
        solver_fix(s, b, LEFT, 0);
    if (!s->parts || last->kind != MACHINE_MEETING)
        solver_fix(s, b, MET, 0);
    add_parting(s, b);
    solver_clear(s);
    solver_add_block(s, b, 1);
    for (uint32_t from = 0; from < s->code->block_count && block->is_reached; from++)
        add_flow(s, from, b, -1);
    solver_add_fact(s, b == 0 ? 1 : 0);
}

// How many of the block's instructions come from the PTX between the branch and its target.
static uint32_t count_skipped(const struct solver *s, uint32_t b, const struct instruction *branch)
{
    const struct machine_block *block = &s->code->blocks[b];
    uint32_t skipped = 0;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct machine_instruction *machine = &s->code->code[i];
        const struct instruction *in = solver_ptx(s, machine);
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
        *left = solver_a_warp(s, count->taken - count->divergent);
        return becomes_exit(branch);
    }
    if (block->next == NOWHERE || block->target == NOWHERE)
        return 0;
    uint32_t next = count_skipped(s, block->next, branch);
    uint32_t target = count_skipped(s, block->target, branch);
    *left =
        solver_a_warp(s, next ? count->taken : count->executed - count->taken + count->divergent);
    return (next == 0) != (target == 0);
}

// Whether the block ends with a PTX branch forward that has one copy. Those back are the loops' affair.
static int ends_with_branch(const struct solver *s, uint32_t b)
{
    const struct machine_block *block = &s->code->blocks[b];
    const struct machine_instruction *last = machine_last(s->code, block);
    const struct instruction *branch = solver_ptx(s, last);
    return block->is_reached && branch && branch->target > branch && last->is_guarded &&
           (last->kind == MACHINE_BRANCH || last->kind == MACHINE_EXIT) &&
           ends_with_only_copy(s, b);
}

// What such a branch says of its block.
static void add_branch(struct solver *s, uint32_t b)
{
    double left;
    if (!ends_with_branch(s, b))
        return;
    const struct machine_instruction *last = machine_last(s->code, &s->code->blocks[b]);
    solver_fix_block(s, b, solver_a_warp(s, s->counts[last->from].executed));
    if (find_left(s, b, &left))
        solver_fix(s, b, LEFT, left);
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
    return solver_a_warp(s, s->counts[in->from].executed) / copies;
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
    const struct instruction *branch = solver_ptx(s, last);
    if (!branch || branch->op != OP_BRANCH || branch->target > branch || elected <= 0 ||
        last->kind != MACHINE_BRANCH || count_copies(s, last->from, last->kind) != 1)
        return elected;
    double rounds = solver_a_warp(s, s->counts[last->from].executed);
    return rounds / fmax(1, round(rounds / elected));
}

static void add_vote(struct solver *s, uint32_t b)
{
    const struct machine_block *block = &s->code->blocks[b];
    double value, elected;
    if (!block->is_reached || solver_block_value(s, b, &value) || (elected = vote(s, block)) < 0)
        return;
    s->is_exact = 0;
    solver_clear(s);
    solver_add_block(s, b, 1);
    (void)solver_add(s, whole_rounds(s, block, elected));
}

// Asks each of so many blocks or PTX instructions, until all is known.
static void ask(struct solver *s, uint32_t count, void (*add)(struct solver *, uint32_t))
{
    for (uint32_t i = 0; i < count && !solver_is_solved(s); i++)
        add(s, i);
    equations_use_signs(&s->equations);
}

// What is sure comes first.
static int solve(struct solver *s)
{
    uint32_t blocks = s->code->block_count, length = (uint32_t)s->function->length;
    for (uint32_t b = 0; b < blocks; b++)
        add_block_facts(s, b);
    for (uint32_t i = 0; i < length; i++)
        copies_add_anchor(s, i);
    equations_use_signs(&s->equations);
    ask(s, blocks, add_branch);
    ask(s, length, copies_add_loops);
    ask(s, length, copies_add_rounds);
    ask(s, length, copies_add_parts_of_rounds);
    for (uint32_t b = 0; b < blocks && !solver_is_solved(s); b++) {
        add_vote(s, b);
        equations_use_signs(&s->equations);
    }
    int good = solver_is_solved(s);
    s->is_exact &= !solver_has_contradiction(s);
    for (uint32_t b = 0; b < blocks; b++)
        good &= s->blocks[b] > -1e-6 && isfinite(s->blocks[b]);
    return good;
}

// How often the block's branch was taken; where that does not follow, in half of its executions.
static double taken_of_block(struct solver *s, uint32_t b)
{
    double taken;
    solver_clear(s);
    *solver_unknown(s, b, LEFT) = 1;
    if (!solver_value(s, &taken) && !(ends_with_branch(s, b) && find_left(s, b, &taken)))
        taken = s->blocks[b] / 2;
    return fmax(0, fmin(s->blocks[b], taken));
}

static void sum(struct solver *s, struct machine_counts *result)
{
    for (uint32_t b = 0; b < s->code->block_count; b++) {
        s->taken[b] = taken_of_block(s, b) * s->warps;
        s->blocks[b] *= s->warps;
    }
    machine_costs_sum(&(struct machine_executions){s->code, s->blocks, s->taken, s->warps},
                      s->counts, (uint32_t)s->function->length, result);
    result->is_exact = s->is_exact;
}

int machine_count(const struct machine_code *code, const struct function *function,
                  const struct ptx_count *counts, double warps, struct machine_counts *result)
{
    struct solver s = {.code = code, .function = function, .counts = counts, .warps = warps};
    *result = (struct machine_counts){0};
    if (code->block_count > MAX_BLOCKS || warps <= 0 || counts[0].executed == 0)
        return 0;
    result->costs = calloc(function->length, sizeof *result->costs);
    int good = solver_open(&s) && result->costs && solve(&s);
    if (good) {
        sum(&s, result);
    } else {
        free(result->costs);
        result->costs = NULL;
    }
    solver_close(&s);
    return good;
}
