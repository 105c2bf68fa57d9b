#include "sim/time/hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/count/access.h"
#include "sim/count/line_hash.h"
#include "sim/ptx/module.h"

enum { L1_WAYS = 4 };

struct l1_line {
    uint64_t number, used;
    uint8_t sectors;
    double ready; // when the newest of them arrives
};

// Granules that are known, by sets: four times as many as an SM has threads. And sectors of them that an instruction may find
// in the L2 before one misses again: one for each thread.
enum { GRANULE_SETS = 2048, GRANULE_WAYS = 4, HITS_IN_A_ROW = 2048 };

// The sectors of a line that the L2 fetches together.
struct l2_granule {
    uint64_t number, used; // the first sector's number, + 1; 0: none
    double there;          // when DRAM has brought it
};

static double later(double a, double b)
{
    return a > b ? a : b;
}

static unsigned count(unsigned sectors)
{
    return (unsigned)__builtin_popcount(sectors);
}

unsigned fetched_sectors(const struct sim_device *device)
{
    return device->major >= 8 ? 2 : 1;
}

int hierarchy_open(struct hierarchy *h, const struct memory_share *share)
{
    const struct sim_device *device = share->device;
    *h = (struct hierarchy){
        .share = share, .t = &device->timing, .is_together = 1, .random = share->seed};
    h->part = share->busy_sms / device->sms;
    h->l1_sets = share->l1_bytes / LINE_SIZE / L1_WAYS;
    h->l1_sets += h->l1_sets == 0;
    h->l1 = calloc(h->l1_sets * L1_WAYS, sizeof *h->l1);
    int has_places = events_open(&h->fetched, h->l1_sets * L1_WAYS);
    h->granules = calloc(GRANULE_SETS * GRANULE_WAYS, sizeof *h->granules);
    h->owed = calloc(share->l2->instruction_count + 1, sizeof *h->owed);
    if (share->unfinished > 0)
        h->parts = part_sectors_open(device->l2_bytes, share->busy_sms, share->unfinished,
                                     share->apart_stores);
    return h->l1 && has_places && h->granules && h->owed && (h->parts || share->unfinished == 0);
}

void hierarchy_close(struct hierarchy *h)
{
    free(h->l1);
    events_close(&h->fetched);
    free(h->granules);
    free(h->owed);
    part_sectors_free(h->parts);
}

// This SM's turn at something that takes `cycles` of its share, at the earliest at `time`. Returns when the turn begins.
// What an SM left of its share it may take later: others take it meanwhile, and leave as much to this one, unless all come
// at the same time.
static double take_turn(struct hierarchy *h, double *free, enum sim_resource resource, double time,
                        double cycles)
{
    double start = later(time, *free);
    *free = (h->is_together ? start : *free) + cycles;
    h->busy[resource] += cycles;
    return start;
}

// The same at DRAM.
static double use_dram(struct hierarchy *h, double time, double bytes)
{
    return take_turn(h, &h->dram_free, SIM_DRAM_DATA, time, bytes * h->share->dram_byte);
}

// When the L2 takes what is there for it at `time`: not before the SM's first request got there, nor while DRAM is too far
// behind.
static double taken(const struct hierarchy *h, double time)
{
    return later(later(time, h->reached), h->dram_free - h->t->dram_behind * h->share->dram_byte);
}

// The SM's first requests of the launch wait until it knows where the memory is.
static void reach(struct hierarchy *h, double time)
{
    if (h->reached == 0)
        h->reached = time + h->t->first_access;
}

// The line's place in L1, after the least recently used one has made room for it.
static struct l1_line *find_l1(struct hierarchy *h, uint64_t number)
{
    struct l1_line *set = h->l1 + (number ^ number / h->l1_sets) % h->l1_sets * L1_WAYS;
    struct l1_line *oldest = set;
    for (int i = 0; i < L1_WAYS; i++) {
        if (set[i].used && set[i].number == number)
            return &set[i];
        if (set[i].used < oldest->used)
            oldest = &set[i];
    }
    *oldest = (struct l1_line){.number = number};
    return oldest;
}

// Local memory is each resident warp's own.
static uint64_t number_of(const struct hierarchy *h, const struct trace_line *line)
{
    return is_local_line(line) ? line->number + h->warp * h->share->local_lines : line->number;
}

// The share of what an instruction looks up that hits the L2, in the whole launch. What is too small for a sample, and what
// atomics update, is still there from before.
static double hit_share(const struct hierarchy *h, const struct instruction *in)
{
    const struct l2_hits *hits = &h->share->l2->of_instruction[in->index];
    return hits->sectors && !in->is_atomic ? (double)hits->hits / hits->sectors : 1;
}

// What an instruction looks up misses the L2 as often as in the whole launch. What L1 holds is looked up, too, and its
// share of the misses is the fetches': they came for all of it.
static void owe_misses(struct hierarchy *h, const struct instruction *leaves,
                       const struct instruction *in, unsigned sectors)
{
    h->owed[leaves->index] += sectors * (1 - hit_share(h, in));
}

// Whether sectors of a line that an instruction fetches or stores miss the L2: if it owes as many misses, and so many more.
static int misses_l2(struct hierarchy *h, const struct instruction *in, double sectors, double more)
{
    double *owed = &h->owed[in->index];
    if (*owed < sectors + more - 1e-9)
        return 0;
    *owed -= sectors;
    return 1;
}

// The share of what an instruction asks for of a line that is not in the L2, where not all of it is, in the mean over the launch:
// a warp that loads a row which starts within a sector finds that one, which it shares with another tile, and waits for the rest.
static double missed_share(const struct hierarchy *h, const struct instruction *in)
{
    const struct l2_hits *hits = &h->share->l2->of_instruction[in->index];
    return hits->of_missed_lines ? (double)(hits->sectors - hits->hits) / hits->of_missed_lines : 1;
}

// A number, 0 to 1, that looks like none before it, and is the same in every run.
static double next_random(uint64_t *state)
{
    double random = chance(*state);
    *state += UINT64_C(0x9E3779B97F4A7C15);
    return random;
}

// When a line is there that DRAM is asked for at `time`: some wait longer, and all longer beside others. The four lines of 512
// bytes, whoever asks for them, wait as long as each other while the first of them is on its way (flight_* in the
// microbenchmarks: copies by 4 bytes a thread are as fast as those by 16 that move as much at a time).
static double wait_for_dram(struct hierarchy *h, uint64_t line, double time)
{
    const struct sim_timing *t = h->t;
    uint64_t number = line / DRAM_VISIT_LINES + 1;
    struct dram_visit *visit = &h->visits[(line_hash(number) >> 32) % DRAM_VISITS];
    if (number != visit->number || time >= visit->there) {
        double mean = t->dram_latency + (time < h->dram_there ? t->dram_wait : 0),
               spread = t->dram_spread + h->share->dram_queue / 2;
        visit->number = number;
        visit->wait = mean + h->share->dram_queue - spread - spread * log(next_random(&h->random));
        visit->there = time + visit->wait;
    }
    h->dram_there = later(h->dram_there, time + visit->wait);
    return time + visit->wait;
}

// How much later than in the mean, or sooner, something is there, when this may differ by so many cycles.
static double unlike(struct hierarchy *h, double cycles)
{
    return cycles * (next_random(&h->random) - 0.5);
}

// Cycles that a load which hits the L2 waits for others that miss it.
static double wait_behind_misses(struct hierarchy *h)
{
    double late = h->share->late_hits, random = late > 0 ? next_random(&h->random) : 1;
    return random < late ? h->share->late_cycles * random / late : 0;
}

// A packet's turn on the way to the L2, with all SMs at it. Returns when it begins.
static double enter_way(struct hierarchy *h, double time, double cycles)
{
    return take_turn(h, &h->way_free, SIM_L2_PACKETS, later(time, h->reached), cycles * h->part);
}

// What a request takes of the way to the L2 that it misses, beside its own packet: it goes on to the other partition as often
// as lts__t_requests_srcunit_ltcfabric tells of an H200, by its sectors (docs/runs/l2-away.csv), of three as of four. What hits
// has a copy near.
static double away_packets(const struct hierarchy *h, unsigned sectors)
{
    static const double away[LINE_SECTORS] = {0.39, 0.76, 1, 1};
    return h->share->device->l2_partitions > 1 ? away[sectors - 1] : 0;
}

// The granule of that number, or else the one of its set that was used least recently.
static struct l2_granule *find_granule(const struct hierarchy *h, uint64_t number)
{
    struct l2_granule *set = h->granules + mixed_bits(number) % GRANULE_SETS * GRANULE_WAYS,
                      *oldest = set;
    for (int i = 0; i < GRANULE_WAYS; i++) {
        if (set[i].number == number)
            return &set[i];
        if (set[i].used < oldest->used)
            oldest = &set[i];
    }
    return oldest;
}

// Whether the SM loaded some of all granules that a line's sectors are in, as far as is known. *there becomes later when DRAM
// brings one of them later.
static int has_granules(const struct hierarchy *h, uint64_t line, unsigned sectors, double *there)
{
    const unsigned each = fetched_sectors(h->share->device);
    int all = 1;
    for (unsigned s = 0; s < LINE_SECTORS; s += each) {
        uint64_t number = line * LINE_SECTORS + s + 1;
        if (!(sectors >> s & ((1U << each) - 1)))
            continue;
        const struct l2_granule *granule = find_granule(h, number);
        if (granule->number == number)
            *there = later(*there, granule->there);
        else
            all = 0;
    }
    return all;
}

static void keep_granules(struct hierarchy *h, uint64_t line, unsigned sectors, double there)
{
    const unsigned each = fetched_sectors(h->share->device);
    for (unsigned s = 0; s < LINE_SECTORS; s += each) {
        uint64_t number = line * LINE_SECTORS + s + 1;
        if (sectors >> s & ((1U << each) - 1))
            *find_granule(h, number) = (struct l2_granule){number, ++h->granules_now, there};
    }
}

// Cycles, of all SMs, that what DRAM brings of a line's sectors keeps the L2 busy, with what it fetches with them.
static double missed_cycles(const struct hierarchy *h, unsigned sectors)
{
    unsigned brought = count(l2_fetched_with(sectors, fetched_sectors(h->share->device)));
    return h->t->l2_missed_sector * h->share->part_lines_a_stored_sector * brought;
}

// A line's sectors from the L2 or from DRAM. Returns when they are there: all when DRAM has brought those that miss. While an
// instruction owes few misses, those lines miss of whose granules the SM loaded nothing before, so that lanes that go along rows
// wait for DRAM together, and then none does.
static double fetch(struct hierarchy *h, const struct instruction *in, uint64_t line,
                    unsigned missing, double time)
{
    const struct sim_timing *t = h->t;
    unsigned sectors = count(missing);
    double brought = 0, share = missed_share(h, in), missed = sectors * share;
    int known = has_granules(h, line, missing, &brought),
        misses = misses_l2(h, in, missed, known ? HITS_IN_A_ROW * hit_share(h, in) : 0);
    double packets = 1 + (misses ? away_packets(h, sectors) : 0),
           way = enter_way(h, time, t->l2_load_packet * packets),
           turn = t->l2_load_turn + (misses ? share * missed_cycles(h, missing) : 0),
           start = take_turn(h, &h->l2_free, SIM_L2_REQUESTS, taken(h, way), turn * h->part);
    double data =
        take_turn(h, &h->read_free, SIM_L2_READ, start, t->l2_read_sector * sectors * h->part);
    // Some of the L2's slices have fewer requests waiting than others, and some are nearer.
    data += unlike(h, t->l2_wait_spread * (data - later(time, h->reached)));
    double there;
    if (misses) {
        there = brought =
            wait_for_dram(h, line, later(data, use_dram(h, start, missed * SECTOR_SIZE)));
    } else {
        double late = in->is_atomic ? 0 : wait_behind_misses(h);
        there = later(brought, data + t->l2_latency + unlike(h, t->l2_spread) + late);
    }
    keep_granules(h, line, missing, brought); // who waited does not hold up others
    return there;
}

static int is_cached(const struct hierarchy *h, const struct instruction *in,
                     const struct trace_line *line)
{
    if (is_local_line(line))
        return 1;
    return h->t->l1_holds_global && !in->is_volatile && !in->is_atomic && !in->passes_l1;
}

// The sectors of a line that L1 does not hold. Takes them to be there from now on; *done becomes
// later when those that it holds are still on their way.
static unsigned missing_sectors(struct hierarchy *h, struct l1_line *line, unsigned sectors,
                                double *done)
{
    if (line->sectors & sectors)
        *done = later(*done, line->ready);
    unsigned missing = sectors & ~(unsigned)line->sectors;
    line->sectors |= (uint8_t)sectors;
    line->used = ++h->l1_now;
    return missing;
}

// Atomics are neither loads nor stores.
static void count_load(struct l2_requests *requests, const struct instruction *in,
                       const struct trace_line *line, unsigned missing)
{
    if (in->is_atomic)
        return;
    requests->load_sectors += count(line->sectors);
    requests->reads += missing != 0;
    requests->read_sectors += count(missing);
    if (is_local_line(line))
        return;
    requests->global_sectors += count(line->sectors);
    requests->global_hits += count(line->sectors) - count(missing);
}

// DRAM moves what a store or an atomic brings it to move later on.
static void write_back(struct hierarchy *h, unsigned sectors, double time)
{
    use_dram(h, time, sectors * h->share->dram_a_stored_sector);
}

// When a line that L1 does not hold may be asked for: it needs a place there until it comes (places_* in the
// microbenchmarks), and so do all that are on their way.
static double find_place(struct hierarchy *h, double time)
{
    struct events *fetched = &h->fetched;
    while (fetched->count && fetched->heap[0].time <= time)
        events_pop(fetched);
    return fetched->count < h->l1_sets * L1_WAYS ? time : events_pop(fetched).time;
}

double hierarchy_load(struct hierarchy *h, const struct trace_item *item,
                      const struct trace_line *lines, double start, double *service)
{
    const struct sim_timing *t = h->t;
    double lookup = later(t->tag * item->lines, item->passes);
    double done = start + t->l1_latency + lookup - 1, packets = 0, waits = 0;
    reach(h, start);
    for (unsigned i = 0; i < item->lines; i++) {
        uint64_t number = number_of(h, &lines[i]);
        struct l1_line *line = is_cached(h, item->in, &lines[i]) ? find_l1(h, number) : NULL;
        unsigned missing =
            line ? missing_sectors(h, line, lines[i].sectors, &done) : lines[i].sectors;
        count_load(&h->requests, item->in, &lines[i], missing);
        owe_misses(h, item->in, item->in, count(lines[i].sectors));
        if (!missing)
            continue;
        unsigned sectors = count(missing);
        int needs_place = !item->in->is_atomic && !(line && line->ready > start + waits + packets);
        if (needs_place)
            waits = find_place(h, start + waits + packets) - start - packets;
        double there = fetch(h, item->in, number, missing, start + waits + packets);
        if (needs_place)
            events_push(&h->fetched, there, 0, 0);
        if (item->in->is_atomic)
            write_back(h, sectors, start + packets);
        packets += later(t->load_packet, t->load_sector * sectors);
        done = later(done, there);
        if (line)
            line->ready = later(line->ready, there);
    }
    *service = later(lookup, waits + packets);
    h->busy[SIM_GLOBAL_PIPE] += later(lookup, packets);
    return done + t->pass_return * (item->passes - 1);
}

// What L1 keeps of a line that is stored, and goes on to the L2: it makes room for it as for one that is loaded
// (local_store_* and evict_* in the microbenchmarks). Of a sector that is stored in part, what was stored is there then; the
// rest is taken to be there, too.
static void keep(struct hierarchy *h, const struct instruction *in, const struct trace_line *stored)
{
    if (!is_cached(h, in, stored))
        return;
    struct l1_line *line = find_l1(h, number_of(h, stored));
    line->sectors |= stored->sectors;
    line->used = ++h->l1_now;
}

// A line's turns on the way to the L2 and there: its sectors, and which bytes of them are stored where not all are. Returns
// when the last one begins.
static double enter_l2(struct hierarchy *h, const struct instruction *in, unsigned sectors,
                       unsigned asked, int names_bytes, double time)
{
    const struct sim_timing *t = h->t;
    double way = enter_way(h, time, t->l2_store_packet + t->l2_store_more * (sectors - 1)),
           sector = misses_l2(h, in, sectors, 0) ? t->l2_write_sector : t->l2_rewrite_sector,
           data = sectors * sector * h->part;
    h->busy[SIM_L2_WRITE] += data;
    double waits = names_bytes * t->l2_part_line + asked * h->share->held_up_a_stored_sector;
    return take_turn(h, &h->l2_free, SIM_L2_REQUESTS, taken(h, way), data + waits * h->part);
}

// Cycles in which the L2 takes nothing as sectors are pushed out, by the bytes that a request stores of one: more where lines
// are far from each other, but not where that falls into the time of another one, which is as likely as they follow each other
// by chance.
static double eviction_cycles(const struct hierarchy *h, double time)
{
    const struct sim_timing *t = h->t;
    double each = later(1, time - h->first_evicted) / (double)h->evictions,
           halves = h->share->part_bytes / (SECTOR_SIZE / 2.), near = t->l2_part_eviction * halves,
           lone = t->l2_lone_eviction * halves,
           alone = h->share->far_stores * exp(-lone * h->part / each);
    return near + alone * (lone - near);
}

// What is stored in part may push out other sectors that are there in part: DRAM completes these, and they are written to it.
// Of a sector to which no more is stored before it leaves the L2 that is what leaving takes.
static void complete(struct hierarchy *h, const struct trace_line *stored, double time)
{
    struct trace_line line = *stored;
    line.number = number_of(h, stored);
    unsigned sectors = h->parts ? part_sectors_store(h->parts, &line) : 0;
    if (!sectors)
        return;
    h->requests.completed += sectors;
    if (h->evictions == 0)
        h->first_evicted = time;
    h->evictions++;
    double followed = h->share->followed;
    take_turn(h, &h->l2_free, SIM_L2_REQUESTS, time, eviction_cycles(h, time) * followed * h->part);
    use_dram(h, time, sectors * (followed + h->share->undisturbed) * SECTOR_SIZE);
}

void hierarchy_join(struct hierarchy *h, struct stored_line *stored, const struct instruction *in,
                    const struct trace_line *line)
{
    struct trace_line *all = &stored->line;
    if (!stored->in)
        stored->in = in;
    all->number = line->number;
    all->sectors |= line->sectors;
    all->whole |= line->whole;
    for (unsigned s = 0; s < LINE_SECTORS; s++) {
        unsigned bytes = (unsigned)all->parts[s] + line->parts[s];
        all->whole |= (uint8_t)((bytes >= SECTOR_SIZE) << s);
        all->parts[s] = (uint8_t)(all->whole >> s & 1 ? 0 : bytes);
    }
    all->waits = (uint8_t)((all->waits | line->waits) & ~all->whole);
    stored->asked += count(line->sectors);
    if (!is_local_line(line))
        h->requests.parts += count(line->sectors) - count(line->whole);
    owe_misses(h, stored->in, in, count(line->sectors));
}

// Sends a line that is stored to the L2. Returns for how many cycles the unit is busy with it.
static double store_line(struct hierarchy *h, const struct stored_line *stored, double start)
{
    const struct sim_timing *t = h->t;
    const struct trace_line *line = &stored->line;
    unsigned sectors = count(line->sectors), whole = count(line->whole), parts = sectors - whole;
    double turn = enter_l2(h, stored->in, sectors, stored->asked, parts > 0, start);
    write_back(h, stored->asked, turn);
    complete(h, line, turn);
    keep(h, stored->in, line);
    h->requests.stores += stored->asked;
    if (!is_local_line(line))
        h->requests.parts_left += parts;
    h->requests.part_lines += parts > 0;
    h->requests.writes++;
    h->requests.write_sectors += sectors;
    return whole * t->store_sector + parts * t->store_part + (parts > 0) * t->store_part_line;
}

double hierarchy_store(struct hierarchy *h, const struct stored_line *lines, unsigned line_count,
                       double start)
{
    const struct sim_timing *t = h->t;
    double packets = 0, turns = h->busy[SIM_L2_REQUESTS];
    unsigned sectors = 0;
    if (line_count == 0) {
        h->busy[SIM_GLOBAL_PIPE]++;
        return 1;
    }
    reach(h, start);
    for (unsigned i = 0; i < line_count; i++) {
        packets += store_line(h, &lines[i], start);
        sectors += count(lines[i].line.sectors);
    }
    turns = h->busy[SIM_L2_REQUESTS] - turns;
    // Where the scheduler issues it again for each line there is no queue behind it.
    double ahead = t->replays ? 0 : t->stores_ahead * turns / sectors;
    h->busy[SIM_GLOBAL_PIPE] += later(1, packets);
    double gone = later(h->way_free, h->l2_free);
    return later(later(1, packets), taken(h, gone) - ahead - start);
}

void hierarchy_busy(const struct hierarchy *h, double now, double busy[SIM_RESOURCES])
{
    memcpy(busy, h->busy, sizeof h->busy);
    // Where the L2 waits, for DRAM or for the first request, not all that is still to come are turns.
    busy[SIM_L2_PACKETS] = later(0, busy[SIM_L2_PACKETS] - later(0, h->way_free - now));
    busy[SIM_L2_REQUESTS] = later(0, busy[SIM_L2_REQUESTS] - later(0, h->l2_free - now));
    busy[SIM_L2_READ] = later(0, busy[SIM_L2_READ] - later(0, h->read_free - now));
}
