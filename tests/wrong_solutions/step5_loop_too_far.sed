# the loop goes one turn too far, beyond the tile.
1,/__syncthreads/s/k < TILE/k <= TILE/
