# a padding quad, as in step 5: rows that are 4 apart are in two groups of banks then.
s/tile\[SIDE\]\[QUADS\]/tile[SIDE][QUADS + 1]/
s/return quad ^ .*/return quad;/
