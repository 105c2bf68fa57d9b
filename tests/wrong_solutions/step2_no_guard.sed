# the threads of the last block that have no column get one all the same.
/if (col >= n)/{N;d;}
