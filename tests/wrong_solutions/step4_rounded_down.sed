# the grid has no blocks for the incomplete tiles.
s/(n + TILE - 1) \/ TILE/n \/ TILE/
