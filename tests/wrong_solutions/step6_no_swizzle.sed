# no swizzle: the stores go down a column of quads, all in the same banks.
s/return quad ^ .*/return quad;/
