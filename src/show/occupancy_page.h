// The occupancy calculator's page: what an SM has, and what a block asks of it; for one step or for
// several, or for numbers that were given by hand.
#ifndef OCCUPANCY_PAGE_H
#define OCCUPANCY_PAGE_H

#include "base/style.h"
#include "facts/occupancy_cases.h"

#include <stdio.h>

// Prints the page in at most 120 columns: the physical limits, and for each case the resources of a
// block, the blocks that each limit allows, and occupancy charted over the size of a block, the
// registers and the shared memory, with the point in use marked.
void print_occupancy(FILE *file, const struct style *style, const struct occupancy_page *page);

// Three charts side by side (occupancy_chart.c): in each, one of the case's three numbers goes through its
// range and the other two stay; a mark under the axis shows the number in use.
void put_occupancy_charts(FILE *file, const struct style *style, const struct occupancy_page *page,
                          const struct occupancy_case *at);

#endif
