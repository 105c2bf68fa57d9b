// Little's law: the bandwidth that loads can have is the bytes in flight over the latency. Lines: by how many
// warps of each SM have their loads in flight. The steps' bandwidths, measured, lie across.
#include "figures.h"
#include "pictures.h"
#include "svg.h"

#include "sim/time/devices.h"

#include <stdlib.h>

enum { LEFT = 96, TOP = 66, WIDTH = 640, HEIGHT = 330, MARGIN = 190, WARPS = 64, MOST_GBS = 2500 };

struct law {
    double seconds, sms; // a load's latency, and the SMs that load
    double roof_gbs;     // of what the device's own copy reads
};

static double place_x(double warps)
{
    return LEFT + warps / WARPS * WIDTH;
}

static double place_y(double gbs)
{
    return TOP + HEIGHT - gbs / MOST_GBS * HEIGHT;
}

static void draw_axes(FILE *file)
{
    for (int gbs = 0; gbs <= MOST_GBS; gbs += 500) {
        svg_line(file, LEFT, place_y(gbs), LEFT + WIDTH, place_y(gbs), FAINT, 1);
        svg_text(file, LEFT - 8, place_y(gbs) + 5, AT_END, 15, INK, "%d", gbs);
    }
    for (int warps = 0; warps <= WARPS; warps += 16)
        svg_text(file, place_x(warps), TOP + HEIGHT + 22, AT_MIDDLE, 15, INK, "%d", warps);
    svg_text(file, LEFT, TOP - 34, AT_START, 16, INK, "GB/s read from DRAM, of the whole GPU");
    svg_text(file, LEFT + WIDTH / 2, TOP + HEIGHT + 48, AT_MIDDLE, 16, INK,
             "warps of each SM that have loads in flight");
}

// So many loads of 4 bytes a lane: up to the roof.
static void draw_law(FILE *file, const struct law *law, int loads, const char *color)
{
    double gbs_a_warp = loads * 128 * law->sms / law->seconds / 1e9;
    double at_roof = law->roof_gbs / gbs_a_warp;
    svg_line(file, place_x(0), place_y(0), place_x(at_roof), place_y(law->roof_gbs), color, 4);
    svg_dot(file, place_x(at_roof), place_y(law->roof_gbs), 6, color);
    svg_text(file, place_x(at_roof), place_y(law->roof_gbs) - 12, AT_MIDDLE, 15, color,
             "%d load%s a thread: %.0f warps", loads, loads > 1 ? "s" : "", at_roof);
}

static int draw_step(FILE *file, const struct run *run, int number)
{
    const struct step_result *step = figures_step(run, number);
    if (!step)
        return 0;
    double gbs = step->values[BANDWIDTH_GBS].number / 2; // half of it is loaded
    svg_dashed(file, LEFT, place_y(gbs), LEFT + WIDTH, place_y(gbs), GREY);
    svg_text(file, LEFT + WIDTH + 8, place_y(gbs) + 5, AT_START, 15, INK, "step %d: %.0f", number,
             gbs);
    return 1;
}

int draw_littles_law(FILE *file)
{
    struct run *run = figures_run();
    const struct sim_device *device = sim_device_find("h200");
    double cycles = figures_micro("dram_latency");
    int drawn = run && device && cycles > 0;
    if (drawn) {
        struct law law = {cycles / (device->sm_clock_mhz * 1e6), device->sms,
                          run->copy_gbs.number / 2};
        svg_open(file, LEFT + WIDTH + MARGIN, TOP + HEIGHT + 66,
                 "Bandwidth by the bytes in flight");
        draw_axes(file);
        svg_line(file, LEFT, place_y(law.roof_gbs), LEFT + WIDTH, place_y(law.roof_gbs), GREEN, 3);
        svg_text(file, LEFT + WIDTH + 8, place_y(law.roof_gbs) + 5, AT_START, 15, GREEN,
                 "the copy: %.0f", law.roof_gbs);
        for (int step = 3; step <= 5 && drawn; step++)
            drawn = draw_step(file, run, step);
        draw_law(file, &law, 1, BLUE);
        draw_law(file, &law, 4, VERMILION);
        svg_close(file);
    }
    free(run);
    return drawn;
}
