#include "sim/time/l2_open_lines.h"

#include <math.h>

#include "sim/count/access.h"

enum { LINES_A_PLACE = 8 }; // lines of the L2, for each that may be open
enum { PLACES = 2 };        // of a set

// How many others come to a line's places while it is open, in the mean. Two push it out that are there at once: one that comes
// meanwhile, and one that is open then. As many of either are there as `share` says if all wait as long as those that blocks
// share; but where many wait shorter, as those do that nobody else stores to, more come. So it is the root of both.
static double others_come(const struct l2_open *open, double share)
{
    double all = open->lines * open->sector_launches,
           more = all > 0 ? open->opened * open->shared_launches / all : 1;
    return PLACES * share * sqrt(fmax(1, more));
}

// The share of open sectors that are completed: those to whose line's places two others come while it is open, by chance.
static double pushed_out(double others)
{
    return 1 - exp(-others) * (1 + others);
}

// The same where the warps of a block store all parts: they come at once with many others of the block's, and one place is
// all that they find (Erlang's loss formula).
static double own_pushed_out(double share)
{
    return share / (1 + share);
}

// A line stays open from one sector to the next where these are open at the same time; else each opens it again.
static double launches_open(const struct l2_open *open)
{
    return open->lines > 0 ? fmin(open->line_launches, open->sector_launches)
                           : open->sector_launches;
}

// Those of a line that wait at the same time are completed together.
static double lines_a_sector(const struct l2_open *open)
{
    return fmax(1. / LINE_SECTORS, open->sectors > 0 ? fmin(1, open->lines / open->sectors) : 1);
}

struct open_lines_completed open_lines_completed(const struct sim_device *device,
                                                 const struct l2_outcome *l2, double blocks)
{
    const struct l2_open *open = &l2->open;
    double places = (double)device->l2_bytes / LINE_SIZE / LINES_A_PLACE,
           share = launches_open(open) / blocks / places;
    return (struct open_lines_completed){
        .of_blocks = (open->sectors - open->own) * pushed_out(others_come(open, share)),
        .own = open->own * own_pushed_out(share),
        .lines_a_sector = lines_a_sector(open),
    };
}

void open_lines_take_joined(struct l2_open *open, double joined)
{
    double own = fmin(open->own, open->sectors * joined);
    open->opened -= fmax(0, open->opened - open->lines) * joined;
    if (own == 0)
        return;
    double left = 1 - own / open->sectors,
           launches = (open->sector_launches - open->shared_launches) * own / open->own;
    open->lines *= left;
    open->opened *= left;
    open->line_launches *= 1 - launches / open->sector_launches;
    open->sectors -= own;
    open->sector_launches -= launches;
    open->own -= own;
}
