// The transposes that are no step and judge the timing model (tests/variants, blind, unseen, heldout and fresh) on the
// simulated device: right results at odd and even sizes, and no false alarm.
#include <cuda_runtime_api.h>

#include "sim_steps.h"
#include "suites.h"

enum {
    FIRST_VARIANT = 11,
    VARIANTS = 12,
    FIRST_BLIND = 31,
    BLIND = 26,
    FIRST_UNSEEN = 61,
    UNSEEN = 24,
    FIRST_HELDOUT = 85,
    HELDOUT = 15,
    FIRST_FRESH = 23, // and the seven after it; the others are from MORE_FRESH on
    FIRST_FRESHES = 8,
    MORE_FRESH = 57,
    FRESH = 12
};

PROGRAM(sim_transposes, .seconds = 60)

static void assert_transposes(int number, size_t n)
{
    ck_assert_msg(steps[number], "there is no transpose %d", number);
    run_step(steps[number], n);
}

// At the last, blocks of a fixed number take more than a tile each.
static const size_t sizes[] = {1, 2, 31, 33, 63, 64, 100, 127, 128, 257, 512, 1540};
enum { SIZES = sizeof sizes / sizeof *sizes };

TEST(a_variant_transposes, .times = VARIANTS * SIZES)
{
    assert_transposes(FIRST_VARIANT + _i / SIZES, sizes[_i % SIZES]);
}

TEST(a_blind_one_transposes, .times = BLIND * SIZES)
{
    assert_transposes(FIRST_BLIND + _i / SIZES, sizes[_i % SIZES]);
}

TEST(an_unseen_one_transposes, .times = UNSEEN * SIZES)
{
    assert_transposes(FIRST_UNSEEN + _i / SIZES, sizes[_i % SIZES]);
}

TEST(a_held_out_one_transposes, .times = HELDOUT * SIZES)
{
    assert_transposes(FIRST_HELDOUT + _i / SIZES, sizes[_i % SIZES]);
}

TEST(a_fresh_one_transposes, .times = FRESH * SIZES)
{
    int i = _i / SIZES;
    assert_transposes(i < FIRST_FRESHES ? FIRST_FRESH + i : MORE_FRESH + i - FIRST_FRESHES,
                      sizes[_i % SIZES]);
}
