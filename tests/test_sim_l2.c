// The L2 of the timing model: what a launch finds there, and what is read and written for the rest.
#include "near.h"
#include "sim_l2.h"

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

// A word of each sector is stored, and again. In one partition of two half of the lines may be dirty: of more, those that fall
// evenly into sets, nearly all are written each time, though they stay, and nothing more is read of them.
TEST(what_is_beyond_half_is_written_early, .times = 4)
{
    enum { CACHE = 60 << 20 };
    static const double shares[] = {0.3, 0.75}; // of the cache
    const uint64_t step = LANES * SECTOR_SIZE,
                   bytes = (uint64_t)(CACHE * shares[_i % 2] / step) * step;
    partitions = 1 + (unsigned)_i / 2;
    struct piece words = {bytes, step, SECTOR_SIZE, 4, STORE}, twice[] = {words, words};
    struct l2_outcome o = walk(CACHE, twice, 2);
    double written = o.write_bytes / (2 * (double)bytes), read = o.read_bytes / (2 * (double)bytes);
    ck_assert_msg(read < 0.05, "%g", read);
    ck_assert_msg(partitions == 2 && _i % 2 ? written > 0.8 : written < 0.05, "%g", written);
}

// Lines at the same place of their pages, a fourth of what the L2 holds: in one partition they share a 16th of the sets.
TEST(columns_push_each_other_out_in_one_partition, .times = 2)
{
    partitions = 1 + (unsigned)_i;
    const uint64_t page = PAGE_LINES * LINE_SIZE;
    struct piece column = {SMALL / 4 * PAGE_LINES, LANES * page, page, 4, LOAD};
    struct l2_outcome o = walk(SMALL, &column, 1);
    double share = 1 - (double)o.of_instruction[LOAD].hits / o.of_instruction[LOAD].sectors;
    ck_assert_msg(_i ? share < 0.1 : share > 0.9, "%g", share);
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

// Reads a part of 2 * SMALL bytes in a launch of its own. Returns the bytes that DRAM reads for it.
static double read_part(struct l2 *l2, uint64_t first, uint64_t bytes)
{
    struct l2_log log = {0};
    accesses = l2_begin(l2, 1, 2);
    ck_assert_ptr_nonnull(accesses);
    l2_begin_block(&log);
    for (uint64_t at = first; at < first + bytes; at += LINE_SIZE)
        note(&log, at, 4, 4, LOAD);
    l2_commit(accesses, &log, 0);
    double read = 0;
    for (int asked = 0; asked < 2; asked++) { // the same, however often it is asked
        const struct l2_outcome *o = l2_end(l2, &order);
        ck_assert_ptr_nonnull(o);
        ck_assert(!asked || o->read_bytes == read);
        read = o->read_bytes;
    }
    l2_forget(accesses);
    return read;
}

// Four launches each read a quarter of twice what fits: each alone finds all of it there, but not what the others left.
TEST(launches_that_follow_each_other_find_what_those_before_left)
{
    enum { QUARTER = SMALL / 2 };
    struct l2 *l2 = open_cache(SMALL, 1);
    for (int quarter = 0; quarter < 4; quarter++)
        ck_assert(read_part(l2, quarter * QUARTER, QUARTER) == 0);
    ck_assert(l2_follow(l2, 1));
    for (int quarter = 0; quarter < 8; quarter++)
        ck_assert(read_part(l2, quarter % 4 * QUARTER, QUARTER) == QUARTER);
    ck_assert(read_part(l2, 3 * QUARTER, QUARTER) == 0); // that was there
    ck_assert(l2_follow(l2, 0));
    ck_assert(read_part(l2, 0, QUARTER) == 0);
    l2_free(l2);
}

// One launch stores the first halves of sectors, the next one the others: they are open for as many launches of blocks as lie
// between them, however often the model asks for each.
TEST(what_another_launch_left_open_is_as_old_as_that, .times = 3)
{
    enum { BLOCKS = 1000 };
    struct l2 *l2 = open_cache(SMALL, BLOCKS);
    double launches = 0;
    ck_assert(l2_follow(l2, 1));
    for (int half = 0; half < 2; half++) {
        struct l2_log log = {0};
        accesses = l2_begin(l2, BLOCKS, 2);
        ck_assert_ptr_nonnull(accesses);
        for (uint64_t block = 0; block < BLOCKS; block++) {
            l2_begin_block(&log);
            note(&log, block * LINE_SIZE + half * SECTOR_SIZE / 2, 0, SECTOR_SIZE / 2, STORE);
        }
        l2_commit(accesses, &log, 0);
        for (int asked = 0; asked <= _i; asked++) {
            const struct l2_outcome *o = l2_end(l2, &order);
            ck_assert_ptr_nonnull(o);
            launches = o->open.sector_launches;
        }
        l2_forget(accesses);
    }
    assert_near(launches, BLOCKS * (double)BLOCKS, 1, "launches");
    l2_free(l2);
}

// Each block loads the same lines twice, and stores to more others than the L2 holds before: L1 has a share of the second loads,
// and the L2 none of the rest.
TEST(l1_has_what_a_block_loads_again, .times = 3)
{
    enum { BLOCKS = 200, BYTES = 1024, STEP = 4 * LANES, TWICE = 2 };
    struct l2 *l2 = open_cache(TINY, BLOCKS);
    struct l2_log log = {0};
    for (uint64_t block = 0; block < BLOCKS; block++) {
        l2_begin_block(&log);
        for (int times = 0; times < TWICE; times++) {
            for (uint64_t at = BYTES; at < BYTES + 2 * TINY; at += STEP)
                note(&log, at, 4, 4, STORE);
            for (uint64_t at = 0; at < BYTES; at += STEP)
                note(&log, at, 4, 4, LOAD);
        }
    }
    order.l1_keeps = _i / 2.;
    order.running = 1;
    struct l2_outcome o = close_cache(l2, &log);
    const double again = (double)BLOCKS * BYTES / SECTOR_SIZE, hits = o.of_instruction[LOAD].hits;
    assert_near(o.loads, TWICE * again, 0, "sectors");
    assert_near(o.reloads, again, 0, "sectors");
    assert_near(hits, again * order.l1_keeps, 5, "hits");
    assert_near(o.read_bytes, (TWICE * again - hits) * SECTOR_SIZE, 0, "bytes");
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
                note(&log, page + (at + s) % together * SECTOR_SIZE, apart, 4, LOAD);
        l2_commit(accesses, &log, 0);
        const struct l2_outcome *o = l2_end(l2, &order);
        ck_assert_ptr_nonnull(o);
        ck_assert_double_eq_tol(o->read_bytes, 4.0 * TINY, 1e-6);
        ck_assert_uint_eq(o->of_instruction[LOAD].sectors, 4 * TINY / SECTOR_SIZE);
        ck_assert_uint_eq(o->of_instruction[LOAD].hits, 4 * TINY / apart * (together - 1));
        ck_assert_uint_eq(o->of_instruction[LOAD].of_missed_lines, 4 * TINY / apart);
        l2_free(l2);
    }
    struct piece alone = {4 * TINY, (uint64_t)LANES * LINE_SIZE, LINE_SIZE, 4,
                          LOAD}; // one of each line
    struct l2_outcome o = walk(TINY, &alone, 1);
    ck_assert_double_eq_tol(o.read_bytes, 4.0 * TINY / LINE_SIZE * apart, 1e-6);
    ck_assert_uint_eq(o.of_instruction[LOAD].hits, 0);
    ck_assert_uint_eq(o.of_instruction[LOAD].of_missed_lines, o.of_instruction[LOAD].sectors);
}

// Of a line that is there in part all counts that a load asks for, and of one that is there as a whole nothing: two sectors of a
// line, then the second of them with the other two and one of the next line, and then that one again.
TEST(lines_that_are_there_in_part_are_told_from_others)
{
    const uint64_t step = 2 * LINE_SIZE, rows = 4 * (uint64_t)TINY / step;
    struct l2 *l2 = open_cache(TINY, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    for (uint64_t row = 0; row < rows; row++) {
        note(&log, row * step, 2, 2, LOAD);
        note(&log, row * step + SECTOR_SIZE, 4, 4, LOAD);
        note(&log, row * step + LINE_SIZE, 1, 1, LOAD);
    }
    l2_commit(accesses, &log, 0);
    const struct l2_outcome *o = l2_end(l2, &order);
    ck_assert_ptr_nonnull(o);
    ck_assert_uint_eq(o->of_instruction[LOAD].sectors, (2 + 4 + 1) * rows);
    ck_assert_uint_eq(o->of_instruction[LOAD].hits, (1 + 1) * rows);
    ck_assert_uint_eq(o->of_instruction[LOAD].of_missed_lines, (2 + 3 + 1) * rows);
    l2_free(l2);
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
    ck_assert(o.fill_bytes == o.read_bytes && o.waiting * SECTOR_SIZE == o.fill_bytes);

    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    const uint64_t step = LANES * SECTOR_SIZE;
    for (uint64_t at = 0; at < 2 * SMALL; at += step)
        for (unsigned word = 0; word < SECTOR_SIZE / 4; word++) // half the cache later
            note(&log, (at + (2 * SMALL - SMALL / 16 * word)) % (2 * SMALL) + 4 * word, SECTOR_SIZE,
                 4, STORE);
    struct l2_outcome late = close_cache(l2, &log);
    ck_assert(late.write_bytes == 2 * SMALL && late.read_bytes == 0);
    ck_assert(late.waiting ==
              2 * SMALL / 4 - 2 * SMALL / SECTOR_SIZE); // all words but the last ones
}

// A word is stored of each sector, or of every other one: along pages, of which all but the first eighth is open then, or a
// sector of each of some pages in turns. DRAM moves two sectors at once, to read them and in open pages to write them; not where
// devices fetch one.
TEST(dram_moves_sectors_beside_those_alone, .times = 3)
{
    enum { PAIR = 2 * SECTOR_SIZE, PAGES = 2 * SMALL / DRAM_PAGE };
    const unsigned step = _i == 0 ? SECTOR_SIZE : PAIR;
    const double alone = _i == 0 ? 0 : SMALL, open = _i == 1 ? 7 / 8. : 0;
    open_pages = 1e-9;
    for (fetch = 1; fetch <= 2; fetch++) {
        struct l2 *l2 = open_cache(SMALL, 1);
        struct l2_log log = {0};
        l2_begin_block(&log);
        for (uint64_t i = 0; i < PAGES * (DRAM_PAGE / LANES / step); i++)
            if (_i == 2)
                note(&log,
                     i % (DRAM_PAGE / step) * step + i / (DRAM_PAGE / step) * LANES * DRAM_PAGE,
                     DRAM_PAGE, 4, STORE);
            else
                note(&log, i * LANES * step, step, 4, STORE);
        struct l2_outcome o = close_cache(l2, &log);
        ck_assert(o.write_bytes == 2 * SMALL * SECTOR_SIZE / step);
        ck_assert_double_eq_tol(o.idle_bytes, fetch == 1 ? 0 : alone * (1 + open), 0.03 * SMALL);
    }
}

// What a load brings in completes a sector, too: one read either way.
TEST(a_load_completes_a_sector, .times = 2)
{
    struct l2 *l2 = open_cache(SMALL, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    const uint64_t step = LANES * SECTOR_SIZE;
    for (uint64_t at = 0; at < 2 * SMALL; at += step) {
        note(&log, at, SECTOR_SIZE, 4, _i == 0 ? STORE : LOAD);
        note(&log, at, SECTOR_SIZE, _i == 0 ? 8 : 4, _i == 0 ? LOAD : STORE);
    }
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert(o.write_bytes == 2 * SMALL && o.read_bytes == 2 * SMALL && o.fill_bytes == 0);
    // The bytes that were just stored are there to be loaded.
    ck_assert_uint_eq(o.of_instruction[LOAD].hits, 0);
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
            note(&log, at, 4, 4, LOAD);
        for (uint64_t at = 0; at < PASSING; at += LINE_SIZE)
            note(&log, SMALL + round * PASSING + at, 4, 4, LOAD);
    }
    struct l2_outcome o = close_cache(l2, &log);
    ck_assert_double_eq_tol(o.read_bytes, (double)ROUNDS * PASSING, 0.01 * ROUNDS * PASSING);
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
        ck_assert_ptr_eq(l2_begin(l2, 1, 2), accesses);
        l2_begin_block(&log);
        for (uint64_t at = 0; at < 2 * SMALL; at += LINE_SIZE)
            note(&log, at, 4, 4, launch == 1 ? STORE : LOAD);
        l2_commit(accesses, &log, 0);
        o = l2_end(l2, &order);
        ck_assert_ptr_nonnull(o);
        ck_assert(o->read_bytes == (launch == 1 ? 0 : 2 * SMALL));
        ck_assert(o->write_bytes == (launch == 1 ? 2 * SMALL : 0));
    }
    l2_free(l2);
}
