# a block of 64 x 64 threads, which no GPU has.
s/threads(TILE, TILE)/threads(64, 64)/
