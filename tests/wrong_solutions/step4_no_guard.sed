# reading has no guard: threads outside the matrix read what lies there.
1,/__syncthreads/{ /if (/d; }
