// Occupancy drawn over what a kernel could change: its blocks, its registers, its shared memory.
#ifndef OCCUPANCY_CHART_H
#define OCCUPANCY_CHART_H

#include "show/occupancy_page.h"

// Three charts side by side: in each, one of the case's three numbers goes through its range and the
// other two stay; a mark under the axis shows the number in use.
void put_occupancy_charts(FILE *file, const struct style *style, const struct occupancy_page *page,
                          const struct occupancy_case *at);

#endif
