// Lines of the L2 that wait for other blocks' parts of sectors: how many of these DRAM completes, against what GPUs counted.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/count/access.h"
#include "sim/time/l2_open_lines.h"

#include "recorded.h"
#include "suites.h"

PROGRAM(sim_l2_open_lines, .seconds = 60)

// Tiles as those of tests/micro/open.cu, of some columns, more than an L2 holds, of which the rest is alike: rows of N words,
// which start anywhere.
enum { N = 10007, HEIGHT = 32, DOWN = (N + HEIGHT - 1) / HEIGHT, WORDS = 2560 };

static const uint64_t origin = UINT64_C(0x7f0000000000);

// A warp stores its rows of a tile, `width` words of each.
static void store_tile(struct l2_accesses *accesses, struct l2_log *log, unsigned tile,
                       unsigned width)
{
    unsigned x = tile / DOWN * width, y = tile % DOWN * HEIGHT, rows = LANES / width;
    for (unsigned first = 0; first < HEIGHT; first += rows) {
        struct access access = {.mask = ALL_LANES, .size = 4};
        for (unsigned l = 0; l < LANES; l++)
            access.address[l] =
                origin + 4 * ((uint64_t)(y + first + l / width) * N + x + l % width);
        access_classify(&access);
        l2_note(accesses, log, &access, 0, 0, 1);
    }
}

// The sectors that are completed of tiles of that width, so many a block, of which those that begin
// together come to a store while as many others are launched.
static double completed(const struct sim_device *device, unsigned width, unsigned a_block,
                        double spread)
{
    const unsigned tiles = WORDS / width * DOWN, blocks = (tiles + a_block - 1) / a_block;
    struct l2 *l2 = l2_open(device->l2_bytes, device->l2_partitions, 2, 1, origin);
    struct l2_log log = {0};
    struct l2_accesses *accesses = l2 ? l2_begin(l2, blocks, 1) : NULL;
    ck_assert_ptr_nonnull(accesses);
    for (unsigned tile = 0; tile < tiles; tile++) {
        if (tile % a_block == 0)
            l2_begin_block(&log);
        store_tile(accesses, &log, tile, width);
    }
    l2_commit(accesses, &log, 0);
    const struct l2_outcome *outcome = l2_end(l2, &(struct l2_order){.warps_lose = 1,
                                                                     .spread = spread,
                                                                     .running = blocks,
                                                                     .sms = (unsigned)device->sms,
                                                                     .fast = 1});
    ck_assert_ptr_nonnull(outcome);
    double sectors = open_lines_completed(device, outcome, blocks).of_blocks * N / WORDS;
    l2_free(l2);
    return sectors;
}

// How many blocks are launched between the stores of two tiles side by side, as it was measured, beyond those that are
// launched between the tiles anyway.
static double measured_spread(const char *gpu, unsigned width, unsigned a_block, unsigned threads)
{
    char name[80];
    snprintf(name, sizeof name, "open_%u_words_%ux%u_threads_shifted", width, a_block, threads);
    double us = 4e-3 * N * N / recorded(gpu, name),
           blocks = ceil((double)N / width) * DOWN / a_block, between = (double)DOWN / a_block;
    snprintf(name, sizeof name, "open_%u_words_%ux%u_threads_apart", width, a_block, threads);
    double apart = recorded(gpu, name) / us * blocks;
    return sqrt(fmax(0, apart * apart - between * between));
}

// docs/runs/open-lines.csv has what GPUs counted.
TEST(as_many_sectors_are_completed_as_gpus_count)
{
    enum { COUNTED = 2 * 15 };
    char line[256], gpu[8];
    unsigned width, a_block, threads, resident, rows = 0;
    double sectors;
    FILE *record = fopen("docs/runs/open-lines.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (sscanf(line, "%7[^,],%u,%u,%u,%u,%lf", gpu, &width, &a_block, &threads, &resident,
                   &sectors) != 6)
            continue;
        double model = completed(sim_device_find(gpu), width, a_block,
                                 measured_spread(gpu, width, a_block, threads));
        ck_assert_msg(model > 0.6 * sectors && model < 1.3 * sectors, "%g: %s", model, line);
        rows++;
    }
    fclose(record);
    ck_assert_uint_eq(rows, COUNTED);
}

TEST(nothing_is_completed_of_whole_sectors)
{
    struct l2_outcome none = {.write_bytes = 1 << 20};
    ck_assert(open_lines_completed(sim_devices, &none, 1000).of_blocks == 0);
}

// More of what is open is completed the more of it there is, but never more than all: of lines with one sector that is
// open, with four at the same time, and one after the other.
TEST(more_is_completed_the_more_is_open, .times = 3)
{
    enum { LINES = 1 << 20, BLOCKS = 1 << 10, MANY = 1 << 24 };
    static const double sectors[] = {1, 4, 4}, at_once[] = {1, 4, 1};
    double before = 0, all = sectors[_i] * LINES;
    for (double launches = 1; launches < MANY; launches *= 2) {
        double sum = launches * LINES;
        struct l2_outcome o = {.open = {.lines = LINES,
                                        .line_launches = sum,
                                        .sectors = all,
                                        .sector_launches = at_once[_i] * sum,
                                        .shared_launches = at_once[_i] * sum,
                                        .opened = LINES}};
        double some = open_lines_completed(sim_devices, &o, BLOCKS).of_blocks;
        ck_assert(some >= before && some <= all);
        before = some;
    }
    ck_assert(before > 0.9 * all);
}

// Lines that a warp's own parts hold open for next to no time come to the sets, too: four times as many lines push out as much as
// twice the share; none more if what they are open for is all that there is.
TEST(lines_that_hardly_wait_come_to_places_too)
{
    enum { LINES = 1 << 16, BLOCKS = 1 << 10, TIMES = 4, TWICE = 2 };
    const double sum = (double)LINES * BLOCKS / 8;
    struct l2_outcome alone = {.open = {.lines = LINES,
                                        .line_launches = sum,
                                        .sectors = LINES,
                                        .sector_launches = sum,
                                        .shared_launches = sum,
                                        .opened = LINES}},
                      longer = alone, beside = alone, shorter = alone;
    longer.open.line_launches = longer.open.sector_launches = longer.open.shared_launches =
        TWICE * sum;
    beside.open.opened = shorter.open.opened = TIMES * LINES;
    shorter.open.shared_launches = sum / TIMES;
    double one = open_lines_completed(sim_devices, &alone, BLOCKS).of_blocks,
           two = open_lines_completed(sim_devices, &longer, BLOCKS).of_blocks;
    ck_assert(two > 1.5 * one);
    ck_assert_double_eq_tol(open_lines_completed(sim_devices, &beside, BLOCKS).of_blocks, two,
                            1e-6 * two);
    ck_assert_double_eq_tol(open_lines_completed(sim_devices, &shorter, BLOCKS).of_blocks, one,
                            1e-6 * one);
}

// What a block's warps store all of: the more is open the more is completed.
TEST(a_blocks_own_sectors_are_completed_with_each_other)
{
    enum { LINES = 1 << 20, BLOCKS = 1 << 10, MANY = 1 << 24 };
    double before = 0;
    for (double launches = 1; launches < MANY; launches *= 2) {
        double sum = launches * LINES;
        struct l2_outcome o = {.open = {.lines = LINES,
                                        .line_launches = sum,
                                        .sectors = LINES,
                                        .sector_launches = sum,
                                        .own = LINES,
                                        .opened = LINES}};
        struct open_lines_completed some = open_lines_completed(sim_devices, &o, BLOCKS);
        ck_assert(some.own >= before && some.own <= LINES && some.of_blocks == 0);
        before = some.own;
    }
    ck_assert(before > 0.9 * LINES);
}

// Tiles in which the warps of a block share sectors, as docs/runs/own-sectors.csv has them, and copies of them.
enum { SHARED = 3195392 };
struct own_tiles {
    unsigned width, height, threads;
    char what[8], order[8];
    double requests, sectors; // that were completed
};

static int read_own_tiles(const char *line, struct own_tiles *t)
{
    return sscanf(line, "h200,%u,%u,%u,%7[^,],%7[^,],%lf,%lf", &t->width, &t->height, &t->threads,
                  t->what, t->order, &t->requests, &t->sectors) == 7 &&
           strcmp(t->what, "copy") == 0;
}

// What of these is completed, if so many have not joined, and wait for so many launches, in sum.
static double own_completed(double left, double launches, double blocks, int is_near)
{
    struct l2_outcome o = {.write_bytes = 1,
                           .apart_write_bytes = !is_near,
                           .open = {.lines = left,
                                    .line_launches = launches,
                                    .sectors = left,
                                    .sector_launches = launches,
                                    .own = left,
                                    .opened = left}};
    return open_lines_completed(sim_device_find("h200"), &o, blocks).own;
}

// If the warps come as far apart as was measured.
TEST(as_many_of_a_blocks_own_are_completed_as_gpus_count)
{
    enum { SMS = 132, COUNTED = 7, WORDS_A_ROW = 79 * 128 };
    char line[256], name[96];
    struct own_tiles t;
    unsigned rows = 0;
    FILE *record = fopen("docs/runs/own-sectors.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (!read_own_tiles(line, &t) || strcmp(t.order, "columns") != 0 ||
            t.sectors < SHARED / 100.)
            continue;
        int length = snprintf(name, sizeof name, "own_%ux%u_words_%u_threads_copy_columns_",
                              t.width, t.height, t.threads);
        snprintf(name + length, sizeof name - (size_t)length, "apart");
        double lives = recorded("h200", name);
        snprintf(name + length, sizeof name - (size_t)length, "resident");
        double launches = SHARED * lives * SMS * recorded("h200", name),
               blocks = ceil((double)WORDS_A_ROW / t.width) * (WORDS_A_ROW / t.height),
               model = own_completed(t.requests - SHARED, launches, blocks, 0);
        ck_assert_msg(model > 0.6 * t.sectors && model < 1.1 * t.sectors, "%g: %s", model, line);
        rows++;
    }
    fclose(record);
    ck_assert_uint_eq(rows, COUNTED);
}

// How many come to the places follows from what is completed down the columns; from that, what is along the rows.
TEST(lines_near_each_other_push_fewer_out)
{
    enum { COUNTED = 6, BLOCKS = 1000, HALVINGS = 60 };
    char line[256];
    struct own_tiles t, along = {0};
    unsigned pairs = 0;
    FILE *record = fopen("docs/runs/own-sectors.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (!read_own_tiles(line, &t))
            continue;
        if (strcmp(t.order, "rows") == 0)
            along = t;
        else if (t.sectors > SHARED / 50.) {
            ck_assert(along.width == t.width && along.height == t.height &&
                      along.threads == t.threads);
            double low = 0, high = 1e12;
            for (int i = 0; i < HALVINGS; i++) {
                double launches = (low + high) / 2;
                *(own_completed(SHARED, launches, BLOCKS, 0) < t.sectors ? &low : &high) = launches;
            }
            double model = own_completed(SHARED, low, BLOCKS, 1);
            ck_assert_msg(model > 0.6 * along.sectors && model < 1.5 * along.sectors,
                          "%g, not %g: %s", model, along.sectors, line);
            pairs++;
        }
    }
    fclose(record);
    ck_assert_uint_eq(pairs, COUNTED);
}

// Whatever joins, what others share stays, and as long as it was.
TEST(what_joins_is_a_blocks_own, .times = 3)
{
    static const double own[] = {0, 300, 1000}, left[] = {1000, 700, 400};
    const double SECTORS = 1000, LAUNCHES = 8000, JOINED = 0.6;
    struct l2_open open = {.lines = 500,
                           .line_launches = 6000,
                           .sectors = SECTORS,
                           .sector_launches = LAUNCHES,
                           .shared_launches = (1 - own[_i] / SECTORS) * LAUNCHES,
                           .own = own[_i],
                           .opened = 900};
    const struct l2_open before = open;
    open_lines_take_joined(&open, JOINED);
    ck_assert(open.sectors == left[_i] && open.sectors - open.own == SECTORS - own[_i]);
    ck_assert(open.shared_launches == before.shared_launches);
    double launches = open.own > 0 ? LAUNCHES : before.shared_launches;
    ck_assert_double_eq_tol(open.sector_launches, launches, 1e-6);
    ck_assert_double_eq_tol(open.line_launches / before.line_launches,
                            open.sector_launches / LAUNCHES, 1e-9);
    ck_assert_double_eq_tol(open.lines, 500 * left[_i] / SECTORS, 1e-9);
    ck_assert_double_eq_tol(open.opened, (900 - 400 * JOINED) * left[_i] / SECTORS, 1e-9);
}

// Whether blocks are out of step goes by whether any sector is left that others share.
TEST(nothing_is_left_to_others_of_a_blocks_own)
{
    for (int i = 1; i < 1000; i++) {
        struct l2_open open = {.lines = 3 * i,
                               .line_launches = i,
                               .sectors = 7 * i + 0.1,
                               .sector_launches = i,
                               .own = 7 * i + 0.1,
                               .opened = 3 * i};
        open_lines_take_joined(&open, i / 1001.);
        ck_assert(open.sectors == open.own);
    }
}

TEST(sectors_that_wait_together_are_completed_by_lines, .times = 3)
{
    static const double lines[] = {1000, 500, 10}, expected[] = {1, 0.5, 0.25};
    struct l2_outcome o = {
        .open = {
            .lines = lines[_i], .line_launches = 1e6, .sectors = 1000, .sector_launches = 1e6}};
    double a_sector = open_lines_completed(sim_devices, &o, 1000).lines_a_sector;
    ck_assert_double_eq_tol(a_sector, expected[_i], 1e-9);
}

// A sector of a line is never finished: the line is never whole, but others of its sectors are.
TEST(lines_that_stay_open_have_a_share, .times = 2)
{
    struct l2_outcome o = {0};
    o.open = (struct l2_open){.sectors = 1000,
                              .sector_launches = 1e6,
                              .shared_launches = _i ? 0 : 1e6,
                              .own = _i ? 1000 : 0};
    struct open_lines_completed of = open_lines_completed(sim_devices, &o, 1000);
    double some = _i ? of.own : of.of_blocks;
    ck_assert_msg(some > 0 && some < 1000, "%g", some);
}

TEST(a_blocks_own_are_not_shared)
{
    const struct l2_open none = {0}, all = {.sectors = 8}, some = {.sectors = 8, .own = 6},
                         own = {.sectors = 8, .own = 8};
    ck_assert(open_lines_shared(&none) == 1 && open_lines_shared(&all) == 1);
    ck_assert(open_lines_shared(&some) == 0.25 && open_lines_shared(&own) == 0);
}
