// Predictions of small kernels on the simulated device.
#ifndef PREDICTIONS_H
#define PREDICTIONS_H

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sim_devices.h"
#include "kernels/timed.h"
#include "sim/sim.h"
#include "suites.h"

enum { SMS = 132, MHZ = 1980, MEMORY = 1 << 24 };

static inline void *allocate(size_t bytes)
{
    void *memory;
    SUCCEEDS(cudaMalloc(&memory, bytes));
    SUCCEEDS(cudaMemset(memory, 0, bytes));
    return memory;
}

// Memory that the kernels may use; of this test's process.
static inline void *memory(void)
{
    static void *all;
    return all = all ? all : allocate(MEMORY);
}

static inline const struct sim_device *device(void)
{
    const char *name = getenv("APODKIT_SIM_DEVICE");
    return sim_device_find(name ? name : "h200");
}

static inline double launch_us(void)
{
    return device()->timing.launch_us - device()->timing.event_us;
}

// What holds of every prediction.
static inline void assert_sane(const struct sim_prediction *p, const char *what)
{
    ck_assert_msg(*p->why == 0, "%s: %s", what, p->why);
    ck_assert_msg(isfinite(p->ms) && p->ms > 0, "%s: %g ms", what, p->ms);
    ck_assert_msg(p->achieved_occupancy > 0 && p->achieved_occupancy <= 100, "%s: occupancy %g",
                  what, p->achieved_occupancy);
    ck_assert_msg(p->busy_sms > 0 && p->busy_sms <= 1, "%s: SMs %g", what, p->busy_sms);
    for (int i = 0; i < SIM_RESOURCES; i++)
        ck_assert_msg(p->busy[i] >= 0 && p->busy[i] <= 1.05, "%s: part %d is busy %g", what, i,
                      p->busy[i]);
    ck_assert_msg(p->dram_read_bytes >= 0 && p->dram_write_bytes >= 0, "%s: DRAM", what);
    // DRAM takes time for every byte, and cannot move more than its peak.
    double gbs = (p->dram_read_bytes + p->dram_write_bytes) / p->ms * 1e-6;
    double utilization = gbs / sim_device_peak_gbs(device());
    ck_assert_msg(utilization <= 1.000001 * p->busy[SIM_DRAM_DATA] &&
                      p->busy[SIM_DRAM_DATA] <= 1.000001,
                  "%s on %s: %g of DRAM's peak, which is busy %g of the time", what, device()->name,
                  utilization, p->busy[SIM_DRAM_DATA]);
}

static inline struct sim_prediction prediction(const char *what)
{
    ck_assert_msg(cudaDeviceSynchronize() == cudaSuccess, "%s: %s", what, sim_last_report());
    struct sim_prediction p = sim_prediction_total();
    assert_sane(&p, what);
    return p;
}

static inline struct sim_prediction launch(enum timed kernel, unsigned blocks, unsigned threads,
                                           int rounds, int stride)
{
    char what[80];
    snprintf(what, sizeof what, "kernel %d, %u blocks of %u, %d rounds, stride %d", kernel, blocks,
             threads, rounds, stride);
    void *at = memory();
    sim_counts_reset();
    timed_launch(kernel, blocks, threads, at, rounds, stride);
    return prediction(what);
}

// Cycles of the SMs' clock that the kernel itself takes.
static inline double cycles_of(const struct sim_prediction *p)
{
    return (p->ms * 1e3 - launch_us()) * MHZ;
}

static inline double cycles(enum timed kernel, unsigned blocks, unsigned threads, int rounds,
                            int stride)
{
    struct sim_prediction p = launch(kernel, blocks, threads, rounds, stride);
    return cycles_of(&p);
}

#endif
