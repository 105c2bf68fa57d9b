// The banks in which a warp's words of shared memory lie: a column a bank, a row 32 words.
#include "accesses.h"
#include "pictures.h"
#include "svg.h"

enum { N = 64, BANKS = 32, ROWS = 33, CELL = 14, LEFT = 26, TOP = 104, GAP = 44 };

// A tile's row is `pitch` words: what is beyond 32 of them is padding.
static void draw_words(FILE *file, double x, double y, size_t pitch)
{
    svg_rect(file, x, y, BANKS * CELL, pitch * CELL, PALE);
    for (size_t i = 0; i <= BANKS; i++)
        svg_line(file, x + i * CELL - 0.5, y, x + i * CELL - 0.5, y + pitch * CELL, PAPER, 1);
    for (size_t i = 0; i <= pitch; i++)
        svg_line(file, x, y + i * CELL - 0.5, x + BANKS * CELL, y + i * CELL - 0.5, PAPER, 1);
    for (size_t word = 0; word < pitch * BANKS; word++)
        if (word % pitch >= BANKS)
            svg_rect(file, x + word % BANKS * CELL, y + word / BANKS * CELL, CELL - 1, CELL - 1,
                     GREY);
}

static int draw_tile(FILE *file, double x, int step, const char *heading)
{
    struct warp_access access;
    if (!access_of_step(step, SIM_SHARED_LOAD, N, &access))
        return 0;
    draw_words(file, x, TOP, access.element[1] - access.element[0]);
    for (int l = 0; l < WARP_LANES; l++) {
        double left = x + access.element[l] % BANKS * CELL;
        double top = TOP + access.element[l] / BANKS * CELL;
        svg_rect(file, left, top, CELL - 1, CELL - 1, access.passes > 1 ? VERMILION : BLUE);
        svg_text(file, left + (CELL - 1) / 2.0, top + CELL - 4, AT_MIDDLE, 9, PAPER, "%d", l);
    }
    svg_text(file, x, TOP - 38, AT_START, 18, INK, "%s", heading);
    svg_text(file, x, TOP - 8, AT_START, 13, GREY, "bank 0");
    svg_text(file, x + BANKS * CELL, TOP - 8, AT_END, 13, GREY, "bank 31");
    svg_text(file, x, TOP + ROWS * CELL + 24, AT_START, 18, access.passes > 1 ? VERMILION : GREEN,
             "%u wavefront%s", access.passes,
             access.passes > 1 ? "s: one lane at a time" : ": all lanes at once");
    return 1;
}

int draw_bank_conflicts(FILE *file)
{
    enum { WIDTH = BANKS * CELL };
    svg_open(file, 2 * LEFT + 2 * WIDTH + GAP, TOP + ROWS * CELL + 42,
             "The bank of shared memory that each lane reads");
    svg_text(file, LEFT, 32, AT_START, 18, INK,
             "A warp reads a column of the tile: the number is the lane's; grey is padding");
    if (!draw_tile(file, LEFT, 4, "Step 4: tile[32][32]") ||
        !draw_tile(file, LEFT + WIDTH + GAP, 5, "Step 5: tile[32][33]"))
        return 0;
    svg_close(file);
    return 1;
}
