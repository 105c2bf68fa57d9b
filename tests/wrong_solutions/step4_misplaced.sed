# the turned tile is written where it came from.
/^    x = blockIdx.y/,/^    y = blockIdx.x/d
