// Stores that join others on their way out of an SM.
//
// A line that is stored waits until 24 others were stored to since, or the load/store unit has nothing to do for 8 cycles and 2
// for each line of the last store. What warps store to it meanwhile leaves with it, at once: so parts of sectors come to the L2
// as whole ones. An H200 and an H100 were asked by stores of two parts and more, to 1 to 32 lines each, by 1 to 16 warps of a
// block at the same time (lts__t_requests_srcunit_tex_op_write; docs/runs/joined-stores.csv): parts meet as long as the lines of
// all these warps are 24 or fewer, some do at 28, and from 30 on few, be it two or eight that come one after the other. If the
// second of two comes later, they meet as long as it comes within 10, 18, 26 and 42 cycles, for 2, 4, 8 and 16 lines, and the
// later it comes then the fewer do: here lines leave by 64 bytes a cycle. Loads of other warps in between changed nothing, of
// global or of shared memory, where the same was tried beside them. A fence or an atomic in between is taken to change nothing,
// either: that was not measured.
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
