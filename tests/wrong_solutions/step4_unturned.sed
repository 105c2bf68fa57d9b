# the tile is read back as it was written.
s/tile\[threadIdx.x\]\[threadIdx.y\]/tile[threadIdx.y][threadIdx.x]/
