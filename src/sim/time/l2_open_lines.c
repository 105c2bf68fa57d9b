#include "sim/time/l2_open_lines.h"

#include <math.h>

#include "sim/count/access.h"

enum { LINES_A_PLACE = 8 }; // lines of the L2, for each that may be open
enum { PLACES = 2 };        // of a set

// A line stays open from one sector to the next where these are open at the same time; else each opens it again.
static double launches_open(const struct l2_open *open)
{
    return open->lines > 0 ? fmin(open->line_launches, open->sector_launches)
                           : open->sector_launches;
}

// How many others come to a line's places while its sectors wait, in the mean, of a kind of which so many do, for so many launches
// in sum. Open lines take `share` of all places. Two push a line out that are there at once: one that comes meanwhile, and one
// that is open then. As many of either are there as the share says if all wait as long as each other; but where many wait shorter,
// as those do that nobody else stores to, more come. So it is the root of both.
static double others_come(const struct l2_open *open, double share, double sectors, double launches)
{
    if (sectors <= 0 || open->sector_launches <= 0)
        return 0;
    double opened = open->lines > 0 ? fmax(1, open->opened / open->lines) : 1,
           longer = launches / sectors * open->sectors / open->sector_launches;
    return PLACES * share * sqrt(opened * longer);
}

// The share of open sectors that are completed: those to whose line's places two others come while it is open, by chance. Where
// lines lie near each other they fill the sets more evenly: as if three had to come, of more.
static double pushed_out(double others, double near)
{
    const double NEAR_TIMES = 1.6;
    double more = NEAR_TIMES * others, two = 1 - exp(-others) * (1 + others),
           three = 1 - exp(-more) * (1 + more + more * more / 2);
    return two + (three - two) * near;
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
    const double places = (double)device->l2_bytes / LINE_SIZE / LINES_A_PLACE,
                 share = launches_open(open) / blocks / places,
                 near = l2->write_bytes > 0 ? 1 - l2->apart_write_bytes / l2->write_bytes : 0,
                 shared = open->sectors - open->own,
                 own_launches = fmax(0, open->sector_launches - open->shared_launches);
    return (struct open_lines_completed){
        .of_blocks =
            shared * pushed_out(others_come(open, share, shared, open->shared_launches), near),
        .own = open->own * pushed_out(others_come(open, share, open->own, own_launches), near),
        .lines_a_sector = lines_a_sector(open),
    };
}

void open_lines_take_joined(struct l2_open *open, double joined)
{
    double own = fmin(open->own, open->sectors * joined);
    open->opened -= fmax(0, open->opened - open->lines) * joined;
    if (own == 0)
        return;
    double left = 1 - own / open->sectors;
    open->lines *= left;
    open->opened *= left;
    open->sectors -= own;
    open->own -= own;
    if (open->own > 0) // who waits longest does not join
        return;
    open->line_launches *= open->shared_launches / open->sector_launches;
    open->sector_launches = open->shared_launches;
}

double open_lines_shared(const struct l2_open *open)
{
    return open->sectors > 0 ? 1 - open->own / open->sectors : 1;
}
