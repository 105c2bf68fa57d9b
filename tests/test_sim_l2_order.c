// The order in which accesses come to the L2.
#include "sim_l2.h"

PROGRAM(sim_l2_order, .seconds = 60)

// What DRAM reads for blocks of which two load the same, in each of so many rounds something else: twice as much as the
// cache holds in all, and a fourth of it a round.
static double read_in_rounds(uint64_t running, unsigned sms, double fast, double spread)
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
                note(&log, first + at, 4, 4, LOAD);
            note(&log, UINT64_C(1) << 30, 4, 4, STORE);
        }
    }
    order.running = running;
    order.sms = sms;
    order.fast = fast;
    order.spread = spread;
    struct l2_outcome o = close_cache(l2, &log);
    order = before;
    return o.read_bytes / (ROUNDS * (double)SMALL / 4);
}

// The second of two blocks hits if both are in the same round at about the same time: not if it begins when the other one
// has ended, or is ahead by more than the cache holds. Of 16 pairs 7 have a block on the SM of five that is faster.
TEST(blocks_that_run_at_the_same_time_take_turns)
{
    ck_assert_double_eq_tol(read_in_rounds(32, 32, 1, 0), 1, 0.01);
    ck_assert_double_eq_tol(read_in_rounds(1000, 32, 1, 0), 1, 0.01);
    ck_assert_double_eq_tol(read_in_rounds(1, 1, 1, 0), 2, 0.01);
    ck_assert_double_eq_tol(read_in_rounds(32, 5, 0.5, 0), 1 + 7 / 16., 0.03);
}

// Half of the blocks at a time: the second half starts as the first one ends, all at once if their lives are alike, and else one
// after the other, so that who loads the same is some rounds behind.
TEST(blocks_start_together_as_long_as_their_lives_are_alike)
{
    ck_assert_double_eq_tol(read_in_rounds(16, 16, 1, 0), 1, 0.01);
    ck_assert_double_eq_tol(read_in_rounds(16, 16, 1, 0.01), 1, 0.01);
    double unlike = read_in_rounds(16, 16, 1, 16); // the first ones always start at once
    ck_assert(unlike > 1.3 && unlike < 1.5);
}

// How unlike the paces are matters where blocks go through rounds, and all run at once.
TEST(paces_are_of_blocks_that_all_run_at_once)
{
    for (int block_rounds = 1; block_rounds <= 2; block_rounds++) {
        struct l2 *l2 = open_cache(TINY, 8);
        struct l2_log log = {0};
        l2_begin_block(&log);
        for (int round = 0; round < block_rounds; round++) {
            note(&log, 0, 4, 4, LOAD);
            note(&log, 0, 4, 4, STORE);
        }
        l2_commit(accesses, &log, 0);
        struct l2_order all = order, some = order;
        all.running = 8;
        some.running = 7;
        ck_assert_int_eq(l2_has_pace(accesses, &all), block_rounds > 1);
        ck_assert_int_eq(l2_has_pace(accesses, &some), 0);
        l2_free(l2);
    }
}
