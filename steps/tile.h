// The geometry of the tiled steps: `make TILE=16 ROWS=8` sets it, these are the defaults.
#ifndef TILE_H
#define TILE_H

#ifndef TILE
#define TILE 32 // the tile's width and height, in elements
#endif

#ifndef ROWS
#define ROWS 8 // rows of threads a block; each thread moves TILE / ROWS elements
#endif

// What ./run sweep and ./run tune vary.
static const struct parameter tile_and_rows[] = {
    {"TILE", "the tile's width and height", "8 16 32"},
    {"ROWS", "rows of threads a block", "1 2 4 8 16 32"},
    {0, 0, 0},
};

static inline const char *lacks_geometry(const int *settings)
{
    return settings[0] % settings[1] == 0 ? 0 : "ROWS must divide TILE";
}

#undef PARAMETERS
#define PARAMETERS tile_and_rows, lacks_geometry
#undef BUILT_WITH
#define BUILT_WITH TILE, ROWS

static_assert(TILE >= 1 && TILE <= 32,
              "TILE must be 1..32: a block of TILE x TILE threads may have 1024 threads at most");
static_assert(ROWS >= 1 && ROWS <= TILE && TILE % ROWS == 0,
              "ROWS must divide TILE: ROWS rows of threads walk down a tile of TILE rows");

#endif
