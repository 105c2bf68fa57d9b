// Lines of which the L2 holds sectors in part until another block, or another warp of the block, stores the rest.
//
// Which bytes of such a sector are there the L2 remembers for one line in eight (l2_part_lines.h), and has DRAM complete a
// line's sectors when it needs that for another line. How many lines are open at a time follows from how long they wait
// (Little's law), and the share that finds no room from Erlang's loss formula ("Solution of some problems in the theory
// of probabilities of significance in automatic telephone exchanges", 1917), with one place that a line may take, or with
// two where blocks go along the rows: lines are neighbours then, and fill the places more evenly.
//
// Of tiles down the columns, 8 to 32 words wide, by 32 to 256 threads (tests/micro/open.cu), as many sectors are completed
// so as an H200 and an H100 count, from 0.4 to 3.6 millions (docs/runs/open-lines.csv), within half of them. Those counts
// chose between one, two and three places; no other number is of them.
#ifndef SIM_L2_OPEN_LINES_H
#define SIM_L2_OPEN_LINES_H

#include "base/sim_devices.h"
#include "sim/count/l2.h"

// The sectors that DRAM completes in a launch of so many blocks, because the rest comes too late; and how many of them
// are a block's own, far from those that it stores meanwhile.
struct open_lines_completed {
    double sectors, own;
};

struct open_lines_completed open_lines_completed(const struct sim_device *device,
                                                 const struct l2_outcome *l2, double blocks);

#endif
