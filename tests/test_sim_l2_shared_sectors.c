// Sectors of the L2 that come in parts, from several blocks or warps: how many, how far apart, and how long they are open.
#include <math.h>

#include "near.h"
#include "sim_l2.h"

PROGRAM(sim_l2_shared_sectors, .seconds = 60)

// Blocks store a matrix, each 32 floats of a few rows, down its columns or along its rows.
enum {
    SPLIT_ROWS = 4608,
    BLOCK_ROWS = 8,
    SPLIT_COLUMNS = 32,
    SPLIT_BLOCKS = SPLIT_ROWS / BLOCK_ROWS
};

struct matrix {
    unsigned width, shift;
    double least; // sectors of a row that two blocks share
};

static const struct matrix matrices[] = {{SPLIT_COLUMNS * LANES, 0, 0},
                                         {SPLIT_COLUMNS * LANES + 8, 1, SPLIT_COLUMNS},
                                         {SPLIT_COLUMNS * LANES + 1, 0, SPLIT_COLUMNS * 7.0 / 8}};

static uint64_t split_row_at(const struct matrix *matrix, unsigned row, unsigned column)
{
    return 4 * ((uint64_t)row * matrix->width + column * LANES + matrix->shift);
}

static struct l2_outcome store_matrix(const struct matrix *matrix, int by_rows)
{
    struct l2 *l2 = open_cache(8 * SMALL, 1);
    struct l2_log log = {0};
    for (unsigned block = 0; block < SPLIT_BLOCKS * SPLIT_COLUMNS; block++) {
        unsigned column = by_rows ? block % SPLIT_COLUMNS : block / SPLIT_BLOCKS,
                 row = (by_rows ? block / SPLIT_COLUMNS : block % SPLIT_BLOCKS) * BLOCK_ROWS;
        l2_begin_block(&log);
        for (unsigned r = row; r < row + BLOCK_ROWS; r++)
            note(&log, split_row_at(matrix, r, column), 4, 4, STORE);
    }
    return close_cache(l2, &log);
}

// The sectors of which the block that comes first does not store all, down the columns, and their lines.
static void expected_splits(const struct matrix *matrix, double *lines, double *sectors)
{
    enum { MOST = SPLIT_ROWS * (SPLIT_COLUMNS * LANES + 8) * 4 / SECTOR_SIZE + 8 };
    static unsigned first[MOST], stored[MOST]; // block + 1, bytes of it
    memset(first, 0, sizeof first);
    memset(stored, 0, sizeof stored);
    for (unsigned column = 0; column < SPLIT_COLUMNS; column++)
        for (unsigned row = 0; row < SPLIT_ROWS; row++) {
            unsigned block = column * SPLIT_BLOCKS + row / BLOCK_ROWS + 1;
            uint64_t at = split_row_at(matrix, row, column);
            for (uint64_t b = at; b < at + LINE_SIZE; b += 4) {
                uint64_t s = b / SECTOR_SIZE;
                first[s] += first[s] ? 0 : block;
                stored[s] += first[s] == block ? 4 : 0;
            }
        }
    *lines = *sectors = 0;
    for (int i = 0; i < MOST; i += LINE_SECTORS) {
        int split = 0;
        for (int s = i; s < i + LINE_SECTORS; s++)
            split += first[s] && stored[s] < SECTOR_SIZE;
        *sectors += split;
        *lines += split > 0;
    }
}

TEST(sectors_that_blocks_share_are_counted, .times = 3)
{
    double lines, sectors;
    struct l2_outcome o = store_matrix(&matrices[_i], 0);
    expected_splits(&matrices[_i], &lines, &sectors);
    ck_assert_double_ge(sectors, matrices[_i].least * SPLIT_ROWS);
    ck_assert_msg(fabs(o.far_split_sectors - sectors) <= 0.01 * sectors, "%g sectors, expected %g",
                  o.far_split_sectors, sectors);
    // Two each, but for those at the edges that nobody stores the rest of.
    ck_assert_msg(o.far_split_parts >= 1.9 * sectors && o.far_split_parts <= 2.01 * sectors,
                  "%g parts of %g sectors", o.far_split_parts, sectors);
    ck_assert_msg(fabs(o.split_lines - lines) <= 0.01 * lines, "%g lines, expected %g",
                  o.split_lines, lines);
    ck_assert(fabs(o.far_split_lines - o.split_lines) <= 0.01 * lines);
}

// Where the neighbour comes next, as many lines are split, but far from others are only those of each page's first chunk.
TEST(blocks_side_by_side_split_near_lines, .times = 3)
{
    struct l2_outcome down = store_matrix(&matrices[_i], 0), along = store_matrix(&matrices[_i], 1);
    ck_assert(fabs(along.split_lines - down.split_lines) <= 0.01 * down.split_lines);
    double first = 1.05 * DRAM_CHUNK / DRAM_PAGE;
    ck_assert(along.far_split_lines <= first * down.far_split_lines);
    ck_assert(along.far_split_sectors <= first * down.far_split_sectors);
}

// A block stores both parts of a sector itself, one after the other, by one warp or by two, that may have fallen apart.
TEST(a_sector_of_one_block_is_split_by_warps_that_fall_apart, .times = 2)
{
    static const double apart[] = {0, 0.25, 0.5, 1};
    const uint64_t step = LANES * SECTOR_SIZE;
    for (int i = 0; i < 4; i++) {
        struct l2 *l2 = open_cache(SMALL, 1);
        struct l2_log log = {0};
        for (uint64_t at = 0; at < 2 * SMALL; at += step) {
            l2_begin_block(&log);
            warp = 0;
            note(&log, at, SECTOR_SIZE, 16, STORE);
            warp = (unsigned)_i;
            note(&log, at + 16, SECTOR_SIZE, 16, STORE);
        }
        order.warps_lose = apart[i];
        struct l2_outcome o = close_cache(l2, &log);
        order.warps_lose = 0;
        ck_assert(o.write_bytes == 2 * SMALL);
        double lines = _i ? 2.0 * SMALL / LINE_SIZE : 0;
        ck_assert(o.split_lines == apart[i] * lines);
        ck_assert(o.far_split_sectors == LINE_SECTORS * o.far_split_lines);
        ck_assert(o.far_split_parts == 2 * o.far_split_sectors);
        double first = (double)step / DRAM_PAGE; // of the blocks that share a page
        ck_assert_double_eq_tol(o.far_split_lines, first * o.split_lines, 1e-6);
    }
}

// A warp comes back to the other half of a sector after some other stores: the more these are, the more the sector is
// split, but no more than by two blocks.
TEST(a_warp_that_comes_back_late_splits_its_sectors, .times = 9)
{
    const int between = _i;
    const uint64_t step = LANES * SECTOR_SIZE;
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    for (uint64_t at = 0; at < 2 * SMALL; at += (between + 1) * step) {
        l2_begin_block(&log);
        for (int half = 0; half < 2; half++)
            for (int i = 0; i <= between; i++)
                note(&log, at + i * step + half * 16, SECTOR_SIZE, 16, STORE);
    }
    struct l2_outcome o = close_cache(l2, &log);
    double lines = 2.0 * SMALL / LINE_SIZE;
    ck_assert(between ? o.split_lines > 0 : o.split_lines == 0);
    assert_near(o.split_lines, lines * (1 - exp(-between / 4.5)), 2, "lines");
    ck_assert(o.split_lines < lines);
}

// Halves of a sector that two blocks store, or two warps of one; of blocks that run at once, and one after the other.
TEST(sectors_are_open_until_the_rest_comes)
{
    enum { LINES = 1 << 14, SPREAD = 300, WARP_SPREAD = 25, APART = 400 };
    static const struct {
        unsigned apart, warps, spread, warp_spread;
        double launches;
    } stores[] = {{APART, 1, 0, SPREAD, APART},
                  {0, 1, SPREAD, SPREAD, 0},
                  {0, 2, SPREAD, WARP_SPREAD, WARP_SPREAD},
                  {APART, 1, SPREAD, WARP_SPREAD, 500}}; // 300 and 400, at right angles
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        struct l2 *l2 = open_cache(SMALL, LINES + APART);
        struct l2_log log = {0};
        for (unsigned block = 0; block < LINES + APART; block++) {
            l2_begin_block(&log);
            for (unsigned half = 0; half < 2; half++) {
                uint64_t line = block - half * stores[i].apart;
                warp = half * (stores[i].warps - 1);
                if (line < LINES)
                    note(&log, line * LINE_SIZE + half * SECTOR_SIZE / 2, 0, 16, STORE);
            }
        }
        warp = 0;
        order.spread = stores[i].spread;
        order.warp_spread = stores[i].warp_spread;
        struct l2_outcome o = close_cache(l2, &log);
        order.spread = order.warp_spread = 1;
        struct l2_open open = o.open;
        double count = stores[i].launches > 0 ? LINES : 0, launches = open.line_launches;
        ck_assert_double_eq_tol(open.lines, count, 1 + 0.01 * count);
        ck_assert_double_eq_tol(open.sectors, count, 1 + 0.01 * count);
        ck_assert(open.own == (stores[i].warps > 1 ? open.sectors : 0));
        ck_assert(open.shared_launches == (open.own > 0 ? 0 : open.sector_launches));
        ck_assert_double_eq_tol(open.opened, LINES, 1);
        ck_assert_double_eq_tol(launches, count * stores[i].launches, 1 + 0.02 * launches);
    }
}

// Eight blocks that follow each other store a word each of a sector: it is open from the first to the last.
TEST(open_sectors_count_once_however_many_store_to_them)
{
    enum { LINES = 1 << 9, OTHERS = 1 << 14, WORDS = LINE_SIZE / 4, SPREAD = 99 };
    struct l2 *l2 = open_cache(SMALL, WORDS + 1);
    struct l2_log log = {0};
    for (uint64_t word = 0; word < WORDS; word++) {
        l2_begin_block(&log);
        for (uint64_t line = 0; line < LINES; line++)
            note(&log, line * LINE_SIZE + word * 4, 0, 4, STORE);
    }
    l2_begin_block(&log); // after which nothing of it is left
    for (uint64_t line = LINES; line < OTHERS; line++)
        note(&log, line * LINE_SIZE, 4, 4, STORE);
    order.spread = SPREAD;
    struct l2_outcome o = close_cache(l2, &log);
    order.spread = 1;
    // From the first to the last of 8, and of 32: each waits for the next one (a sum of reciprocals).
    double a_sector = hypot(7, SPREAD * 2.592857), a_line = hypot(31, SPREAD * 4.027245);
    struct l2_open open = o.open;
    ck_assert_double_eq_tol(open.sector_launches, LINE_SECTORS * LINES * a_sector,
                            0.01 * LINES * a_sector);
    ck_assert_double_eq_tol(open.line_launches, LINES * a_line, 0.01 * LINES * a_line);
    ck_assert_double_eq_tol(open.lines, LINES, 1);
    // Of 8 words a sector no more count than what they take is as long as the line is held up.
    ck_assert(o.far_split_lines > 0);
    ck_assert(o.far_split_parts == SPLIT_PARTS * (o.far_split_lines + o.far_split_sectors));
}

// Whose part a sector waits for does not depend on who stores to another one of its line meanwhile.
TEST(sectors_of_a_line_wait_by_themselves, .times = 2)
{
    enum { LINES = 1 << 14, HALF = SECTOR_SIZE / 2, SPREAD = 1000 };
    struct l2 *l2 = open_cache(SMALL, 2 * LINES);
    struct l2_log log = {0};
    for (uint64_t line = 0; line < LINES; line++) {
        uint64_t at = line * LINE_SIZE;
        l2_begin_block(&log);
        note(&log, at, 0, HALF, STORE);
        if (_i == 0) // of two blocks
            l2_begin_block(&log);
        else // of one warp
            warp = 1;
        note(&log, at + SECTOR_SIZE, 1, 1, STORE); // another sector, whole
        warp = 0;
        note(&log, at + HALF, 0, HALF, STORE);
    }
    order.spread = SPREAD;
    struct l2_outcome o = close_cache(l2, &log);
    order.spread = 1;
    ck_assert_double_eq_tol(o.open.sectors, _i == 0 ? LINES : 0, 1);
}

// Halves of sectors that two blocks store, no or one round apart: if all blocks run at once, the sectors are open for these
// rounds' part of the time, in which all count as launched; else blocks start at once, too, but the last one, which follows when
// the one beside it has ended, so that what these two share has left the cache.
TEST(rounds_apart_are_time_and_blocks_that_run_at_once_are_not)
{
    enum { BLOCKS = 32, ROUNDS = 512, PAIR = 1, LINES = BLOCKS * ROUNDS };
    for (int i = 0; i < 4; i++) {
        const unsigned later = i % 2, running = i < 2 ? BLOCKS : BLOCKS - 1;
        struct l2_order before = order;
        struct l2 *l2 = open_cache(SMALL, BLOCKS);
        struct l2_log log = {0};
        for (unsigned block = 0; block < BLOCKS; block++) {
            l2_begin_block(&log);
            for (unsigned round = 0; round < ROUNDS + later; round++) {
                uint64_t mine = round * BLOCKS + block,
                         others = (round - later) * BLOCKS + (block ^ PAIR);
                note(&log, UINT64_C(1) << 30, 4, 4, LOAD);
                if (round < ROUNDS)
                    note(&log, mine * LINE_SIZE, 0, SECTOR_SIZE / 2, STORE);
                if (round >= later)
                    note(&log, others * LINE_SIZE + SECTOR_SIZE / 2, 0, SECTOR_SIZE / 2, STORE);
            }
        }
        order.running = running;
        order.sms = BLOCKS;
        order.spread = 0;
        struct l2_outcome o = close_cache(l2, &log);
        order = before;
        struct l2_open open = o.open;
        const int all_run = running == BLOCKS;
        double launches = all_run * later * (double)BLOCKS / (ROUNDS + later),
               shared = all_run ? LINES : LINES - (PAIR + 1) * ROUNDS;
        ck_assert_double_eq_tol(o.shared, shared, 0.01 * LINES);
        ck_assert_double_eq_tol(open.sectors, (launches > 0) * LINES, 0.01 * LINES);
        ck_assert_double_eq_tol(open.sector_launches, LINES * launches,
                                1e-9 + 0.01 * LINES * launches);
    }
}

// Of 64 blocks that run, those that are more than 8 apart are distant: each stores half a sector, and half of the one that was
// begun so many blocks before.
TEST(sectors_of_blocks_far_apart_are_distant, .times = 3)
{
    enum { BLOCKS = 1 << 14, RUNNING = 64 };
    static const unsigned apart[] = {8, 9, 0};
    static const double distant[] = {0, 1, 0};
    struct l2_order before = order;
    struct l2 *l2 = open_cache(SMALL, BLOCKS);
    struct l2_log log = {0};
    for (unsigned block = 0; block < BLOCKS; block++) {
        l2_begin_block(&log);
        note(&log, (uint64_t)block * LINE_SIZE, 0, SECTOR_SIZE / 2, STORE);
        if (block >= apart[_i])
            note(&log, (uint64_t)(block - apart[_i]) * LINE_SIZE + SECTOR_SIZE / 2, 0,
                 SECTOR_SIZE / 2, STORE);
    }
    order.running = RUNNING;
    order.spread = 0;
    struct l2_outcome o = close_cache(l2, &log);
    order = before;
    ck_assert_double_eq_tol(o.shared, (apart[_i] > 0) * BLOCKS, 0.01 * BLOCKS);
    ck_assert_double_eq_tol(o.open.distant, distant[_i] * BLOCKS, 0.01 * BLOCKS);
}

// What is scaled from a sample is all of it.
TEST(open_sectors_are_scaled_alike)
{
    const struct l2_open one = {.lines = 1,
                                .line_launches = 2,
                                .sectors = 3,
                                .sector_launches = 4,
                                .own = 5,
                                .distant = 6,
                                .shared_launches = 7,
                                .opened = 8};
    struct l2_open open = l2_open_times(&one, 64);
    ck_assert(open.lines == 64 && open.line_launches == 128 && open.sectors == 192);
    ck_assert(open.sector_launches == 256 && open.own == 320 && open.distant == 384);
    ck_assert(open.shared_launches == 448 && open.opened == 512);
}
