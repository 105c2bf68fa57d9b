# neighbouring threads go down a column: now the loads are scattered.
s/int col = blockIdx.x/int row = blockIdx.x/
s/int row = blockIdx.y/int col = blockIdx.y/
s/if (col < n)/if (row < n)/
s/(out + row, in + row \* n, n)/(out + row * n, in + row, n)/
