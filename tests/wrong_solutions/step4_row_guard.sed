# the reading guards the rows alone.
1,/__syncthreads/s/x < n && //
