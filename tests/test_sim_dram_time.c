// The time that DRAM takes, and how loads wait for it, against what was measured on an NVIDIA H200 and an H100
// (docs/runs/micro-*.csv).
#include "sim/time/dram_time.h"

#include <math.h>

#include "base/sim_devices.h"
#include "near.h"
#include "recorded.h"
#include "suites.h"

PROGRAM(sim_dram_time)

static const struct sim_device *device(void)
{
    return sim_device_find("h200");
}

// Nanoseconds a byte.
static double dram_ns(const struct l2_outcome *l2)
{
    return dram_moving_cycles(device(), l2) / (device()->sm_clock_mhz * 1e-3) /
           (l2->read_bytes + l2->write_bytes);
}

// dram_*_N_bytes in the record, of copies; those in the text are of the H200.
TEST(scattered_chunks_slow_dram_down, .times = 2)
{
    static const double rates[2][4] = {{1979, 3149, 3913, 4100}, {1292, 2316, 3528, 3913}};
    for (int i = 0; i < 4; i++) {
        int sectors = 1 << i;
        struct l2_outcome l2 = {.read_bytes = 1 << 20, .write_bytes = 1 << 20};
        double stream = dram_ns(&l2), *scattered = _i ? l2.scattered_writes : l2.scattered_reads;
        scattered[sectors] = (double)(1 << 20) / SECTOR_SIZE / sectors;
        double slower = dram_ns(&l2) - stream, recorded = 1 / rates[_i][i] - 1 / 4071.0;
        ck_assert_double_eq_tol(slower, fmax(0, recorded), 0.05 * recorded + 2e-6);
    }
}

// Loads of a copy queue at a busy DRAM; those of reads alone do not.
TEST(loads_queue_where_dram_turns_around)
{
    const struct sim_timing *t = &device()->timing;
    struct l2_outcome copy = {.read_bytes = 4096, .write_bytes = 4096}, read = {.read_bytes = 4096};
    ck_assert(dram_queue_cycles(t, &read, 0.9) == 0 && dram_queue_cycles(t, &copy, 0) == 0);
    ck_assert_double_eq_tol(dram_queue_cycles(t, &copy, 0.75), 1.5 * t->dram_queue, 1e-9);
    for (int percent = 1; percent < 100; percent++)
        ck_assert(dram_queue_cycles(t, &copy, percent / 100.0) >
                  dram_queue_cycles(t, &copy, percent / 100.0 - 0.01));
}

// Where writes take longer, loads wait as many times longer, and more often: as their part of the time grows. Where reads
// do, not.
TEST(loads_wait_longer_behind_scattered_writes)
{
    const struct sim_timing *t = &device()->timing;
    struct l2_outcome copy = {.read_bytes = 1 << 20, .write_bytes = 1 << 20}, to_lines = copy,
                      from_lines = copy;
    double in_order = dram_queue_cycles(t, &copy, 0.5), lines = (double)(1 << 20) / LINE_SIZE;
    to_lines.scattered_writes[LINE_SECTORS] = from_lines.scattered_reads[LINE_SECTORS] = lines;
    double write_ns = (1 << 20) / t->dram_copy_gbs,
           longer = 1 + 2 * (1 << 20) * (dram_ns(&to_lines) - dram_ns(&copy)) / write_ns;
    ck_assert(longer > 1.2 && longer < 1.4);
    double more_often = longer / (1 + longer) / (1 / 2.);
    assert_near(dram_queue_cycles(t, &to_lines, 0.5), more_often * longer * in_order, 1e-6,
                "cycles");
    assert_near(dram_queue_cycles(t, &from_lines, 0.5), in_order, 1e-9, "cycles");
}

// Microseconds of both_*, without the launch.
static double both_us(const char *gpu, const char *where, const int slow[2])
{
    char name[80];
    snprintf(name, sizeof name, "both_%s_%d_by_halves_%d_by_sectors", where, slow[0], slow[1]);
    return recorded(gpu, name) - sim_device_find(gpu)->timing.launch_us;
}

// How long a copy takes follows from what the L2 takes for it alone, and DRAM.
TEST(dram_and_the_l2_wait_for_each_other, .times = RECORDED_GPUS)
{
    static const int slow[][2] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0},
                                  {0, 2}, {0, 4}, {2, 2}, {4, 4}};
    const char *gpu = recorded_gpus[_i];
    const double bytes = 2.0 * (1 << 28),
                 dram = bytes / sim_device_find(gpu)->timing.dram_copy_gbs * 1e-3; // us
    const struct l2_outcome copy = {.read_bytes = bytes / 2, .write_bytes = bytes / 2},
                            writes = {.write_bytes = bytes};
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++)
        assert_near(dram_beside_l2_cycles(&copy, both_us(gpu, "l2", slow[i]), dram, 0),
                    both_us(gpu, "dram", slow[i]), slow[i][1] ? 4 : 2, "us");
    ck_assert(dram_beside_l2_cycles(&writes, 90, 100, 0) == 100);
    ck_assert(dram_beside_l2_cycles(&copy, 0, 0, 0) == 0);
    // Both are held up at the same time.
    double held = dram_beside_l2_cycles(&copy, 90, 100, 40);
    ck_assert_double_eq_tol(held, 40 + dram_beside_l2_cycles(&copy, 50, 100, 0), 1e-9);
    ck_assert_double_eq_tol(dram_beside_l2_cycles(&copy, 10, 100, 40), 110, 1e-9);
}
