# the swizzle is in writing the tile, and forgotten in reading it.
s/swizzled(row, threadIdx.x)/threadIdx.x/
