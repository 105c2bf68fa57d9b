// tile.h for a step whose threads move an element each: it has no ROWS.
#ifndef TILE_ALONE_H
#define TILE_ALONE_H

#include "tile.h"

static const struct parameter tile_alone[] = {tile_and_rows[0], {0, 0, 0}};

#undef PARAMETERS
#define PARAMETERS tile_alone, 0
#undef BUILT_WITH
#define BUILT_WITH TILE

#endif
