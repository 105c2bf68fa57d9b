// Published occupancy examples: NVIDIA's Kepler tuning guide and the CUDA Occupancy Calculator.
#include "base/compute_capability.h"
#include "suites.h"
#include "support.h"

#if __has_include(<cuda_occupancy.h>)
#include <cuda_occupancy.h>
#define WITH_CUDA_OCCUPANCY
#endif

static struct sm_limits fermi, kepler, gk210, hopper;

static void find_limits(void)
{
    fermi = compute_capability_find(2, 0)->sm;
    kepler = compute_capability_find(3, 5)->sm;
    gk210 = compute_capability_find(3, 7)->sm;
    hopper = compute_capability_find(9, 0)->sm;
}

SUITE(occupancy, .set_up = find_limits)

// 63 registers a thread, blocks of 256 threads: 33 % on Fermi, 50 % on Kepler, 100 % on GK210.
TEST(kepler_tuning_guide)
{
    struct occupancy result = occupancy_of(&fermi, 256, 63, 0);
    ck_assert_uint_eq(result.warps, 16);
    ck_assert_int_eq(result.limit, LIMIT_REGISTERS);
    ck_assert_uint_eq(occupancy_of(&kepler, 256, 63, 0).warps, 32);
    ck_assert_uint_eq(occupancy_of(&gk210, 256, 63, 0).warps, 64);
}

// 256 threads, 16 registers, 4096 bytes on 3.5: 8 blocks; by registers 16, by shared memory 12.
TEST(occupancy_calculator)
{
    struct occupancy result = occupancy_of(&kepler, 256, 16, 4096);
    ck_assert_uint_eq(result.blocks, 8);
    ck_assert_uint_eq(result.warps, 64);
    ck_assert_uint_eq(result.bound[LIMIT_WARPS], 8);
    ck_assert_uint_eq(result.bound[LIMIT_REGISTERS], 16);
    ck_assert_uint_eq(result.bound[LIMIT_SHARED], 12);
    ck_assert_int_eq(result.limit, LIMIT_WARPS);
    ck_assert_str_eq(occupancy_limit_name(result.limit), "warps");
}

TEST(each_limit_can_bind)
{
    ck_assert_int_eq(occupancy_of(&hopper, 1, 16, 0).limit, LIMIT_BLOCKS);
    ck_assert_uint_eq(occupancy_of(&hopper, 1, 16, 0).warps, 32);
    ck_assert_int_eq(occupancy_of(&hopper, 1024, 16, 0).limit, LIMIT_WARPS);
    ck_assert_int_eq(occupancy_of(&hopper, 256, 128, 0).limit, LIMIT_REGISTERS);
    struct occupancy shared = occupancy_of(&hopper, 32, 16, 48 << 10);
    ck_assert_int_eq(shared.limit, LIMIT_SHARED);
    ck_assert_uint_eq(shared.blocks, 4); // 228 KiB hold four of 48 KiB and 1 KiB of reserve
}

// 65536 registers hold 51 warps of 40 registers a lane; in groups of 4 they are 48.
TEST(registers_are_allocated_to_groups_of_warps)
{
    ck_assert_uint_eq(occupancy_of(&hopper, 32, 40, 0).bound[LIMIT_REGISTERS], 48);
    ck_assert_uint_eq(occupancy_of(&hopper, 96, 40, 0).bound[LIMIT_REGISTERS], 16);
}

// 7 blocks of 32 KiB fill 224 KiB; with 1 KiB of reserve each they fill 231, and 228 hold 6.
TEST(the_system_reserves_shared_memory)
{
    ck_assert_uint_eq(occupancy_of(&hopper, 32, 16, 32 << 10).bound[LIMIT_SHARED], 6);
}

TEST(what_does_not_fit_gives_zero)
{
    ck_assert_uint_eq(occupancy_of(&hopper, 1024, 255, 0).blocks, 0);
    ck_assert_int_eq(occupancy_of(&hopper, 1024, 255, 0).limit, LIMIT_REGISTERS);
    ck_assert_uint_eq(occupancy_of(&hopper, 32, 16, 228 << 10).blocks, 0);
    ck_assert_uint_eq(occupancy_of(&hopper, 32, 16, 227 << 10).blocks, 1);
    ck_assert_uint_eq(occupancy_of(&kepler, 32, 16, (48 << 10) + 1).blocks, 0);
    // 96 KiB an SM, but 48 KiB a block.
    const struct sm_limits *maxwell = &compute_capability_find(5, 2)->sm;
    ck_assert_uint_eq(occupancy_of(maxwell, 32, 16, 48 << 10).blocks, 2);
    ck_assert_uint_eq(occupancy_of(maxwell, 32, 16, (48 << 10) + 1).blocks, 0);
    // 63 registers are all that the machine code of 2.x and 3.0 can name.
    ck_assert_uint_eq(occupancy_of(&fermi, 32, 63, 0).blocks, 8);
    ck_assert_uint_eq(occupancy_of(&fermi, 32, 64, 0).blocks, 0);
    // 128 K registers an SM, but 64 K a block.
    ck_assert_uint_eq(occupancy_of(&gk210, 1024, 64, 0).blocks, 2);
    ck_assert_uint_eq(occupancy_of(&gk210, 1024, 65, 0).blocks, 0);
}

TEST(more_of_anything_never_raises_occupancy, .times = compute_capability_count)
{
    const struct sm_limits *sm = &compute_capabilities[_i].sm;
    for (unsigned threads = 32; threads <= 1024; threads += 32)
        for (unsigned registers = 16; registers < 255; registers++) {
            struct occupancy result = occupancy_of(sm, threads, registers, 4096);
            ASSERT_QUICK(result.warps <= sm->warps && result.blocks <= sm->blocks);
            ASSERT_QUICK(result.warps == result.blocks * result.block_warps);
            ASSERT_QUICK(result.blocks * result.block_registers <= sm->registers);
            ASSERT_QUICK(result.blocks * result.block_shared <= sm->shared_bytes);
            ASSERT_QUICK(occupancy_of(sm, threads, registers + 1, 4096).warps <= result.warps);
            ASSERT_QUICK(occupancy_of(sm, threads, registers, 8192).warps <= result.warps);
        }
}

TEST(compute_capabilities_are_found)
{
    const struct compute_capability *table = compute_capabilities;
    for (int i = 0; i < compute_capability_count; i++) {
        ck_assert_ptr_eq(compute_capability_find(table[i].major, table[i].minor), &table[i]);
        ck_assert(i == 0 || 10 * table[i].major + table[i].minor >
                                10 * table[i - 1].major + table[i - 1].minor);
    }
    ck_assert_ptr_null(compute_capability_find(9, 1));
    ck_assert_ptr_null(compute_capability_find(1, 3));
    ck_assert_ptr_eq(compute_capability_nearest(9, 1), compute_capability_find(9, 0));
    ck_assert_ptr_eq(compute_capability_nearest(13, 0), &table[compute_capability_count - 1]);
    ck_assert_ptr_eq(compute_capability_nearest(1, 3), &table[0]);
}

#ifdef WITH_CUDA_OCCUPANCY
static unsigned at_most(int blocks, const struct sm_limits *sm)
{
    return blocks < (int)sm->blocks ? (unsigned)blocks : sm->blocks;
}

// One question to both. The toolkit's answer for what a kernel does not use is INT_MAX.
static void ask_both(const struct compute_capability *cc, unsigned threads, unsigned registers,
                     size_t shared)
{
    const struct sm_limits *sm = &cc->sm;
    const cudaOccDeviceProp properties = {
        .computeMajor = cc->major,
        .computeMinor = cc->minor,
        .maxThreadsPerBlock = MAX_BLOCK_THREADS,
        .maxThreadsPerMultiprocessor = (int)sm->warps * WARP_SIZE,
        .regsPerBlock = (int)sm->registers_per_block,
        .regsPerMultiprocessor = (int)sm->registers,
        .warpSize = WARP_SIZE,
        .sharedMemPerBlock = DEFAULT_SHARED_PER_BLOCK,
        .sharedMemPerMultiprocessor = sm->shared_bytes,
        .numSms = 1,
        .sharedMemPerBlockOptin = sm->shared_per_block,
        .reservedSharedMemPerBlock = sm->shared_reserved,
    };
    const cudaOccFuncAttributes kernel = {.maxThreadsPerBlock = MAX_BLOCK_THREADS,
                                          .numRegs = (int)registers,
                                          .shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN,
                                          .maxDynamicSharedSizeBytes = shared};
    const cudaOccDeviceState state = {.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT};
    cudaOccResult theirs;
    ASSERT_QUICK(cudaOccMaxActiveBlocksPerMultiprocessor(&theirs, &properties, &kernel, &state,
                                                         (int)threads, shared) == CUDA_OCC_SUCCESS);
    struct occupancy ours = occupancy_of(sm, threads, registers, shared);
    if (ours.blocks == (unsigned)theirs.activeBlocksPerMultiprocessor &&
        ours.bound[LIMIT_WARPS] == (unsigned)theirs.blockLimitWarps &&
        ours.bound[LIMIT_BLOCKS] == (unsigned)theirs.blockLimitBlocks &&
        at_most((int)ours.bound[LIMIT_REGISTERS], sm) == at_most(theirs.blockLimitRegs, sm) &&
        at_most((int)ours.bound[LIMIT_SHARED], sm) == at_most(theirs.blockLimitSharedMem, sm) &&
        ours.block_registers == (unsigned)theirs.allocatedRegistersPerBlock &&
        ours.block_shared == theirs.allocatedSharedMemPerBlock)
        return;
    ck_abort_msg("cc %d.%d, %u threads, %u registers, %zu bytes: %u blocks, %d in cuda_occupancy.h",
                 cc->major, cc->minor, threads, registers, shared, ours.blocks,
                 theirs.activeBlocksPerMultiprocessor);
}

// Every compute capability from 3.0 on, every number of warps, every number of registers, and with
// each the shared memory of every 16th of what a block can have; then all of that, and more,
// in halves of its unit, for blocks of few threads and of many.
TEST(the_toolkit_says_the_same, .times = compute_capability_count)
{
    const struct compute_capability *cc = &compute_capabilities[_i];
    if (cc->major < 3)
        return; // the toolkit has forgotten Fermi: the examples above check it
    size_t most = cc->sm.shared_per_block;
    for (unsigned threads = 32; threads <= 1024; threads += 32)
        for (unsigned registers = 0; registers <= cc->sm.registers_per_thread; registers++)
            for (unsigned part = 0; part <= 16; part++)
                ask_both(cc, threads, registers, most / 16 * part);
    for (size_t shared = 0; shared <= most + 1024; shared += cc->sm.shared_unit / 2)
        for (unsigned threads = 1; threads <= 1024; threads = 2 * threads + 31)
            ask_both(cc, threads, 24 + threads % 40, shared);
}
#else
NO_TEST(the_toolkit_says_the_same, "there is no toolkit with cuda_occupancy.h")
#endif
