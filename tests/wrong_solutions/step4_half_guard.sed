# the reading guards the columns alone.
1,/__syncthreads/s/ && y < n//
