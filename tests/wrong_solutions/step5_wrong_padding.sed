# one row more in place of one column: the banks stay as they were.
s/tile\[TILE\]\[TILE + 1\]/tile[TILE + 1][TILE]/
