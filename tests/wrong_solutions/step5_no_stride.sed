# threads that are fewer now write one row each, and no second one.
/__syncthreads/,$ {
    /for (int k/d
    s/ + k//g
}
