// Lines of which the L2 holds sectors in part until another block, or another warp of the block, stores the rest.
//
// Which bytes of such a sector are there the L2 remembers for one line in eight, in sets of two, and has DRAM complete a
// line's sectors when it needs its place for another line. How many lines are open at a time follows from how long they wait
// (Little's law). Those of different blocks are completed where two others come to the set meanwhile, as by chance, be it lines
// that a warp's own parts hold open for next to no time. What a block's own warps store comes at once with more of theirs, and as
// much of it finds no place as Erlang's loss formula says of one ("Solution of some problems in the theory of probabilities of
// significance in automatic telephone exchanges", 1917).
// Those are simulated, too, with places as halves_* have them (l2_part_sectors.h), but warps wait less unlike there than on a
// GPU, so that no fewer are completed than this says: of unseen 74 at n = 10007, for which an H200 reads 1.17 times what is
// useful (docs/runs/h200-unseen-10007.json), it has 0.16, and the simulated SM 0.02.
//
// Of tiles down the columns, 8 to 32 words wide, by 32 to 256 threads (tests/micro/open.cu), this has 0.68 to 1.28 times what
// an H200 and an H100 complete, if they wait as long as was measured (docs/runs/open-lines.csv: 0.4 to 3.6 millions).
#ifndef SIM_L2_OPEN_LINES_H
#define SIM_L2_OPEN_LINES_H

#include "base/sim_devices.h"
#include "sim/count/l2.h"

// The sectors that DRAM completes in a launch of so many blocks, because the rest comes too late: of several blocks, and of
// one alone; and lines a sector, 1/4 to 1, as those of a line that wait at the same time are completed together.
struct open_lines_completed {
    double of_blocks, own, lines_a_sector;
};

// Takes from what is open the sectors that joined on their way out of the SM, that share of all, 0 to 1, and came whole: no more
// than a block's own.
void open_lines_take_joined(struct l2_open *open, double joined);

struct open_lines_completed open_lines_completed(const struct sim_device *device,
                                                 const struct l2_outcome *l2, double blocks);

#endif
