# neither loop is there: most of the tile is never filled.
/for (int k/d
s/ + k//g
