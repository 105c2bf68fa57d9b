// Stores that join others on their way out of an SM.
//
// A line that is stored waits until 24 others were stored to since, or the load/store unit has nothing to do for 8 cycles and 2
// for each line of the last store.
// What warps store to it meanwhile leaves with it, at once: so parts of sectors come to the L2 as whole ones. An H200 and an
// H100 were asked by stores of two parts and more, to 1 to 32 lines each, by 1 to 16 warps of a block at the same time
// (lts__t_requests_srcunit_tex_op_write): parts meet as long as the lines of all these warps, or of four of them where there
// are more, are 24 or fewer, some do at 28, and from 30 on hardly any does, be it two or eight that come one after the other,
// and whatever loads of global or shared memory the unit has to serve meanwhile. If the second of two comes later they meet for
// 12, 16, 24 and 40 cycles, for 2, 4, 8 and 16 lines; then they leave, 64 bytes a cycle (docs/runs/joined-stores.csv).
#ifndef SIM_JOINED_STORES_H
#define SIM_JOINED_STORES_H

#include "sim/time/hierarchy.h"
#include "sim/time/requests.h"

enum { WAITING_LINES = 24, WAIT_CYCLES = 8, WAIT_CYCLES_A_LINE = 2 };

// The lines that wait, and those that left as a whole line and would still wait.
struct waiting_stores {
    struct waiting_line {
        struct stored_line stored;
        uint64_t used; // when last, in lines that were stored; 0: none waits here
        unsigned warp; // that stored to it last
        int has_left;
    } lines[WAITING_LINES];
    uint64_t now;
    unsigned last; // lines of the last store
};

// A part of a store, of so many lines, begins at `start`. Returns for how many cycles the unit is busy with it and with what
// leaves for it.
double joined_stores_add(struct hierarchy *memory, struct waiting_stores *waiting,
                         const struct request *store, const struct trace_line *lines,
                         unsigned count, double start);

// The unit has nothing to do from one time to the other: lets those leave that do meanwhile.
void joined_stores_leave(struct hierarchy *memory, struct waiting_stores *waiting, double from,
                         double to);

#endif
