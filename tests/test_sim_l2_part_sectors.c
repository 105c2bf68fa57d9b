// Sectors of the L2 that are stored in part.
#include <stdlib.h>

#include "sim/count/access.h"
#include "sim/ptx/module.h"
#include "sim/time/l2_part_sectors.h"

#include "suites.h"

// An L2 that keeps parts of 64 halves of lines: 32 sets.
enum { KEPT = 64, L2_BYTES = (KEPT / 2 - 1) * 1280, LINES = 4096 };

PROGRAM(sim_l2_part_sectors, .seconds = 10)

// Of lines of which `share` were not there, and that are far from each other.
static struct part_sectors *open_parts(double share)
{
    struct part_sectors *parts = part_sectors_open(L2_BYTES, 1, share, 1);
    ck_assert_ptr_nonnull(parts);
    return parts;
}

// Stores to a half of the first sectors of lines first .. first + count - 1. Returns how many sectors are completed for it.
static unsigned store_halves(struct part_sectors *parts, uint64_t first, uint64_t count,
                             int sectors)
{
    unsigned completed = 0;
    for (uint64_t i = first; i < first + count; i++) {
        const uint8_t all = (uint8_t)((1 << sectors) - 1);
        struct trace_line line = {.number = i, .sectors = all, .waits = all};
        for (int s = 0; s < LINE_SECTORS; s++)
            line.parts[s] = s < sectors ? SECTOR_SIZE / 2 : 0;
        completed += part_sectors_store(parts, &line);
    }
    return completed;
}

TEST(what_is_finished_at_once_needs_no_room)
{
    struct part_sectors *parts = open_parts(1);
    for (uint64_t i = 0; i < LINES; i++)
        ck_assert_uint_eq(store_halves(parts, i, 1, 1) + store_halves(parts, i, 1, 1), 0);
    part_sectors_free(parts);
}

TEST(what_has_no_room_is_completed, .times = LINE_SECTORS)
{
    unsigned sectors = (unsigned)_i + 1;
    struct part_sectors *parts = open_parts(1);
    unsigned left = sectors * LINES - store_halves(parts, 0, LINES, (int)sectors);
    // Of the halves that are left some have one sector each, or two.
    ck_assert_uint_ge(left, sectors % 2 ? KEPT : 2 * KEPT);
    ck_assert_uint_le(left, sectors == 1 ? KEPT : 2 * KEPT);
    // The lines that are there still are those that came last; what was completed is whole, as long as the L2 has it.
    ck_assert_uint_eq(store_halves(parts, LINES - KEPT / 4, KEPT / 4, (int)sectors), 0);
    part_sectors_free(parts);
}

// A place is for two sectors side by side: the others of the lines need more.
TEST(sectors_side_by_side_share_a_place)
{
    struct part_sectors *parts = part_sectors_open(L2_BYTES, 1, 1, 0);
    ck_assert_ptr_nonnull(parts);
    ck_assert_uint_eq(store_halves(parts, 0, KEPT, 2), 0);
    part_sectors_free(parts);
    parts = part_sectors_open(L2_BYTES, 1, 1, 0);
    ck_assert_ptr_nonnull(parts);
    ck_assert_uint_eq(store_halves(parts, 0, KEPT, 4), 2 * KEPT);
    part_sectors_free(parts);
}

TEST(lines_side_by_side_fill_all_sets)
{
    struct part_sectors *near = part_sectors_open(L2_BYTES, 1, 1, 0), *far = open_parts(1);
    ck_assert_ptr_nonnull(near);
    ck_assert_uint_eq(store_halves(near, 0, KEPT, 1), 0);
    unsigned by_chance = store_halves(far, 0, KEPT, 1);
    ck_assert_msg(by_chance > KEPT / 8 && by_chance < KEPT / 2, "%u of %d", by_chance, KEPT);
    ck_assert_uint_eq(store_halves(near, KEPT, KEPT, 1), KEPT);
    part_sectors_free(near);
    part_sectors_free(far);
}

// Those that are far from other blocks' fall by chance: half of the lines here.
TEST(of_lines_some_are_far)
{
    unsigned completed[3];
    for (int i = 0; i < 3; i++) {
        struct part_sectors *parts = part_sectors_open(L2_BYTES, 1, 1, i / 2.);
        ck_assert_ptr_nonnull(parts);
        completed[i] = store_halves(parts, 0, KEPT, 1);
        part_sectors_free(parts);
    }
    ck_assert_uint_lt(completed[0], completed[1]);
    ck_assert_uint_lt(completed[1], completed[2]);
}

// Whole lines between them, which need no place, take none of the turns.
TEST(lines_beside_whole_ones_fill_all_sets_too)
{
    struct part_sectors *near = part_sectors_open(L2_BYTES, 1, 1, 0);
    ck_assert_ptr_nonnull(near);
    unsigned completed = 0;
    for (uint64_t i = 0; i < KEPT; i++) {
        struct trace_line whole = {.number = 2 * i + 1, .sectors = 15, .whole = 15};
        completed += store_halves(near, 2 * i, 1, 1) + part_sectors_store(near, &whole);
    }
    ck_assert_uint_eq(completed, 0);
    part_sectors_free(near);
}

TEST(what_was_completed_is_whole)
{
    struct part_sectors *parts = open_parts(1);
    unsigned completed = store_halves(parts, 0, 4 * KEPT, 1);
    ck_assert_uint_gt(completed, 0);
    ck_assert_uint_lt(store_halves(parts, 0, 4 * KEPT, 1), completed / 2);
    part_sectors_free(parts);
}

TEST(whole_sectors_need_no_room)
{
    struct part_sectors *parts = open_parts(1);
    for (uint64_t i = 0; i < LINES; i++) {
        struct trace_line line = {.number = i, .sectors = 15, .whole = 15};
        ck_assert_uint_eq(part_sectors_store(parts, &line), 0);
    }
    part_sectors_free(parts);
}

TEST(nor_do_lines_that_were_written_before)
{
    struct part_sectors *none = open_parts(0), *half = open_parts(0.5);
    ck_assert_uint_eq(store_halves(none, 0, LINES, 1), 0);
    unsigned completed = store_halves(half, 0, LINES, 1);
    ck_assert_msg(completed > 0.45 * LINES && completed < 0.55 * LINES, "%u of %d", completed,
                  LINES);
    part_sectors_free(none);
    part_sectors_free(half);
}

// Halves of sectors: the first by one warp in two stores, the second by two warps, the third without the rest.
TEST(what_a_block_stores_all_of_is_waited_for)
{
    enum { HALF = SECTOR_SIZE / 2 };
    const struct instruction store = {.size = 4}, load = {.size = 4, .is_load = 1};
    struct trace_line at[] = {
        {.number = 7, .sectors = 7, .parts = {HALF, HALF, HALF}},
        {.number = 7, .sectors = 1, .parts = {HALF}},
        {.number = 7, .sectors = 2, .parts = {0, HALF}},
        {.number = 7, .sectors = 4, .parts = {0, 0, HALF}}, // is loaded
    };
    struct trace_item items[] = {{.in = &store, .lines = 1},
                                 {.in = &store, .first_line = 1, .lines = 1},
                                 {.in = &store, .first_line = 2, .lines = 1},
                                 {.in = &load, .first_line = 3, .lines = 1}};
    struct warp_trace warps[] = {{.items = items, .count = 2}, {.items = items + 2, .count = 2}};
    struct block_trace block = {.warps = warps, .lines = at, .line_count = 4};
    struct trace trace = {.block_count = 1, .warps = 2, .blocks = &block};
    ck_assert_int_eq(part_sectors_find(&trace), 1);
    ck_assert_uint_eq(at[0].waits, 3);
    ck_assert_uint_eq(at[1].waits, 1);
    ck_assert_uint_eq(at[2].waits, 2);
    ck_assert_uint_eq(at[3].waits, 0);
}
