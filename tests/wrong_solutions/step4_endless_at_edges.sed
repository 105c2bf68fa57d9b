# the loop over a row of tiles ends only where tiles fill it.
s/, int n)/, unsigned n)/
s/int x = blockIdx.x \* TILE/for (unsigned column = 0; column != n; column += TILE) {\n    unsigned x = column/
s/int y = blockIdx.y \* TILE/unsigned y = blockIdx.x * TILE/
s/^    x = blockIdx.y \* TILE/    x = blockIdx.x * TILE/
s/^    y = blockIdx.x \* TILE/    y = column/
s/out\[.*/&\n    __syncthreads(); }/
s/grid(tiles, tiles)/grid(tiles)/
