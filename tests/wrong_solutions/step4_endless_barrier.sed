# the loop around the barrier counts nothing, and never ends.
s/__syncthreads();/for (int k = 0; k < TILE;)\n        &/
