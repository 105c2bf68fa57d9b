#include "facts/profile.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static const char *const count_keys[COUNTS] = {
    [INST_EXECUTED] = "inst_executed",
    [GLOBAL_LOAD_REQUESTS] = "global_load_requests",
    [GLOBAL_LOAD_SECTORS] = "global_load_sectors",
    [GLOBAL_LOAD_DATA_BYTES] = "global_load_data_bytes",
    [GLOBAL_STORE_REQUESTS] = "global_store_requests",
    [GLOBAL_STORE_SECTORS] = "global_store_sectors",
    [GLOBAL_STORE_DATA_BYTES] = "global_store_data_bytes",
    [GLOBAL_TAGS] = "global_tags",
    [SHARED_REQUESTS] = "shared_requests",
    [SHARED_WAVEFRONTS] = "shared_wavefronts",
    [SHARED_DATA_BYTES] = "shared_data_bytes",
    [LOCAL_SECTORS] = "local_sectors",
    [BRANCHES] = "branches",
    [DIVERGENT_BRANCHES] = "divergent_branches",
    [DRAM_READ_BYTES] = "dram_read_bytes",
    [DRAM_WRITE_BYTES] = "dram_write_bytes",
    [BLOCKS_PER_SM_MAX] = "blocks_per_sm_max",
    [BLOCKS_PER_SM_MIN] = "blocks_per_sm_min",
};

static const char *const metric_keys[METRICS] = {
    [GLD_EFFICIENCY] = "gld_efficiency",
    [GST_EFFICIENCY] = "gst_efficiency",
    [GLD_TRANSACTIONS_PER_REQUEST] = "gld_transactions_per_request",
    [GST_TRANSACTIONS_PER_REQUEST] = "gst_transactions_per_request",
    [LOCAL_MEMORY_OVERHEAD] = "local_memory_overhead",
    [DRAM_UTILIZATION] = "dram_utilization",
    [DRAM_THROUGHPUT_GBS] = "dram_throughput_gbs",
    [BRANCH_DIVERGENCE_OVERHEAD] = "branch_divergence_overhead",
    [TOTAL_REPLAY_OVERHEAD] = "total_replay_overhead",
    [SHARED_REPLAY_OVERHEAD] = "shared_replay_overhead",
    [GLOBAL_REPLAY_OVERHEAD] = "global_replay_overhead",
    [ACHIEVED_OCCUPANCY] = "achieved_occupancy",
    [THEORETICAL_OCCUPANCY] = "theoretical_occupancy",
};

const char *count_key(enum count count)
{
    return count_keys[count];
}

const char *metric_key(enum metric metric)
{
    return metric_keys[metric];
}

const char *provenance_name(enum provenance provenance)
{
    static const char *const names[] = {"unavailable", "measured", "counted", "modelled"};
    return names[provenance];
}

const char *provenance_mark(enum provenance provenance)
{
    return provenance == MODELLED ? "~" : "";
}

struct value value_of(double number, enum provenance provenance)
{
    return (struct value){.number = number, .provenance = provenance};
}

struct value value_unavailable(const char *format, ...)
{
    struct value value = {.provenance = UNAVAILABLE};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(value.why, sizeof value.why, format, arguments);
    va_end(arguments);
    return value;
}

int value_known(const struct value *value)
{
    return value->provenance != UNAVAILABLE;
}

void profile_set_unavailable(struct profile *profile, const char *why)
{
    const struct value none = value_unavailable("%s", why);
    for (int i = 0; i < COUNTS; i++)
        profile->counts[i] = none;
    for (int i = 0; i < METRICS; i++)
        profile->metrics[i] = none;
    for (int i = 0; i < profile->extra_count; i++)
        profile->extras[i].value = none;
    profile->limits = (struct limits){.limiter = LIMITER_UNKNOWN};
}

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
    if (value->provenance > recipe->provenance)
        recipe->provenance = value->provenance;
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

static struct value per_request(const struct value *sectors, const struct value *requests,
                                const char *what)
{
    struct recipe recipe = {0};
    double moved = take(&recipe, sectors), asked = take(&recipe, requests);
    return ratio(&recipe, moved, asked, what);
}

static struct value local_overhead(const struct value *counts)
{
    struct recipe recipe = {0};
    double local = take(&recipe, &counts[LOCAL_SECTORS]);
    double global =
        take(&recipe, &counts[GLOBAL_LOAD_SECTORS]) + take(&recipe, &counts[GLOBAL_STORE_SECTORS]);
    return finish(&recipe, percent(local, local + global));
}

static struct value divergence(const struct value *counts)
{
    struct recipe recipe = {0};
    double divergent = take(&recipe, &counts[DIVERGENT_BRANCHES]);
    return finish(&recipe, percent(divergent, take(&recipe, &counts[BRANCHES])));
}

static struct value dram_throughput(const struct value *counts, const struct value *time_ms)
{
    struct recipe recipe = {0};
    double bytes =
        take(&recipe, &counts[DRAM_READ_BYTES]) + take(&recipe, &counts[DRAM_WRITE_BYTES]);
    double seconds = take(&recipe, time_ms) * 1e-3;
    return finish(&recipe, seconds > 0 ? bytes * 1e-9 / seconds : 0);
}

double least_passes(double requests, double bytes)
{
    return fmax(requests, bytes / 128);
}

static double extra_passes(double passes, double requests, double bytes)
{
    return fmax(0, passes - least_passes(requests, bytes));
}

static double global_replays(struct recipe *recipe, const struct value *counts)
{
    double requests =
        take(recipe, &counts[GLOBAL_LOAD_REQUESTS]) + take(recipe, &counts[GLOBAL_STORE_REQUESTS]);
    double bytes = take(recipe, &counts[GLOBAL_LOAD_DATA_BYTES]) +
                   take(recipe, &counts[GLOBAL_STORE_DATA_BYTES]);
    return extra_passes(take(recipe, &counts[GLOBAL_TAGS]), requests, bytes);
}

static double shared_replays(struct recipe *recipe, const struct value *counts)
{
    return extra_passes(take(recipe, &counts[SHARED_WAVEFRONTS]),
                        take(recipe, &counts[SHARED_REQUESTS]),
                        take(recipe, &counts[SHARED_DATA_BYTES]));
}

static void derive_replays(struct profile *profile)
{
    struct recipe recipe = {0};
    double inst = take(&recipe, &profile->counts[INST_EXECUTED]);
    double global = global_replays(&recipe, profile->counts);
    double shared = shared_replays(&recipe, profile->counts);
    double issued = inst + global + shared;

    struct value *metrics = profile->metrics;
    metrics[GLOBAL_REPLAY_OVERHEAD] = finish(&recipe, percent(global, issued));
    metrics[SHARED_REPLAY_OVERHEAD] = finish(&recipe, percent(shared, issued));
    metrics[TOTAL_REPLAY_OVERHEAD] = finish(&recipe, percent(global + shared, issued));
}

// The share of passes that the bytes do not need. 0 when it is not known.
static double excess(const struct value *passes, double requests, double bytes)
{
    double needed = least_passes(requests, bytes);
    return value_known(passes) && passes->number > needed ? 1 - needed / passes->number : 0;
}

void profile_find_limiter(struct profile *profile)
{
    const struct value *c = profile->counts;
    double requests = c[GLOBAL_LOAD_REQUESTS].number + c[GLOBAL_STORE_REQUESTS].number;
    double bytes = c[GLOBAL_LOAD_DATA_BYTES].number + c[GLOBAL_STORE_DATA_BYTES].number;
    profile->limits.limiter = find_limiter(
        &profile->limits,
        excess(&c[SHARED_WAVEFRONTS], c[SHARED_REQUESTS].number, c[SHARED_DATA_BYTES].number),
        excess(&c[GLOBAL_TAGS], requests, bytes));
}

void profile_derive(struct profile *profile, const struct value *time_ms, double dram_peak_gbs)
{
    const struct value *counts = profile->counts;
    struct value *metrics = profile->metrics;

    metrics[GLD_EFFICIENCY] =
        efficiency(&counts[GLOBAL_LOAD_DATA_BYTES], &counts[GLOBAL_LOAD_SECTORS], "loads");
    metrics[GST_EFFICIENCY] =
        efficiency(&counts[GLOBAL_STORE_DATA_BYTES], &counts[GLOBAL_STORE_SECTORS], "stores");
    metrics[GLD_TRANSACTIONS_PER_REQUEST] =
        per_request(&counts[GLOBAL_LOAD_SECTORS], &counts[GLOBAL_LOAD_REQUESTS], "loads");
    metrics[GST_TRANSACTIONS_PER_REQUEST] =
        per_request(&counts[GLOBAL_STORE_SECTORS], &counts[GLOBAL_STORE_REQUESTS], "stores");
    metrics[LOCAL_MEMORY_OVERHEAD] = local_overhead(counts);
    metrics[DRAM_THROUGHPUT_GBS] = dram_throughput(counts, time_ms);
    const struct value *throughput = &metrics[DRAM_THROUGHPUT_GBS];
    if (value_known(throughput) && dram_peak_gbs > 0)
        metrics[DRAM_UTILIZATION] =
            value_of(100 * throughput->number / dram_peak_gbs, throughput->provenance);
    metrics[BRANCH_DIVERGENCE_OVERHEAD] = divergence(counts);
    derive_replays(profile);
}
