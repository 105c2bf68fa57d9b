// What limits a kernel: from the shares of time in which each part was busy to a name.
#include "facts/limiter.h"

#include "facts/metric_table.h"
#include "suites.h"

#include <string.h>

// Busy percentages of: the schedulers, the load/store unit with shared and with global requests, the
// L2, DRAM, block launches, the units that compute, atomics on a word; and the SMs that have blocks.
static const struct {
    double busy[RESOURCES], busy_sms, shared_excess, global_excess;
    enum limiter limiter;
    double limiter_busy; // -1: the limiter is nothing that could be busy
} cases[] = {
    {{10, 5, 20, 30, 90, 0}, 100, 0, 0, LIMITER_DRAM, 90},
    {{10, 5, 20, 91, 90, 0}, 100, 0, 0, LIMITER_L2, 91},
    {{95, 5, 20, 91, 90, 0}, 100, 0, 0, LIMITER_ISSUE, 95},
    {{10, 0, 0, 0, 0, 99}, 100, 0, 0, LIMITER_LAUNCH, 99},
    // The load/store unit is one, and named after what keeps it busy most.
    {{10, 40, 30, 30, 60, 0}, 100, 0.9, 0.9, LIMITER_BANK_CONFLICTS, 70},
    {{10, 40, 30, 30, 60, 0}, 100, 0.4, 0.9, LIMITER_SHARED, 70},
    {{10, 30, 40, 30, 60, 0}, 100, 0.9, 0.9, LIMITER_UNCOALESCED, 70},
    {{10, 30, 40, 30, 60, 0}, 100, 0.9, 0.4, LIMITER_GLOBAL, 70},
    {{10, 35, 35, 30, 60, 0}, 100, 0.9, 0.9, LIMITER_BANK_CONFLICTS, 70},
    {{10, 60, 60, 30, 60, 0}, 100, 0, 0, LIMITER_SHARED, 100}, // more than all of it is all of it
    {{10, 40, 30, 30, 75, 0}, 100, 0.9, 0.9, LIMITER_DRAM, 75},
    // Half of the passes are not most of them.
    {{0, 80, 0, 0, 0, 0}, 100, 0.5, 0, LIMITER_SHARED, 80},
    {{0, 0, 80, 0, 0, 0}, 100, 0, 0.5, LIMITER_GLOBAL, 80},
    // At the threshold, and just below.
    {{0, 0, 0, 0, LIMITING, 0}, 100, 0, 0, LIMITER_DRAM, LIMITING},
    {{0, 0, 0, 0, LIMITING - 0.01, 0}, 100, 0, 0, LIMITER_LATENCY, -1},
    {{0, LIMITING / 2, LIMITING / 2, 0, 0, 0}, 100, 0, 0, LIMITER_SHARED, LIMITING},
    {{0}, 100, 0, 0, LIMITER_LATENCY, -1},
    {{0, 0, 0, 0, 100, 0}, LIMITING - 0.01, 0, 0, LIMITER_BLOCKS, -1},
    {{0, 0, 0, 0, 100, 0}, LIMITING, 0, 0, LIMITER_DRAM, 100},
    {{0}, 0, 0, 0, LIMITER_BLOCKS, -1},
    {{80, 0, 0, 0, 80, 0, 90, 0}, 100, 0, 0, LIMITER_ARITHMETIC, 90},
    {{80, 0, 0, 0, 80, 0, 90, 100}, 100, 0, 0, LIMITER_ATOMICS, 100},
    // Of two that are as busy, the unit comes first, and then the order of the list.
    {{80, 80, 0, 80, 80, 80}, 100, 0, 0, LIMITER_SHARED, 80},
    {{80, 70, 0, 80, 80, 80}, 100, 0, 0, LIMITER_ISSUE, 80},
    {{0, 0, 0, 80, 80, 80}, 100, 0, 0, LIMITER_L2, 80},
};

SUITE(limiter)

TEST(the_busiest_part_limits, .times = sizeof cases / sizeof *cases)
{
    struct limits limits = {.busy_sms = cases[_i].busy_sms};
    memcpy(limits.busy, cases[_i].busy, sizeof limits.busy);
    limits.limiter = find_limiter(&limits, cases[_i].shared_excess, cases[_i].global_excess);
    ck_assert_str_eq(limiters[limits.limiter].key, limiters[cases[_i].limiter].key);
    ck_assert_double_eq_tol(limiter_busy(&limits), cases[_i].limiter_busy, 1e-9);
}

TEST(every_limiter_and_part_has_a_name_of_its_own)
{
    for (int i = 0; i < LIMITERS; i++) {
        ck_assert_uint_gt(strlen(limiters[i].key), 0);
        ck_assert_uint_gt(strlen(limiters[i].name), 0);
        for (int k = 0; k < i; k++) {
            ck_assert_str_ne(limiters[i].key, limiters[k].key);
            ck_assert_str_ne(limiters[i].name, limiters[k].name);
        }
    }
    for (int i = 0; i < RESOURCES; i++)
        for (int k = 0; k < i; k++)
            ck_assert_str_ne(resources[i].key, resources[k].key);
}

TEST(what_has_no_model_has_no_limiter)
{
    struct limits limits = {0};
    ck_assert_int_eq(limits.limiter, LIMITER_UNKNOWN);
    ck_assert(limiter_busy(&limits) < 0);
}

// Whose passes they are that keep the load/store unit busy.
TEST(local_memory_is_told_from_global)
{
    struct value values[METRICS] = {0};
    struct limits limits = {.busy = {[RESOURCE_GLOBAL] = 90}, .busy_sms = 100};
    values[GLOBAL_LOAD_SECTORS] = value_of(100, COUNTED);
    values[LOCAL_SECTORS] = value_of(100, COUNTED);
    set_limiter(&limits, values);
    ck_assert_int_eq(limits.limiter, LIMITER_GLOBAL);
    values[LOCAL_SECTORS] = value_of(101, COUNTED);
    set_limiter(&limits, values);
    ck_assert_int_eq(limits.limiter, LIMITER_LOCAL);
    limits.busy[RESOURCE_DRAM] = 95;
    set_limiter(&limits, values);
    ck_assert_int_eq(limits.limiter, LIMITER_DRAM);
}
