// The L2 of the timing model: what a launch finds there, and what DRAM moves for the rest.
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sim/count/access.h"
#include "sim/count/l2.h"

#include "near.h"
#include "suites.h"

// A cache of this size or below is simulated whole, so that its figures are exact.
enum { SMALL = 512 << 10, TINY = 64 << 10 };
enum { PAGE_LINES = DRAM_PAGE / LINE_SIZE, MANY_BLOCKS = 1 << 22 };

static const uint64_t origin = UINT64_C(0x7f0000000000);

enum { LOAD, STORE };

static unsigned warp; // whose access it is
static struct l2_order order = {
    .warps_apart = 0, .spread = 1, .running = MANY_BLOCKS, .sms = 1, .fast = 1};

// One warp's access: `size` bytes a lane, `stride` bytes from lane to lane.
static void note(struct l2 *l2, struct l2_log *log, uint64_t first, uint64_t stride, unsigned size,
                 int is_store)
{
    struct access access = {.mask = ALL_LANES, .size = size};
    for (int l = 0; l < LANES; l++)
        access.address[l] = origin + first + (uint64_t)l * stride;
    access_classify(&access);
    l2_note(l2, log, &access, warp, (uint32_t)is_store, is_store);
}

static unsigned fetch = 1;    // sectors that a miss brings
static double open_pages = 1; // of DRAM

static struct l2 *open_cache(size_t bytes, uint64_t blocks)
{
    struct l2 *l2 = l2_open(bytes, fetch, open_pages, origin);
    ck_assert_ptr_nonnull(l2);
    ck_assert_int_eq(l2_begin(l2, blocks, 2), 1);
    return l2;
}

// What the accesses that were noted come to: the launch ends, and the cache goes.
static struct l2_outcome close_cache(struct l2 *l2, struct l2_log *log)
{
    static struct l2_hits hits[3];
    l2_commit(l2, log, 0);
    const struct l2_outcome *ended = l2_end(l2, &order);
    ck_assert_ptr_nonnull(ended);
    struct l2_outcome outcome = *ended;
    memcpy(hits, ended->of_instruction, sizeof hits);
    outcome.of_instruction = hits;
    l2_free(l2);
    return outcome;
}

// What one access after the other of a launch of one block comes to.
struct piece {
    uint64_t bytes, step; // how far it goes, and by how much at a time
    uint64_t stride;      // from lane to lane
    unsigned size;        // of a lane's access
    int is_store;
};

static struct l2_outcome walk(size_t cache, const struct piece *pieces, int count)
{
    struct l2 *l2 = open_cache(cache, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    for (int i = 0; i < count; i++)
        for (uint64_t at = 0; at < pieces[i].bytes; at += pieces[i].step)
            note(l2, &log, at, pieces[i].stride, pieces[i].size, pieces[i].is_store);
    return close_cache(l2, &log);
}

static double count_chunks(const double scattered[CHUNK_SECTORS + 1])
{
    double chunks = 0;
    for (int s = 1; s <= CHUNK_SECTORS; s++)
        chunks += scattered[s];
    return chunks;
}

PROGRAM(sim_l2, .seconds = 60)

TEST(what_fits_is_read_from_dram_once, .times = 4)
{
    static const size_t eighths[] = {1, 2, 4, 6};
    size_t bytes = SMALL / 8 * eighths[_i];
    struct piece loads = {bytes, LINE_SIZE, 4, 4, LOAD}; // of a launch that ran before, too
    struct l2_outcome o = walk(SMALL, &loads, 1);
    ck_assert(o.read_bytes == 0 && o.write_bytes == 0 && count_chunks(o.scattered_reads) == 0);
    ck_assert_uint_eq(o.of_instruction[LOAD].sectors, bytes / SECTOR_SIZE);
    ck_assert_uint_eq(o.of_instruction[LOAD].hits, bytes / SECTOR_SIZE);
    struct piece stores = {bytes, LINE_SIZE, 4, 4, STORE};
    o = walk(SMALL, &stores, 1);
    ck_assert(o.read_bytes == 0 && o.write_bytes == 0 && count_chunks(o.scattered_writes) == 0);
}

TEST(twice_the_size_misses_all)
{
    struct piece loads = {2 * SMALL, LINE_SIZE, 4, 4, LOAD};
    struct l2_outcome o = walk(SMALL, &loads, 1);
    ck_assert(o.read_bytes == 2 * SMALL && o.write_bytes == 0);
    ck_assert_uint_eq(o.of_instruction[LOAD].sectors, 2 * SMALL / SECTOR_SIZE);
    ck_assert_uint_eq(o.of_instruction[LOAD].hits, 0);
    // The second of two loads of the same sector finds it there.
    struct piece twice[] = {{2 * SMALL, LINE_SIZE / 2, 2, 2, LOAD}};
    o = walk(SMALL, twice, 1);
    ck_assert(o.read_bytes == 2 * SMALL);
    struct piece lanes_apart = {2 * SMALL, LINE_SIZE * LANES, LINE_SIZE, 4, LOAD};
    o = walk(SMALL, &lanes_apart, 1); // a sector of each line
    ck_assert(o.read_bytes == 2 * SMALL / 4);
}

// Loads of a sector in so many bytes bring those beside it, which the next loads find there.
TEST(a_miss_brings_what_is_fetched_with_it, .times = 3)
{
    const unsigned together = 1u << _i, apart = together * SECTOR_SIZE;
    fetch = together;
    for (unsigned at = 0; at < together; at++) { // whichever of them is asked for
        struct l2 *l2 = open_cache(TINY, 1);
        struct l2_log log = {0};
        l2_begin_block(&log);
        for (uint64_t page = 0; page < 4 * (uint64_t)TINY; page += (uint64_t)LANES * apart)
            for (unsigned s = 0; s < together; s++)
                note(l2, &log, page + (at + s) % together * SECTOR_SIZE, apart, 4, LOAD);
        l2_commit(l2, &log, 0);
        const struct l2_outcome *o = l2_end(l2, &order);
        ck_assert_ptr_nonnull(o);
        ck_assert_double_eq_tol(o->read_bytes, 4.0 * TINY, 1e-6);
        ck_assert_uint_eq(o->of_instruction[LOAD].sectors, 4 * TINY / SECTOR_SIZE);
        ck_assert_uint_eq(o->of_instruction[LOAD].hits, 4 * TINY / apart * (together - 1));
        l2_free(l2);
    }
    struct piece alone = {4 * TINY, (uint64_t)LANES * LINE_SIZE, LINE_SIZE, 4,
                          LOAD}; // one of each line
    struct l2_outcome o = walk(TINY, &alone, 1);
    ck_assert_double_eq_tol(o.read_bytes, 4.0 * TINY / LINE_SIZE * apart, 1e-6);
    ck_assert_uint_eq(o.of_instruction[LOAD].hits, 0);
}

// An NVIDIA H200's L2 of 60 MiB holds what is read again up to 48 MiB in full, most of 56 MiB, and of
// more than 64 MiB nothing. The model's sets, filled by a hash, give way less sharply.
TEST(an_h200s_l2_holds_what_it_held, .times = 5)
{
    static const struct {
        size_t mebibytes;
        double least, most; // of it that DRAM moves
    } measured[] = {{16, 0, 0}, {48, 0, 0.05}, {56, 0, 0.5}, {72, 0.85, 1}, {128, 0.99, 1}};
    size_t bytes = measured[_i].mebibytes << 20;
    struct piece loads = {bytes, LINE_SIZE, 4, 4, LOAD};
    struct l2_outcome o = walk((size_t)60 << 20, &loads, 1);
    double share = o.read_bytes / (double)bytes;
    ck_assert_msg(share >= measured[_i].least - 1e-9 && share <= measured[_i].most * 1.02,
                  "%zu MiB: %.3f of it is read", measured[_i].mebibytes, share);
}

TEST(whole_sectors_are_written_and_not_read)
{
    struct piece stores = {2 * SMALL, LINE_SIZE, 4, 4, STORE};
    struct l2_outcome o = walk(SMALL, &stores, 1);
    ck_assert(o.write_bytes == 2 * SMALL && o.read_bytes == 0);
    struct piece sectors = {2 * SMALL, LANES * 8, 8, 8, STORE};
    o = walk(SMALL, &sectors, 1);
    ck_assert(o.write_bytes == 2 * SMALL && o.read_bytes == 0 && o.fill_bytes == 0);
}

// A sector of which 4 bytes are written is read before DRAM gets it, unless the rest comes in time.
TEST(parts_of_sectors_are_read_unless_the_rest_comes)
{
    struct piece parts = {2 * SMALL, LANES * SECTOR_SIZE, SECTOR_SIZE, 4, STORE};
    struct l2_outcome o = walk(SMALL, &parts, 1);
    ck_assert(o.write_bytes == 2 * SMALL && o.read_bytes == 2 * SMALL);
    ck_assert(o.fill_bytes == o.read_bytes);

    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    const uint64_t step = LANES * SECTOR_SIZE;
    for (uint64_t at = 0; at < 2 * SMALL; at += step)
        for (unsigned word = 0; word < SECTOR_SIZE / 4; word++) // half the cache later
            note(l2, &log, (at + (2 * SMALL - SMALL / 16 * word)) % (2 * SMALL) + 4 * word,
                 SECTOR_SIZE, 4, STORE);
    struct l2_outcome late = close_cache(l2, &log);
    ck_assert(late.write_bytes == 2 * SMALL && late.read_bytes == 0);
}

// What a load brings in completes a sector, too: one read either way.
TEST(a_load_completes_a_sector, .times = 2)
{
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    const uint64_t step = LANES * SECTOR_SIZE;
    for (uint64_t at = 0; at < 2 * SMALL; at += step) {
        note(l2, &log, at, SECTOR_SIZE, 4, _i == 0 ? STORE : LOAD);
        note(l2, &log, at, SECTOR_SIZE, _i == 0 ? 8 : 4, _i == 0 ? LOAD : STORE);
    }
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert(o.write_bytes == 2 * SMALL && o.read_bytes == 2 * SMALL && o.fill_bytes == 0);
    // The bytes that were just stored are there to be loaded.
    ck_assert_uint_eq(o.of_instruction[LOAD].hits, 0);
}

// A stream comes to a page once; its first chunk there is far from others.
TEST(a_stream_is_scattered_by_pages, .first = LOAD, .times = STORE - LOAD + 1)
{
    struct piece piece = {16 * SMALL, LINE_SIZE, 4, 4, _i};
    struct l2_outcome o = walk(SMALL, &piece, 1);
    const double *of_stream = _i == STORE ? o.scattered_writes : o.scattered_reads,
                 *other = _i == STORE ? o.scattered_reads : o.scattered_writes;
    double pages = 16 * SMALL / DRAM_PAGE;
    ck_assert_double_eq_tol(of_stream[CHUNK_SECTORS], pages, 0.02 * pages);
    ck_assert_double_eq_tol(count_chunks(of_stream), pages, 0.02 * pages);
    ck_assert(count_chunks(other) == 0);
    double far = o.write_bytes * DRAM_CHUNK / DRAM_PAGE;
    ck_assert(fabs(o.far_write_bytes - far) <= 0.02 * far);
}

// So is one through an L2 as large as a GPU's, from which lines leave long after they came.
TEST(so_is_one_through_a_large_cache, .first = LOAD, .times = STORE - LOAD + 1)
{
    struct piece piece = {(size_t)192 << 20, LINE_SIZE, 4, 4, _i};
    struct l2_outcome o = walk((size_t)60 << 20, &piece, 1);
    const double *scattered = _i == STORE ? o.scattered_writes : o.scattered_reads;
    double bytes = _i == STORE ? o.write_bytes : o.read_bytes, pages = bytes / DRAM_PAGE;
    ck_assert_double_eq_tol(bytes, 192 << 20, 0.02 * (192 << 20));
    ck_assert_double_eq_tol(scattered[CHUNK_SECTORS], pages, 0.1 * pages);
}

// Down the columns of a matrix, a line a block, a page is closed the more likely the more rows there are; at first it is.
TEST(pages_are_closed_by_those_of_other_rows, .times = 6)
{
    enum { CHUNK = LINE_SIZE, COLUMNS = DRAM_PAGE / CHUNK, LEAST_ROWS = 64 };
    const unsigned rows = LEAST_ROWS << _i / 2, is_store = _i % 2;
    open_pages = 100;
    struct l2 *l2 = open_cache(TINY, 1);
    struct l2_log log = {0};
    for (unsigned column = 0; column < COLUMNS; column++)
        for (unsigned row = 0; row < rows; row++) {
            l2_begin_block(&log);
            note(l2, &log, (uint64_t)row * DRAM_PAGE + column * CHUNK, CHUNK / LANES, 4, is_store);
        }
    struct l2_outcome o = close_cache(l2, &log);
    double others = rows - 1,
           expected = rows * (1 + (COLUMNS - 1) * others / (others + open_pages));
    const double *scattered = is_store ? o.scattered_writes : o.scattered_reads;
    ck_assert_double_eq_tol(scattered[CHUNK / SECTOR_SIZE], expected, 0.03 * expected);
    ck_assert_double_eq_tol(count_chunks(scattered), expected, 0.03 * expected);
    open_pages = 1;
}

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
            note(l2, &log, split_row_at(matrix, r, column), 4, 4, STORE);
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

// Warps fall apart as they store, more than twice, and less where they have met at a barrier.
TEST(warps_fall_apart)
{
    ck_assert(l2_warps_apart(0, 0) == 0 && l2_warps_apart(2, 0) == 0);
    for (unsigned stores = 3; stores < 1000; stores++) {
        double apart = l2_warps_apart(stores, 0);
        ck_assert(apart > 0 && apart < 1 && apart >= l2_warps_apart(stores - 1, 0));
        ck_assert(l2_warps_apart(stores, 1) > 0 && l2_warps_apart(stores, 1) < apart);
    }
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
            note(l2, &log, at, SECTOR_SIZE, 16, STORE);
            warp = (unsigned)_i;
            note(l2, &log, at + 16, SECTOR_SIZE, 16, STORE);
        }
        order.warps_apart = apart[i];
        struct l2_outcome o = close_cache(l2, &log);
        order.warps_apart = 0;
        ck_assert(o.write_bytes == 2 * SMALL);
        double lines = _i ? 2.0 * SMALL / LINE_SIZE : 0;
        ck_assert(o.split_lines == apart[i] * lines);
        ck_assert(o.far_split_sectors == LINE_SECTORS * o.far_split_lines);
        double first =
            (double)DRAM_CHUNK / DRAM_PAGE; // of a page's chunks, which is far from others
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
                note(l2, &log, at + i * step + half * 16, SECTOR_SIZE, 16, STORE);
    }
    struct l2_outcome o = close_cache(l2, &log);
    double lines = 2.0 * SMALL / LINE_SIZE;
    ck_assert(between ? o.split_lines > 0 : o.split_lines == 0);
    assert_near(o.split_lines, lines * (1 - exp(-between / 4.5)), 2, "lines");
    ck_assert(o.split_lines < lines);
}

// What is used again and again stays, while a stream goes through beside it.
TEST(what_is_used_often_stays)
{
    enum { HOT = SMALL / 8, PASSING = SMALL / 2, ROUNDS = 32 };
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    for (uint64_t round = 0; round < ROUNDS; round++) {
        for (uint64_t at = 0; at < HOT; at += LINE_SIZE)
            note(l2, &log, at, 4, 4, LOAD);
        for (uint64_t at = 0; at < PASSING; at += LINE_SIZE)
            note(l2, &log, SMALL + round * PASSING + at, 4, 4, LOAD);
    }
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert_double_eq_tol(o.read_bytes, (double)ROUNDS * PASSING, 0.01 * ROUNDS * PASSING);
}

// Blocks walk down the columns, so many bytes wide, of matrices whose rows are a page long, each block 8 rows of a
// column. Returns what one launch made of it.
static struct l2_outcome walk_columns(unsigned width, uint64_t rows, uint64_t matrices,
                                      int is_store)
{
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    for (uint64_t m = 0; m < matrices; m++)
        for (uint64_t column = 0; column < DRAM_PAGE / width; column++)
            for (uint64_t row = 0; row < rows; row++) {
                uint64_t at = (m * rows + row) * DRAM_PAGE + column * width;
                if (row % 8 == 0)
                    l2_begin_block(&log);
                note(l2, &log, at, width / LANES, width / LANES, is_store);
            }
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert((is_store ? o.write_bytes : o.read_bytes) == (double)(matrices * rows * DRAM_PAGE));
    return o;
}

// Columns of many rows are chunks of closed pages, each as wide as the column. A column of few rows comes back to the page
// while it is open. What is stored is written as lines, at least.
TEST(columns_are_scattered_chunks, .times = 4)
{
    enum { DEEP = 1 << 15, MATRICES = DEEP / 8 };
    unsigned sectors = 1u << _i, width = sectors * SECTOR_SIZE;
    double chunks = DEEP * (DRAM_PAGE / width);
    struct l2_outcome o = walk_columns(width, DEEP, 1, LOAD);
    ck_assert_double_eq_tol(o.scattered_reads[sectors], chunks, 0.01 * chunks);
    ck_assert_double_eq_tol(count_chunks(o.scattered_reads), chunks, 0.01 * chunks);
    open_pages = 1e6;
    o = walk_columns(width, 8, MATRICES, LOAD);
    ck_assert_double_eq_tol(count_chunks(o.scattered_reads), DEEP, 0.01 * DEEP);
    open_pages = 1;
    if (sectors < LINE_SIZE / SECTOR_SIZE)
        return;
    o = walk_columns(width, DEEP, 1, STORE);
    ck_assert_double_eq_tol(o.scattered_writes[sectors], chunks, 0.01 * chunks);
    ck_assert_double_eq_tol(count_chunks(o.scattered_writes), chunks, 0.01 * chunks);
    ck_assert_double_eq_tol(o.far_write_bytes, o.write_bytes, 0.01 * o.write_bytes);
}

// Both lines of a chunk are moved at once if one block asks for them, one after the other.
TEST(blocks_do_not_share_a_chunk, .first = LOAD, .times = STORE - LOAD + 1)
{
    enum { CHUNKS = 1 << 15, FAR = 1 << 7 };
    for (int blocks = 1; blocks <= 2; blocks++) {
        struct l2 *l2 = open_cache(SMALL, 1);
        struct l2_log log = {0};
        for (uint64_t i = 0; i < CHUNKS; i++) {
            uint64_t chunk = i % FAR * (CHUNKS / FAR) + i / FAR, at = chunk * DRAM_PAGE;
            l2_begin_block(&log);
            note(l2, &log, at, 4, 4, _i);
            if (blocks == 2)
                l2_begin_block(&log);
            note(l2, &log, at + LINE_SIZE, 4, 4, _i);
        }
        struct l2_outcome o = close_cache(l2, &log);
        const double *scattered = _i == STORE ? o.scattered_writes : o.scattered_reads;
        double whole = blocks == 1 ? CHUNKS : 0, half = blocks == 1 ? 0 : CHUNKS;
        ck_assert_double_eq_tol(scattered[CHUNK_SECTORS], whole, 1);
        ck_assert_double_eq_tol(scattered[CHUNK_SECTORS / 2], half, 1); // the other is near it then
    }
}

// Blocks of a launch, in runs of a few. Their accesses are any, but the same for any order.
enum { RUNS = 64, RUN_BLOCKS = 5, PER_BLOCK = 300 };

struct committer {
    struct l2 *l2;
    const int *runs;
    int first, step;
};

static void *commit_runs(void *argument)
{
    const struct committer *c = argument;
    for (int i = c->first; i < RUNS; i += c->step) {
        struct l2_log log = {0};
        for (uint64_t b = 0; b < RUN_BLOCKS; b++) {
            uint64_t block = (uint64_t)c->runs[i] * RUN_BLOCKS + b;
            unsigned seed = (unsigned)block;
            l2_begin_block(&log);
            for (int k = 0; k < PER_BLOCK; k++) {
                uint64_t at = block * 8192 + (uint64_t)(rand_r(&seed) % 4096) * LINE_SIZE;
                note(c->l2, &log, at, rand_r(&seed) % 3 ? 4 : 260, 4, rand_r(&seed) % 2);
            }
        }
        l2_commit(c->l2, &log, (uint64_t)c->runs[i] * RUN_BLOCKS);
    }
    return NULL;
}

static struct l2_outcome commit_all(const int *runs, int threads)
{
    enum { MOST = 3 };
    struct l2 *l2 = open_cache(2 << 20, RUNS * RUN_BLOCKS);
    struct committer committers[MOST];
    pthread_t ids[MOST];
    for (int t = 0; t < threads; t++) {
        committers[t] = (struct committer){l2, runs, t, threads};
        ck_assert_int_eq(pthread_create(&ids[t], NULL, commit_runs, &committers[t]), 0);
    }
    for (int t = 0; t < threads; t++)
        ck_assert_int_eq(pthread_join(ids[t], NULL), 0);
    const struct l2_outcome *o = l2_end(l2, &order);
    ck_assert_ptr_nonnull(o);
    struct l2_outcome outcome = *o;
    outcome.of_instruction = NULL;
    l2_free(l2);
    return outcome;
}

TEST(order_and_threads_do_not_matter, .in_case = "threads")
{
    int runs[RUNS];
    for (int i = 0; i < RUNS; i++)
        runs[i] = i;
    struct l2_outcome first = commit_all(runs, 1);
    ck_assert(first.read_bytes > 0 && first.write_bytes > 0);
    srand(7);
    for (int round = 0; round < 5; round++) {
        for (int i = RUNS - 1; i > 0; i--) {
            int k = rand() % (i + 1), run = runs[i];
            runs[i] = runs[k];
            runs[k] = run;
        }
        struct l2_outcome again = commit_all(runs, 1 + round % 3);
        ck_assert(again.read_bytes == first.read_bytes && again.write_bytes == first.write_bytes);
        ck_assert_mem_eq(again.scattered_reads, first.scattered_reads,
                         sizeof first.scattered_reads);
        ck_assert_mem_eq(again.scattered_writes, first.scattered_writes,
                         sizeof first.scattered_writes);
    }
}

// Of blocks this many, 18 accesses each are noted; the rest is taken to be like them, by its lines.
TEST(what_is_left_out_is_made_up_for, .times = 2)
{
    enum { BLOCKS = 1000, NOTED = 18, LINES = NOTED + LANES };
    struct l2 *l2 = open_cache(TINY, MANY_BLOCKS);
    struct l2_log log = {0};
    for (uint64_t block = 0; block < BLOCKS; block++) {
        uint64_t at = block * LINES * LINE_SIZE;
        l2_begin_block(&log);
        for (uint64_t line = 0; line < (_i == 0 ? LINES : NOTED); line++)
            note(l2, &log, at + line * LINE_SIZE, 4, 4, LOAD);
        if (_i == 1) // one of as many lines
            note(l2, &log, at + NOTED * LINE_SIZE, LINE_SIZE, 4, LOAD);
    }
    ck_assert_uint_eq(log.count, NOTED * BLOCKS);
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert_double_eq_tol(o.read_bytes, (double)BLOCKS * LINES * LINE_SIZE, 1);
}

// Of all lines, near others and far.
static struct l2_open all_open(const struct l2_outcome *o)
{
    const struct l2_open *near = &o->open[0], *far = &o->open[1];
    return (struct l2_open){near->lines + far->lines, near->line_launches + far->line_launches,
                            near->sectors + far->sectors,
                            near->sector_launches + far->sector_launches, near->own + far->own};
}

// Halves of a sector that two blocks store, or two warps of one; of blocks that run at once, and one after the other.
TEST(sectors_are_open_until_the_rest_comes)
{
    enum { LINES = 1 << 14, SPREAD = 300, APART = 400, AT_ONCE = 3 };
    static const struct {
        unsigned apart, warps, spread;
        double launches;
    } stores[] = {{APART, 1, 0, APART},
                  {0, 1, SPREAD, 0},
                  {0, 2, SPREAD, SPREAD / 4.0 / AT_ONCE},
                  {APART, 1, SPREAD, 412.3}}; // 400 and a third of 300, at right angles
    for (size_t i = 0; i < sizeof stores / sizeof *stores; i++) {
        struct l2 *l2 = open_cache(SMALL, LINES + APART);
        struct l2_log log = {0};
        for (unsigned block = 0; block < LINES + APART; block++) {
            l2_begin_block(&log);
            for (unsigned half = 0; half < 2; half++) {
                uint64_t line = block - half * stores[i].apart;
                warp = half * (stores[i].warps - 1);
                if (line < LINES)
                    note(l2, &log, line * LINE_SIZE + half * SECTOR_SIZE / 2, 0, 16, STORE);
            }
        }
        warp = 0;
        order.spread = stores[i].spread;
        struct l2_outcome o = close_cache(l2, &log);
        order.spread = 1;
        struct l2_open open = all_open(&o);
        double count = stores[i].launches > 0 ? LINES : 0, launches = open.line_launches;
        ck_assert_double_eq_tol(open.lines, count, 1 + 0.01 * count);
        ck_assert_double_eq_tol(open.sectors, count, 1 + 0.01 * count);
        ck_assert(open.own == (stores[i].warps > 1 ? open.sectors : 0));
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
            note(l2, &log, line * LINE_SIZE + word * 4, 0, 4, STORE);
    }
    l2_begin_block(&log); // after which nothing of it is left
    for (uint64_t line = LINES; line < OTHERS; line++)
        note(l2, &log, line * LINE_SIZE, 4, 4, STORE);
    order.spread = SPREAD;
    struct l2_outcome o = close_cache(l2, &log);
    order.spread = 1;
    double a_sector = hypot(7, SPREAD * 7 / 9.0), a_line = hypot(31, SPREAD * 31 / 33.0);
    struct l2_open open = all_open(&o);
    ck_assert_double_eq_tol(open.sector_launches, LINE_SECTORS * LINES * a_sector,
                            0.01 * LINES * a_sector);
    ck_assert_double_eq_tol(open.line_launches, LINES * a_line, 0.01 * LINES * a_line);
    ck_assert_double_eq_tol(open.lines, LINES, 1);
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
        note(l2, &log, at, 0, HALF, STORE);
        if (_i == 0) // of two blocks
            l2_begin_block(&log);
        else // of one warp
            warp = 1;
        note(l2, &log, at + SECTOR_SIZE, 1, 1, STORE); // another sector, whole
        warp = 0;
        note(l2, &log, at + HALF, 0, HALF, STORE);
    }
    order.spread = SPREAD;
    struct l2_outcome o = close_cache(l2, &log);
    order.spread = 1;
    ck_assert_double_eq_tol(all_open(&o).sectors, _i == 0 ? LINES : 0, 1);
}

// What DRAM reads for blocks of which two load the same, in each of so many rounds something else: twice as much as the
// cache holds in all, and a fourth of it a round.
static double read_in_rounds(uint64_t running, unsigned sms, double fast)
{
    enum { BLOCKS = 32, OF_BLOCK = SMALL / 64, ROUNDS = 128 };
    struct l2_order before = order;
    struct l2 *l2 = open_cache(SMALL, BLOCKS);
    struct l2_log log = {0};
    for (uint64_t block = 0; block < BLOCKS; block++) {
        l2_begin_block(&log);
        for (uint64_t round = 0; round < ROUNDS; round++) {
            uint64_t first = (round * BLOCKS + block / 2) * OF_BLOCK;
            for (uint64_t at = 0; at < OF_BLOCK; at += LINE_SIZE)
                note(l2, &log, first + at, 4, 4, LOAD);
            note(l2, &log, UINT64_C(1) << 30, 4, 4, STORE);
        }
    }
    order.running = running;
    order.sms = sms;
    order.fast = fast;
    struct l2_outcome o = close_cache(l2, &log);
    order = before;
    return o.read_bytes / (ROUNDS * (double)SMALL / 4);
}

// The second of two blocks hits if both are in the same round at about the same time: not if it begins when the other one
// has ended, or is ahead by more than the cache holds. Of 16 pairs 7 have a block on the SM of five that is faster.
TEST(blocks_that_run_at_the_same_time_take_turns)
{
    ck_assert_double_eq_tol(read_in_rounds(32, 32, 1), 1, 0.01);
    ck_assert_double_eq_tol(read_in_rounds(1000, 32, 1), 1, 0.01);
    ck_assert_double_gt(read_in_rounds(16, 16, 1), 1.8); // they begin one after the other
    ck_assert_double_eq_tol(read_in_rounds(1, 1, 1), 2, 0.01);
    ck_assert_double_eq_tol(read_in_rounds(32, 5, 0.5), 1 + 7 / 16., 0.03);
}

// How unlike the paces are matters where blocks go through rounds, and all run at once.
TEST(paces_are_of_blocks_that_all_run_at_once)
{
    for (int block_rounds = 1; block_rounds <= 2; block_rounds++) {
        struct l2 *l2 = open_cache(TINY, 8);
        struct l2_log log = {0};
        l2_begin_block(&log);
        for (int round = 0; round < block_rounds; round++) {
            note(l2, &log, 0, 4, 4, LOAD);
            note(l2, &log, 0, 4, 4, STORE);
        }
        l2_commit(l2, &log, 0);
        struct l2_order all = order, some = order;
        all.running = 8;
        some.running = 7;
        ck_assert_int_eq(l2_has_pace(l2, &all), block_rounds > 1);
        ck_assert_int_eq(l2_has_pace(l2, &some), 0);
        l2_free(l2);
    }
}

// Halves of sectors that two blocks store, no or one round apart: if all blocks run at once, the sectors are open for these
// rounds' part of the time, in which all count as launched; else for as many launches as are between the blocks.
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
                note(l2, &log, UINT64_C(1) << 30, 4, 4, LOAD);
                if (round < ROUNDS)
                    note(l2, &log, mine * LINE_SIZE, 0, SECTOR_SIZE / 2, STORE);
                if (round >= later)
                    note(l2, &log, others * LINE_SIZE + SECTOR_SIZE / 2, 0, SECTOR_SIZE / 2, STORE);
            }
        }
        order.running = running;
        order.sms = BLOCKS;
        order.spread = 0;
        struct l2_outcome o = close_cache(l2, &log);
        order = before;
        struct l2_open open = all_open(&o);
        double launches = running < BLOCKS ? PAIR : later * (double)BLOCKS / (ROUNDS + later);
        ck_assert_double_eq_tol(open.sectors, (launches > 0) * LINES, 0.01 * LINES);
        ck_assert_double_eq_tol(open.sector_launches, LINES * launches,
                                1e-9 + 0.01 * LINES * launches);
    }
}

// A launch without accesses, and one after it, start from what the cache holds.
TEST(launches_follow_one_another)
{
    struct l2 *l2 = open_cache(SMALL, 1);
    const struct l2_outcome *o = l2_end(l2, &order);
    ck_assert_ptr_nonnull(o);
    ck_assert(o->read_bytes == 0 && o->write_bytes == 0);
    for (int launch = 0; launch < 3; launch++) {
        struct l2_log log = {0};
        ck_assert_int_eq(l2_begin(l2, 1, 2), 1);
        l2_begin_block(&log);
        for (uint64_t at = 0; at < 2 * SMALL; at += LINE_SIZE)
            note(l2, &log, at, 4, 4, launch == 1 ? STORE : LOAD);
        l2_commit(l2, &log, 0);
        o = l2_end(l2, &order);
        ck_assert_ptr_nonnull(o);
        ck_assert(o->read_bytes == (launch == 1 ? 0 : 2 * SMALL));
        ck_assert(o->write_bytes == (launch == 1 ? 2 * SMALL : 0));
    }
    l2_free(l2);
}
