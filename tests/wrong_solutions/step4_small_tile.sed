# the tile is smaller than the block: an index leaves its row.
s/tile\[TILE\]\[TILE\]/tile[16][16]/
