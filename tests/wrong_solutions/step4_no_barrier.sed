# no barrier stands between writing and reading the tile.
/__syncthreads/d
