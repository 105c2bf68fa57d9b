# the barrier is inside the guard, which not all threads of an edge tile pass.
1,/__syncthreads/s/if (x < n && y < n)/& {/
s/__syncthreads();/__syncthreads(); }/
