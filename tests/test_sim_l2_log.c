// The log of accesses to the L2: whoever notes them, whenever, and what is left out of it.
#include <pthread.h>
#include <stdlib.h>

#include "near.h"
#include "sim_l2.h"

PROGRAM(sim_l2_log, .seconds = 60)

// Blocks of a launch, in runs of a few. Their accesses are any, but the same for any order.
enum { RUNS = 64, RUN_BLOCKS = 5, PER_BLOCK = 300 };

struct committer {
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
                note(&log, at, rand_r(&seed) % 3 ? 4 : 260, 4, rand_r(&seed) % 2);
            }
        }
        l2_commit(accesses, &log, (uint64_t)c->runs[i] * RUN_BLOCKS);
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
        committers[t] = (struct committer){runs, t, threads};
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

// Twice what is kept of accesses, of one block and of many: of half the pages they are dropped, and the others stand for all.
TEST(what_is_too_much_is_thinned_out, .times = 2)
{
    enum { KEPT = 1 << 23, LINES = 2 * KEPT / LANES, A_BLOCK = LINES / 64 };
    struct l2 *l2 = open_cache(SMALL, _i ? LINES / A_BLOCK : 1);
    struct l2_log log = {0};
    for (uint64_t line = 0; line < LINES; line++) {
        if (line % (_i ? A_BLOCK : LINES) == 0) {
            l2_commit(accesses, &log, line ? line / A_BLOCK - 1 : 0);
            l2_begin_block(&log);
        }
        note(&log, line * LANES * LINE_SIZE, LINE_SIZE, 4, LOAD);
    }
    ck_assert_uint_le(log.count, KEPT);
    const unsigned first = _i ? LINES / A_BLOCK - 1 : 0;
    l2_commit(accesses, &log, first);
    ck_assert_uint_le(accesses->count, KEPT);
    ck_assert_uint_ge(accesses->count, KEPT / 4);
    const struct l2_outcome *o = l2_end(l2, &order);
    ck_assert_ptr_nonnull(o);
    assert_near(o->read_bytes, (double)LINES * LANES * SECTOR_SIZE, 2, "bytes");
    l2_free(l2);
}

// More accesses to the first page than are kept, before one to each of many others: these stand for all, without it.
TEST(one_page_may_be_too_much, .times = 2)
{
    enum { KEPT = 1 << 23, LINES = 1 << 16 };
    struct l2 *l2 = open_cache(_i ? 4 * SMALL : SMALL, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    for (uint64_t i = 0; i < KEPT + LANES; i++)
        note(&log, 0, 4, 4, LOAD);
    for (uint64_t line = 0; line < LINES; line++)
        note(&log, (line + PAGE_LINES) * LINE_SIZE, 4, 4, LOAD);
    struct l2_outcome o = close_cache(l2, &log);
    assert_near(o.read_bytes, (double)LINES * LINE_SIZE, 2, "bytes");
}
