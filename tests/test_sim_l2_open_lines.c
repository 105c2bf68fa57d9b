// Lines of the L2 that wait for other blocks' parts of sectors: how many of these DRAM completes, against what GPUs counted.
#include <stdlib.h>

#include "sim/count/access.h"
#include "sim/time/l2_open_lines.h"

#include "suites.h"

PROGRAM(sim_l2_open_lines, .seconds = 10)

// Tiles as those of tests/micro/open.cu, of some columns, more than an L2 holds, of which the rest is alike: rows of N words,
// which start anywhere.
enum { N = 10007, HEIGHT = 32, DOWN = (N + HEIGHT - 1) / HEIGHT, WORDS = 2560 };

static const uint64_t origin = UINT64_C(0x7f0000000000);

// A warp stores its rows of a tile, `width` words of each.
static void store_tile(struct l2 *l2, struct l2_log *log, unsigned tile, unsigned width)
{
    unsigned x = tile / DOWN * width, y = tile % DOWN * HEIGHT, rows = LANES / width;
    for (unsigned first = 0; first < HEIGHT; first += rows) {
        struct access access = {.mask = ALL_LANES, .size = 4};
        for (unsigned l = 0; l < LANES; l++)
            access.address[l] =
                origin + 4 * ((uint64_t)(y + first + l / width) * N + x + l % width);
        access_classify(&access);
        l2_note(l2, log, &access, 0, 0, 1);
    }
}

// The sectors that are completed of tiles of that width, a block each, as many of which run at once on an SM.
static double completed(const struct sim_device *device, unsigned width, unsigned resident)
{
    const unsigned tiles = WORDS / width * DOWN;
    struct l2 *l2 = l2_open(device->l2_bytes, 2, origin);
    struct l2_log log = {0};
    ck_assert(l2 && l2_begin(l2, tiles, 1));
    for (unsigned tile = 0; tile < tiles; tile++) {
        l2_begin_block(&log);
        store_tile(l2, &log, tile, width);
    }
    l2_commit(l2, &log, 0);
    const struct l2_outcome *outcome = l2_end(l2, 1, resident * device->sms);
    ck_assert_ptr_nonnull(outcome);
    double sectors = open_lines_completed(device, outcome, tiles) * N / WORDS;
    l2_free(l2);
    return sectors;
}

// Blocks of 256 threads, 128 and 32, of which an SM holds 8, 16 and 32. lts__t_sectors_data_ecc.sum, in millions, with ncu;
// drivers 580.159.04.
static const struct {
    unsigned width, resident;
    double h200, h100;
} counted[] = {{8, 8, 0.378, 0.612},  {8, 16, 1.110, 1.434},  {8, 32, 1.813, 2.211},
               {16, 8, 0.447, 0.703}, {16, 16, 0.924, 1.258}, {16, 32, 1.493, 2.018},
               {32, 8, 0.425, 0.570}, {32, 32, 1.064, 1.384}};
enum { COUNTED = sizeof counted / sizeof *counted };

TEST(as_many_sectors_are_completed_as_gpus_count, .times = COUNTED)
{
    double h200 =
               1e-6 * completed(sim_device_find("h200"), counted[_i].width, counted[_i].resident),
           h100 =
               1e-6 * completed(sim_device_find("h100"), counted[_i].width, counted[_i].resident);
    ck_assert_double_eq_tol(h200, counted[_i].h200, 0.5 * counted[_i].h200);
    ck_assert_double_eq_tol(h100, counted[_i].h100, 0.5 * counted[_i].h100);
}

TEST(nothing_is_completed_of_whole_sectors)
{
    struct l2_outcome none = {.write_bytes = 1 << 20};
    ck_assert(open_lines_completed(sim_devices, &none, 1000) == 0);
}

// More of what is open is completed the more of it there is, but never more than all.
TEST(more_is_completed_the_more_is_open)
{
    enum { SECTORS = 1 << 20, BLOCKS = 1 << 10, MANY = 1 << 24 };
    double before = 0;
    for (double launches = 1; launches < MANY; launches *= 2) {
        struct l2_outcome o = {
            .open[1] = {SECTORS, launches * SECTORS, SECTORS, launches * SECTORS}};
        double some = open_lines_completed(sim_devices, &o, BLOCKS);
        ck_assert(some > before && some < SECTORS);
        before = some;
    }
    ck_assert(before > 0.99 * SECTORS);
}
