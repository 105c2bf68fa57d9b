// Published occupancy examples: NVIDIA's Kepler tuning guide and the CUDA Occupancy Calculator.
#include "compute_capability.h"
#include "suites.h"
#include "support.h"

static struct sm_limits fermi, kepler, gk210, hopper;

static void find_limits(void)
{
    fermi = compute_capability_find(2, 0)->sm;
    kepler = compute_capability_find(3, 5)->sm;
    gk210 = compute_capability_find(3, 7)->sm;
    hopper = compute_capability_find(9, 0)->sm;
}

// 63 registers a thread, blocks of 256 threads: 33 % on Fermi, 50 % on Kepler, 100 % on GK210.
START_TEST(kepler_tuning_guide)
{
    struct occupancy result = occupancy_of(&fermi, 256, 63, 0);
    ck_assert_uint_eq(result.warps, 16);
    ck_assert_int_eq(result.limit, LIMIT_REGISTERS);
    ck_assert_uint_eq(occupancy_of(&kepler, 256, 63, 0).warps, 32);
    ck_assert_uint_eq(occupancy_of(&gk210, 256, 63, 0).warps, 64);
}
END_TEST

// 256 threads, 16 registers, 4096 bytes on 3.5: 8 blocks; by registers 16, by shared memory 12.
START_TEST(occupancy_calculator)
{
    struct occupancy result = occupancy_of(&kepler, 256, 16, 4096);
    ck_assert_uint_eq(result.blocks, 8);
    ck_assert_uint_eq(result.warps, 64);
    ck_assert_uint_eq(result.bound[LIMIT_WARPS], 8);
    ck_assert_uint_eq(result.bound[LIMIT_REGISTERS], 16);
    ck_assert_uint_eq(result.bound[LIMIT_SHARED], 12);
    ck_assert_int_eq(result.limit, LIMIT_WARPS);
    ck_assert_str_eq(limit_name(result.limit), "warps");
}
END_TEST

START_TEST(each_limit_can_bind)
{
    ck_assert_int_eq(occupancy_of(&hopper, 1, 16, 0).limit, LIMIT_BLOCKS);
    ck_assert_uint_eq(occupancy_of(&hopper, 1, 16, 0).warps, 32);
    ck_assert_int_eq(occupancy_of(&hopper, 1024, 16, 0).limit, LIMIT_WARPS);
    ck_assert_int_eq(occupancy_of(&hopper, 256, 128, 0).limit, LIMIT_REGISTERS);
    struct occupancy shared = occupancy_of(&hopper, 32, 16, 48 << 10);
    ck_assert_int_eq(shared.limit, LIMIT_SHARED);
    ck_assert_uint_eq(shared.blocks, 4); // 228 KiB hold four of 48 KiB and 1 KiB of reserve
}
END_TEST

// 65536 registers hold 51 warps of 40 registers a lane; in groups of 4 they are 48.
START_TEST(registers_are_allocated_to_groups_of_warps)
{
    ck_assert_uint_eq(occupancy_of(&hopper, 32, 40, 0).bound[LIMIT_REGISTERS], 48);
    ck_assert_uint_eq(occupancy_of(&hopper, 96, 40, 0).bound[LIMIT_REGISTERS], 16);
}
END_TEST

// 7 blocks of 32 KiB fill 224 KiB; with 1 KiB of reserve each they fill 231, and 228 hold 6.
START_TEST(the_system_reserves_shared_memory)
{
    ck_assert_uint_eq(occupancy_of(&hopper, 32, 16, 32 << 10).bound[LIMIT_SHARED], 6);
}
END_TEST

START_TEST(what_does_not_fit_gives_zero)
{
    ck_assert_uint_eq(occupancy_of(&hopper, 1024, 255, 0).blocks, 0);
    ck_assert_uint_eq(occupancy_of(&hopper, 32, 16, 300 << 10).blocks, 0);
}
END_TEST

START_TEST(more_of_anything_never_raises_occupancy)
{
    for (unsigned threads = 32; threads <= 1024; threads += 32)
        for (unsigned registers = 16; registers < 255; registers++) {
            struct occupancy result = occupancy_of(&hopper, threads, registers, 4096);
            ASSERT_QUICK(result.warps <= hopper.warps);
            ASSERT_QUICK(occupancy_of(&hopper, threads, registers + 1, 4096).warps <= result.warps);
            ASSERT_QUICK(occupancy_of(&hopper, threads, registers, 8192).warps <= result.warps);
        }
}
END_TEST

Suite *suite_occupancy(void)
{
    Suite *suite = suite_create("occupancy");
    TCase *tcase = tcase_create("occupancy");
    tcase_add_checked_fixture(tcase, find_limits, NULL);
    tcase_add_test(tcase, kepler_tuning_guide);
    tcase_add_test(tcase, occupancy_calculator);
    tcase_add_test(tcase, each_limit_can_bind);
    tcase_add_test(tcase, registers_are_allocated_to_groups_of_warps);
    tcase_add_test(tcase, the_system_reserves_shared_memory);
    tcase_add_test(tcase, what_does_not_fit_gives_zero);
    tcase_add_test(tcase, more_of_anything_never_raises_occupancy);
    suite_add_tcase(suite, tcase);
    return suite;
}
