#include "sim/time/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/count/access.h"
#include "sim/count/l2.h"
#include "sim/time/arrivals.h"
#include "sim/time/idle_blocks.h"
#include "sim/time/launch_totals.h"
#include "sim/time/pipelines.h"
#include "sim/time/sm_at_dram_load.h"

enum { PERCENT = 100 };

// tests/validate/ knows it by its beginning.
static const char one_did_all[] =
    "blocks draw work from a counter: the first one here takes nearly all";
_Static_assert(sizeof one_did_all <= sizeof((struct sim_prediction *)NULL)->why,
               "it has room in a prediction");

// The pages of DRAM that are open at a time, in effect: with 3000 of them, half as many as its bus has bits, the time of
// pages_*_rows in an H200's microbenchmarks grows with the rows as it was measured. That the others' go by their buses is a
// guess.
static double open_pages(const struct sim_device *device)
{
    return device->memory_bus_bits / 2.0;
}

void predict_begin(struct launch *launch, const struct sim_device *device, struct l2 **l2,
                   unsigned resident)
{
    if (!*l2)
        *l2 = l2_open(device->l2_bytes, device->l2_partitions, fetched_sectors(device),
                      open_pages(device), device_memory.base);
    struct l2_accesses *accesses =
        *l2 ? l2_begin(*l2, launch->block_count, launch->module->instruction_count) : NULL;
    launch->trace = accesses ? trace_open(launch, resident) : NULL;
    if (!launch->trace)
        return;
    launch->l2 = *l2;
    launch->l2_accesses = accesses;
}

static uint32_t largest_frame(const struct module *module)
{
    uint32_t largest = 0;
    for (const struct function *f = module->functions; f; f = f->next)
        if (f->frame_size > largest)
            largest = f->frame_size;
    return largest;
}

// The bytes that a request stores of a sector, in the mean: half of it at most, as there is a part to come.
static double part_bytes(const struct launch *launch)
{
    const struct accesses stores = accesses_of(launch, STORES);
    double bytes = stores.global_sectors > 0 ? stores.global_bytes / stores.global_sectors : 0;
    return fmin(bytes, SECTOR_SIZE / 2.);
}

// What an SM's blocks do, of the launch's, which execute so many instructions: 0 where traces were cut, as these say nothing of
// it.
static struct sm_done done_by_sm(const struct launch *launch, double executed, double busy_sms)
{
    double sectors = accesses_of(launch, LOADS).sectors + accesses_of(launch, STORES).sectors;
    if (unrecorded(launch->trace) > 1)
        return (struct sm_done){0};
    return (struct sm_done){.sectors = sectors / busy_sms, .items = executed / busy_sms};
}

// What shared memory leaves of the memory that it has in common with L1.
static size_t l1_bytes(const struct launch *launch, const struct sim_device *device)
{
    size_t both = device->timing.l1_bytes;
    return launch->carveout < both ? both - launch->carveout : 0;
}

// What a launch takes beside its blocks.
static double launch_ms(const struct sim_device *device)
{
    return (device->timing.launch_us - device->timing.event_us) * 1e-3;
}

static void add_occupancy(struct sim_prediction *sum, double active_cycles, double occupancy)
{
    double all = sum->active_cycles + active_cycles;
    sum->achieved_occupancy =
        (sum->achieved_occupancy * sum->active_cycles + occupancy * active_cycles) / all;
    sum->active_cycles = all;
}

static void add(struct sim_prediction *sum, double ms, const struct sm_outcome *sm, double busy_sms,
                const struct sm_work *work)
{
    double all = sum->ms + ms; // shares of time are averaged over the launches' times
    for (int i = 0; i < SIM_RESOURCES; i++)
        sum->busy[i] = (sum->busy[i] * sum->ms + sm->busy[i] * ms) / all;
    sum->busy_sms = (sum->busy_sms * sum->ms + busy_sms * ms) / all;
    sum->ms = all;
    struct completed completed = completed_bytes(&sm->requests, work);
    sum->dram_read_bytes += work->memory.l2->read_bytes + completed.read;
    sum->dram_write_bytes += work->memory.l2->write_bytes + completed.written;
}

// As large a part of all sectors as that is of those that were traced; of none that were traced nothing is known, and all
// is taken to come.
static double of_all(double part, double traced, double all)
{
    return traced > 0 ? part / traced * all : all;
}

// Requests of loads, or of stores, that come to the L2: as many as of those that were traced.
static double l2_loads(const struct launch *launch, const struct l2_requests *traced)
{
    return of_all(traced->reads, traced->load_sectors, accesses_of(launch, LOADS).sectors);
}

static double l2_stores(const struct launch *launch, const struct l2_requests *traced)
{
    return of_all(traced->writes, traced->stores, accesses_of(launch, STORES).sectors);
}

// What of the launch's loads and stores comes to the L2.
static void add_l2(struct sim_prediction *sum, const struct launch *launch,
                   const struct l2_requests *traced, const struct l2_outcome *l2)
{
    const struct accesses loads = accesses_of(launch, LOADS), stores = accesses_of(launch, STORES);
    double read = of_all(traced->read_sectors, traced->load_sectors, loads.sectors),
           missed = (l2->read_bytes - l2->fill_bytes) / SECTOR_SIZE;
    if (traced->global_sectors > 0)
        sum->l1_hits += of_all(traced->global_hits, traced->global_sectors, loads.global_sectors);
    sum->l2_reads += l2_loads(launch, traced);
    sum->l2_read_sectors += read;
    sum->l2_read_hits += fmax(0, read - missed);
    sum->l2_writes += l2_stores(launch, traced);
    sum->l2_write_sectors += of_all(traced->write_sectors, traced->stores, stores.sectors);
}

// Of what is stored in part, the share that finds no whole sector: if all stays in the L2, they become whole once.
static double unfinished_share(const struct l2_outcome *l2)
{
    return l2->write_bytes > 0 && l2->part_stores > 0 ? l2->unfinished / l2->part_stores : 0;
}

// Of the sectors that warps store in parts, the share that is whole before it leaves the L2 or is written there.
static double undisturbed(const struct launch *launch, const struct l2_outcome *l2,
                          double part_bytes)
{
    double bytes = accesses_of(launch, STORES).sectors * part_bytes;
    return bytes > 0 ? fmax(0, 1 - l2->own_fill_bytes / bytes) : 1;
}

// Of the times at which sectors are left in part, the share after which they do not leave so.
static double followed(const struct l2_outcome *l2)
{
    return l2->waiting > 0 ? fmax(0, 1 - l2->fill_bytes / SECTOR_SIZE / l2->waiting) : 1;
}

// The share of what DRAM writes that such bytes are.
static double of_written(const struct l2_outcome *l2, double bytes)
{
    return l2->write_bytes > 0 ? bytes / l2->write_bytes : 0;
}

// The share of what is loaded that DRAM has to bring, with what it brings beside that.
static double missing(const struct launch *launch, const struct l2_outcome *l2)
{
    double bytes = accesses_of(launch, LOADS).global_bytes;
    return bytes > 0 ? fmax(0, fmin(1, (l2->read_bytes - l2->fill_bytes) / bytes)) : 0;
}

// What comes of the launch when the L2 gets its accesses in that order. Returns as sm_simulate() does.
static const char *simulate_in_order(const struct launch *launch, const struct l2_order *order,
                                     struct sm_work *work, struct l2_outcome *l2,
                                     struct sm_outcome *sm)
{
    const struct l2_outcome *found = l2_end(launch->l2, order);
    if (!found)
        return sm_no_memory;
    *l2 = *found;
    work->memory.warps_apart = warps_apart(launch, missing(launch, l2));
    work->memory.unfinished = unfinished_share(l2);
    work->memory.undisturbed = undisturbed(launch, l2, work->memory.part_bytes);
    work->memory.followed = followed(l2);
    work->memory.far_stores = of_written(l2, l2->far_write_bytes);
    work->memory.apart_stores = of_written(l2, l2->apart_write_bytes);
    return sm_simulate_at_dram_load(work, l2, sm);
}

// The share of the time that the SM takes for which it waits for what others keep busy: it would have been done by then if
// the L2, DRAM and the GPU's block scheduler took no time but their latencies. Returns as sm_simulate() does.
static const char *find_waiting(const struct sm_work *work, const struct sm_outcome *sm,
                                double *waiting)
{
    struct sm_work alone = *work;
    const struct memory_share *memory = &work->memory;
    struct sm_outcome outcome = {0};
    alone.waits = NULL;
    alone.memory = (struct memory_share){.device = memory->device,
                                         .l2 = memory->l2,
                                         .l1_bytes = memory->l1_bytes,
                                         .local_lines = memory->local_lines};
    const char *why = sm_simulate(&alone, &outcome);
    double cycles = fmax(outcome.cycles * unrecorded(work->trace),
                         fmax(units_cycles(work->launch, memory->device, memory->busy_sms),
                              atomics_cycles(work->launch, memory->device)));
    *waiting = fmax(0, 1 - cycles / sm->cycles);
    return why;
}

// The share of what blocks load again that L1 still has, if it has nothing else.
static double l1_keeps(const struct l2_outcome *l2, const struct l2_requests *traced)
{
    double hits = traced->load_sectors > 0 ? 1 - traced->read_sectors / traced->load_sectors : 0;
    return l2->reloads > 0 ? fmin(1, hits * l2->loads / l2->reloads) : 1;
}

// Whether the SMs go at paces of their own.
static int own_paces(const struct sm_work *work, const struct sm_outcome *sm)
{
    double moves = sm->busy[SIM_DRAM_DATA];
    return have_own_paces(l2_busy_with_hits(sm, &work->memory), moves, moves + sm->dram_held_up);
}

// How far apart blocks and warps come, and what these lose by it, as they waited in a simulation in which they came at once.
static void set_distances(const struct launch *launch, double rounds, double waiting,
                          const struct sm_work *work, const struct sm_outcome *sm,
                          struct l2_order *order)
{
    const struct memory_share *memory = &work->memory;
    double blocks = (double)launch->block_count, running = (double)order->running,
           a_launch = sm->cycles / blocks, missed = missing(launch, memory->l2),
           requests = l2_loads(launch, &sm->requests) + l2_stores(launch, &sm->requests);
    int have_met = stores_after_meeting(launch);
    double walk = have_met
                      ? 0
                      : walk_cycles(&memory->device->timing, rounds, missed, memory->dram_queue),
           warps = hypot(warp_time_apart(launch, sm->until_stored, rounds, missed), walk);
    order->warp_spread = warps / a_launch;
    order->warps_lose = warps_lose(memory->warps_apart, warps);
    double apart = launches_apart(running, rounds, waiting, have_met, requests / blocks);
    if (l2_has_pace(launch->l2_accesses, order) && meets_in_each_round(launch, rounds))
        apart = fmin(apart, meetings_apart(running, memory->busy_sms, rounds));
    order->spread = hypot(apart, walk / a_launch);
    if (rounds > 1 && own_paces(work, sm))
        order->spread = hypot(order->spread, paces_apart(running));
}

// The same where blocks that store parts of the same sectors, or go through rounds in waves, come to them as far apart as they
// wait in a first simulation, in which they come at once, and warps lose by what their distance takes there, which has nothing
// lost; and what L1 loses of what it is loaded again, which had all of it. Returns as sm_simulate() does.
static const char *simulate_apart(const struct launch *launch, double rounds,
                                  struct l2_order *order, struct sm_work *work,
                                  struct l2_outcome *l2, struct sm_outcome *sm)
{
    const double NEARLY_ALL = 0.95;
    const char *why = simulate_in_order(launch, order, work, l2, sm);
    order->l1_keeps = l1_keeps(l2, &sm->requests);
    int blocks_apart = l2->shared > 0 || l2_goes_in_waves(launch->l2_accesses, order);
    if (why || (!blocks_apart && l2->open.own == 0 && order->l1_keeps > NEARLY_ALL))
        return why;
    double waiting = 0;
    why = blocks_apart ? find_waiting(work, sm, &waiting) : NULL;
    if (why)
        return why;
    set_distances(launch, rounds, waiting, work, sm, order);
    return simulate_in_order(launch, order, work, l2, sm);
}

// The same in the order in which that many blocks run at a time, at the paces that the SMs have then.
static const char *simulate_at_paces(const struct launch *launch, double running,
                                     struct sm_work *work, struct l2_outcome *l2,
                                     struct sm_outcome *sm)
{
    const struct sim_device *device = work->memory.device;
    double rounds = rounds_of(launch);
    struct l2_order order = {.warp_spread = warp_time_apart(launch, running, rounds, 1),
                             .running = (uint64_t)running,
                             .sms = (unsigned)work->memory.busy_sms,
                             .l1_keeps = 1,
                             .fast = 1};
    const char *why = simulate_apart(launch, rounds, &order, work, l2, sm);
    if (why || !l2_has_pace(launch->l2_accesses, &order))
        return why;
    if (!own_paces(work, sm))
        return why;
    order.fast = device->timing.l2_fast_pace;
    return simulate_in_order(launch, &order, work, l2, sm);
}

// Whether the blocks draw their work from a counter: the first one that runs leaves the others next to none, a small part
// of what it did for each.
static int first_did_all(const struct launch *launch)
{
    enum { SMALL_PART = 8 };
    double all = executed_by_all(launch), others = (double)launch->block_count - 1,
           by_first = trace_executed(launch->trace, &launch->trace->blocks[0]);
    int draws = 0;
    for (const struct function *f = launch->module->functions; f; f = f->next)
        for (size_t i = 0; i < f->length; i++)
            draws |= f->code[i].is_atomic && f->code[i].d != NO_SLOT &&
                     f->code[i].space != SHARED && launch->counters[f->code[i].index].executed > 0;
    return draws && others > 0 && by_first > all / 2 &&
           by_first * others > SMALL_PART * (all - by_first);
}

// Blocks that the simulated SM leaves out, as they idle alone: none where it is not known how they start, or where the others
// are too few for all that were traced.
static struct idle_blocks left_out(const struct launch *launch, double blocks, double running)
{
    const struct trace *trace = launch->trace;
    struct idle_blocks alone = idle_alone(trace, blocks, running);
    double left = (blocks - alone.blocks) / launch->multiprocessors;
    return trace_idle(trace) && left >= trace->block_count ? alone : (struct idle_blocks){0};
}

// Which of the traced blocks stand for those that are not left out; or for all, where they are mixed, so that none are. Returns
// whether they are.
static int choose_blocks(const struct launch *launch, double blocks, struct idle_blocks *alone)
{
    double executed = executed_by_all(launch) - alone->executed;
    int are_mixed = trace_choose(launch->trace, executed / (blocks - alone->blocks));
    if (are_mixed)
        *alone = (struct idle_blocks){0};
    trace_trim(launch->trace);
    return are_mixed;
}

// Whether blocks start for nearly all of the time that an SM takes: then what all do besides may take less.
static int start_all_the_time(const struct sm_outcome *sm)
{
    const double NEARLY_ALL = 0.9;
    return sm->busy[SIM_BLOCK_LAUNCH] > NEARLY_ALL;
}

// The share of the simulated SM's warps that run in the mean over the SMs. If all blocks run at once, others may have one less for
// as long; beyond, they are done earlier, too.
static double of_all_sms(const struct launch *launch, double busy_sms, unsigned resident)
{
    double blocks = (double)launch->block_count, most = (double)launch->trace->of_sm;
    int is_even = trace_is_even(launch->trace, executed_by_all(launch) / blocks);
    return most <= resident && is_even ? blocks / busy_sms / most : 1;
}

static const char *predict(const struct launch *launch, const struct sim_device *device,
                           unsigned resident, unsigned max_warps, struct waits *waits,
                           struct sim_prediction *sum)
{
    if (!launch->l2 || launch->trace->is_broken)
        return sm_no_memory;
    if (first_did_all(launch))
        return one_did_all;
    double blocks = (double)launch->block_count, busy_sms = fmin(blocks, device->sms),
           running = fmin(blocks, resident * busy_sms);
    struct idle_blocks alone = left_out(launch, blocks, running);
    int are_mixed = choose_blocks(launch, blocks, &alone);
    if (launch->trace->is_broken)
        return sm_no_memory;
    struct l2_outcome l2 = {0};
    struct sm_work work = {
        .memory = {.device = device,
                   .l2 = &l2,
                   .busy_sms = busy_sms,
                   .part_bytes = part_bytes(launch),
                   .l1_bytes = l1_bytes(launch, device),
                   .local_lines = launch->local_bytes * LANES / LINE_SIZE},
        .launch = launch,
        .trace = launch->trace,
        .blocks = (blocks - alone.blocks) / busy_sms,
        .done = done_by_sm(launch, executed_by_all(launch) - alone.executed, busy_sms),
        .resident = resident,
        .frame_slots = largest_frame(launch->module) / SLOT_BYTES + 1,
        .waits = waits,
    };
    struct sm_outcome sm = {0};
    const char *why = simulate_at_paces(launch, running, &work, &l2, &sm);
    if (!why && (alone.blocks > 0 || (are_mixed && !start_all_the_time(&sm))))
        why = idle_add_starts(&work, blocks, running, &sm);
    if (why)
        return why;
    double ms = launch_ms(device) + sm.cycles / (device->sm_clock_mhz * 1e3);
    if (!isfinite(ms))
        return "the timing model came to no time of this kernel's";
    sm.active_warps *= of_all_sms(launch, busy_sms, resident);
    add_occupancy(sum, sm.active * sm.cycles * busy_sms, PERCENT * sm.active_warps / max_warps);
    add(sum, ms, &sm, busy_sms / device->sms, &work);
    add_l2(sum, launch, &sm.requests, &l2);
    return NULL;
}

void predict_end(struct launch *launch, const struct sim_device *device, unsigned resident,
                 unsigned max_warps, struct sim_prediction *sum, struct stall_samples *stalls)
{
    struct waits waits = {0};
    const char *why = stalls && !waits_open(&waits, launch->module) ? sm_no_memory : NULL;
    if (!why)
        why = predict(launch, device, resident, max_warps, stalls ? &waits : NULL, sum);
    if (!why && waits.is_broken)
        why = sm_no_memory;
    if (!why && stalls)
        waits_sample(&waits, launch->module, stalls);
    if (why)
        snprintf(sum->why, sizeof sum->why, "%s", why);
    waits_close(&waits);
    if (launch->l2)
        l2_forget(launch->l2_accesses);
    trace_free(launch->trace);
    launch->trace = NULL;
}

// What moves through the L2 alone, with all SMs at it: a line takes an SM its four sectors' turns.
static double l2_ms(const struct sim_device *device, size_t bytes, double cycles_a_sector)
{
    double sectors = (double)bytes / SECTOR_SIZE / device->sms;
    return sectors * cycles_a_sector / (device->sm_clock_mhz * 1e3);
}

// From the launch until the first data that it asked for is there.
static double first_data_ms(const struct sim_device *device, double latency)
{
    const struct sim_timing *t = &device->timing;
    return launch_ms(device) + (t->first_access + latency) / (device->sm_clock_mhz * 1e3);
}

double predict_copy_ms(const struct sim_device *device, size_t bytes)
{
    const struct sim_timing *t = &device->timing;
    if (2 * bytes > device->l2_bytes)
        return first_data_ms(device, t->dram_latency) +
               2 * (double)bytes / (t->dram_copy_gbs * 1e6);
    // The sum of the load's way and the store's turn is nearer to what copies take at n = 1024 than the larger one.
    double sector = t->l2_rewrite_sector + t->l2_load_packet / LINE_SECTORS;
    return first_data_ms(device, t->l2_latency) + l2_ms(device, bytes, sector);
}

double predict_fill_ms(const struct sim_device *device, size_t bytes)
{
    const struct sim_timing *t = &device->timing;
    double ms = bytes <= device->l2_bytes ? l2_ms(device, bytes, t->l2_rewrite_sector)
                                          : (double)bytes / (t->dram_write_gbs * 1e6);
    return launch_ms(device) + ms;
}
