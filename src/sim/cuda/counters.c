// The simulated device's counters: its counts are exact, and come from one launch.
#include "sim/cuda/instruments.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/sim.h"

// What is counted needs no setting up, so there is nothing to hold but that counting is on.
struct profiler {
    int extra_count;
};

static struct profiler *open_profiler(const char *const *extras, int extra_count, char *why,
                                      size_t why_size)
{
    (void)extras;
    struct profiler *profiler = calloc(1, sizeof *profiler);
    if (!profiler)
        snprintf(why, why_size, "no memory left for the counters: close other programs");
    else
        profiler->extra_count = extra_count;
    return profiler;
}

static void drop_counted(struct step_result *result, const char *why)
{
    for (enum metric i = 0; i < METRICS; i++)
        if (metric_table[i].is_counted)
            result->values[i] = value_unavailable("%s", why);
}

static void fill_counts(struct step_result *result, const struct sim_counts *c)
{
    drop_counted(result, "the simulated device does not count it");
    const struct {
        enum metric metric;
        uint64_t number;
    } known[] = {
        {INST_EXECUTED, c->instructions},
        {GLOBAL_LOAD_REQUESTS, c->load_requests},
        {GLOBAL_LOAD_SECTORS, c->load_sectors},
        {GLOBAL_LOAD_DATA_BYTES, c->load_bytes},
        {GLOBAL_STORE_REQUESTS, c->store_requests},
        {GLOBAL_STORE_SECTORS, c->store_sectors},
        {GLOBAL_STORE_DATA_BYTES, c->store_bytes},
        {GLOBAL_TAGS, c->tags},
        {SHARED_REQUESTS, c->shared_requests},
        {SHARED_WAVEFRONTS, c->shared_wavefronts},
        {SHARED_DATA_BYTES, c->shared_bytes},
        {LOCAL_SECTORS, c->local_sectors},
        {BRANCHES, c->branches},
        {DIVERGENT_BRANCHES, c->divergent_branches},
        {BLOCKS_PER_SM_MAX, c->blocks_per_sm_max},
        {BLOCKS_PER_SM_MIN, c->blocks_per_sm_min},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        result->values[known[i].metric] = value_of((double)known[i].number, COUNTED);
    // What does not follow from the PTX: machine instructions without machine code (cost_estimate.h), which branches ptxas
    // leaves (reorder.h), and which SM runs a block.
    if (c->machine_is_estimated)
        result->values[INST_EXECUTED].provenance = result->values[BRANCHES].provenance = MODELLED;
    result->values[DIVERGENT_BRANCHES].provenance = MODELLED;
    result->values[BLOCKS_PER_SM_MAX].provenance = MODELLED;
    result->values[BLOCKS_PER_SM_MIN].provenance = MODELLED;
}

static double percent(double share)
{
    return share < 1 ? 100 * share : 100;
}

static void fill_caches(struct step_result *result, const struct sim_prediction *p)
{
    struct value *values = result->values;
    values[GLOBAL_LOAD_L1_HITS] = value_of(round(p->l1_hits), MODELLED);
    values[L2_READ_REQUESTS] = value_of(round(p->l2_reads), MODELLED);
    values[L2_READ_SECTORS] = value_of(round(p->l2_read_sectors), MODELLED);
    values[L2_READ_HITS] = value_of(round(p->l2_read_hits), MODELLED);
    values[L2_WRITE_REQUESTS] = value_of(round(p->l2_writes), MODELLED);
    values[L2_WRITE_SECTORS] = value_of(round(p->l2_write_sectors), MODELLED);
    // As the counters have it: of all SMs, also those without a block, and of the L2's data, not its requests.
    double pipe = p->busy[SIM_SHARED_PIPE] + p->busy[SIM_GLOBAL_PIPE];
    double data = fmax(p->busy[SIM_L2_READ], p->busy[SIM_L2_WRITE]);
    values[L1_UTILIZATION] = value_of(p->busy_sms * percent(pipe), MODELLED);
    values[L2_UTILIZATION] = value_of(percent(data), MODELLED);
}

// What the timing model predicts; what it cannot, with the reason.
static void fill_prediction(struct step_result *result, const struct sim_prediction *p)
{
    if (*p->why) {
        static const enum metric predicted[] = {
            DRAM_READ_BYTES,     DRAM_WRITE_BYTES, DRAM_UTILIZATION, ACHIEVED_OCCUPANCY,
            GLOBAL_LOAD_L1_HITS, L2_READ_REQUESTS, L2_READ_SECTORS,  L2_READ_HITS,
            L2_WRITE_REQUESTS,   L2_WRITE_SECTORS, L1_UTILIZATION,   L2_UTILIZATION};
        for (size_t i = 0; i < sizeof predicted / sizeof *predicted; i++)
            result->values[predicted[i]] = value_unavailable("%s", p->why);
        return;
    }
    result->values[DRAM_READ_BYTES] = value_of(p->dram_read_bytes, MODELLED);
    result->values[DRAM_WRITE_BYTES] = value_of(p->dram_write_bytes, MODELLED);
    result->values[ACHIEVED_OCCUPANCY] = value_of(p->achieved_occupancy, MODELLED);
    result->values[DRAM_UTILIZATION] = value_of(percent(p->busy[SIM_DRAM_DATA]), MODELLED);
    fill_caches(result, p);
    const double *busy = p->busy;
    double l2 = fmax(fmax(busy[SIM_L2_PACKETS], busy[SIM_L2_REQUESTS]),
                     fmax(busy[SIM_L2_READ], busy[SIM_L2_WRITE]));
    result->limits = (struct limits){
        .busy = {[RESOURCE_ISSUE] = percent(busy[SIM_ISSUE]),
                 [RESOURCE_SHARED] = percent(busy[SIM_SHARED_PIPE]),
                 [RESOURCE_GLOBAL] = percent(busy[SIM_GLOBAL_PIPE]),
                 [RESOURCE_L2] = percent(l2),
                 [RESOURCE_DRAM] = percent(busy[SIM_DRAM_DATA]),
                 [RESOURCE_LAUNCH] = percent(busy[SIM_BLOCK_LAUNCH]),
                 [RESOURCE_ARITHMETIC] = percent(busy[SIM_ARITHMETIC]),
                 [RESOURCE_ATOMICS] = percent(busy[SIM_ATOMICS])},
        .busy_sms = percent(p->busy_sms),
    };
    set_limiter(&result->limits, result->values);
}

static void measure(struct profiler *profiler, watched_launch *launch, void *context,
                    struct step_result *result)
{
    sim_counts_reset();
    launch(context);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        char why[WHY_SIZE];
        snprintf(why, sizeof why, "the kernel failed: %s", cudaGetErrorString(error));
        drop_counted(result, why);
    } else {
        struct sim_counts counts = sim_counts_total();
        struct sim_prediction prediction = sim_prediction_total();
        fill_counts(result, &counts);
        fill_prediction(result, &prediction);
    }
    for (int i = 0; i < profiler->extra_count; i++)
        result->extras[i] = value_unavailable("the simulated device has no hardware counters");
}

static void close_profiler(struct profiler *profiler)
{
    free(profiler);
}

const struct counters sim_counters = {
    .open = open_profiler, .measure = measure, .close = close_profiler};
