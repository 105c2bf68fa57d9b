// Lines of which the L2 holds sectors in part until another block, or another warp of the block, stores the rest.
//
// Which bytes of such a sector are there the L2 remembers for one line in eight, in sets of two, and has DRAM complete a
// line's sectors when it needs its place for another line. How many lines are open at a time follows from how long they wait
// (Little's law). Those are completed where two others come to the set meanwhile, as by chance, be it lines that a warp's own parts
// hold open for next to no time. Lines that are stored near each other fill the sets more evenly: as many are completed as if
// three had to come, of 1.6 times as many. That is of copies whose sectors only the warps of a block share, along the rows and down
// the columns (1.45 to 1.8 of six pairs on an H200, of which 1 in 50 or more are completed down the columns; 1.0 to 2.1 of those of
// which fewer are: docs/runs/own-sectors.csv), and is taken for what blocks share, too.
//
// Of tiles down the columns, 8 to 32 words wide, by 32 to 256 threads (tests/micro/open.cu), this has 0.68 to 1.28 times what
// an H200 and an H100 complete, if they wait as long as was measured (docs/runs/open-lines.csv: 0.4 to 3.6 millions); and 0.74 to
// 0.90 times of those that only the warps of a block share (tests/micro/own_sectors.cu), where these are 1 in 100 or more.
//
// What a block's own warps store is simulated, too, with places as halves_* have them (l2_part_sectors.h), but warps wait less
// unlike there than on a GPU, so that no fewer are completed than this says.
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
// than a block's own. They waited for next to nothing, so that those that are left wait for as long in sum; where none is left,
// for nothing.
void open_lines_take_joined(struct l2_open *open, double joined);

struct open_lines_completed open_lines_completed(const struct sim_device *device,
                                                 const struct l2_outcome *l2, double blocks);

// Of the sectors that wait, the share that blocks share: not a block's own. 1 if none waits. A warp's own parts, which do not wait,
// are not told from the others.
double open_lines_shared(const struct l2_open *open);

#endif
