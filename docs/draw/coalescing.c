// The sectors that one warp touches: the corner of the matrix in which they lie, an element a square.
#include "accesses.h"
#include "pictures.h"
#include "svg.h"

enum { N = 64, CORNER = 32, SECTOR = 8, CELL = 9, LEFT = 24, TOP = 96, GAP = 30 };

struct corner {
    const char *heading;
    int step;
    enum sim_access kind;
};

static void draw_grid(FILE *file, double x, double y)
{
    svg_rect(file, x, y, CORNER * CELL, CORNER * CELL, PALE);
    for (int i = 0; i <= CORNER; i++)
        svg_line(file, x, y + i * CELL, x + CORNER * CELL, y + i * CELL, PAPER, 1);
}

// The sectors first, then the elements in them.
static void draw_access(FILE *file, double x, double y, const struct warp_access *access)
{
    for (int l = 0; l < WARP_LANES; l++) {
        size_t row = access->element[l] / N, sector = access->element[l] % N / SECTOR;
        svg_rect(file, x + sector * SECTOR * CELL, y + row * CELL, SECTOR * CELL, CELL - 1, ORANGE);
    }
    for (int l = 0; l < WARP_LANES; l++) {
        size_t row = access->element[l] / N, column = access->element[l] % N;
        svg_rect(file, x + column * CELL, y + row * CELL, CELL - 1, CELL - 1, BLUE);
    }
    for (int sector = 0; sector <= CORNER / SECTOR; sector++)
        svg_line(file, x + sector * SECTOR * CELL, y, x + sector * SECTOR * CELL, y + CORNER * CELL,
                 GREY, 1);
}

static int draw_corner(FILE *file, double x, const struct corner *corner)
{
    struct warp_access access;
    if (!access_of_step(corner->step, corner->kind, N, &access))
        return 0;
    draw_grid(file, x, TOP);
    draw_access(file, x, TOP, &access);
    double below = TOP + CORNER * CELL;
    svg_text(file, x, TOP - 14, AT_START, 17, INK, "%s", corner->heading);
    svg_text(file, x, below + 26, AT_START, 17, INK, "%u sectors for 128 bytes:", access.passes);
    svg_text(file, x, below + 48, AT_START, 17, access.passes > 4 ? VERMILION : GREEN,
             "efficiency 128 / (32 x %u) = %g%%", access.passes,
             128 * 100.0 / (32 * access.passes));
    return 1;
}

int draw_coalescing(FILE *file)
{
    static const struct corner corners[] = {
        {"Steps 2, 3: the load, along a row", 3, SIM_GLOBAL_LOAD},
        {"Steps 2, 3: the store, down a column", 3, SIM_GLOBAL_STORE},
        {"Step 4: the store, along a row", 4, SIM_GLOBAL_STORE},
    };
    enum { COUNT = sizeof corners / sizeof *corners, WIDTH = CORNER * CELL };
    svg_open(file, 2 * LEFT + COUNT * WIDTH + (COUNT - 1) * GAP, TOP + WIDTH + 66,
             "The sectors of global memory that one warp touches");
    svg_rect(file, LEFT, 22, CELL * 2, CELL * 2, BLUE);
    svg_text(file, LEFT + 26, 37, AT_START, 17, INK, "an element that a lane touches (4 bytes)");
    svg_rect(file, LEFT + 400, 22, SECTOR * CELL, CELL * 2, ORANGE);
    svg_text(file, LEFT + 400 + SECTOR * CELL + 8, 37, AT_START, 17, INK,
             "the rest of the sector that moves with it (32 bytes)");
    for (int i = 0; i < COUNT; i++)
        if (!draw_corner(file, LEFT + i * (WIDTH + GAP), &corners[i]))
            return 0;
    svg_close(file);
    return 1;
}
