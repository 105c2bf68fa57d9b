#include "sim/time/sm_at_dram_load.h"

#include <math.h>

#include "sim/count/access.h"
#include "sim/count/l2.h"
#include "sim/time/dram_time.h"
#include "sim/time/l2_open_lines.h"
#include "sim/time/l2_part_sectors.h"
#include "sim/time/launch_totals.h"
#include "sim/time/pipelines.h"

static double completed_own(const struct launch *launch, const struct l2_requests *traced)
{
    return traced->stores > 0
               ? traced->completed / traced->stores * accesses_of(launch, STORES).sectors
               : 0;
}

struct completed completed_bytes(const struct l2_requests *traced, const struct sm_work *work)
{
    double besides = work->memory.completed_besides, own = completed_own(work->launch, traced);
    return (struct completed){(besides + own * work->memory.undisturbed) * SECTOR_SIZE,
                              (besides + own * work->memory.followed) * SECTOR_SIZE};
}

// Of a launch, what the load of DRAM does not change.
struct fixed {
    double unrecorded;          // times as much as was recorded
    double arithmetic, atomics; // cycles for which each is busy
    double moving;              // cycles for which DRAM moves anything
    double held_up, dram_held;  // for which it and the L2 cannot, and for which it alone cannot
};

static double l2_busy(const struct sm_outcome *sm)
{
    return fmax(sm->busy[SIM_L2_PACKETS], sm->busy[SIM_L2_REQUESTS]);
}

double l2_busy_with_hits(const struct sm_outcome *sm, const struct memory_share *memory)
{
    double sectors = (memory->l2->read_bytes - memory->l2->fill_bytes) / SECTOR_SIZE,
           missed = sectors * memory->device->timing.l2_missed_sector *
                    memory->part_lines_a_stored_sector / memory->device->sms;
    return fmax(sm->busy[SIM_L2_PACKETS], sm->busy[SIM_L2_REQUESTS] - missed / sm->cycles);
}

// What one SM comes to when DRAM moves bytes for that share of the time: sm->busy[SIM_DRAM_DATA] is the share that this leads to.
// Returns as sm_simulate() does.
static const char *simulate_at(struct sm_work *work, double load, const struct fixed *fixed,
                               struct sm_outcome *sm)
{
    struct memory_share *memory = &work->memory;
    memory_share_at(memory, load);
    const char *why = sm_simulate(work, sm);
    sm->cycles *= fixed->unrecorded;
    sm->until_stored *= fixed->unrecorded;
    // In the time that was simulated it may have taken what it had left of its share before.
    for (int i = 0; i < SIM_RESOURCES; i++)
        sm_hold(sm, i, sm->busy[i] * sm->cycles);
    sm_hold(sm, SIM_ARITHMETIC, fixed->arithmetic);
    sm_hold(sm, SIM_ATOMICS, fixed->atomics);
    // No warp waits for DRAM to take what was stored, but what is left of that when the last block ends holds up the
    // launch that follows.
    struct completed completed = completed_bytes(&sm->requests, work);
    double bytes = dram_bytes(memory->l2),
           more = completed.read * fetched_sectors(memory->device) + completed.written,
           moving = bytes > 0 ? fixed->moving * (1 + more / (bytes + memory->l2->idle_bytes)) : 0;
    double l2 = l2_busy(sm) * sm->cycles;
    double held = bytes > 0 ? fixed->dram_held : 0, held_up = bytes > 0 ? fixed->held_up : 0;
    sm_last(sm, moving + held + held_up);
    sm_last(sm, dram_beside_l2_cycles(memory->l2, l2, moving + held, held_up));
    sm->busy[SIM_DRAM_DATA] = moving / sm->cycles;
    sm->dram_held_up = (held + held_up) / sm->cycles;
    return why;
}

// For how many cycles, in sum over the SMs, the L2 takes nothing as so many sectors are completed that blocks share, and those
// of so many lines that one stores: longer the more bytes a request stores of a sector, where lines are far from each other.
// Where twice the blocks run, rows_*_down in the records lose 11, 47 and 72 for each sector more that is completed
// (completed-sectors.csv), of parts of 4, 8 and 16 bytes; here it is 16 for each 4 bytes.
static double completing_cycles(const struct memory_share *memory, double of_blocks,
                                double own_lines)
{
    enum { WORD_BYTES = 4 };
    double more_words = fmax(0, memory->part_bytes / WORD_BYTES - 1) * memory->far_stores;
    return memory->device->timing.l2_part_eviction * (of_blocks + own_lines * (1 + more_words));
}

// What storing a sector comes to, of the mean, and how long DRAM takes, by what the L2 made of all.
static void set_memory(struct memory_share *memory, struct fixed *fixed,
                       const struct launch *launch)
{
    const struct sim_device *device = memory->device;
    const struct l2_outcome *l2 = memory->l2;
    const struct open_lines_completed open =
        open_lines_completed(device, l2, (double)launch->block_count);
    const double own = fmax(0, open.own - memory->completed_own), completed = open.of_blocks + own;
    const struct accesses stores = accesses_of(launch, STORES);
    double stored = stores.sectors + accesses_of(launch, ATOMICS).sectors,
           bytes = l2->write_bytes + l2->fill_bytes + 2 * SECTOR_SIZE * completed,
           held_up = far_split_cycles(device, l2) +
                     completing_cycles(memory, open.of_blocks, own * open.lines_a_sector);
    memory->completed_besides = completed;
    memory->dram_a_stored_sector = stored > 0 ? bytes / stored : 0;
    memory->held_up_a_stored_sector = stored > 0 ? held_up / stored : 0;
    fixed->moving = dram_moving_cycles(device, l2);
    fixed->held_up = held_up / device->sms;
    fixed->dram_held = near_split_cycles(device, l2) / device->sms;
    double moved = dram_bytes(l2), with_completed = moved + 2 * SECTOR_SIZE * completed,
           held = fixed->held_up + fixed->dram_held;
    memory->dram_byte =
        moved > 0 ? memory->busy_sms * (fixed->moving / moved + held / with_completed) : 0;
}

// Takes from what comes to the L2 in parts what joined on its way out of the SM, and came as a whole: of sectors whose
// parts a block's own warps store.
static void take_joined(struct l2_outcome *l2, const struct l2_requests *traced)
{
    enum { PARTS = 2 }; // at least, of a sector that blocks share
    double joined = traced->parts > 0 ? 1 - traced->parts_left / traced->parts : 0;
    l2->far_split_parts -= fmax(0, l2->far_split_parts - PARTS * l2->far_split_sectors) * joined;
    open_lines_take_joined(&l2->open, joined);
}

static void add_outcome(struct sm_outcome *sum, const struct sm_outcome *sm, double share)
{
    sum->cycles += sm->cycles * share;
    sum->until_stored += sm->until_stored * share;
    sum->active += sm->active * share;
    sum->active_warps += sm->active_warps * share;
    sum->dram_held_up += sm->dram_held_up * share;
    for (int i = 0; i < SIM_RESOURCES; i++)
        sum->busy[i] += sm->busy[i] * share;
}

// The mean of several SMs, which wait at random, each for other numbers, as some kernels' times differ by 10 % between
// them. Where they wait for DRAM, each waits as at a load that is a part of the way nearer to what the one before led
// to: all of the way, and chance would move it. The requests are those of the SM before them, from which all started;
// what warps wait for is theirs together.
static const char *simulate_several(struct sm_work *work, double load, const struct fixed *fixed,
                                    struct sm_outcome *sm)
{
    enum { SMS = 3, BESIDE_DRAM = 8, PARTS_OF_WAY = 4 };
    const char *why = NULL;
    uint64_t sms = load > 0 ? BESIDE_DRAM : SMS;
    struct sm_outcome mean = {.requests = sm->requests};
    if (work->waits)
        waits_reset(work->waits);
    for (work->memory.seed = 1; work->memory.seed <= sms && !why; work->memory.seed++) {
        why = simulate_at(work, load, fixed, sm);
        add_outcome(&mean, sm, 1.0 / (double)sms);
        load += (sm->busy[SIM_DRAM_DATA] - load) / PARTS_OF_WAY;
    }
    work->memory.seed = 0;
    *sm = mean;
    return why;
}

// Finds where both agree, by halving, to a 32nd, and then follows it.
const char *sm_simulate_at_dram_load(struct sm_work *work, struct l2_outcome *l2,
                                     struct sm_outcome *sm)
{
    const struct launch *launch = work->launch;
    enum { HALVINGS = 5 };
    struct memory_share *memory = &work->memory;
    const char *why;
    if (memory->unfinished > 0 && !part_sectors_find(launch->trace))
        return sm_no_memory;
    struct fixed fixed = {
        .unrecorded = unrecorded(work->trace),
        .arithmetic = units_cycles(launch, memory->device, memory->busy_sms),
        .atomics = atomics_cycles(launch, memory->device),
    };
    memory->completed_own = INFINITY;       // not known yet
    memory->part_lines_a_stored_sector = 0; // likewise
    set_memory(memory, &fixed, launch);
    double load = 0, low = 0, high = 1;
    why = simulate_at(work, load, &fixed, sm);
    take_joined(l2, &sm->requests);
    memory->part_lines_a_stored_sector =
        sm->requests.stores > 0
            ? sm->requests.part_lines / sm->requests.stores * open_lines_shared(&l2->open)
            : 0;
    memory->completed_own = completed_own(launch, &sm->requests);
    set_memory(memory, &fixed, launch);
    for (int i = 0; i < HALVINGS && !why && sm->busy[SIM_DRAM_DATA] > 0; i++) {
        *(sm->busy[SIM_DRAM_DATA] > load ? &low : &high) = load;
        load = (low + high) / 2;
        why = simulate_at(work, load, &fixed, sm);
    }
    // At that load warps come to their parts further apart, or less.
    memory->completed_own = completed_own(launch, &sm->requests);
    set_memory(memory, &fixed, launch);
    return why ? why : simulate_several(work, load, &fixed, sm);
}
