# Draws the documents' pictures as SVG, from facts (facts.c) on standard input:
#
#   facts | LC_ALL=C awk -v folder=FOLDER -f docs/draw/pictures.awk
#
# `make pictures` types it. Text, rectangles and lines on a light sheet of their own, so that they look the same on a
# light and on a dark page. Lengths are in the picture's pixels, from the top left corner. Exit status: 0, or another
# after a message on standard error.

BEGIN {
    FS = "\t"
    # Okabe and Ito's colours for all kinds of colour vision (Color Universal Design, 2008), as in docs/plots/.
    BLUE = "#0072B2"; VERMILION = "#D55E00"; GREEN = "#009E73"; ORANGE = "#E69F00"; SKY = "#56B4E9"
    INK = "#1B1B1B"; GREY = "#808080"; FAINT = "#D8D8D8"; PALE = "#EFEFEF"; PAPER = "#FFFFFF"
    while ((getline fact < "docs/runs/micro-h200.csv") > 0)
        if (split(fact, fields, ",") == 3)
            micro[fields[1]] = fields[2]
}

$1 == "gpu" {
    SMS = $2; SM_WARPS = $3; COPY = $4; CLOCK_MHZ = $5
    for (limits = 0; limits < NF - 5; limits++)
        limit_name[limits] = $(limits + 6)
}

$1 == "step" {
    number[++steps] = $2
    title[$2] = $3; x_threads[$2] = $4; y_threads[$2] = $5; gbs[$2] = $6; achieved[$2] = $7; block_warps[$2] = $8
    blocks[$2] = $9
    for (i = 0; i < limits; i++)
        bound[$2, i] = $(i + 10)
}

$1 == "access" {
    passes[$2, $3] = $4
    for (l = 0; l < 32; l++)
        element[$2, $3, l] = $(l + 5)
}

# At n = 4096 there are 64 x 64 tiles of 64 x 64 elements.
$1 == "block" {
    together[$2]++
    touched[$2, "in", int($3 / 4096 / 64), int($3 % 4096 / 64)] = 1
    touched[$2, "out", int($4 / 4096 / 64), int($4 % 4096 / 64)] = 1
}

END {
    if (!together[7]) {
        print "pictures: there are no facts to draw" > "/dev/stderr"
        exit 1
    }
    coalescing()
    bank_conflicts()
    block_size()
    littles_law()
    swizzle()
    block_order()
    occupancy()
}

# ---- SVG -------------------------------------------------------------------------------------------

# Begins a picture; the title is what a screen reader says of it. Text is plain: no '&' and no '<'.
function open_picture(name, width, height, says) {
    file = folder "/" name ".svg"
    printf "" > file
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\"\n" \
           "     font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n<title>%s</title>\n" \
           "<rect width=\"%d\" height=\"%d\" rx=\"10\" fill=\"%s\"/>\n", \
           width, height, width, height, says, width, height, PAPER > file
}

function close_picture() {
    print "</svg>" > file
    close(file)
}

function rect(x, y, width, height, fill) {
    printf "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, height, fill > file
}

function line(x1, y1, x2, y2, color, width) {
    printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>\n", \
           x1, y1, x2, y2, color, width > file
}

# One line of text whose baseline is at y; the anchor is start, middle or end, and the size the font's.
function text(x, y, anchor, size, color, says) {
    printf "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>\n", \
           x, y, anchor, size, color, says > file
}

# ---- What a warp asks of memory --------------------------------------------------------------------

# The sectors that one warp touches: the corner of a matrix of 64 x 64 in which they lie, an element a square.
function coalescing() {
    open_picture("coalescing", 972, 450, "The sectors of global memory that one warp touches")
    rect(24, 22, 18, 18, BLUE)
    text(50, 37, "start", 17, INK, "an element that a lane touches (4 bytes)")
    rect(424, 22, 72, 18, ORANGE)
    text(504, 37, "start", 17, INK, "the rest of the sector that moves with it (32 bytes)")
    corner(24, "Steps 2, 3: the load, along a row", 3, "load")
    corner(342, "Steps 2, 3: the store, down a column", 3, "store")
    corner(660, "Step 4: the store, along a row", 4, "store")
    close_picture()
}

# The sectors first, then the elements in them.
function corner(x, heading, step, kind,   i, l, at, sectors) {
    rect(x, 96, 288, 288, PALE)
    for (i = 0; i <= 32; i++)
        line(x, 96 + 9 * i, x + 288, 96 + 9 * i, PAPER, 1)
    for (l = 0; l < 32; l++) {
        at = element[step, kind, l]
        rect(x + int(at % 64 / 8) * 72, 96 + int(at / 64) * 9, 72, 8, ORANGE)
    }
    for (l = 0; l < 32; l++) {
        at = element[step, kind, l]
        rect(x + at % 64 * 9, 96 + int(at / 64) * 9, 8, 8, BLUE)
    }
    for (i = 0; i <= 4; i++)
        line(x + 72 * i, 96, x + 72 * i, 384, GREY, 1)
    sectors = passes[step, kind]
    text(x, 82, "start", 17, INK, heading)
    text(x, 410, "start", 17, INK, sectors " sectors for 128 bytes:")
    text(x, 432, "start", 17, sectors > 4 ? VERMILION : GREEN, "efficiency 128 / (32 x " sectors ") = " 400 / sectors "%")
}

# The banks in which a warp's words of shared memory lie: a column a bank, a row 32 words.
function bank_conflicts() {
    open_picture("bank_conflicts", 992, 608, "The bank of shared memory that each lane reads")
    text(26, 32, "start", 18, INK, "A warp reads a column of the tile: the number is the lane's; grey is padding")
    tile_of_words(26, 4, "Step 4: tile[32][32]")
    tile_of_words(518, 5, "Step 5: tile[32][33]")
    close_picture()
}

# A tile's row is `pitch` words: what is beyond 32 of them is padding.
function tile_of_words(x, step, heading,   i, pitch, at, left, top, waves) {
    pitch = element[step, "shared", 1] - element[step, "shared", 0]
    waves = passes[step, "shared"]
    rect(x, 104, 448, pitch * 14, PALE)
    for (i = 0; i <= 32; i++)
        line(x + i * 14 - 0.5, 104, x + i * 14 - 0.5, 104 + pitch * 14, PAPER, 1)
    for (i = 0; i <= pitch; i++)
        line(x, 104 + i * 14 - 0.5, x + 448, 104 + i * 14 - 0.5, PAPER, 1)
    for (i = 0; i < pitch * 32; i++)
        if (i % pitch >= 32)
            rect(x + i % 32 * 14, 104 + int(i / 32) * 14, 13, 13, GREY)
    for (i = 0; i < 32; i++) {
        at = element[step, "shared", i]
        left = x + at % 32 * 14
        top = 104 + int(at / 32) * 14
        rect(left, top, 13, 13, waves > 1 ? VERMILION : BLUE)
        text(left + 6.5, top + 10, "middle", 9, PAPER, i)
    }
    text(x, 66, "start", 18, INK, heading)
    text(x, 96, "start", 13, GREY, "bank 0")
    text(x + 448, 96, "end", 13, GREY, "bank 31")
    text(x, 590, "start", 18, waves > 1 ? VERMILION : GREEN, \
         waves (waves > 1 ? " wavefronts: one lane at a time" : " wavefront: all lanes at once"))
}

# The groups of four banks that a warp's 16-byte stores meet in the tile of step 6: the rows of the tile that one store
# touches, a quad of four elements a square. Without the step's swizzled(), which is its own inverse, and with it.
function swizzle(   l, at, row, place, without) {
    open_picture("swizzle", 948, 546, "The groups of four banks that each lane's 16-byte store meets")
    text(24, 32, "start", 18, INK, "A warp stores a quad of 16 bytes a lane; the number in it is the lane's")
    text(24, 56, "start", 15, GREY, "columns: the eight groups of four banks; eight lanes go at a time")
    for (l = 0; l < 32; l++) {
        at = element[6, "shared", l]
        row[l] = int(at / 64)
        place[l] = int(at / 4) % 16
        without[l] = xor8(place[l], int(row[l] / 4) % 8)
    }
    tile_of_quads(84, "tile[row][quad]", row, without)
    if (tile_of_quads(540, "Step 6: tile[row][swizzled(row, quad)]", row, place) != passes[6, "shared"]) {
        print "pictures: step 6's store does not take the wavefronts of the picture" > "/dev/stderr"
        exit 1
    }
    close_picture()
}

# The exclusive or of a number with one below 8.
function xor8(a, b,   bit) {
    for (bit = 1; bit < 8; bit *= 2)
        if (int(b / bit) % 2)
            a += int(a / bit) % 2 ? -bit : bit
    return a
}

# The wavefronts of one quarter of the warp: as many as its fullest group of banks has quads.
function wavefronts(place, quarter,   l, group, most) {
    for (l = quarter * 8; l < quarter * 8 + 8; l++)
        if (++group[place[l] % 8] > most)
            most = group[place[l] % 8]
    return most
}

# Returns the wavefronts of all lanes.
function tile_of_quads(x, heading, row, place,   i, left, top, first, all) {
    first = wavefronts(place, 0)
    all = first + wavefronts(place, 1) + wavefronts(place, 2) + wavefronts(place, 3)
    rect(x, 118, 384, 384, PALE)
    for (i = 0; i <= 16; i++) {
        line(x + i * 24, 118, x + i * 24, 502, i % 8 ? PAPER : GREY, 1)
        line(x, 118 + i * 24, x + 384, 118 + i * 24, PAPER, 1)
    }
    for (i = 0; i < 16; i++)
        text(x + i * 24 + 12, 110, "middle", 13, GREY, i % 8)
    for (i = 0; i < 16; i += 5)
        text(x - 8, 135 + i * 24, "end", 13, GREY, "row " (row[0] + 4 * i))
    for (i = 0; i < 32; i++) {
        left = x + place[i] * 24
        top = 118 + (row[i] - row[0]) / 4 * 24
        rect(left + 1, top + 1, 22, 22, i >= 8 ? FAINT : first > 1 ? VERMILION : BLUE)
        text(left + 12, top + 17, "middle", 13, i < 8 ? PAPER : INK, i)
    }
    text(x, 84, "start", 18, INK, heading)
    text(x, 528, "start", 17, first > 1 ? VERMILION : GREEN, \
         "lanes 0 to 7: " first (first > 1 ? " wavefronts" : " wavefront") "; all: " all)
    return all
}

# The tiles of `in` and `out` that the blocks touch which an H200 holds at once, in the order of step 6 and of step 7.
function block_order() {
    open_picture("block_order", 906, 312, "The tiles that the blocks which run together read and write")
    text(24, 30, "start", 16, INK, "The " together[6] " blocks that run together, " blocks[6] " on each of " SMS \
         " SMs, of 4096, at n = 4096")
    text(24, 58, "start", 18, INK, "Step 6: blocks along rows")
    tiles(24, 6, "in", "reads of in", BLUE)
    tiles(238, 6, "out", "writes of out", VERMILION)
    text(476, 58, "start", 18, INK, "Step 7: blocks down columns")
    tiles(476, 7, "in", "reads of in", BLUE)
    tiles(690, 7, "out", "writes of out", VERMILION)
    close_picture()
}

# Those beside each other in a row are drawn as one.
function tiles(x, step, matrix, heading, color,   row, column, end) {
    rect(x, 96, 192, 192, PALE)
    for (row = 0; row < 64; row++)
        for (column = 0; column < 64; column = end + 1) {
            for (end = column; (step, matrix, row, end) in touched;)
                end++
            if (end > column)
                rect(x + column * 3, 96 + row * 3, (end - column) * 3, 3, color)
        }
    text(x, 86, "start", 16, INK, heading)
}

# ---- What an SM holds ------------------------------------------------------------------------------

# The warps that an SM holds, block by block, while the warps of one block wait at its barrier.
function block_size() {
    open_picture("block_size", 892, 302, "The warps of an SM that one barrier holds up")
    rect(30, 24, 24, 18, VERMILION)
    text(62, 39, "start", 16, INK, "waits at its block's barrier")
    rect(320, 24, 24, 18, BLUE)
    text(352, 39, "start", 16, INK, "may go on: a warp of another block")
    warps_of_sm(104, 4)
    warps_of_sm(212, 5)
    close_picture()
}

function warps_of_sm(y, step,   x, block, warp) {
    text(30, y - 12, "start", 18, INK, "Step " step ": blocks of [" x_threads[step] "," y_threads[step] "], " \
         block_warps[step] " warps each")
    x = 30
    for (block = 0; block < blocks[step]; block++) {
        for (warp = 0; warp < block_warps[step]; warp++)
            rect(x + warp * 12, y, 10, 34, block ? BLUE : VERMILION)
        x += block_warps[step] * 12 + 8
    }
    text(30, y + 56, "start", 16, VERMILION, block_warps[step] " of " blocks[step] * block_warps[step] \
         " warps wait for the slowest of their block")
}

# For every step, the warps that each of an SM's limits alone would allow, and those that were resident.
function occupancy(   i) {
    open_picture("occupancy", 320 + SM_WARPS * 9, 56 + steps * (limits * 17 + 42), \
                 "The warps that each limit of an SM allows")
    rect(24, 18, 24, 14, VERMILION)
    text(54, 30, "start", 15, INK, "the limit that binds")
    rect(240, 18, 24, 14, SKY)
    text(270, 30, "start", 15, INK, "warps the others allow (cut at " SM_WARPS ")")
    line(570, 16, 570, 34, INK, 3)
    text(580, 30, "start", 15, INK, "achieved, measured")
    for (i = 0; i < steps; i++)
        bounds(76 + i * (limits * 17 + 42), number[i + 1])
    close_picture()
}

function bounds(y, step,   i, warps, shown, binds, x) {
    text(24, y - 9, "start", 16, INK, "Step " step ": " title[step])
    for (i = 0; i < limits; i++) {
        warps = bound[step, i] * block_warps[step]
        shown = warps < SM_WARPS ? warps : SM_WARPS
        binds = bound[step, i] == blocks[step]
        text(220, y + i * 17 + 12, "end", 14, binds ? INK : GREY, limit_name[i])
        rect(230, y + i * 17, shown * 9, 14, binds ? VERMILION : SKY)
        text(236 + shown * 9, y + i * 17 + 12, "start", 14, binds ? INK : GREY, warps)
    }
    x = 230 + achieved[step] / 100 * SM_WARPS * 9
    line(x, y - 4, x, y + limits * 17, INK, 3)
}

# Little's law: the bandwidth that loads can have is the bytes in flight over the latency. Lines: by how many warps of
# each SM have their loads in flight. The steps' bandwidths, measured, lie across: half of each is loaded.
function littles_law(   i) {
    open_picture("littles_law", 926, 462, "Bandwidth by the bytes in flight")
    for (i = 0; i <= 2500; i += 500) {
        line(96, gbs_y(i), 736, gbs_y(i), FAINT, 1)
        text(88, gbs_y(i) + 5, "end", 15, INK, i)
    }
    for (i = 0; i <= 64; i += 16)
        text(96 + i * 10, 418, "middle", 15, INK, i)
    text(96, 32, "start", 16, INK, "GB/s read from DRAM, of the whole GPU")
    text(416, 444, "middle", 16, INK, "warps of each SM that have loads in flight")
    line(96, gbs_y(COPY / 2), 736, gbs_y(COPY / 2), GREEN, 3)
    text(744, gbs_y(COPY / 2) + 5, "start", 15, GREEN, sprintf("the copy: %.0f", COPY / 2))
    for (i = 3; i <= 5; i++) {
        printf "<line x1=\"96.0\" y1=\"%.1f\" x2=\"736.0\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"2\" " \
               "stroke-dasharray=\"7 5\"/>\n", gbs_y(gbs[i] / 2), gbs_y(gbs[i] / 2), GREY > file
        text(744, gbs_y(gbs[i] / 2) + 5, "start", 15, INK, sprintf("step %d: %.0f", i, gbs[i] / 2))
    }
    law(1, "1 load", BLUE)
    law(4, "4 loads", VERMILION)
    close_picture()
}

function gbs_y(gbs) {
    return 396 - gbs / 2500 * 330
}

# So many loads of 4 bytes a lane: up to the roof.
function law(loads, says, color,   seconds, warps, y) {
    seconds = micro["dram_latency"] / (CLOCK_MHZ * 1e6)
    warps = COPY / 2 / (loads * 128 * SMS / seconds / 1e9)
    y = gbs_y(COPY / 2)
    line(96, 396, 96 + warps * 10, y, color, 4)
    printf "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6.0\" fill=\"%s\"/>\n", 96 + warps * 10, y, color > file
    text(96 + warps * 10, y - 12, "middle", 15, color, says sprintf(" a thread: %.0f warps", warps))
}
