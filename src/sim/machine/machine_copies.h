// What the copies that ptxas made of an access, a barrier or an exchange of lanes say of the blocks that they are in.
//
// All copies together are executed as often as the PTX says. Where ptxas unrolled a loop there are several: of a loop that
// runs n times and has copies of k rounds, of fewer rounds and of one, those of most rounds run as often as there are so
// many rounds left, also where an access is left out of some rounds, by predicates or by branches.
#ifndef SIM_MACHINE_COPIES_H
#define SIM_MACHINE_COPIES_H

#include "sim/machine/machine_solver.h"

// Each adds what follows from PTX instruction `from`, if anything.

// All its copies together, wherever they are.
void copies_add_anchor(struct solver *s, uint32_t from);

// Copies in the loop around it, where it is executed in each round.
void copies_add_loops(struct solver *s, uint32_t from);

// Of an access, copies in the loop around it that rounds may leave out, in blocks of which nothing is known.
void copies_add_rounds(struct solver *s, uint32_t from);

// Of an access, copies that branches may leave out, in such blocks: each round has as many as the others.
void copies_add_parts_of_rounds(struct solver *s, uint32_t from);

#endif
