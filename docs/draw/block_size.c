// The warps that an SM holds, block by block, while the warps of one block wait at its barrier.
#include "figures.h"
#include "pictures.h"
#include "svg.h"

#include <stdlib.h>

enum { LEFT = 30, SLOT = 12, HEIGHT = 34, GAP = 8, TOP = 104, APART = 108 };

static void draw_sm(FILE *file, double y, const struct step_result *step,
                    const struct occupancy *now)
{
    double x = LEFT;
    svg_text(file, LEFT, y - 12, AT_START, 18, INK, "Step %g: blocks of [%u,%u], %u warps each",
             step->number, step->block[0], step->block[1], now->block_warps);
    for (unsigned block = 0; block < now->blocks; block++, x += GAP)
        for (unsigned warp = 0; warp < now->block_warps; warp++, x += SLOT)
            svg_rect(file, x, y, SLOT - 2, HEIGHT, block == 0 ? VERMILION : BLUE);
    svg_text(file, LEFT, y + HEIGHT + 22, AT_START, 16, VERMILION,
             "%u of %u warps wait for the slowest of their block", now->block_warps, now->warps);
}

int draw_block_size(FILE *file)
{
    static const int steps[] = {4, 5};
    struct run *run = figures_run();
    const struct sm_limits *sm = run ? figures_sm(run) : NULL;
    int drawn = sm != NULL;
    svg_open(file, 2 * LEFT + 64 * SLOT + 8 * GAP, TOP + 2 * APART - 18,
             "The warps of an SM that one barrier holds up");
    svg_rect(file, LEFT, 24, SLOT * 2, 18, VERMILION);
    svg_text(file, LEFT + 32, 39, AT_START, 16, INK, "waits at its block's barrier");
    svg_rect(file, LEFT + 290, 24, SLOT * 2, 18, BLUE);
    svg_text(file, LEFT + 322, 39, AT_START, 16, INK, "may go on: a warp of another block");
    for (int i = 0; i < 2 && drawn; i++) {
        const struct step_result *step = figures_step(run, steps[i]);
        drawn = step != NULL;
        if (!step)
            break;
        struct occupancy now = occupancy_of(sm, step->block[0] * step->block[1],
                                            (unsigned)step->values[REGISTERS].number,
                                            (size_t)step->values[SHARED_BYTES].number);
        draw_sm(file, TOP + i * APART, step, &now);
    }
    svg_close(file);
    free(run);
    return drawn;
}
