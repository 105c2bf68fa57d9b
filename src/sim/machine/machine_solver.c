#include "sim/machine/machine_solver.h"

#include <stdlib.h>
#include <string.h>

int solver_open(struct solver *s)
{
    uint32_t blocks = s->code->block_count;
    for (size_t i = 0; i < s->function->length; i++)
        s->parts |= s->counts[i].divergent != 0 && s->code->leaves[i]; // predicates part no threads
    s->is_exact = 1;
    s->row = calloc((size_t)blocks * UNKNOWNS + 1, sizeof *s->row);
    s->blocks = calloc(blocks, sizeof *s->blocks);
    s->taken = calloc(blocks, sizeof *s->taken);
    s->copies = calloc(blocks, sizeof *s->copies);
    return equations_open(&s->equations, blocks * UNKNOWNS) && s->row && s->blocks && s->taken &&
           s->copies;
}

void solver_close(struct solver *s)
{
    equations_close(&s->equations);
    free(s->row);
    free(s->blocks);
    free(s->taken);
    free(s->copies);
}

double solver_a_warp(const struct solver *s, uint64_t count)
{
    return (double)count / s->warps;
}

const struct instruction *solver_ptx(const struct solver *s,
                                     const struct machine_instruction *machine)
{
    return machine->from == NOWHERE ? NULL : &s->function->code[machine->from];
}

void solver_clear(struct solver *s)
{
    memset(s->row, 0, (s->equations.unknowns + 1) * sizeof *s->row);
}

double *solver_unknown(const struct solver *s, uint32_t block, enum unknown which)
{
    return &s->row[block * UNKNOWNS + which];
}

// A block was executed by all that went on or left, but for those who are paths more.
void solver_add_block(const struct solver *s, uint32_t block, double factor)
{
    *solver_unknown(s, block, WENT_ON) += factor;
    *solver_unknown(s, block, LEFT) += factor;
    *solver_unknown(s, block, PARTED) -= factor;
    *solver_unknown(s, block, MET) += factor;
}

enum equation_outcome solver_add(struct solver *s, double right)
{
    s->row[s->equations.unknowns] = right;
    return equations_add(&s->equations, s->row);
}

int solver_value(struct solver *s, double *value)
{
    return equations_value(&s->equations, s->row, value);
}

void solver_add_fact(struct solver *s, double right)
{
    if (solver_add(s, right) == EQUATION_WRONG)
        s->is_exact = 0;
}

void solver_fix(struct solver *s, uint32_t block, enum unknown which, double value)
{
    solver_clear(s);
    *solver_unknown(s, block, which) = 1;
    solver_add_fact(s, value);
}

void solver_fix_block(struct solver *s, uint32_t block, double value)
{
    solver_clear(s);
    solver_add_block(s, block, 1);
    solver_add_fact(s, value);
}

int solver_block_value(struct solver *s, uint32_t block, double *value)
{
    solver_clear(s);
    solver_add_block(s, block, 1);
    return solver_value(s, value);
}

int solver_is_solved(struct solver *s)
{
    if (s->asked == s->equations.count)
        return s->is_known;
    s->asked = s->equations.count;
    s->is_known = 1;
    for (uint32_t b = 0; b < s->code->block_count && s->is_known; b++) {
        s->blocks[b] = 0;
        if (s->code->blocks[b].is_reached)
            s->is_known = solver_block_value(s, b, &s->blocks[b]);
    }
    return s->is_known;
}

int solver_has_contradiction(struct solver *s)
{
    for (uint32_t i = 0; i < s->equations.unknowns; i++) {
        double value;
        solver_clear(s);
        s->row[i] = 1;
        if (solver_value(s, &value) && value < -1e-6)
            return 1;
    }
    return 0;
}
