#include "sim/time/l2_open_lines.h"

#include <math.h>

#include "sim/count/access.h"

enum { LINES_A_PLACE = 8 };               // of the L2, for each line that may be open
enum { NEAR_PLACES = 2, FAR_PLACES = 1 }; // of a set

// Erlang's loss formula: the share of what comes that finds all places taken, where `offered` would be in the mean.
static double lost(double offered, int places)
{
    double share = 1;
    for (int n = 1; n <= places; n++)
        share = offered * share / (n + offered * share);
    return share;
}

// A line stays open from one sector to the next where these are open at the same time; else each opens it again.
static struct l2_open opened(struct l2_open open)
{
    if (open.lines == 0 || open.sector_launches < open.line_launches) {
        open.lines = open.sectors;
        open.line_launches = open.sector_launches;
    }
    return open;
}

// A line that finds no place has the sectors completed that are open, and looks for one again with the next.
static double completed(const struct l2_open *open, double share, int places)
{
    if (open->sector_launches == 0)
        return 0;
    double again = fmax(0, 1 - open->lines / open->sectors), once = lost(share * places, places);
    double lines = open->lines * once / (1 - once * again);
    return fmin(open->sectors, lines * open->sector_launches / open->line_launches);
}

struct open_lines_completed open_lines_completed(const struct sim_device *device,
                                                 const struct l2_outcome *l2, double blocks)
{
    const struct l2_open near = opened(l2->open[0]), far = opened(l2->open[1]);
    double open = (near.line_launches + far.line_launches) / blocks,
           share = open / ((double)device->l2_bytes / LINE_SIZE / LINES_A_PLACE);
    double of_far = completed(&far, share, FAR_PLACES);
    return (struct open_lines_completed){
        .sectors = completed(&near, share, NEAR_PLACES) + of_far,
        .own = of_far > 0 ? of_far * far.own / far.sectors : 0,
    };
}
