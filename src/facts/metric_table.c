#include "facts/metric_table.h"

#include <math.h>
#include <string.h>

// ---- The formulas ----------------------------------------------------------------------------------

// A metric under construction: its numbers so far, and what is known of their origin.
struct recipe {
    enum provenance provenance;
    const struct value *missing; // the first ingredient that is unavailable
};

// The ingredient's number. Notes where it comes from; 0 when it is unavailable.
static double take(struct recipe *recipe, const struct value *value)
{
    if (!value_known(value)) {
        if (!recipe->missing)
            recipe->missing = value;
        return 0;
    }
    recipe->provenance = weaker(recipe->provenance, value->provenance);
    return value->number;
}

static struct value finish(const struct recipe *recipe, double number)
{
    return recipe->missing ? *recipe->missing : value_of(number, recipe->provenance);
}

// Of nothing, every part is 0 %, as the hardware's own metrics have it.
static double percent(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

// What is a ratio to the accesses is nothing without any: atomics are neither loads nor stores. `what`
// names the accesses.
static struct value ratio(const struct recipe *recipe, double part, double whole, const char *what)
{
    if (recipe->missing || whole > 0)
        return finish(recipe, part / whole);
    return value_unavailable("the kernel has no global %s; atomics do not count as such", what);
}

static struct value efficiency(const struct value *bytes, const struct value *sectors,
                               const char *what)
{
    struct recipe recipe = {0};
    double used = take(&recipe, bytes), moved = 32 * take(&recipe, sectors);
    return ratio(&recipe, 100 * used, moved, what);
}

static struct value load_efficiency(const struct value *v)
{
    return efficiency(&v[GLOBAL_LOAD_DATA_BYTES], &v[GLOBAL_LOAD_SECTORS], "loads");
}

static struct value store_efficiency(const struct value *v)
{
    return efficiency(&v[GLOBAL_STORE_DATA_BYTES], &v[GLOBAL_STORE_SECTORS], "stores");
}

static struct value per_request(const struct value *sectors, const struct value *requests,
                                const char *what)
{
    struct recipe recipe = {0};
    double moved = take(&recipe, sectors), asked = take(&recipe, requests);
    return ratio(&recipe, moved, asked, what);
}

static struct value sectors_per_load(const struct value *v)
{
    return per_request(&v[GLOBAL_LOAD_SECTORS], &v[GLOBAL_LOAD_REQUESTS], "loads");
}

static struct value sectors_per_store(const struct value *v)
{
    return per_request(&v[GLOBAL_STORE_SECTORS], &v[GLOBAL_STORE_REQUESTS], "stores");
}

static struct value local_overhead(const struct value *v)
{
    struct recipe recipe = {0};
    double local = take(&recipe, &v[LOCAL_SECTORS]);
    double global =
        take(&recipe, &v[GLOBAL_LOAD_SECTORS]) + take(&recipe, &v[GLOBAL_STORE_SECTORS]);
    return finish(&recipe, percent(local, local + global));
}

static struct value divergence(const struct value *v)
{
    struct recipe recipe = {0};
    double divergent = take(&recipe, &v[DIVERGENT_BRANCHES]);
    return finish(&recipe, percent(divergent, take(&recipe, &v[BRANCHES])));
}

static struct value dram_throughput(const struct value *v)
{
    struct recipe recipe = {0};
    double bytes = take(&recipe, &v[DRAM_READ_BYTES]) + take(&recipe, &v[DRAM_WRITE_BYTES]);
    double seconds = take(&recipe, &v[TIME_MS]) * 1e-3;
    return finish(&recipe, seconds > 0 ? bytes * 1e-9 / seconds : 0);
}

static struct value hit_rate(const struct value *hits, const struct value *sectors,
                             const char *what)
{
    struct recipe recipe = {0};
    double hit = take(&recipe, hits), all = take(&recipe, sectors);
    return ratio(&recipe, 100 * hit, all, what);
}

static struct value l1_hit_rate(const struct value *v)
{
    return hit_rate(&v[GLOBAL_LOAD_L1_HITS], &v[GLOBAL_LOAD_SECTORS], "loads");
}

static struct value l2_hit_rate(const struct value *v)
{
    return hit_rate(&v[L2_READ_HITS], &v[L2_READ_SECTORS], "loads that L1 lets through");
}

int beyond_noise(double ratio)
{
    double noise = NOISE_OF_TIME / 100.0;
    return ratio > 1 + noise ? 1 : ratio < 1 - noise ? -1 : 0;
}

double least_passes(double requests, double bytes)
{
    return fmax(requests, bytes / 128);
}

static double extra_passes(double passes, double requests, double bytes)
{
    return fmax(0, passes - least_passes(requests, bytes));
}

static double global_replays(struct recipe *recipe, const struct value *v)
{
    double requests =
        take(recipe, &v[GLOBAL_LOAD_REQUESTS]) + take(recipe, &v[GLOBAL_STORE_REQUESTS]);
    double bytes =
        take(recipe, &v[GLOBAL_LOAD_DATA_BYTES]) + take(recipe, &v[GLOBAL_STORE_DATA_BYTES]);
    return extra_passes(take(recipe, &v[GLOBAL_TAGS]), requests, bytes);
}

static double shared_replays(struct recipe *recipe, const struct value *v)
{
    return extra_passes(take(recipe, &v[SHARED_WAVEFRONTS]), take(recipe, &v[SHARED_REQUESTS]),
                        take(recipe, &v[SHARED_DATA_BYTES]));
}

// The share of all passes that are replays: global and shared ones count where their weight is 1.
static struct value replay_overhead(const struct value *v, int of_global, int of_shared)
{
    struct recipe recipe = {0};
    double inst = take(&recipe, &v[INST_EXECUTED]);
    double global = global_replays(&recipe, v), shared = shared_replays(&recipe, v);
    return finish(&recipe,
                  percent(of_global * global + of_shared * shared, inst + global + shared));
}

static struct value total_replay(const struct value *v)
{
    return replay_overhead(v, 1, 1);
}

static struct value shared_replay(const struct value *v)
{
    return replay_overhead(v, 0, 1);
}

static struct value global_replay(const struct value *v)
{
    return replay_overhead(v, 1, 0);
}

// ---- The table -------------------------------------------------------------------------------------

// Of every row the same four in front, so that it is read across; then what else it has.
#define ROW(its_key, its_label, its_unit, its_sense, ...)                                          \
    {                                                                                              \
        .key = its_key, .label = its_label, .unit = its_unit, .sense = its_sense, __VA_ARGS__      \
    }

// A count: its key, what is better, CUPTI's expression. What the counters of two launches of one kernel
// differ by is half a percent.
#define COUNT(its_key, its_sense, expression)                                                      \
    {                                                                                              \
        .key = its_key, .label = its_key, .unit = EVENTS, .sense = its_sense, .noise = 0.5,        \
        .grows_with_n = true, .cupti = expression, .is_counted = true                              \
    }

// Sectors per request are neutral, because wider loads raise them at full efficiency; so are requests,
// useful bytes and branches, which are part of the work.
const struct metric_row metric_table[METRICS] = {
    [TIME_MS] = ROW("time_ms", "Duration", MILLISECONDS, LESS_IS_BETTER, .noise = NOISE_OF_TIME,
                    .grows_with_n = true),
    [BANDWIDTH_GBS] =
        ROW("bandwidth_gbs", "Bandwidth (useful bytes)", GB_PER_SECOND, MORE_IS_BETTER,
            .noise = NOISE_OF_TIME, .formula = "2 n n 4 bytes / time: useful bytes only"),
    [REGISTERS] = ROW("registers", "Registers/Thread", PLAIN, NEUTRAL, .noise = 0),
    [SHARED_BYTES] = ROW("shared_bytes", "Shared Memory/Block", BYTES, NEUTRAL, .noise = 0),

    [GLD_EFFICIENCY] = ROW("gld_efficiency", "Global Load Efficiency", PERCENT, MORE_IS_BETTER,
                           .low = LOW_EFFICIENCY, .section = IN_MEMORY, .column = "load",
                           .column_place = 1, .nvprof = "gld_efficiency",
                           .formula = "global_load_data_bytes / (32 x global_load_sectors)",
                           .cupti = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct",
                           .derive = load_efficiency),
    [GST_EFFICIENCY] = ROW("gst_efficiency", "Global Store Efficiency", PERCENT, MORE_IS_BETTER,
                           .low = LOW_EFFICIENCY, .section = IN_MEMORY, .column = "store",
                           .column_place = 2, .nvprof = "gst_efficiency",
                           .formula = "global_store_data_bytes / (32 x global_store_sectors)",
                           .cupti = "smsp__sass_average_data_bytes_per_sector_mem_global_op_st.pct",
                           .derive = store_efficiency),
    [GLD_TRANSACTIONS_PER_REQUEST] =
        ROW("gld_transactions_per_request", "Global Load Sectors/Request", PLAIN, NEUTRAL,
            .section = IN_MEMORY, .nvprof = "gld_transactions_per_request",
            .formula = "global_load_sectors / global_load_requests",
            .cupti = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
            .note = "a transaction is a 32-byte sector, as it was since Maxwell; Fermi's were 128 "
                    "bytes",
            .derive = sectors_per_load),
    [GST_TRANSACTIONS_PER_REQUEST] =
        ROW("gst_transactions_per_request", "Global Store Sectors/Request", PLAIN, NEUTRAL,
            .section = IN_MEMORY, .nvprof = "gst_transactions_per_request",
            .formula = "global_store_sectors / global_store_requests",
            .cupti = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
            .note = "a transaction is a 32-byte sector", .derive = sectors_per_store),
    [LOCAL_MEMORY_OVERHEAD] = ROW(
        "local_memory_overhead", "Local Memory Overhead", PERCENT, LESS_IS_BETTER,
        .high = HIGH_OVERHEAD, .section = IN_MEMORY, .nvprof = "local_memory_overhead",
        .formula = "local_sectors / (local_sectors + global sectors)", .derive = local_overhead),
    [DRAM_UTILIZATION] = ROW(
        "dram_utilization", "DRAM Utilization", PERCENT, NEUTRAL, .noise = NOISE_OF_TIME,
        .low = LOW_DRAM_UTILIZATION, .low_in_l2 = true, .section = IN_MEMORY, .column = "DRAM",
        .column_place = 4, .nvprof = "dram_utilization",
        .formula = "dram_throughput_gbs / the device's peak",
        .cupti = "dram__throughput.avg.pct_of_peak_sustained_elapsed",
        .note = "was a level, 0..10; is a percentage; CUPTI's counts idle time around the kernel "
                "too",
        .is_counted = true),
    [DRAM_THROUGHPUT_GBS] = ROW(
        "dram_throughput_gbs", "DRAM Throughput", GB_PER_SECOND, NEUTRAL, .noise = NOISE_OF_TIME,
        .formula = "(dram_read_bytes + dram_write_bytes) / time",
        .note = "nvprof: dram_read_throughput + dram_write_throughput", .derive = dram_throughput),
    [BRANCH_DIVERGENCE_OVERHEAD] =
        ROW("branch_divergence_overhead", "Branch Divergence Overhead", PERCENT, LESS_IS_BETTER,
            .high = HIGH_OVERHEAD, .section = IN_INSTRUCTION,
            .formula = "divergent_branches / branches", .note = "nvprof: 100 - branch_efficiency",
            .derive = divergence),
    [TOTAL_REPLAY_OVERHEAD] =
        ROW("total_replay_overhead", "Total Replay Overhead", PERCENT, LESS_IS_BETTER,
            .high = HIGH_OVERHEAD, .section = IN_INSTRUCTION, .column = "replay", .column_place = 3,
            .nvprof = "inst_replay_overhead",
            .formula = "shared_replay_overhead + global_replay_overhead",
            .note = "stand-in; was replays / instructions, is a share of all passes",
            .derive = total_replay),
    [SHARED_REPLAY_OVERHEAD] =
        ROW("shared_replay_overhead", "Shared Memory Replay Overhead", PERCENT, LESS_IS_BETTER,
            .high = HIGH_OVERHEAD, .section = IN_INSTRUCTION, .nvprof = "shared_replay_overhead",
            .formula = "Rs / (inst_executed + Rg + Rs), Rs = max(0, shared_wavefronts - "
                       "max(shared_requests, shared_data_bytes / 128))",
            .note = "stand-in; was replays / instructions, is a share of all passes",
            .derive = shared_replay),
    [GLOBAL_REPLAY_OVERHEAD] =
        ROW("global_replay_overhead", "Global Memory Replay Overhead", PERCENT, LESS_IS_BETTER,
            .high = HIGH_OVERHEAD, .section = IN_INSTRUCTION, .nvprof = "global_replay_overhead",
            .formula = "Rg / (inst_executed + Rg + Rs), Rg = max(0, global_tags - max(global "
                       "requests, global data bytes / 128))",
            .note = "stand-in; was replays / instructions, is a share of all passes",
            .derive = global_replay),
    [ACHIEVED_OCCUPANCY] = ROW(
        "achieved_occupancy", "Achieved Occupancy", PERCENT, ENOUGH_IS_GOOD, .noise = NOISE_OF_TIME,
        .low = LOW_OCCUPANCY, .section = IN_OCCUPANCY, .section_row = "Achieved", .column = "occ.",
        .column_place = 5, .nvprof = "achieved_occupancy",
        .formula = "resident warps / the most an SM holds, on average while it is active",
        .cupti = "sm__warps_active.avg.pct_of_peak_sustained_active",
        .note = "was a fraction, 0..1; is a percentage", .is_counted = true),
    [THEORETICAL_OCCUPANCY] =
        ROW("theoretical_occupancy", "Theoretical Occupancy", PERCENT, ENOUGH_IS_GOOD,
            .low = LOW_OCCUPANCY, .section = IN_OCCUPANCY, .section_row = "Theoretical",
            .formula = "resident warps that the launch allows / the most an SM holds",
            .note = "from the launch and the SM's limits; no counter"),
    [L1_HIT_RATE] = ROW("l1_hit_rate", "L1 Hit Rate (global loads)", PERCENT, NEUTRAL,
                        .formula = "global_load_l1_hits / global_load_sectors",
                        .note = "nvprof: tex_cache_hit_rate", .derive = l1_hit_rate),
    [L2_HIT_RATE] = ROW("l2_hit_rate", "L2 Hit Rate (reads of the SMs)", PERCENT, NEUTRAL,
                        .formula = "l2_read_hits / l2_read_sectors",
                        .note = "nvprof: l2_tex_read_hit_rate", .derive = l2_hit_rate),
    [L1_UTILIZATION] =
        ROW("l1_utilization", "L1 Utilization", PERCENT, NEUTRAL, .noise = NOISE_OF_TIME,
            .formula = "time for which L1's pipe is busy with requests, on average over all SMs",
            .cupti = "l1tex__data_pipe_lsu_wavefronts.avg.pct_of_peak_sustained_elapsed",
            .note = "shared and global memory together", .is_counted = true),
    [L2_UTILIZATION] =
        ROW("l2_utilization", "L2 Utilization", PERCENT, NEUTRAL, .noise = NOISE_OF_TIME,
            .nvprof = "l2_utilization", .formula = "sectors / the most that the L2 could take",
            .cupti = "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
            .note = "was a level, 0..10; is a percentage", .is_counted = true),

    [INST_EXECUTED] = COUNT("inst_executed", LESS_IS_BETTER, "smsp__inst_executed.sum"),
    [GLOBAL_LOAD_REQUESTS] =
        COUNT("global_load_requests", NEUTRAL, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    [GLOBAL_LOAD_SECTORS] = COUNT("global_load_sectors", LESS_IS_BETTER,
                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    [GLOBAL_LOAD_DATA_BYTES] =
        COUNT("global_load_data_bytes", NEUTRAL, "sm__sass_data_bytes_mem_global_op_ld.sum"),
    [GLOBAL_STORE_REQUESTS] =
        COUNT("global_store_requests", NEUTRAL, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    [GLOBAL_STORE_SECTORS] = COUNT("global_store_sectors", LESS_IS_BETTER,
                                   "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    [GLOBAL_STORE_DATA_BYTES] =
        COUNT("global_store_data_bytes", NEUTRAL, "sm__sass_data_bytes_mem_global_op_st.sum"),
    [GLOBAL_TAGS] = COUNT("global_tags", LESS_IS_BETTER, "smsp__sass_l1tex_tags_mem_global.sum"),
    [SHARED_REQUESTS] = COUNT("shared_requests", NEUTRAL,
                              "smsp__sass_inst_executed_op_shared_ld.sum + "
                              "smsp__sass_inst_executed_op_shared_st.sum"),
    [SHARED_WAVEFRONTS] = COUNT("shared_wavefronts", LESS_IS_BETTER,
                                "sm__sass_l1tex_pipe_lsu_wavefronts_mem_shared.sum"),
    [SHARED_DATA_BYTES] =
        COUNT("shared_data_bytes", NEUTRAL,
              "sm__sass_data_bytes_mem_shared.sum|smsp__sass_data_bytes_mem_shared.sum"),
    [LOCAL_SECTORS] = COUNT("local_sectors", LESS_IS_BETTER, "smsp__sass_sectors_mem_local.sum"),
    [BRANCHES] = COUNT("branches", NEUTRAL, "smsp__sass_inst_executed_op_branch.sum"),
    [DIVERGENT_BRANCHES] = COUNT("divergent_branches", LESS_IS_BETTER,
                                 "smsp__sass_branch_targets_threads_divergent.sum"),
    [DRAM_READ_BYTES] =
        COUNT("dram_read_bytes", LESS_IS_BETTER, "dram__bytes_read.sum|dram__bytes_op_read.sum"),
    [DRAM_WRITE_BYTES] =
        COUNT("dram_write_bytes", LESS_IS_BETTER, "dram__bytes_write.sum|dram__bytes_op_write.sum"),
    [BLOCKS_PER_SM_MAX] = COUNT("blocks_per_sm_max", NEUTRAL, "sm__ctas_launched.max"),
    [BLOCKS_PER_SM_MIN] = COUNT("blocks_per_sm_min", NEUTRAL, "sm__ctas_launched.min"),
    [GLOBAL_LOAD_L1_HITS] = COUNT("global_load_l1_hits", NEUTRAL,
                                  "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum"),
    [L2_READ_REQUESTS] =
        COUNT("l2_read_requests", LESS_IS_BETTER, "lts__t_requests_srcunit_tex_op_read.sum"),
    [L2_READ_SECTORS] =
        COUNT("l2_read_sectors", LESS_IS_BETTER, "lts__t_sectors_srcunit_tex_op_read.sum"),
    [L2_READ_HITS] =
        COUNT("l2_read_hits", NEUTRAL, "lts__t_sectors_srcunit_tex_op_read_lookup_hit.sum"),
    [L2_WRITE_REQUESTS] =
        COUNT("l2_write_requests", LESS_IS_BETTER, "lts__t_requests_srcunit_tex_op_write.sum"),
    [L2_WRITE_SECTORS] =
        COUNT("l2_write_sectors", LESS_IS_BETTER, "lts__t_sectors_srcunit_tex_op_write.sum"),
};

enum metric metric_find(const char *key)
{
    enum metric found = 0;
    while (found < METRICS && strcmp(metric_table[found].key, key) != 0)
        found++;
    return found;
}

bool metric_is_bad(enum metric metric, const struct value *value, bool fits_in_l2)
{
    const struct metric_row *row = &metric_table[metric];
    bool low = value->number < row->low && !(row->low_in_l2 && fits_in_l2);
    return value_known(value) && (low || (row->high > 0 && value->number >= row->high));
}

enum metric summary_column(int place)
{
    enum metric found = place > MOST_COLUMNS ? METRICS : 0;
    while (found < METRICS && metric_table[found].column_place != place)
        found++;
    return found;
}

void metrics_derive(struct value values[METRICS], double dram_peak_gbs)
{
    for (enum metric i = FIRST_METRIC; i < FIRST_COUNT; i++)
        if (metric_table[i].derive)
            values[i] = metric_table[i].derive(values);
    const struct value *throughput = &values[DRAM_THROUGHPUT_GBS];
    if (value_known(throughput) && dram_peak_gbs > 0)
        values[DRAM_UTILIZATION] =
            value_of(100 * throughput->number / dram_peak_gbs, throughput->provenance);
}

// The share of passes that the bytes do not need. 0 when it is not known.
static double excess(const struct value *passes, double requests, double bytes)
{
    double needed = least_passes(requests, bytes);
    return value_known(passes) && passes->number > needed ? 1 - needed / passes->number : 0;
}

void set_limiter(struct limits *limits, const struct value values[METRICS])
{
    const struct value *v = values;
    double requests = v[GLOBAL_LOAD_REQUESTS].number + v[GLOBAL_STORE_REQUESTS].number;
    double bytes = v[GLOBAL_LOAD_DATA_BYTES].number + v[GLOBAL_STORE_DATA_BYTES].number;
    limits->limiter = find_limiter(
        limits,
        excess(&v[SHARED_WAVEFRONTS], v[SHARED_REQUESTS].number, v[SHARED_DATA_BYTES].number),
        excess(&v[GLOBAL_TAGS], requests, bytes));
    double sectors = v[GLOBAL_LOAD_SECTORS].number + v[GLOBAL_STORE_SECTORS].number;
    if (limiters[limits->limiter].resource == RESOURCE_GLOBAL && v[LOCAL_SECTORS].number > sectors)
        limits->limiter = LIMITER_LOCAL;
}
