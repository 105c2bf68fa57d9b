// What lies behind an SM's load/store unit, request by request, against what was measured on an NVIDIA H200
// and an H100 (docs/runs/micro-*.csv).
#include <math.h>

#include "base/sim_devices.h"
#include "near.h"
#include "recorded.h"
#include "sim/count/access.h"
#include "sim/ptx/module.h"
#include "sim/time/dram_time.h"
#include "sim/time/hierarchy.h"
#include "suites.h"

PROGRAM(sim_hierarchy, .seconds = 60)

static const struct sim_device *device(void)
{
    return sim_device_find("h200");
}

// The hierarchy of an SM whose first requests are long past.
static void open_reached(struct hierarchy *h, const struct memory_share *share)
{
    ck_assert(hierarchy_open(h, share));
    h->reached = -1;
}

// A store of lines that no other joins.
static double store_alone(struct hierarchy *h, const struct trace_item *item,
                          const struct trace_line *lines, double start)
{
    struct stored_line stored[LANES] = {0};
    for (unsigned i = 0; i < item->lines; i++)
        hierarchy_join(h, &stored[i], item->in, &lines[i]);
    return hierarchy_store(h, stored, item->lines, start);
}

// A hierarchy of which every load misses the L2, and a load past L1.
static const struct instruction past_l1 = {
    .opcode = "ld.volatile.global.u32", .size = 4, .vector = 1, .is_load = 1, .is_volatile = 1};
static struct l2_hits no_hits = {.sectors = 1};
static const struct l2_outcome missing = {.instruction_count = 1, .of_instruction = &no_hits};

// An SM's first request of a launch takes longer, a load or a store, and so does what follows it at once; nothing later
// does.
TEST(first_requests_take_longer, .times = 2)
{
    enum { FIRST = 10, AT_ONCE = 20, LATER = 10000 };
    const struct sim_timing *t = &device()->timing;
    const struct l2_outcome none = {.instruction_count = 1, .of_instruction = &(struct l2_hits){0}};
    struct memory_share share = {.device = device(), .l2 = &none, .busy_sms = 1};
    struct instruction store = {.opcode = "st.global.u32", .size = 4};
    struct trace_item load = {.in = &past_l1, .lines = 1, .passes = 1},
                      stored = {.in = &store, .lines = 1, .passes = 1};
    struct trace_line line = {.sectors = 1, .whole = 1};
    struct hierarchy h, reached;
    double service, busy[SIM_RESOURCES];
    ck_assert(hierarchy_open(&h, &share));
    open_reached(&reached, &share);
    if (_i) {
        store_alone(&h, &stored, &line, FIRST);
        store_alone(&reached, &stored, &line, FIRST);
        ck_assert(h.reached == FIRST + t->first_access);
    }
    double first = hierarchy_load(&h, &load, &line, AT_ONCE, &service),
           other = hierarchy_load(&reached, &load, &line, AT_ONCE, &service),
           longer = t->first_access - (_i ? AT_ONCE - FIRST : 0);
    assert_near(first - other, longer, 3, "cycles longer");
    hierarchy_busy(&h, AT_ONCE, busy);
    ck_assert(busy[SIM_L2_READ] >= 0 && busy[SIM_L2_REQUESTS] >= 0);
    first = hierarchy_load(&h, &load, &line, LATER, &service);
    other = hierarchy_load(&reached, &load, &line, LATER, &service);
    ck_assert(first == other);
    hierarchy_close(&h);
    hierarchy_close(&reached);
}

// Of loads of a sector each, one after the other, those that wait for DRAM: longer than for any hit. Line i is `apart` i.
static unsigned misses_of(struct hierarchy *h, unsigned sector, uint64_t first, uint64_t apart,
                          double *time)
{
    const struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
    const struct sim_timing *t = &device()->timing;
    unsigned misses = 0;
    for (unsigned i = 0; i < LANES; i++, *time += 1e4) {
        struct trace_line line = {.number = first + i * apart, .sectors = (uint8_t)(1 << sector)};
        double service, wait = hierarchy_load(h, &item, &line, *time, &service) - *time;
        misses += wait >= t->dram_latency - t->dram_spread;
    }
    return misses;
}

// Half of what lanes load that go along rows misses the L2, which fetches 64 bytes: all first halves of them, and no second
// ones, which come with them. Of loads that come back to the same lines, and yet miss as often, half do in the long run.
TEST(what_the_l2_fetched_hits)
{
    const struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
    struct trace_line line = {.number = 50, .sectors = 1};
    struct l2_hits half = {.sectors = 2, .hits = 1};
    const struct l2_outcome l2 = {.instruction_count = 1, .of_instruction = &half};
    const struct memory_share share = {.device = device(), .l2 = &l2, .busy_sms = 1};
    enum { PAIRS = 20, FIRST_PAIRS = 2, ROUNDS = 400 };
    struct hierarchy h;
    double time = 0;
    open_reached(&h, &share);
    for (unsigned pair = 0; pair < PAIRS; pair++) {
        uint64_t first = pair / 2 + pair % 2 * UINT64_C(1000000);
        unsigned sector = pair % 2 * 2, before = misses_of(&h, sector, first, 100, &time),
                 beside = misses_of(&h, sector + 1, first, 100, &time);
        if (pair < FIRST_PAIRS)
            continue;
        ck_assert_msg(before == LANES && beside == 0, "pair %u: %u and %u miss", pair, before,
                      beside);
    }
    double there, service;
    do // the half before has what this one owes
        there = hierarchy_load(&h, &item, &line, time += 1e4, &service), line.number++;
    while (there - time < device()->timing.dram_latency - device()->timing.dram_spread);
    line = (struct trace_line){.number = line.number - 1, .sectors = 2};
    ck_assert(hierarchy_load(&h, &item, &line, time + 1, &service) == there);
    unsigned misses = 0;
    for (unsigned i = 0; i < ROUNDS; i++)
        misses += misses_of(&h, 0, 0, 100, &time);
    assert_near(misses, (ROUNDS * LANES - 2048) / 2., 1, "misses of lines that were loaded before");
    hierarchy_close(&h);
}

// What the L2 of a GPU that was measured has of a line, one sector of which was just loaded from DRAM.
TEST(the_l2_fetches_what_was_measured, .times = RECORDED_GPUS)
{
    const char *gpu = recorded_gpus[_i];
    const double hit = recorded(gpu, "l2_fetched_sector_0_1_SMs");
    for (unsigned sector = 1; sector < LINE_SECTORS; sector++) {
        char name[64];
        snprintf(name, sizeof name, "l2_fetched_sector_%u_1_SMs", sector);
        const double cycles = recorded(gpu, name);
        if (sector < fetched_sectors(sim_device_find(gpu)))
            ck_assert_double_eq_tol(cycles, hit, 0.02 * hit);
        else
            ck_assert_double_gt(cycles, 2 * hit);
    }
}

// The mean of what loads of one line wait that the L2 has, so many cycles apart, where DRAM reads for that share of the time.
static double mean_of_hits(const struct sim_device *simulated, double load, double apart)
{
    enum { LOADS = 20000 };
    struct l2_hits all = {.sectors = 1, .hits = 1};
    const struct l2_outcome l2 = {.instruction_count = 1, .of_instruction = &all, .read_bytes = 1};
    const struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
    const struct trace_line line = {.sectors = 1};
    struct memory_share share = {
        .device = simulated, .l2 = &l2, .busy_sms = 1, .l1_bytes = simulated->timing.l1_bytes};
    struct hierarchy h;
    double sum = 0, service;
    memory_share_at(&share, load);
    open_reached(&h, &share);
    for (int i = 0; i < LOADS; i++)
        sum += hierarchy_load(&h, &item, &line, i * apart, &service) - i * apart;
    hierarchy_close(&h);
    return sum / LOADS;
}

// How much longer loads of what the L2 has take beside others that DRAM brings, of so many warps an SM: each for itself.
TEST(hits_wait_beside_misses_as_recorded, .times = RECORDED_GPUS)
{
    const char *gpu = recorded_gpus[_i];
    const struct sim_device *simulated = sim_device_find(gpu);
    const double alone = mean_of_hits(simulated, 0, 1e4);
    for (int warps = 1; warps <= 16; warps *= 2) {
        char name[64];
        snprintf(name, sizeof name, "misses_%d_warps_beside_l2_hits", warps);
        double load = recorded(gpu, name) * simulated->sm_clock_mhz * 1e-3 /
                      simulated->timing.dram_read_gbs,
               mean = mean_of_hits(simulated, load, 1e4);
        snprintf(name, sizeof name, "l2_hit_beside_misses_%d_warps", warps);
        ck_assert_double_eq_tol(
            mean - alone, recorded(gpu, name) - recorded(gpu, "l2_hit_beside_hits_1_warps"), 20);
        assert_near(mean_of_hits(simulated, load, 20), mean, 1,
                    "cycles where the line is asked for often");
    }
}

// The mean of what requests of `lines` lines wait, so many lines apart, when others are on their way or not.
static double mean_wait(unsigned lines, uint64_t apart, int others)
{
    enum { LOADS = 20000 };
    const struct sim_timing *t = &device()->timing;
    struct memory_share share = {
        .device = device(), .l2 = &missing, .busy_sms = 1, .l1_bytes = t->l1_bytes};
    struct trace_item item = {.in = &past_l1, .lines = (uint16_t)lines, .passes = (uint8_t)lines};
    struct trace_line at[LANES];
    for (unsigned i = 0; i < LANES; i++)
        at[i] = (struct trace_line){.number = i * apart, .sectors = 15};
    struct hierarchy h;
    double sum = 0, service;
    open_reached(&h, &share);
    for (int i = 0; i < LOADS; i++) {
        h.dram_there = others ? INFINITY : 0;
        double wait = hierarchy_load(&h, &item, at, i * 1e4, &service) - i * 1e4;
        ck_assert_msg(wait >= t->dram_latency - t->dram_spread, "%g cycles", wait);
        sum += wait;
    }
    hierarchy_close(&h);
    return sum / LOADS;
}

// One waits for DRAM as long as the record's mean, and longer beside others; of many, for the longest, which
// exponential waits make as many means longer as the sum of 1 / i. Four lines side by side wait together.
TEST(waits_for_dram_are_spread)
{
    const struct sim_timing *t = &device()->timing;
    const double returned = t->pass_return * (LANES - 1) + (LANES - 1);
    double longest = t->dram_latency + t->dram_wait - t->dram_spread;
    for (int i = 1; i <= LANES; i++)
        longest += t->dram_spread / i;
    double one = mean_wait(1, 16, 0);
    assert_near(one, t->dram_latency, 1, "cycles of one");
    ck_assert(one == mean_wait(1, 16, 0)); // the same in every run
    assert_near(mean_wait(1, 16, 1) - one, t->dram_wait, 2, "cycles longer beside others");
    assert_near(mean_wait(LANES, 16, 1), longest + returned, 2, "cycles of 32 pages");
    assert_near(mean_wait(4, 1, 0), t->dram_latency + returned * 3 / 31, 2, "cycles of four");
    double of_two = t->dram_latency + t->dram_wait + t->dram_spread / 2;
    assert_near(mean_wait(8, 1, 1), of_two + returned * 7 / 31, 2, "cycles of twice four");
}

// Who asks for a line beside one that is on its way waits as long for it as that did; not when that is there.
TEST(neighbours_wait_alike)
{
    struct memory_share share = {.device = device(), .l2 = &missing, .busy_sms = 1};
    struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
    struct hierarchy h;
    int alike = 0;
    open_reached(&h, &share);
    for (uint64_t i = 0; i < 100; i++) {
        double waits[3], starts[] = {1e4 * i, 1e4 * i + 100, 1e4 * i + 5000}, service;
        for (int k = 0; k < 3; k++) {
            struct trace_line line = {.number = 4 * i + k, .sectors = 15};
            h.dram_there = 0;
            waits[k] = hierarchy_load(&h, &item, &line, starts[k], &service) - starts[k];
        }
        ck_assert_double_eq_tol(waits[0], waits[1], 1e-6);
        alike += fabs(waits[0] - waits[2]) < 1e-6;
    }
    ck_assert_int_eq(alike, 0);
    hierarchy_close(&h);
}

// A warp goes along a line word by word, and one load in eight comes to another sector: all that L1 does not have
// misses the L2 of a V100, which fetches one sector at a time, though of all loads only an eighth does.
TEST(who_misses_l1_misses_the_l2_for_those_who_hit_it)
{
    enum { LINES = 64, WORDS = LINE_SIZE / 4, A_SECTOR = SECTOR_SIZE / 4 };
    const struct sim_device *v100 = sim_device_find("v100");
    const struct sim_timing *t = &v100->timing;
    struct l2_hits hits = {.sectors = A_SECTOR, .hits = A_SECTOR - 1};
    const struct l2_outcome l2 = {.instruction_count = 1, .of_instruction = &hits};
    struct memory_share share = {.device = v100, .l2 = &l2, .busy_sms = 1, .l1_bytes = 64 << 10};
    struct instruction in = past_l1;
    in.is_volatile = 0;
    struct trace_item item = {.in = &in, .lines = 1, .passes = 1};
    struct hierarchy h;
    double now = 0, service;
    int from_dram = 0, from_l1 = 0;
    open_reached(&h, &share);
    for (int word = 0; word < LINES * WORDS; word++) {
        struct trace_line line = {.number = (uint64_t)word / WORDS,
                                  .sectors = (uint8_t)(1u << word % WORDS / A_SECTOR)};
        double wait = hierarchy_load(&h, &item, &line, now, &service) - now;
        from_dram += wait >= t->dram_latency - t->dram_spread;
        from_l1 += wait <= t->l1_latency + 1;
        now += 1e4;
    }
    hierarchy_close(&h);
    int sectors = LINES * LINE_SIZE / SECTOR_SIZE;
    ck_assert_int_eq(from_l1, LINES * WORDS - sectors);
    ck_assert_msg(from_dram >= sectors - 1, "%d of %d", from_dram,
                  sectors); // the first owes too little
}

// What DRAM brings, in sectors, of rows that lie in two lines each, so many sectors in the first of them and the rest in the
// second, of which the L2 had those hits; and how many lines waited for it.
enum { ROW_SECTORS = 5, SPLITS = ROW_SECTORS - 1, EACH_SPLIT = 50 };
static double brought_of_rows(struct l2_hits hits, unsigned first, int *waited)
{
    const struct sim_timing *t = &device()->timing;
    const struct l2_outcome l2 = {.instruction_count = 1, .of_instruction = &hits};
    struct memory_share share = {.device = device(), .l2 = &l2, .busy_sms = 1, .dram_byte = 1};
    struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
    struct hierarchy h;
    double service;
    open_reached(&h, &share);
    *waited = 0;
    for (unsigned line = 0; line < 2 * SPLITS * EACH_SPLIT; line++) {
        unsigned left = first ? first : 1 + line / 2 % SPLITS,
                 sectors = (1U << (line % 2 ? ROW_SECTORS - left : left)) - 1;
        struct trace_line row = {.number = 1000 * (uint64_t)line, .sectors = (uint8_t)sectors};
        double now = 1e4 * line, there = hierarchy_load(&h, &item, &row, now, &service);
        *waited += there - now >= t->dram_latency - t->dram_spread;
    }
    hierarchy_close(&h);
    return h.busy[SIM_DRAM_DATA] / SECTOR_SIZE;
}

// A row that starts within a sector shares that one with the tile beside it: one in five is in the L2, and DRAM brings the rest of
// both lines. What it brings is what missed, however the lines are split.
TEST(lines_of_which_a_sector_is_there_wait_for_the_rest)
{
    enum { COUNT = SPLITS * EACH_SPLIT, LINES = 2 * COUNT };
    const struct l2_hits one = {.sectors = 5, .hits = 1, .of_missed_lines = 5},
                         none = {.sectors = 5, .of_missed_lines = 5},
                         whole = {.sectors = 5, .hits = 1, .of_missed_lines = 4};
    int waited;
    ck_assert_double_eq_tol(brought_of_rows(one, 3, &waited), COUNT * 4, ROW_SECTORS);
    ck_assert_int_ge(waited, LINES - 1);
    ck_assert_double_eq_tol(brought_of_rows(one, 0, &waited), COUNT * 4, ROW_SECTORS);
    ck_assert_int_ge(waited, LINES - 1);
    ck_assert_double_eq_tol(brought_of_rows(none, 0, &waited), COUNT * 5, ROW_SECTORS);
    ck_assert_int_ge(waited, LINES - 1);
    // Where the sector that is there is all of its line, others do without DRAM.
    ck_assert_double_eq_tol(brought_of_rows(whole, 4, &waited), COUNT * 4, ROW_SECTORS);
    ck_assert_int_lt(waited, LINES - COUNT / ROW_SECTORS);
}

// How many of some lines that were loaded L1 still has when so many others have been stored; or, `again`, of what was stored.
static double kept(unsigned stored, uint8_t sectors, int passes_l1, int again)
{
    enum { LOADED = 256 };
    struct memory_share share = {
        .device = device(), .l2 = &missing, .busy_sms = 1, .l1_bytes = device()->timing.l1_bytes};
    struct instruction load = past_l1,
                       store = {.opcode = "st.global.u32", .size = 4, .passes_l1 = passes_l1 != 0};
    load.is_volatile = 0;
    struct trace_item load_item = {.in = &load, .lines = 1, .passes = 1},
                      store_item = {.in = &store, .lines = 1, .passes = 1};
    struct hierarchy h;
    double service;
    open_reached(&h, &share);
    for (uint64_t i = 0; i < LOADED; i++)
        hierarchy_load(&h, &load_item, &(struct trace_line){.number = i, .sectors = sectors}, 0,
                       &service);
    for (uint64_t i = 0; i < stored; i++)
        store_alone(&h, &store_item, &(struct trace_line){.number = LOADED + i, .sectors = sectors},
                    0);
    h.requests = (struct l2_requests){0};
    for (uint64_t i = 0; i < (again ? stored : LOADED); i++) {
        struct trace_line line = {.number = i + (again ? LOADED : 0), .sectors = sectors};
        hierarchy_load(&h, &load_item, &line, 1e6, &service);
    }
    hierarchy_close(&h);
    return h.requests.global_hits / h.requests.load_sectors;
}

// evict_*_lines_* in the records: of 32 KiB that were loaded all is there when 128 KiB have been stored since, by whole lines
// or words, and nothing when it is 384; what was stored last is there, too.
TEST(stores_push_lines_out_of_l1, .times = 2)
{
    const uint8_t sectors = _i ? 15 : 1;
    ck_assert_double_gt(kept(1024, sectors, 0, 0), 0.9);
    ck_assert_double_lt(kept(3072, sectors, 0, 0), 0.1);
    ck_assert_double_eq_tol(kept(3072, sectors, 1, 0), 1, 1e-9);
    ck_assert_double_gt(kept(512, sectors, 0, 1), 0.98);
    ck_assert_double_eq_tol(kept(512, sectors, 1, 1), 0, 1e-9);
}

// Lines with sectors that come in parts from two warps hold DRAM up, and the L2 if they are far from others: a line of
// strips_32_words_1_stores_8192_rows in the record, and one of _8_words, where rows start within sectors.
TEST(split_lines_hold_up_dram_and_the_l2, .times = 2)
{
    static const struct {
        uint16_t requests;
        uint8_t sectors[5], whole[5];
        double far_sectors, far_parts, completed, cycles;
    } lines[] = {{2, {14, 3}, {12, 1}, 1, 2, 0.061, 20.6},
                 {5, {3, 3, 3, 1, 1}, {0}, 4, 8, 0.227, 37.9}};
    struct l2_outcome l2 = missing;
    l2.write_bytes = LINE_SIZE;
    l2.split_lines = 1;
    double near = near_split_cycles(device(), &l2);
    ck_assert(near == device()->timing.dram_split_line && far_split_cycles(device(), &l2) == 0);
    l2.open.sectors = 80;
    l2.open.own = 16;
    l2.open.distant = 1;
    ck_assert(near_split_cycles(device(), &l2) == near && far_split_cycles(device(), &l2) == 0);
    l2.open.distant = 1.01; // of 64: none are in step
    double out_of_step = far_split_cycles(device(), &l2);
    ck_assert(near_split_cycles(device(), &l2) == 0);
    const struct l2_outcome one_far_sector = {
        .split_lines = 1, .far_split_lines = 1, .far_split_sectors = 1, .far_split_parts = 2};
    l2.far_split_lines = 1;
    l2.far_split_sectors = lines[_i].far_sectors;
    l2.far_split_parts = lines[_i].far_parts;
    double held_up = far_split_cycles(device(), &l2);
    ck_assert(held_up > near && near_split_cycles(device(), &l2) == 0);
    ck_assert_double_eq_tol(out_of_step, far_split_cycles(device(), &one_far_sector), 1e-9);

    struct instruction in = {.opcode = "st.global.u32", .size = 4};
    struct trace_item item = {.in = &in, .lines = lines[_i].requests, .passes = 1};
    struct trace_line at[5];
    unsigned sectors = 0;
    for (unsigned i = 0; i < item.lines; i++) {
        at[i] = (struct trace_line){
            .number = i, .sectors = lines[_i].sectors[i], .whole = lines[_i].whole[i]};
        sectors += (unsigned)__builtin_popcount(at[i].sectors);
    }
    held_up += lines[_i].completed * device()->timing.l2_part_eviction;
    struct memory_share share = {.device = device(),
                                 .l2 = &l2,
                                 .busy_sms = device()->sms,
                                 .held_up_a_stored_sector = held_up / sectors};
    struct hierarchy h;
    open_reached(&h, &share);
    store_alone(&h, &item, at, 0);
    // Here no part finds another one: so it takes the L2 less than strips do.
    assert_near(h.l2_free, lines[_i].cycles, 6, "cycles of the L2");
    hierarchy_close(&h);
}

// As strips_*_loading_* are, beside stores of parts: by what is fetched together.
TEST(what_dram_brings_takes_the_l2_longer_beside_parts, .times = 2)
{
    static const uint8_t sectors[] = {1, 15}, brought[] = {2, 4};
    const struct l2_outcome none = {.instruction_count = 1, .of_instruction = &(struct l2_hits){0}};
    const double PARTS = 0.5;
    double turns[4];
    for (int i = 0; i < 4; i++) {
        struct memory_share share = {.device = device(),
                                     .l2 = i / 2 ? &none
                                                 : &missing, // what is too few for a sample hits
                                     .busy_sms = device()->sms,
                                     .part_lines_a_stored_sector = i % 2 * PARTS};
        struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
        struct trace_line line = {.sectors = sectors[_i]};
        struct hierarchy h;
        double service;
        open_reached(&h, &share);
        hierarchy_load(&h, &item, &line, 0, &service);
        turns[i] = h.busy[SIM_L2_REQUESTS];
        hierarchy_close(&h);
    }
    double longer = PARTS * brought[_i] * device()->timing.l2_missed_sector;
    ck_assert_double_eq_tol(turns[1] - turns[0], longer, 1e-9);
    ck_assert(longer > 0 && turns[3] == turns[2]);
}

// Cycles of the L2 that each line takes that is pushed out by stores of so many bytes of a sector, so many cycles apart, where
// others come before it leaves the L2 as often.
static double cycles_of_eviction(double far_stores, unsigned bytes, double apart, double followed)
{
    enum { LINES = 1 << 14 };
    struct memory_share share = {.device = device(),
                                 .l2 = &missing,
                                 .busy_sms = device()->sms,
                                 .unfinished = 1,
                                 .followed = followed,
                                 .far_stores = far_stores,
                                 .part_bytes = bytes};
    struct instruction in = {.opcode = "st.global.u32", .size = 4};
    struct trace_item item = {.in = &in, .lines = 1, .passes = 1};
    double cycles[2];
    for (int waits = 0; waits < 2; waits++) {
        struct hierarchy h;
        open_reached(&h, &share);
        for (unsigned i = 0; i < LINES; i++) {
            struct trace_line line = {
                .number = i, .sectors = 1, .parts = {(uint8_t)bytes}, .waits = (uint8_t)waits};
            store_alone(&h, &item, &line, i * apart);
        }
        cycles[waits] = h.busy[SIM_L2_REQUESTS];
        if (waits)
            cycles[1] = (cycles[1] - cycles[0]) / h.requests.completed;
        else
            ck_assert(h.requests.completed == 0);
        hierarchy_close(&h);
    }
    return cycles[1];
}

// What is pushed out holds up the L2 longer the more bytes are stored at a time, and where lines are far from each other, but
// not where others are pushed out in that time: rows_*_bytes_* and l2_unfinished_* in the record. Nor where no more of it comes.
TEST(lone_evictions_take_longer)
{
    enum { LONG = 1000000, MIDDLE = 500, HALF = SECTOR_SIZE / 2 };
    const struct sim_timing *t = &device()->timing;
    double half = t->l2_lone_eviction, part = t->l2_part_eviction;
    assert_near(cycles_of_eviction(0, HALF, LONG, 1), part, 1, "cycles, near");
    assert_near(cycles_of_eviction(1, HALF, LONG, 1), half, 1, "cycles, far");
    assert_near(cycles_of_eviction(1, HALF / 2, LONG, 1), half / 2, 1, "cycles, of a quarter");
    assert_near(cycles_of_eviction(0, HALF / 2, LONG, 1), part / 2, 1,
                "cycles, near, of a quarter");
    double middle = cycles_of_eviction(1, HALF, MIDDLE, 1),
           half_far = cycles_of_eviction(0.5, HALF, MIDDLE, 1);
    assert_near(cycles_of_eviction(1, HALF, LONG, 0.25), half / 4, 1, "cycles, few followed");
    ck_assert_double_lt(cycles_of_eviction(1, HALF, 0, 1), 0.5 * (part + half));
    ck_assert(middle > 0.7 * half && middle < 0.95 * half);
    assert_near(half_far, (middle + part) / 2, 1, "cycles, half of it far");
}

// A warp's loads and stores of one turn, of so many lines each: a sector of 32 lines is loaded or a part of it stored, else
// they are whole.
struct mix {
    unsigned loads, load_lines, stores, store_lines;
};

// The cycles that they take with all SMs at it, on the way to the L2 or in it.
static double cycles_of_mix(const struct sim_device *gpu, const struct mix *mix)
{
    const struct l2_outcome held = {.instruction_count = 1, .of_instruction = &(struct l2_hits){0}};
    struct memory_share share = {.device = gpu, .l2 = &held, .busy_sms = gpu->sms};
    struct instruction store = {.opcode = "st.global.u32", .size = 4};
    struct trace_item load = {.in = &past_l1, .lines = 1, .passes = 1},
                      stored = {.in = &store, .lines = 1, .passes = 1};
    struct hierarchy h;
    double service, busy[SIM_RESOURCES];
    open_reached(&h, &share);
    for (unsigned i = 0; i < mix->loads * mix->load_lines; i++) {
        struct trace_line line = {.number = i, .sectors = mix->load_lines == LANES ? 1 : 15};
        (void)hierarchy_load(&h, &load, &line, 0, &service);
    }
    for (unsigned i = 0; i < mix->stores * mix->store_lines; i++) {
        struct trace_line part = {.number = i, .sectors = 1, .parts = {4}},
                          whole = {.number = i, .sectors = 15, .whole = 15};
        store_alone(&h, &stored, mix->store_lines == LANES ? &part : &whole, 0);
    }
    hierarchy_busy(&h, 1e9, busy);
    hierarchy_close(&h);
    return fmax(fmax(busy[SIM_L2_PACKETS], busy[SIM_L2_REQUESTS]), busy[SIM_L2_READ]);
}

// As tests/micro/mixes.cu measured it on both GPUs; but for whole lines that are loaded alone, for which its warps wait longer
// than the L2 takes.
TEST(loads_and_stores_share_the_way_and_the_l2, .times = RECORDED_GPUS)
{
    static const struct mix mixes[] = {
        {4, 32, 0, 32}, {0, 32, 4, 32}, {1, 32, 4, 32}, {2, 32, 4, 32},
        {4, 32, 4, 32}, {4, 32, 1, 32}, {8, 32, 1, 32}, {0, 32, 4, 4},
        {1, 32, 4, 4},  {2, 32, 4, 4},  {4, 32, 4, 4},  {4, 32, 1, 4},
        {8, 32, 4, 4},  {8, 1, 4, 32},  {8, 1, 4, 4},   {16, 1, 4, 4}};
    const char *gpu = recorded_gpus[_i];
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        const struct mix *mix = &mixes[i];
        char name[80];
        snprintf(name, sizeof name, "mix_%ux%u_lines_loaded_%ux%u_stored", mix->loads,
                 mix->load_lines, mix->stores, mix->store_lines);
        assert_near(cycles_of_mix(sim_device_find(gpu), mix), recorded(gpu, name), 10, name);
    }
}

// A warp has its data later the more lines it asked L1 for, and much later if they lie in the same banks:
// l1_latency_N_lines and l1_latency_N_lines_spread in the record.
TEST(passes_return_one_after_the_other)
{
    static const struct {
        uint16_t lines;
        uint8_t passes;
        double cycles;
    } measured[] = {{1, 1, 32},    {2, 2, 34.02}, {8, 8, 47.02}, {16, 16, 65.02},
                    {32, 32, 101}, {8, 2, 35.02}, {32, 2, 41.02}};
    struct memory_share share = {
        .device = device(), .l2 = &missing, .busy_sms = 1, .l1_bytes = 64 << 10};
    struct instruction in = past_l1;
    struct trace_item item = {.in = &in};
    struct trace_line at[LANES];
    struct hierarchy h;
    double service;
    in.is_volatile = 0;
    for (unsigned i = 0; i < LANES; i++)
        at[i] = (struct trace_line){.number = i, .sectors = 1};
    open_reached(&h, &share);
    item.lines = LANES;
    hierarchy_load(&h, &item, at, 0, &service);
    for (size_t i = 0; i < sizeof measured / sizeof *measured; i++) {
        item.lines = measured[i].lines;
        item.passes = measured[i].passes;
        assert_near(hierarchy_load(&h, &item, at, 1e6, &service) - 1e6, measured[i].cycles, 3,
                    "cycles");
    }
    hierarchy_close(&h);
}

// What a store or an atomic leaves to be moved is in DRAM's queue: a load that misses waits for it.
TEST(loads_wait_for_what_was_stored)
{
    struct l2_hits hits[2] = {{.sectors = 1, .hits = 1}};
    struct l2_outcome l2 = {.instruction_count = 1, .of_instruction = hits};
    struct memory_share share = {
        .device = device(), .l2 = &l2, .busy_sms = 1, .dram_byte = 1, .dram_a_stored_sector = 64};
    struct instruction in = {.opcode = "red.global.add.u32", .size = 4, .vector = 1};
    struct trace_item item = {.in = &in, .lines = 2, .passes = 2};
    const struct trace_line lines[] = {{.number = 1, .sectors = 15, .whole = 15},
                                       {.number = 2, .sectors = 1}};
    for (in.is_atomic = 0; in.is_atomic < 2; in.is_atomic++) {
        struct hierarchy h;
        double service;
        open_reached(&h, &share);
        if (in.is_atomic)
            hierarchy_load(&h, &item, lines, 0, &service);
        else
            store_alone(&h, &item, lines, 0);
        assert_near(h.dram_free, 5 * 64, 2, "cycles of DRAM");
        hierarchy_close(&h);
    }
}

// The load/store unit is busy with a store until the L2 has taken all but what may be on its way; and DRAM holds up the
// L2 when it is too far behind.
TEST(stores_leave_the_unit_when_the_l2_takes_them)
{
    enum { STORES = 200, FULL = 16 }; // FULL: sectors of a request
    const struct sim_timing *t = &device()->timing;
    struct l2_hits hits = {.sectors = 1, .hits = 1};
    const struct l2_outcome l2 = {.instruction_count = 1, .of_instruction = &hits};
    struct memory_share share = {.device = device(),
                                 .l2 = &l2,
                                 .busy_sms = device()->sms,
                                 .dram_a_stored_sector = SECTOR_SIZE};
    struct instruction in = {.opcode = "st.global.v4.u32", .size = 16, .vector = 4};
    struct trace_item item = {.in = &in, .lines = FULL / 4, .passes = 4};
    struct trace_line lines[FULL / 4] = {{0}};
    for (unsigned i = 0; i < FULL / 4; i++)
        lines[i] = (struct trace_line){.number = i, .sectors = 15, .whole = 15};
    for (share.dram_byte = 0; share.dram_byte < 1; share.dram_byte += 0.25) {
        struct hierarchy h;
        open_reached(&h, &share);
        double first = store_alone(&h, &item, lines, 0), now = first;
        ck_assert(first == FULL * t->store_sector);
        for (int i = 1; i < STORES; i++)
            now += store_alone(&h, &item, lines, now);
        double sector = t->l2_rewrite_sector, dram = share.dram_byte * SECTOR_SIZE,
               on_the_way = dram > sector
                                ? t->dram_behind * share.dram_byte + t->stores_ahead * sector
                                : t->stores_ahead * sector;
        assert_near(now, STORES * FULL * fmax(sector, dram) - on_the_way, 1, "cycles of stores");
        hierarchy_close(&h);
    }
}

// Stores of single sectors keep the way to the L2 busy for longer than the L2 itself, and the unit as long.
TEST(stores_leave_the_unit_when_they_are_on_the_way)
{
    enum { STORES = 400, LINES = 16 };
    const struct sim_timing *t = &device()->timing;
    struct memory_share share = {.device = device(), .l2 = &missing, .busy_sms = device()->sms};
    struct instruction in = {.opcode = "st.global.v4.u32", .size = 16, .vector = 4};
    struct trace_item item = {.in = &in, .lines = LINES, .passes = 4};
    struct trace_line lines[LINES];
    for (unsigned i = 0; i < LINES; i++)
        lines[i] = (struct trace_line){.number = i, .sectors = 1, .whole = 1};
    struct hierarchy h;
    open_reached(&h, &share);
    h.is_together = 0; // the L2's turns do not wait for the way then
    double now = 0;
    for (int i = 0; i < STORES; i++)
        now += store_alone(&h, &item, lines, now);
    ck_assert(t->l2_store_packet > 1.2 * t->l2_write_sector);
    assert_near(now / (STORES * LINES), t->l2_store_packet, 4, "cycles of a sector");
    hierarchy_close(&h);
}

// What an SM takes for a line that asks for more words of lines than L1 has places: places_* in the records. A place is taken for
// longer on the GPUs than a load of the L2 alone waits.
TEST(lines_that_are_fetched_need_places, .times = RECORDED_GPUS)
{
    enum { LOADED = 32768 };
    static const struct {
        const char *name;
        size_t l1_kib;
        int misses;
    } measured[] = {
        {"places_l2_1_sectors_28_kib", 28, 0},   {"places_dram_1_sectors_28_kib", 28, 1},
        {"places_l2_1_sectors_60_kib", 60, 0},   {"places_dram_1_sectors_60_kib", 60, 1},
        {"places_l2_1_sectors_256_kib", 256, 0}, {"places_dram_1_sectors_256_kib", 256, 1}};
    const char *gpu = recorded_gpus[_i];
    const struct l2_outcome held = {.instruction_count = 1, .of_instruction = &(struct l2_hits){0}};
    struct trace_item item = {.in = &past_l1, .lines = LANES, .passes = 1};
    for (size_t m = 0; m < sizeof measured / sizeof *measured; m++) {
        struct memory_share share = {.device = sim_device_find(gpu),
                                     .l2 = measured[m].misses ? &missing : &held,
                                     .busy_sms = 1,
                                     .l1_bytes = measured[m].l1_kib << 10};
        struct hierarchy h;
        open_reached(&h, &share);
        double unit = 0, there = 0, service;
        for (uint64_t line = 0; line < LOADED; line += LANES) {
            struct trace_line lines[LANES];
            for (unsigned i = 0; i < LANES; i++)
                lines[i] = (struct trace_line){.number = line + i, .sectors = 1};
            there = fmax(there, hierarchy_load(&h, &item, lines, unit, &service));
            unit += service;
        }
        // The unit waits for places, and is not busy meanwhile.
        assert_near(h.busy[SIM_GLOBAL_PIPE], LOADED * share.device->timing.load_packet, 1, "busy");
        assert_near(there / LOADED, recorded(gpu, measured[m].name), 30, measured[m].name);
        hierarchy_close(&h);
    }
}

// Who asks for another sector of a line that is on its way needs no place of its own.
TEST(sectors_of_a_line_share_a_place)
{
    enum { L1_LINES = 64 };
    struct memory_share share = {
        .device = device(), .l2 = &missing, .busy_sms = 1, .l1_bytes = L1_LINES * LINE_SIZE};
    struct instruction in = past_l1;
    struct trace_item item = {.in = &in, .lines = 1, .passes = 1};
    struct hierarchy h;
    double service;
    in.is_volatile = 0;
    open_reached(&h, &share);
    for (uint64_t i = 0; i < 2 * L1_LINES; i++) {
        struct trace_line line = {.number = i / 2, .sectors = (uint8_t)(1 + i % 2)};
        hierarchy_load(&h, &item, &line, 0, &service);
        ck_assert_double_lt(service, 2);
    }
    struct trace_line next = {.number = L1_LINES, .sectors = 1}, held = {.sectors = 4};
    hierarchy_load(&h, &item, &next, 0, &service);
    ck_assert_double_gt(service, device()->timing.dram_latency / 2);
    // A line that has come needs one again for another sector: so many, and the next waits.
    for (uint64_t i = 1; i <= L1_LINES; i++, held.number++) {
        hierarchy_load(&h, &item, &held, 1e6, &service);
        ck_assert_double_lt(service, 2);
    }
    hierarchy_load(&h, &item, &(struct trace_line){.number = 1000, .sectors = 1}, 1e6, &service);
    ck_assert_double_gt(service, device()->timing.dram_latency / 2);
    hierarchy_close(&h);
}

// What the L2 misses takes more of the way there, as it goes on to the other partition, if there is one: as often as was
// counted (docs/runs/l2-away.csv).
TEST(what_misses_goes_to_the_other_partition)
{
    const struct l2_outcome held = {.instruction_count = 1, .of_instruction = &(struct l2_hits){0}};
    FILE *record = fopen("docs/runs/l2-away.csv", "r");
    ck_assert_ptr_nonnull(record);
    char text[200];
    int rows = 0;
    while (fgets(text, sizeof text, record)) {
        unsigned sectors;
        double requests, away, busy[SIM_RESOURCES], service;
        if (sscanf(text, "load,%u,%lf,%lf", &sectors, &requests, &away) != 3)
            continue;
        rows++;
        for (int i = 0; i < 3; i++) { // an H200 that hits, and misses; a V100
            struct memory_share share = {.device = i < 2 ? device() : sim_device_find("v100"),
                                         .l2 = i ? &missing : &held};
            share.busy_sms = share.device->sms;
            struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
            struct trace_line line = {.sectors = (uint8_t)((1 << sectors) - 1)};
            struct hierarchy h;
            open_reached(&h, &share);
            hierarchy_load(&h, &item, &line, 0, &service);
            hierarchy_busy(&h, 1e6, busy);
            double packets = busy[SIM_L2_PACKETS] / share.device->timing.l2_load_packet;
            assert_near(packets, i == 1 ? 1 + away / requests : 1, 1, "packets");
            hierarchy_close(&h);
        }
    }
    fclose(record);
    ck_assert_int_eq(rows, 3);
}

// SMs with other random waits wait differently, and each in the same way again.
TEST(seeds_change_the_waits)
{
    double there[3], service;
    for (int i = 0; i < 3; i++) {
        struct memory_share share = {
            .device = device(), .l2 = &missing, .busy_sms = 1, .seed = (uint64_t)(i == 1)};
        struct trace_item item = {.in = &past_l1, .lines = 1, .passes = 1};
        struct trace_line line = {.number = 1, .sectors = 15};
        struct hierarchy h;
        open_reached(&h, &share);
        h.dram_there = INFINITY; // beside others
        there[i] = hierarchy_load(&h, &item, &line, 0, &service);
        hierarchy_close(&h);
    }
    ck_assert(there[0] != there[1]);
    ck_assert(there[0] == there[2]);
}
