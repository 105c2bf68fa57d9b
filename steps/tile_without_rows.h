// tile.h for a step whose threads move an element each: it has no ROWS.
#ifndef TILE_WITHOUT_ROWS_H
#define TILE_WITHOUT_ROWS_H

#include "tile.h"

static const struct parameter tile_without_rows[] = {tile_and_rows[0], {0, 0, 0}};

#undef PARAMETERS
#define PARAMETERS tile_without_rows, 0
#undef BUILT_WITH
#define BUILT_WITH TILE

#endif
