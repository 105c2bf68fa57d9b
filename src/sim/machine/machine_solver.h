// What is known of how often each block of machine code was executed, a warp, and where it went on: equations, as they
// are found.
#ifndef SIM_MACHINE_SOLVER_H
#define SIM_MACHINE_SOLVER_H

#include "sim/machine/equations.h"
#include "sim/machine/machine_code.h"
#include "sim/machine/machine_costs.h"

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
    double *row;      // the equation that is written
    double *blocks;   // how often each was executed, a warp
    double *taken;    // and ended by its branch, by all warps
    uint32_t *copies; // by block, of the PTX instruction that is looked at
    int is_exact;
    uint32_t asked; // with how many equations solver_is_solved() was asked last, and what it said
    int is_known;
};

// Needs code, function, counts and warps, and what else is zero. Returns 0 without memory. solver_close() also takes what
// could not be opened.
int solver_open(struct solver *s);
void solver_close(struct solver *s);

// What a count of all warps is for one.
double solver_a_warp(const struct solver *s, uint64_t count);

// What the machine instruction was made of, or NULL.
const struct instruction *solver_ptx(const struct solver *s,
                                     const struct machine_instruction *machine);

// To write an equation, clear the row and change the factors of unknowns, or of all that a block's executions are the sum
// of; then add it with its right side, or ask for the row's value, which returns 0 where that does not follow. Either
// changes the row.
void solver_clear(struct solver *s);
double *solver_unknown(const struct solver *s, uint32_t block, enum unknown which);
void solver_add_block(const struct solver *s, uint32_t block, double factor);
enum equation_outcome solver_add(struct solver *s, double right);
int solver_value(struct solver *s, double *value);

// Adds what is known beyond doubt, unless ptxas did what this does not foresee: then nothing is exact.
void solver_add_fact(struct solver *s, double right);

// That of one unknown, and of a block's executions.
void solver_fix(struct solver *s, uint32_t block, enum unknown which, double value);
void solver_fix_block(struct solver *s, uint32_t block, double value);

// How often the block was executed, a warp. Returns 0 where that does not follow.
int solver_block_value(struct solver *s, uint32_t block, double *value);

// Whether all is known: then s->blocks are the executions.
int solver_is_solved(struct solver *s);

// Whether less than nothing flows anywhere.
int solver_has_contradiction(struct solver *s);

#endif
