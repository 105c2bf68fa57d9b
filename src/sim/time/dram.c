#include "sim/time/dram.h"

// How much of what DRAM moves is as in a copy, half of it read and half written: 0 to 1.
static double mixed(const struct l2_outcome *l2)
{
    double bytes = l2->read_bytes + l2->write_bytes;
    double fewer = l2->read_bytes < l2->write_bytes ? l2->read_bytes : l2->write_bytes;
    return bytes > 0 ? 2 * fewer / bytes : 0;
}

// What DRAM moves of a mix of reads and writes: between the rates of streams of one kind, and the
// lower one of a copy, where it turns around most often; and slowed by the pages that it has to open
// beyond a stream's, and by sectors that blocks share.
double dram_gbs(const struct sim_device *device, const struct l2_outcome *l2)
{
    const struct sim_timing *t = &device->timing;
    double bytes = l2->read_bytes + l2->write_bytes;
    if (bytes == 0)
        return t->dram_copy_gbs;
    double pure = (l2->read_bytes * t->dram_read_gbs + l2->write_bytes * t->dram_write_gbs) / bytes;
    double stream = pure + (t->dram_copy_gbs - pure) * mixed(l2);
    double pages = (l2->read_pages - l2->read_bytes / DRAM_PAGE) * t->dram_read_page +
                   (l2->write_pages - l2->write_bytes / DRAM_PAGE) * t->dram_write_page;
    double split =
        l2->split_sectors * t->l2_split_sector / (device->sms * device->sm_clock_mhz * 1e-3);
    return bytes / (bytes / stream + (pages > 0 ? pages : 0) + split);
}

struct wait dram_wait(const struct sim_timing *t, const struct l2_outcome *l2)
{
    double copying = mixed(l2);
    double mean = t->dram_latency + copying * t->dram_copy_latency;
    double spread = t->dram_spread + copying * (t->dram_copy_spread - t->dram_spread);
    return (struct wait){.least = mean - spread, .spread = spread};
}

// Holds the launch to what DRAM can do. No warp waits for it to take what was stored, but it cannot
// be busy for more than all of the time: what is left when the last block ends holds up the launch that
// follows. What it moves is the L2's, of all accesses; the SM's queue saw those of the traced blocks.
void dram_hold(struct sm_outcome *sm, const struct memory_share *memory)
{
    const struct l2_outcome *l2 = memory->l2;
    double dram =
        (l2->read_bytes + l2->write_bytes) / memory->dram_gbs * memory->device->sm_clock_mhz * 1e-3;
    double cycles = dram > sm->cycles ? dram : sm->cycles;
    for (int i = 0; i < SIM_RESOURCES; i++)
        sm->busy[i] *= sm->cycles / cycles;
    sm->busy[SIM_DRAM_DATA] = dram / cycles;
    sm->active *= sm->cycles / cycles;
    sm->cycles = cycles;
}
