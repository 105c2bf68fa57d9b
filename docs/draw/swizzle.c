// The groups of four banks that a warp's 16-byte stores meet in the tile of step 6: the rows of the tile
// that one store touches, a quad of four elements a square.
#include "accesses.h"
#include "pictures.h"
#include "svg.h"

#include <string.h>

enum { N = 64, QUADS = 16, GROUPS = 8, QUARTER = WARP_LANES / 4 };
enum { CELL = 24, LEFT = 84, TOP = 118, GAP = 72, WIDTH = QUADS * CELL };

// Where each lane's quad lies in the tile.
struct quads {
    size_t row[WARP_LANES], place[WARP_LANES];
};

static struct quads quads_of(const struct warp_access *access)
{
    struct quads quads;
    for (int l = 0; l < WARP_LANES; l++) {
        quads.row[l] = access->element[l] / (4 * QUADS);
        quads.place[l] = access->element[l] / 4 % QUADS;
    }
    return quads;
}

// The same without the step's swizzled(), which is its own inverse.
static struct quads unswizzled(struct quads quads)
{
    for (int l = 0; l < WARP_LANES; l++)
        quads.place[l] ^= quads.row[l] / 4 % GROUPS;
    return quads;
}

// The wavefronts of one quarter of the warp: as many as its fullest group of banks has quads.
static unsigned wavefronts_of(const struct quads *quads, int quarter)
{
    unsigned in_group[GROUPS] = {0}, most = 0;
    for (int l = quarter * QUARTER; l < (quarter + 1) * QUARTER; l++) {
        unsigned now = ++in_group[quads->place[l] % GROUPS];
        most = now > most ? now : most;
    }
    return most;
}

static unsigned all_wavefronts(const struct quads *quads)
{
    unsigned sum = 0;
    for (int quarter = 0; quarter < 4; quarter++)
        sum += wavefronts_of(quads, quarter);
    return sum;
}

static void draw_grid(FILE *file, double x, const struct quads *quads)
{
    svg_rect(file, x, TOP, WIDTH, QUADS * CELL, PALE);
    for (int i = 0; i <= QUADS; i++) {
        svg_line(file, x + i * CELL, TOP, x + i * CELL, TOP + QUADS * CELL,
                 i % GROUPS ? PAPER : GREY, 1);
        svg_line(file, x, TOP + i * CELL, x + WIDTH, TOP + i * CELL, PAPER, 1);
    }
    for (int quad = 0; quad < QUADS; quad++)
        svg_text(file, x + (quad + 0.5) * CELL, TOP - 8, AT_MIDDLE, 13, GREY, "%d", quad % GROUPS);
    for (int i = 0; i < QUADS; i += 5)
        svg_text(file, x - 8, TOP + (i + 1) * CELL - 7, AT_END, 13, GREY, "row %zu",
                 quads->row[0] + 4 * (size_t)i);
}

static void draw_tile(FILE *file, double x, const struct quads *quads, const char *heading)
{
    unsigned first = wavefronts_of(quads, 0), all = all_wavefronts(quads);
    const char *color = first > 1 ? VERMILION : BLUE;
    draw_grid(file, x, quads);
    for (int l = 0; l < WARP_LANES; l++) {
        double left = x + (double)quads->place[l] * CELL;
        double top = TOP + (double)(quads->row[l] - quads->row[0]) / 4 * CELL;
        svg_rect(file, left + 1, top + 1, CELL - 2, CELL - 2, l < QUARTER ? color : FAINT);
        svg_text(file, left + CELL / 2.0, top + CELL - 7, AT_MIDDLE, 13, l < QUARTER ? PAPER : INK,
                 "%d", l);
    }
    svg_text(file, x, TOP - 34, AT_START, 18, INK, "%s", heading);
    svg_text(file, x, TOP + QUADS * CELL + 26, AT_START, 17, first > 1 ? VERMILION : GREEN,
             "lanes 0 to 7: %u wavefront%s; all: %u", first, first > 1 ? "s" : "", all);
}

int draw_swizzle(FILE *file)
{
    struct warp_access access;
    if (!access_of_step(6, SIM_SHARED_STORE, N, &access))
        return 0;
    struct quads with = quads_of(&access), without = unswizzled(with);
    if (all_wavefronts(&with) != access.passes) {
        fprintf(stderr, "draw: step 6's store takes %u wavefronts, not the %u of the picture\n",
                access.passes, all_wavefronts(&with));
        return 0;
    }
    svg_open(file, LEFT + 2 * WIDTH + GAP + 24, TOP + QUADS * CELL + 44,
             "The groups of four banks that each lane's 16-byte store meets");
    svg_text(file, 24, 32, AT_START, 18, INK,
             "A warp stores a quad of 16 bytes a lane; the number in it is the lane's");
    svg_text(file, 24, 56, AT_START, 15, GREY,
             "columns: the eight groups of four banks; eight lanes go at a time");
    draw_tile(file, LEFT, &without, "tile[row][quad]");
    draw_tile(file, LEFT + WIDTH + GAP, &with, "Step 6: tile[row][swizzled(row, quad)]");
    svg_close(file);
    return 1;
}
