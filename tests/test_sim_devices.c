// The table of devices: each row is whole, can be chosen, and is what the runtime then describes; and
// the rules of counting that differ between them.
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

#include "base/compute_capability.h"
#include "base/sim_devices.h"
#include "ptx_kernel.h"
#include "sim/count/access.h"
#include "sim/sim.h"
#include "suites.h"

PROGRAM(sim_devices)

TEST(every_row_is_whole)
{
    // GB/s as the boards' data sheets have them, rounded as they round.
    static const struct {
        const char *name;
        double peak, within;
    } published[] = {{"h200", 4814.3, 0.1}, {"h100", 3352, 1}, {"a100", 2039, 1},
                     {"v100", 900, 3},      {"t4", 320, 1},    {"rtx4090", 1008, 1},
                     {"kepler", 183, 0.5}};
    ck_assert_int_eq(sim_device_count, (int)(sizeof published / sizeof *published));
    ck_assert_str_eq(sim_devices[0].name, "h200");
    for (int i = 0; i < sim_device_count; i++) {
        const struct sim_device *device = &sim_devices[i];
        ck_assert_ptr_eq(sim_device_find(device->name), device);
        ck_assert_ptr_nonnull(compute_capability_find(device->major, device->minor));
        ck_assert_str_eq(device->name, published[i].name);
        ck_assert_double_eq_tol(sim_device_peak_gbs(device), published[i].peak,
                                published[i].within);
        ck_assert(device->sms > 0 && device->sm_clock_mhz > 0);
        ck_assert_uint_ge(device->memory_bytes, (size_t)4 << 30);
        ck_assert_uint_ge(device->l2_bytes, 1 << 20);
    }
    ck_assert_ptr_null(sim_device_find("h20"));
    ck_assert_ptr_null(sim_device_find(""));
}

static int attribute(enum cudaDeviceAttr which)
{
    int value;
    SUCCEEDS(cudaDeviceGetAttribute(&value, which, 0));
    return value;
}

TEST(the_chosen_device_describes_itself, .times = sim_device_count)
{
    const struct sim_device *device = &sim_devices[_i];
    const struct sm_limits *sm = &compute_capability_find(device->major, device->minor)->sm;
    struct cudaDeviceProp prop;
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", device->name, 1), 0);
    SUCCEEDS(cudaGetDeviceProperties(&prop, 0));
    ck_assert_ptr_nonnull(strstr(prop.name, device->full_name));
    ck_assert_ptr_nonnull(strstr(prop.name, "Simulated"));
    ck_assert_int_eq(10 * prop.major + prop.minor, 10 * device->major + device->minor);
    ck_assert_int_eq(prop.multiProcessorCount, device->sms);
    ck_assert_int_eq(prop.maxThreadsPerMultiProcessor, (int)sm->warps * 32);
    ck_assert_uint_eq(prop.sharedMemPerMultiprocessor, sm->shared_bytes);
    ck_assert_uint_le(prop.totalGlobalMem, device->memory_bytes);
    ck_assert_int_eq(attribute(cudaDevAttrL2CacheSize), (int)device->l2_bytes);
    ck_assert_int_eq(attribute(cudaDevAttrClockRate), 1000 * device->sm_clock_mhz);
    ck_assert_int_eq(attribute(cudaDevAttrMaxRegistersPerMultiprocessor), (int)sm->registers);
    ck_assert_int_eq(attribute(cudaDevAttrMaxBlocksPerMultiprocessor), (int)sm->blocks);
    ck_assert_int_eq(attribute(cudaDevAttrReservedSharedMemoryPerBlock), (int)sm->shared_reserved);
    ck_assert_double_eq_tol(2e-6 * attribute(cudaDevAttrMemoryClockRate) *
                                attribute(cudaDevAttrGlobalMemoryBusWidth) / 8,
                            sim_device_peak_gbs(device), 1e-6);
}

// It ends the program, with the status of wrong usage.
TEST(an_unknown_device_is_a_mistake, .exits = 2)
{
    int count;
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", "h2000", 1), 0);
    cudaGetDeviceCount(&count);
}

// Passes over the banks of a warp whose lane l has `size` bytes at l * stride.
static void strided(struct access *access, unsigned stride, unsigned size)
{
    *access = (struct access){.mask = ALL_LANES, .size = size};
    for (int l = 0; l < LANES; l++)
        access->address[l] = (uint64_t)l * stride;
    access_classify(access);
}

TEST(kepler_reads_two_words_of_a_bank_at_once)
{
    static const struct {
        unsigned stride, size, kepler, since;
    } cases[] = {
        {0, 4, 1, 1},   {4, 4, 1, 1},     {8, 4, 1, 2},   {12, 4, 1, 1},    {16, 4, 2, 4},
        {64, 4, 8, 16}, {128, 4, 16, 32}, {132, 4, 1, 1}, {256, 4, 32, 32}, {8, 8, 1, 2},
        {16, 8, 2, 4},  {16, 16, 2, 4},   {1, 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct access access;
        strided(&access, cases[i].stride, cases[i].size);
        ck_assert_msg(access_wavefronts_kepler(&access) == cases[i].kepler,
                      "stride %u: %u on Kepler", cases[i].stride,
                      access_wavefronts_kepler(&access));
        ck_assert_msg(access_wavefronts(&access) == cases[i].since, "stride %u: %u",
                      cases[i].stride, access_wavefronts(&access));
    }
}

// Whether lanes of 4 bytes conflict on Kepler, as the programming guide words it.
static int conflict(uint64_t a, uint64_t b)
{
    uint64_t i = a / 4, j = b / 4;
    int same_bank = i % 32 == j % 32, same_pair = i / 64 == j / 64; // i == j or |i - j| == 32
    return same_bank && !same_pair;
}

// One pass if and only if no two lanes conflict; never more passes than without the wide banks.
TEST(random_accesses_on_kepler)
{
    srand(1);
    for (int round = 0; round < 20000; round++) {
        struct access access = {.mask = (uint32_t)rand() ^ (uint32_t)rand() << 16, .size = 4};
        int range = 32 << rand() % 5, any = 0;
        for (int l = 0; l < LANES; l++)
            access.address[l] = (uint64_t)(rand() % range) * 4;
        access_classify(&access);
        for (int l = 0; l < LANES; l++)
            for (int m = 0; m < l; m++)
                any |= access.mask >> l & access.mask >> m & 1 &&
                       conflict(access.address[l], access.address[m]);
        unsigned passes = access_wavefronts_kepler(&access);
        if ((passes > 1) != any || passes > access_wavefronts(&access) ||
            2 * passes < access_wavefronts(&access))
            ck_abort_msg("mask %x: %u passes, conflicts: %d", access.mask, passes, any);
    }
}

// A kernel reads a column of a tile 32 floats wide.
TEST(kernels_are_counted_by_the_devices_rules, .times = 3)
{
    static const struct {
        const char *device;
        uint64_t wavefronts;
    } expected[] = {{"h200", 32}, {"t4", 32}, {"kepler", 16}};
    ck_assert_int_eq(setenv("APODKIT_SIM_DEVICE", expected[_i].device, 1), 0);
    sim_counts_reset();
    SUCCEEDS(ptx_launch(ptx_kernel(".shared .align 4 .b8 tile[4096];",
                                   ".reg .b32 a; shl.b32 a, %i, 7; st.shared.u32 [a], %i;"),
                        1, 32, NULL, NULL));
    ck_assert_uint_eq(sim_counts_total().shared_wavefronts, expected[_i].wavefronts);
}
