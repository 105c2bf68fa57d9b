# the swizzle follows from the row's low bits, but lanes store to rows that are 4 apart.
s/row \/ 4 % 8/row % 8/
s/, place = .*/;/
s/\[column + \([0-3]\)\]\[place\]/[column + \1][swizzled(column + \1, threadIdx.y)]/
