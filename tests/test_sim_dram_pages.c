// The pages of DRAM: which chunks of them it moves for the L2, and whether they were closed.
#include <math.h>

#include "sim_l2.h"

PROGRAM(sim_dram_pages, .seconds = 60)

// A stream comes to a page once; its first chunk there is far from others, and the next ones are less, up to half a page.
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
    double far = o.write_bytes * (1 + 0.75 + 0.5 + 0.25) * DRAM_CHUNK / DRAM_PAGE;
    ck_assert(fabs(o.far_write_bytes - far) <= 0.02 * far);
}

// Pages to which a block comes back late, for their other half, are far from all again.
TEST(what_comes_late_is_far)
{
    enum { PAGES = 1 << 13, HALF = DRAM_PAGE / 2 }; // more than is remembered as near
    struct l2 *l2 = open_cache(TINY, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    for (int half = 0; half < 2; half++)
        for (uint64_t page = 0; page < PAGES; page++)
            for (uint64_t line = 0; line < HALF / LINE_SIZE; line++)
                note(&log, page * DRAM_PAGE + half * HALF + line * LINE_SIZE, 4, 4, STORE);
    struct l2_outcome o = close_cache(l2, &log);
    double far = o.write_bytes * (1 + 0.75 + 0.5 + 0.25) / 4;
    ck_assert_double_eq_tol(o.far_write_bytes, far, 0.02 * far);
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
            note(&log, (uint64_t)row * DRAM_PAGE + column * CHUNK, CHUNK / LANES, 4, is_store);
        }
    struct l2_outcome o = close_cache(l2, &log);
    double others = rows - 1,
           expected = rows * (1 + (COLUMNS - 1) * others / (others + open_pages));
    const double *scattered = is_store ? o.scattered_writes : o.scattered_reads;
    ck_assert_double_eq_tol(scattered[CHUNK / SECTOR_SIZE], expected, 0.03 * expected);
    ck_assert_double_eq_tol(count_chunks(scattered), expected, 0.03 * expected);
    open_pages = 1;
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
                note(&log, at, width / LANES, width / LANES, is_store);
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

// Both lines of a chunk are moved at once if a request of a block asks for them, or one of the next two; not if another block does,
// or a later one, which finds the page open.
TEST(requests_that_follow_each_other_share_a_chunk, .first = LOAD, .times = STORE - LOAD + 1)
{
    enum { CHUNKS = 1 << 15, FAR = 1 << 7, MATRIX = CHUNKS * DRAM_PAGE };
    static const struct {
        unsigned between; // requests
        int is_of_others, is_shared;
    } cases[] = {{0, 0, 1}, {1, 0, 1}, {2, 0, 0}, {0, 1, 0}};
    open_pages = 1e9; // so that what comes back finds its page open
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct l2 *l2 = open_cache(SMALL, 1);
        struct l2_log log = {0};
        for (uint64_t i = 0; i < CHUNKS; i++) {
            uint64_t chunk = i % FAR * (CHUNKS / FAR) + i / FAR, at = chunk * DRAM_PAGE;
            l2_begin_block(&log);
            note(&log, at, 4, 4, _i);
            for (unsigned b = 0; b < cases[c].between; b++) // of whole chunks elsewhere
                note(&log, MATRIX + (2 * chunk + b) * DRAM_PAGE, 8, 8, _i);
            if (cases[c].is_of_others)
                l2_begin_block(&log);
            note(&log, at + LINE_SIZE, 4, 4, _i);
        }
        struct l2_outcome o = close_cache(l2, &log);
        const double *scattered = _i == STORE ? o.scattered_writes : o.scattered_reads;
        double others = cases[c].between * CHUNKS;
        ck_assert_double_eq_tol(scattered[CHUNK_SECTORS], others + cases[c].is_shared * CHUNKS,
                                0.01 * CHUNKS);
        ck_assert_double_eq_tol(scattered[CHUNK_SECTORS / 2], !cases[c].is_shared * CHUNKS,
                                0.01 * CHUNKS); // the other is near it then
    }
    open_pages = 1;
}

// So many pieces of so many bytes that start `shift` behind a chunk, in an order that is not theirs, a block each. Returns what
// came of it.
static struct l2_outcome move_pieces(size_t cache, uint64_t pieces, uint64_t bytes, uint64_t shift,
                                     int is_store)
{
    enum { FAR = 1 << 12 }; // more than is remembered as near
    struct l2 *l2 = open_cache(cache, pieces);
    struct l2_log log = {0};
    for (uint64_t i = 0; i < pieces; i++) {
        uint64_t piece = 5 * i % FAR * (pieces / FAR) + i / FAR;
        l2_begin_block(&log);
        note(&log, piece * bytes + shift, bytes / LANES, (unsigned)(bytes / LANES), is_store);
    }
    return close_cache(l2, &log);
}

// Where a block comes to several chunks of a page each is as scattered as the first one, be it whole or the half that a piece
// has of it. In an L2 as large as a GPU's, too, of which a sample is simulated.
TEST(chunks_of_a_page_are_scattered_alike, .first = LOAD, .times = STORE - LOAD + 1)
{
    static const struct {
        size_t cache;
        uint64_t pieces, bytes, shift;
        unsigned halves, wholes; // of a piece
    } cases[] = {{SMALL, 1 << 15, DRAM_CHUNK, 0, 0, 1},
                 {SMALL, 1 << 15, DRAM_CHUNK, LINE_SIZE, 2, 0},
                 {SMALL, 1 << 15, 2 * DRAM_CHUNK, 0, 0, 2},
                 {SMALL, 1 << 15, 2 * DRAM_CHUNK, LINE_SIZE, 2, 1},
                 {(size_t)60 << 20, 1 << 19, DRAM_CHUNK, LINE_SIZE, 2, 0},
                 {(size_t)60 << 20, 1 << 19, 2 * DRAM_CHUNK, 0, 0, 2}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const double pieces = (double)cases[c].pieces;
        struct l2_outcome o =
            move_pieces(cases[c].cache, cases[c].pieces, cases[c].bytes, cases[c].shift, _i);
        const double *scattered = _i == STORE ? o.scattered_writes : o.scattered_reads;
        ck_assert_double_eq_tol(scattered[CHUNK_SECTORS / 2], cases[c].halves * pieces,
                                0.05 * pieces);
        ck_assert_double_eq_tol(scattered[CHUNK_SECTORS], cases[c].wholes * pieces, 0.05 * pieces);
    }
}

enum { STREAM_PAGES = 1 << 12 };

// Requests along so many pages, one each `step` bytes for `bytes` of them; a block begins each `block` bytes.
static void note_stream(struct l2_log *log, uint64_t block, uint64_t step, uint64_t bytes,
                        int is_store)
{
    for (uint64_t at = 0; at < (uint64_t)STREAM_PAGES * DRAM_PAGE; at += step) {
        if (at % block == 0)
            l2_begin_block(log);
        note(log, at, bytes / LANES, (unsigned)(bytes / LANES), is_store);
    }
}

// A page that blocks move whole one after the other counts once.
TEST(a_stream_of_small_blocks_is_scattered_by_pages, .first = LOAD, .times = STORE - LOAD + 1)
{
    enum { REQUEST = 2 * DRAM_CHUNK };
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    note_stream(&log, DRAM_PAGE / 2, REQUEST, REQUEST, _i);
    struct l2_outcome o = close_cache(l2, &log);
    const double *scattered = _i == STORE ? o.scattered_writes : o.scattered_reads;
    ck_assert_double_eq_tol(scattered[CHUNK_SECTORS], STREAM_PAGES, 0.02 * STREAM_PAGES);
    ck_assert_double_eq_tol(count_chunks(scattered), STREAM_PAGES, 0.02 * STREAM_PAGES);
}

// So does one of whose lines parts are stored.
TEST(a_stream_of_parts_is_scattered_by_pages)
{
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    note_stream(&log, DRAM_PAGE, LINE_SIZE, LINE_SIZE / 2, STORE);
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert_double_eq_tol(o.scattered_writes[CHUNK_SECTORS / 2], STREAM_PAGES,
                            0.02 * STREAM_PAGES);
    ck_assert_double_eq_tol(count_chunks(o.scattered_writes), STREAM_PAGES, 0.02 * STREAM_PAGES);
}

// So does one of which each warp of a block moves lines far from each other, so that its chunks are moved by halves.
TEST(a_stream_of_far_lines_is_scattered_by_pages, .first = LOAD, .times = STORE - LOAD + 1)
{
    enum { REQUESTS = 4, BLOCK = 2 * DRAM_PAGE, FAR = BLOCK / REQUESTS };
    open_pages = 1000; // so that what comes back finds its page open
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    for (uint64_t block = 0; block < (uint64_t)STREAM_PAGES * DRAM_PAGE; block += BLOCK) {
        l2_begin_block(&log);
        for (uint64_t of_warp = 0; of_warp < FAR; of_warp += LINE_SIZE)
            for (uint64_t request = 0; request < REQUESTS; request++)
                note(&log, block + request * FAR + of_warp, 4, 4, _i);
    }
    struct l2_outcome o = close_cache(l2, &log);
    const double *scattered = _i == STORE ? o.scattered_writes : o.scattered_reads;
    ck_assert_double_eq_tol(scattered[CHUNK_SECTORS / 2], STREAM_PAGES, 0.05 * STREAM_PAGES);
    ck_assert_double_eq_tol(count_chunks(scattered), STREAM_PAGES, 0.05 * STREAM_PAGES);
    open_pages = 1;
}

// A line that was written back, and is stored to again, is no other one of its chunk.
TEST(a_line_does_not_join_itself)
{
    static struct dram_pages dram = {.open_pages = 1};
    const struct dram_request store = {.block = 1};
    enum { LINE = 6 };
    ck_assert(!dram_store(&dram, LINE, &store).joins);
    ck_assert(!dram_store(&dram, LINE, &store).joins);
    ck_assert(dram_store(&dram, LINE + 1, &store).joins);
}

// What was moved of a page long before is no part of that.
TEST(pieces_long_before_a_stream_are_none_of_it)
{
    enum { PIECE = 2 * DRAM_CHUNK };
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    note_stream(&log, DRAM_PAGE, DRAM_PAGE, PIECE, LOAD);
    note_stream(&log, DRAM_PAGE, PIECE, PIECE, LOAD);
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert_double_eq_tol(o.scattered_reads[CHUNK_SECTORS], (2 + 1) * STREAM_PAGES,
                            0.02 * STREAM_PAGES);
}

// Sectors of a line are moved at once if their block asks for them, be it with a later request.
TEST(requests_of_a_block_share_lines)
{
    enum { LINES = 1 << 12, BETWEEN = 5, MATRIX = LINES * DRAM_PAGE };
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    for (uint64_t line = 0; line < LINES; line++) {
        l2_begin_block(&log);
        note(&log, line * DRAM_PAGE, 1, 1, LOAD);
        for (uint64_t b = 0; b < BETWEEN; b++) // whole chunks elsewhere
            note(&log, MATRIX + (line * BETWEEN + b) * DRAM_PAGE, 8, 8, LOAD);
        note(&log, line * DRAM_PAGE + SECTOR_SIZE, 1, 1, LOAD);
    }
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert_double_eq_tol(o.scattered_reads[2], LINES, 0.01 * LINES);
    ck_assert_double_eq_tol(o.scattered_reads[1], 0, 0.01 * LINES);
}

// What is loaded between stores is no request that lies between them, nor the other way round.
TEST(loads_and_stores_count_by_themselves, .first = LOAD, .times = STORE - LOAD + 1)
{
    enum { CHUNKS = 64, BETWEEN = 5, MATRIX = CHUNKS * DRAM_PAGE };
    struct l2 *l2 = open_cache(TINY, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    for (uint64_t chunk = 0; chunk < CHUNKS; chunk++) {
        note(&log, chunk * DRAM_PAGE, 4, 4, _i);
        for (uint64_t b = 0; b < BETWEEN; b++)
            note(&log, MATRIX + (chunk * BETWEEN + b) * DRAM_PAGE, 4, 4, !_i);
        note(&log, chunk * DRAM_PAGE + LINE_SIZE, 4, 4, _i);
    }
    struct l2_outcome o = close_cache(l2, &log);
    const double *scattered = _i == STORE ? o.scattered_writes : o.scattered_reads;
    ck_assert(scattered[CHUNK_SECTORS] > 0.9 * CHUNKS && scattered[CHUNK_SECTORS / 2] < 1);
}
