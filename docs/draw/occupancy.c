// For every step, the warps that each of an SM's limits alone would allow, and those that were resident.
#include "figures.h"
#include "pictures.h"
#include "svg.h"

#include <stdlib.h>

enum { LEFT = 230, WARP = 9, TOP = 76, BAR = 17, GROUP = LIMITS * BAR + 42, MARGIN = 90 };

static void draw_bar(FILE *file, double y, const struct occupancy *now, enum limit limit,
                     unsigned most)
{
    unsigned warps = now->bound[limit] * now->block_warps;
    int binds = now->bound[limit] == now->blocks;
    svg_text(file, LEFT - 10, y + BAR - 5, AT_END, 14, binds ? INK : GREY, "%s", limit_name(limit));
    svg_rect(file, LEFT, y, (warps < most ? warps : most) * WARP, BAR - 3, binds ? VERMILION : SKY);
    svg_text(file, LEFT + (warps < most ? warps : most) * WARP + 6, y + BAR - 5, AT_START, 14,
             binds ? INK : GREY, "%u", warps);
}

static void draw_step(FILE *file, double y, const struct step_result *step,
                      const struct sm_limits *sm)
{
    struct occupancy now = occupancy_of(sm, step->block[0] * step->block[1] * step->block[2],
                                        (unsigned)step->values[REGISTERS].number,
                                        (size_t)step->values[SHARED_BYTES].number);
    double achieved = step->values[ACHIEVED_OCCUPANCY].number;
    svg_text(file, 24, y - 9, AT_START, 16, INK, "Step %g: %s", step->number, step->title);
    for (enum limit limit = 0; limit < LIMITS; limit++)
        draw_bar(file, y + limit * BAR, &now, limit, sm->warps);
    double x = LEFT + achieved / 100 * sm->warps * WARP;
    svg_line(file, x, y - 4, x, y + LIMITS * BAR, INK, 3);
}

int draw_occupancy(FILE *file)
{
    struct run *run = figures_run();
    const struct sm_limits *sm = run ? figures_sm(run) : NULL;
    if (sm) {
        svg_open(file, LEFT + (int)sm->warps * WARP + MARGIN, TOP + run->count * GROUP - 20,
                 "The warps that each limit of an SM allows");
        svg_rect(file, 24, 18, 24, 14, VERMILION);
        svg_text(file, 54, 30, AT_START, 15, INK, "the limit that binds");
        svg_rect(file, 240, 18, 24, 14, SKY);
        svg_text(file, 270, 30, AT_START, 15, INK, "warps the others allow (cut at %u)", sm->warps);
        svg_line(file, 570, 16, 570, 34, INK, 3);
        svg_text(file, 580, 30, AT_START, 15, INK, "achieved, measured");
        for (int i = 0; i < run->count; i++)
            draw_step(file, TOP + i * GROUP, &run->steps[i], sm);
        svg_close(file);
    }
    free(run);
    return sm != NULL;
}
