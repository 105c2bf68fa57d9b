// The geometry of the tiled steps: `make TILE=16 ROWS=8` sets it, these are the defaults.
#ifndef TILE_H
#define TILE_H

#ifndef TILE
#define TILE 32 // the tile's width and height, in elements
#endif

#ifndef ROWS
#define ROWS 8 // rows of threads a block; each thread moves TILE / ROWS elements
#endif

#define GEOMETRY TILE, ROWS // what STEP() says that the step has, for ./run sweep

static_assert(TILE >= 1 && TILE <= 32,
              "TILE must be 1..32: a block of TILE x TILE threads may have 1024 threads at most");
static_assert(ROWS >= 1 && ROWS <= TILE && TILE % ROWS == 0,
              "ROWS must divide TILE: ROWS rows of threads walk down a tile of TILE rows");

#endif
