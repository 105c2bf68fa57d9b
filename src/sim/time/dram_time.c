#include "sim/time/dram_time.h"

#include <math.h>

double dram_bytes(const struct l2_outcome *l2)
{
    return l2->read_bytes + l2->write_bytes;
}

// How much of what DRAM moves is as in a copy, half of it read and half written: 0 to 1.
static double mixed(const struct l2_outcome *l2)
{
    double bytes = dram_bytes(l2);
    double fewer = l2->read_bytes < l2->write_bytes ? l2->read_bytes : l2->write_bytes;
    return bytes > 0 ? 2 * fewer / bytes : 0;
}

// What a chunk of so many sectors costs, of the costs of 1, 2, 4 and 8: between these, in proportion.
static double chunk_cost(const double costs[4], int sectors)
{
    int size = 1, i = 0;
    for (; 2 * size <= sectors && i < 3; size *= 2)
        i++;
    return i == 3 ? costs[3] : costs[i] + (costs[i + 1] - costs[i]) * (sectors - size) / size;
}

// Nanoseconds that DRAM loses by scattered chunks, beyond those at which a stream of those bytes comes to another page.
static double lost(const double scattered[CHUNK_SECTORS + 1], double bytes, const double costs[4])
{
    double ns = -bytes / DRAM_PAGE * costs[3];
    for (int s = 1; s <= CHUNK_SECTORS; s++)
        ns += scattered[s] * chunk_cost(costs, s);
    return ns > 0 ? ns : 0;
}

// Nanoseconds for which DRAM moves a mix of reads and writes: between the rates of streams of one kind, and the
// lower one of a copy, where it turns around most often; and slowed by how scattered it is.
static double moving_ns(const struct sim_timing *t, const struct l2_outcome *l2)
{
    double bytes = dram_bytes(l2);
    if (bytes == 0)
        return 0;
    double pure = (l2->read_bytes * t->dram_read_gbs + l2->write_bytes * t->dram_write_gbs) / bytes;
    double stream = pure + (t->dram_copy_gbs - pure) * mixed(l2);
    double scattered =
        lost(l2->scattered_reads, l2->read_bytes - l2->fill_bytes, t->dram_read_chunk) +
        lost(l2->scattered_writes, l2->write_bytes, t->dram_write_chunk);
    return (bytes + l2->idle_bytes) / stream + scattered;
}

double dram_moving_cycles(const struct sim_device *device, const struct l2_outcome *l2)
{
    return moving_ns(&device->timing, l2) * device->sm_clock_mhz * 1e-3;
}

// Whether the blocks that share sectors have fallen out of step: where few are distant from each other, none stay in it.
static int are_out_of_step(const struct l2_outcome *l2)
{
    const double FEW = 1. / 64;
    return l2->open.distant > FEW * (l2->open.sectors - l2->open.own);
}

double far_split_cycles(const struct sim_device *device, const struct l2_outcome *l2)
{
    enum { NEAR_PARTS = 2 }; // of the one sector that a line near others shares
    const struct sim_timing *t = &device->timing;
    double near = are_out_of_step(l2) ? l2->split_lines - l2->far_split_lines : 0,
           lines = l2->far_split_lines + near, sectors = l2->far_split_sectors + near,
           parts = l2->far_split_parts + NEAR_PARTS * near;
    return fmax(0, (lines + sectors) * t->l2_split - parts * t->l2_part_line);
}

double near_split_cycles(const struct sim_device *device, const struct l2_outcome *l2)
{
    return are_out_of_step(l2)
               ? 0
               : (l2->split_lines - l2->far_split_lines) * device->timing.dram_split_line;
}

double dram_beside_l2_cycles(const struct l2_outcome *outcome, double l2, double dram,
                             double held_up)
{
    const double POWER = 3.3;
    double both = fmin(l2, held_up), alone = l2 - both, longer = fmax(alone, dram),
           in_turns = pow(pow(alone, POWER) + pow(dram, POWER), 1 / POWER);
    return both + longer + (in_turns - longer) * mixed(outcome);
}

double dram_queue_cycles(const struct sim_timing *t, const struct l2_outcome *l2, double load)
{
    if (load >= 1 || dram_bytes(l2) == 0)
        return 0;
    // How many times as long writes take, and how much more of the time they have for it, as in a copy both have half.
    double longer = 1, more_often;
    if (l2->write_bytes > 0)
        longer += lost(l2->scattered_writes, l2->write_bytes, t->dram_write_chunk) *
                  t->dram_copy_gbs / l2->write_bytes;
    more_often = 2 * longer / (1 + longer);
    return t->dram_queue * mixed(l2) * more_often * longer * load / sqrt(1 - load);
}

// The share of loads that hit the L2 which wait for others that miss it.
static double late_hit_share(const struct sim_timing *t, const struct l2_outcome *l2, double load)
{
    if (dram_bytes(l2) == 0)
        return 0;
    double reads = load * l2->read_bytes / dram_bytes(l2);
    return t->l2_late_hits * (1 - exp(-reads / t->l2_late_load));
}

void memory_share_at(struct memory_share *share, double dram_load)
{
    const struct sim_timing *t = &share->device->timing;
    share->dram_queue = dram_queue_cycles(t, share->l2, dram_load);
    share->late_hits = late_hit_share(t, share->l2, dram_load);
    share->late_cycles = (t->dram_latency - t->l2_latency) * fmax(0, 1 - dram_load);
}
