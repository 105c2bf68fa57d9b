// Accesses to a simulated L2, as warps of a launch make them, and what comes of them.
#ifndef SIM_L2_TEST_H
#define SIM_L2_TEST_H

#include <string.h>

#include "sim/count/l2.h"
#include "suites.h"

// A cache of this size or below is simulated whole, so that its figures are exact.
enum { SMALL = 512 << 10, TINY = 64 << 10 };
enum { MANY_BLOCKS = 1 << 22 };

static const uint64_t origin = UINT64_C(0x7f0000000000);

enum { LOAD, STORE };

static struct l2_accesses *accesses; // of the launch that open_cache() began
static unsigned warp;                // whose access it is
static struct l2_order order = {
    .warps_lose = 0, .spread = 1, .warp_spread = 1, .running = MANY_BLOCKS, .sms = 1, .fast = 1};

// One warp's access: `size` bytes a lane, `stride` bytes from lane to lane.
static inline void note(struct l2_log *log, uint64_t first, uint64_t stride, unsigned size,
                        int is_store)
{
    struct access access = {.mask = ALL_LANES, .size = size};
    for (int l = 0; l < LANES; l++)
        access.address[l] = origin + first + (uint64_t)l * stride;
    access_classify(&access);
    l2_note(accesses, log, &access, warp, (uint32_t)is_store, is_store);
}

static unsigned fetch = 1; // sectors that a miss brings
static unsigned partitions = 1;
static double open_pages = 1; // of DRAM

static inline struct l2 *open_cache(size_t bytes, uint64_t blocks)
{
    struct l2 *l2 = l2_open(bytes, partitions, fetch, open_pages, origin);
    ck_assert_ptr_nonnull(l2);
    accesses = l2_begin(l2, blocks, 2);
    ck_assert_ptr_nonnull(accesses);
    return l2;
}

// What the accesses that were noted come to: the launch ends, and the cache goes.
static inline struct l2_outcome close_cache(struct l2 *l2, struct l2_log *log)
{
    static struct l2_hits hits[3];
    l2_commit(accesses, log, 0);
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

static inline struct l2_outcome walk(size_t cache, const struct piece *pieces, int count)
{
    struct l2 *l2 = open_cache(cache, 1);
    struct l2_log log = {0};
    l2_begin_block(&log);
    for (int i = 0; i < count; i++)
        for (uint64_t at = 0; at < pieces[i].bytes; at += pieces[i].step)
            note(&log, at, pieces[i].stride, pieces[i].size, pieces[i].is_store);
    return close_cache(l2, &log);
}

static inline double count_chunks(const double scattered[CHUNK_SECTORS + 1])
{
    double chunks = 0;
    for (int s = 1; s <= CHUNK_SECTORS; s++)
        chunks += scattered[s];
    return chunks;
}

#endif
