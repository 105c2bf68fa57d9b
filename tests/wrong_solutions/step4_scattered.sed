# no tile: a block only walks a square, and its stores are as scattered as before.
/__shared__/d
s/tile\[threadIdx.y\]\[threadIdx.x\] = in/out[(size_t)x * n + y] = in/
/__syncthreads/,/= tile/d
