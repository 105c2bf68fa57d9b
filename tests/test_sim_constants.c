// The constants of the timing model, and its rules, are those of the recorded microbenchmarks (docs/runs/micro-*.csv).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/sim_devices.h"
#include "recorded.h"
#include "sim/count/access.h"
#include "sim/machine/machine_units.h"
#include "sim/time/dram_time.h"
#include "sim/time/pipelines.h"
#include "suites.h"

PROGRAM(sim_constants)

// Nanoseconds for a chunk of a page of DRAM that is not open: src/base/sim_devices.c says how.
static double chunk_ns(const char *gpu, const char *what, int bytes)
{
    char name[64];
    snprintf(name, sizeof name, "dram_copy_%s_%d_bytes", what, bytes);
    return 2 * bytes * (1 / recorded(gpu, name) - 1 / recorded(gpu, "dram_copy_chunks"));
}

// Cycles of all SMs for a line of 128 bytes.
static double line_cycles(const struct sim_device *device, const char *name, const char *rows)
{
    char whole_name[64];
    snprintf(whole_name, sizeof whole_name, "%s_%s", name, rows);
    return LINE_SIZE / recorded(device->name, whole_name) * device->sms * device->sm_clock_mhz *
           1e-3;
}

// Of tiles, in the 7 of 8 rows that start within sectors.
static double shifted_cycles(const struct sim_device *device, const char *tiles)
{
    return (8 * line_cycles(device, tiles, "shifted") - line_cycles(device, tiles, "aligned")) / 7;
}

// A line's way into the L2 that comes in so many requests, of so many sectors.
static double way_cycles(const struct sim_timing *t, int sectors, int requests)
{
    return sectors * t->l2_write_sector + requests * t->l2_part_line;
}

// What DRAM takes beside an L2 that is busy for so long, if they take that long together over a line that is copied.
static double dram_of(double both, double l2)
{
    const struct l2_outcome copy = {.read_bytes = LINE_SIZE, .write_bytes = LINE_SIZE};
    double low = 0, high = both;
    while (high - low > 1e-6) {
        double dram = (low + high) / 2;
        *(dram_beside_l2_cycles(&copy, l2, dram, 0) < both ? &low : &high) = dram;
    }
    return low;
}

// By how much longer DRAM takes over a copied line with a sector of two blocks that run side by side, without what it
// completes, in the 7 of 8 rows that start within sectors: 2 sectors for each, where a line is 8.
static double dram_split_line(const struct sim_device *device)
{
    enum { COPIED = 2 * LINE_SECTORS, N = 10007 };
    const struct sim_timing *t = &device->timing;
    double longer = 0;
    for (int words = 32; words <= 128; words *= 2) {
        char tiles[40], row[40];
        snprintf(tiles, sizeof tiles, "tiles_copy_rows_%d_words", words);
        snprintf(row, sizeof row, "%s,copy,rows,%d", device->name, words);
        double whole = dram_of(line_cycles(device, tiles, "aligned"),
                               way_cycles(t, LINE_SECTORS, 0) + t->l2_load_turn),
               split = dram_of(shifted_cycles(device, tiles),
                               way_cycles(t, LINE_SECTORS + 1, 2) + t->l2_load_turn),
               completed =
                   value_in("docs/runs/split-tiles.csv", row) / (N * (double)N * 4 / LINE_SIZE);
        longer += split - whole - 8. / 7 * completed * (t->l2_part_eviction + 2 * whole / COPIED);
    }
    return longer / 3;
}

// Sectors whose way into the L2 a block that stores to so many lines a warp and ends does not wait for.
static double sectors_ahead(const char *gpu, int lines)
{
    enum { BLOCK_WARPS = 32 };
    char stores[64], way[64];
    snprintf(stores, sizeof stores, "block_stores_l2_%d_lines_1x1024_threads", lines);
    snprintf(way, sizeof way, "l2_store_%d_lines_all", lines);
    double others = recorded(gpu, "block_stores_l2_0_lines_1x1024_threads") -
                    (BLOCK_WARPS - 1) * sim_device_find(gpu)->timing.warp_launch,
           cycles = BLOCK_WARPS * recorded(gpu, way) + others - recorded(gpu, stores);
    return lines * cycles / recorded(gpu, way);
}

// Bytes that DRAM writes for an SM in the time for which a load waits for the L2 behind such stores.
static double bytes_behind(const char *gpu)
{
    const struct sim_timing *t = &sim_device_find(gpu)->timing;
    double cycles = recorded(gpu, "l2_load_beside_dram_stores") - t->l2_latency -
                    (recorded(gpu, "l1_load_beside_dram_stores") - t->l1_latency);
    return cycles * recorded(gpu, "dram_stores_beside_l2_loads");
}

// By how many cycles of all SMs stores of halves take longer down the columns than along the rows, for each sector more that
// is completed: of an H200.
static double lone_eviction(int warps, int reads)
{
    static const char *const orders[] = {"along", "down"};
    double ns[2], sectors[2];
    char name[64], row[32];
    for (int down = 0; down < 2; down++) {
        snprintf(name, sizeof name, "rows_16_bytes_%s%s%s%s", warps == 1 ? "one_warp_" : "",
                 orders[down], reads ? "_reads" : "", warps == 1 ? "" : "_16_blocks");
        ns[down] = 4. * 4096 * 4096 / recorded("h200", name);
        snprintf(row, sizeof row, "16,%s,%d,16,%d", orders[down], reads, warps);
        sectors[down] = value_in("docs/runs/completed-sectors.csv", row);
    }
    const struct sim_device *h200 = sim_device_find("h200");
    ck_assert(sectors[0] > 0 && sectors[1] > sectors[0]);
    return (ns[1] - ns[0]) / (sectors[1] - sectors[0]) * h200->sms * h200->sm_clock_mhz * 1e-3;
}

// Within `percent` of the value: 2 as a rule; more where GPUs of a kind, or runs on one, differ by more.
#define NEAR(field, value, percent)                                                                \
    ck_assert_msg(fabs(t->field - (value)) <= fabs(value) * (percent) / 100.0,                     \
                  #field " is %g, docs/runs/micro-%s.csv has %g", (double)t->field, gpu,           \
                  (double)(value))
#define RECORDED(field, name, percent) NEAR(field, recorded(gpu, name), percent)

TEST(latencies_are_the_recorded_ones, .times = RECORDED_GPUS)
{
    const char *gpu = recorded_gpus[_i];
    const struct sim_timing *t = &sim_device_find(gpu)->timing;
    RECORDED(alu_latency, "alu_latency", 2);
    RECORDED(shared_latency, "shared_latency", 2);
    RECORDED(l1_latency, "l1_latency", 2);
    RECORDED(l2_latency, "l2_latency", 2);
    RECORDED(dram_latency, "dram_latency", 2);
    NEAR(dram_wait, recorded(gpu, "dram_copy_few_wait") - recorded(gpu, "dram_latency"), 2);
    RECORDED(dram_spread, "dram_copy_few_spread", 2);
    NEAR(pass_return, (recorded(gpu, "l1_latency_32_lines") - recorded(gpu, "l1_latency")) / 31 - 1,
         2);
    double warp = (recorded(gpu, "barrier_32_warps") - recorded(gpu, "barrier_1_warps")) / 31;
    NEAR(barrier_warp, warp, 2);
    NEAR(barrier_latency, recorded(gpu, "barrier_1_warps") - warp, 2);
    double block = recorded(gpu, "block_alone_32_threads");
    RECORDED(launch_us, "launch", 10);
    RECORDED(event_us, "events_apart", 5);
    // An empty kernel, where a launch is taken to have loads or stores.
    double behind = recorded(gpu, "launch_behind_launch"), launch = t->launch_us - t->event_us;
    ck_assert_msg(launch > behind && launch < behind + 0.4, "%g, behind another %g", launch,
                  behind);
    RECORDED(block_interval, "block_interval_32_threads", 2);
    NEAR(block_turnaround, block, 2);
    NEAR(warp_launch, (recorded(gpu, "block_alone_1024_threads") - block) / 31, 2);
}

// ptxas puts 3 cycles before a branch that is passed, and 4 behind what parts threads, besides their slots.
TEST(branches_are_the_recorded_ones, .times = RECORDED_GPUS)
{
    const char *gpu = recorded_gpus[_i];
    const struct sim_timing *t = &sim_device_find(gpu)->timing;
    double taken = recorded(gpu, "branch_taken");
    NEAR(branch_taken, taken - 1, 2);
    NEAR(branch_passed, recorded(gpu, "branch_not_taken") - recorded(gpu, "branch_straight") - 4,
         2);
    NEAR(branch_back, recorded(gpu, "branch_back") - 1, 2);
    NEAR(branch_meeting, recorded(gpu, "branch_parting_taken") - taken - 5, 2);
}

enum { S2R = 0x919 };

// A conversion there and back, and one of bits, of which ptxas has the next one wait for 6 cycles.
TEST(units_take_as_long_as_recorded, .times = RECORDED_GPUS)
{
    enum { LDC = 0xb82, MUFU = 0x308, F2I = 0x305, I2F = 0x306, BETWEEN = 6 };
    const char *gpu = recorded_gpus[_i];
    const struct {
        const char *name;
        double latency;
    } cases[] = {
        {"constant_latency", machine_latency_of(LDC)},
        {"special_register_latency", machine_latency_of(S2R)},
        {"root_latency", machine_latency_of(MUFU)},
        {"conversions_latency", machine_latency_of(F2I) + machine_latency_of(I2F) + BETWEEN}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_double_eq_tol(cases[i].latency, recorded(gpu, cases[i].name), 0.5);
}

// Of warps that take turns, two kinds of instructions or one.
TEST(units_take_turns_as_recorded, .times = RECORDED_GPUS)
{
    static const struct {
        const char *name;
        enum machine_unit one, other;
    } cases[] = {{"turn_floats", FLOAT_UNIT, FLOAT_UNIT},
                 {"turn_products", PRODUCT_UNIT, PRODUCT_UNIT},
                 {"turn_bits", BIT_UNIT, BIT_UNIT},
                 {"turn_shifts", BIT_UNIT, BIT_UNIT},
                 {"turn_constants", CONSTANT_UNIT, CONSTANT_UNIT},
                 {"turn_roots", SPECIAL_UNIT, SPECIAL_UNIT},
                 {"turn_bits_and_floats", BIT_UNIT, FLOAT_UNIT},
                 {"turn_bits_and_products", BIT_UNIT, PRODUCT_UNIT},
                 {"turn_products_and_floats", PRODUCT_UNIT, FLOAT_UNIT}};
    const char *gpu = recorded_gpus[_i];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double of_unit[MACHINE_UNITS] = {0}, busy[MACHINE_UNITS] = {0}, cycles = 1;
        double measured_cycles = recorded(gpu, cases[i].name);
        of_unit[cases[i].one] += 0.5;
        of_unit[cases[i].other] += 0.5;
        scheduler_units_cycles(sim_device_find(gpu), of_unit, busy);
        for (int unit = 0; unit < MACHINE_UNITS; unit++)
            cycles = fmax(cycles, busy[unit]);
        ck_assert_msg(fabs(cycles - measured_cycles) < 0.16, "%s: %g, %g in the record",
                      cases[i].name, cycles, measured_cycles);
    }
}

// Products whose high half is needed, and three registers that an instruction reads: as cuobjdump shows, two of an even number
// and one of an odd one, or the other way round, by turns. Recorded of an H200 alone.
TEST(products_and_registers_take_turns_as_recorded)
{
    enum { IMAD_WIDE = 0x225, IMAD_HI = 0x227 };
    static const struct {
        const char *name;
        unsigned opcode;
    } products[] = {{"turn_high_products", IMAD_HI}, {"turn_wide_products", IMAD_WIDE}};
    const struct sim_device *device = sim_device_find("h200");
    double busy[MACHINE_UNITS];
    for (size_t i = 0; i < sizeof products / sizeof *products; i++) {
        double of_unit[MACHINE_UNITS] = {0};
        uint8_t turns[MACHINE_UNITS];
        machine_unit_turns((const uint64_t[2]){products[i].opcode}, turns);
        of_unit[PRODUCT_UNIT] = turns[PRODUCT_UNIT];
        scheduler_units_cycles(device, of_unit, busy);
        ck_assert_double_eq_tol(busy[PRODUCT_UNIT], recorded("h200", products[i].name), 0.1);
    }
    const double registers[MACHINE_UNITS] = {[EVEN_REGISTERS] = 1.5, [ODD_REGISTERS] = 1.5};
    scheduler_units_cycles(device, registers, busy);
    ck_assert_double_eq_tol(busy[EVEN_REGISTERS], recorded("h200", "turn_three_registers"), 0.16);
}

// Blocks that share sectors with their neighbours have one of the next eight on their SM, if it holds more than two, nearly as
// often as the model has them have the next one (sim/exec/trace.h), and those that copy rarely.
TEST(neighbours_meet_as_recorded, .times = RECORDED_GPUS)
{
    const char *gpu = recorded_gpus[_i];
    for (int n = 4096; n <= 16384; n *= 2)
        for (int threads = 128; threads <= 512; threads *= 2) {
            char columns[64], parts[64];
            snprintf(columns, sizeof columns, "neighbours_columns_%d_%d_threads", n, threads);
            snprintf(parts, sizeof parts, "neighbours_parts_%d_%d_threads", n, threads);
            ck_assert_double_eq_tol(recorded(gpu, columns), 0.35, 0.15);
            ck_assert_double_lt(recorded(gpu, parts), 0.18);
        }
    ck_assert_double_lt(recorded(gpu, "neighbours_columns_4096_1024_threads"), 0.03);
}

// Others seldom have the very next one there, with which alone a tile shares sectors; that was measured on an H200 only.
TEST(the_next_block_is_seldom_near)
{
    static const char *const others[] = {"parts", "tiles", "elements"};
    for (int n = 4096; n <= 16384; n *= 2)
        for (int threads = 128; threads <= 512; threads *= 2) {
            char name[64];
            snprintf(name, sizeof name, "neighbours_columns_%d_%d_threads_next", n, threads);
            ck_assert_double_gt(recorded("h200", name), 0.06);
            for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
                snprintf(name, sizeof name, "neighbours_%s_%d_%d_threads_next", others[i], n,
                         threads);
                ck_assert_double_lt(recorded("h200", name), 0.05);
            }
        }
}

TEST(sms_are_filled_as_recorded, .times = RECORDED_GPUS)
{
    enum { FIRST_WARPS = 32, WARPS_BEFORE = 56, BLOCKS = 2112, SMS = 132 };
    const char *gpu = recorded_gpus[_i];
    const struct sim_timing *t = &sim_device_find(gpu)->timing;
    NEAR(block_filling, recorded(gpu, "start_filling_4224x32_threads") / 31, 2);
    NEAR(warp_filling,
         (recorded(gpu, "start_filling_1056x256_threads") - FIRST_WARPS * t->warp_launch) /
             (WARPS_BEFORE - FIRST_WARPS),
         5);
    NEAR(first_access,
         recorded(gpu, "start_first_load_132x1_threads") -
             recorded(gpu, "start_second_load_132x1_threads"),
         5);
    double longer_us =
        recorded(gpu, "start_wait_2112x128_threads") - recorded(gpu, "start_wait_132x128_threads");
    double cycles = longer_us * sim_device_find(gpu)->sm_clock_mhz;
    NEAR(block_interval, cycles / (BLOCKS - SMS), 12);
}

// Warps of a block that store twice at most are together still: that they share sectors costs nothing; later it does.
TEST(warps_fall_apart_as_they_store, .times = RECORDED_GPUS)
{
    static const char *const stores[] = {"1", "2", "4", "8"};
    const char *gpu = recorded_gpus[_i];
    double longer[4];
    for (int i = 0; i < 4; i++) {
        char aligned[64], shifted[64];
        snprintf(aligned, sizeof aligned, "sharers_warps_columns_16_lanes_%s_stores_aligned",
                 stores[i]);
        snprintf(shifted, sizeof shifted, "sharers_warps_columns_16_lanes_%s_stores_shifted",
                 stores[i]);
        longer[i] = recorded(gpu, aligned) / recorded(gpu, shifted);
    }
    ck_assert(longer[0] < 1.02 && longer[1] < 1.1 && longer[2] > 1.5 &&
              longer[3] > 1.3 * longer[2]);
}

static double median_of_3(const double values[3])
{
    double low = fmin(values[0], values[1]), high = fmax(values[0], values[1]);
    return fmax(low, fmin(high, values[2]));
}

// What lines of tiles cost that blocks share, and their sectors and parts, all of them far from each other.
static double held_up(const struct sim_device *device, double sectors, double parts)
{
    const struct l2_outcome l2 = {.split_lines = 1,
                                  .far_split_lines = 1,
                                  .far_split_sectors = sectors,
                                  .far_split_parts = fmin(parts, SPLIT_PARTS * (1 + sectors))};
    return far_split_cycles(device, &l2);
}

// What sectors in parts cost is of strips; tiles of 8 words take up to a tenth longer, and lines of 128 bytes in columns, each
// of which two blocks share at both ends, up to a fourth. Of the tiles' lines 0.22 on an H200 have a sector that is completed,
// and 0.29 on an H100 (lts__t_sectors_data_ecc).
TEST(columns_of_shifted_lines_cost_what_strips_say, .times = RECORDED_GPUS)
{
    static const char *const columns[] = {"write_columns_64k", "write_columns_256k",
                                          "write_columns_1024k"};
    const struct sim_device *device = sim_device_find(recorded_gpus[_i]);
    const struct sim_timing *t = &device->timing;
    double cycles[3];
    for (int i = 0; i < 3; i++)
        cycles[i] = line_cycles(device, columns[i], "shifted");
    double model = way_cycles(t, 5, 2) + held_up(device, 1, 2), measured = median_of_3(cycles);
    ck_assert_msg(model > measured / 1.25 && model < measured, "%g, not %g", model, measured);
    double completed = (strcmp(device->name, "h200") == 0 ? 0.22 : 0.29) * t->l2_part_eviction;
    model = way_cycles(t, 8, 5) + held_up(device, 4, 8) + completed;
    measured = shifted_cycles(device, "tiles_write_columns_8_words");
    ck_assert_msg(model > measured / 1.12 && model < measured, "%g, not %g", model, measured);
}

// Lines that are stored word by word are held up no longer, either, each part by another block, beside loads: those find all but
// the first part of a sector in the L2, and some are completed. Two words at a time take a fifth longer than that.
TEST(words_that_blocks_share_are_not_held_up, .times = 4)
{
    const int bytes = _i / 2 ? 8 : 4, blocks = _i % 2 ? 16 : 8, parts = LINE_SIZE / bytes;
    const struct sim_device *device = sim_device_find("h200");
    const struct sim_timing *t = &device->timing;
    char name[64], row[32];
    snprintf(name, sizeof name, "rows_%d_bytes_of_blocks_down_reads_%d_blocks", bytes, blocks);
    snprintf(row, sizeof row, "%d,down,1,%d,0", bytes, blocks);
    double completed = value_in("docs/runs/completed-sectors.csv", row) / (4096 * 4096 / 32.),
           model = t->l2_load_turn + LINE_SECTORS * (t->l2_write_sector + t->l2_missed_sector) +
                   (parts - LINE_SECTORS) * t->l2_rewrite_sector + parts * t->l2_part_line +
                   held_up(device, LINE_SECTORS, parts) + completed * t->l2_part_eviction;
    double cycles = LINE_SIZE / recorded("h200", name) * device->sm_clock_mhz * 1e-3 * device->sms;
    ck_assert(held_up(device, LINE_SECTORS, parts) < 0.02 * cycles);
    double longer = cycles / model;
    ck_assert_msg(bytes == 4 ? longer > 1 && longer < 1.1 : longer > 1.15 && longer < 1.25,
                  "%s: %g times %g", name, longer, model);
}

// Cycles of all SMs that a stored sector of strips takes, so many stores a thread, in rows of 4096 words or 8192, without what it
// takes that some are completed.
static double strip_cycles(int words, int stores, int loading, int rows, int shifted)
{
    enum { LONGER = 7 };
    char name[64], row[32];
    snprintf(name, sizeof name, "strips_%d_words_%d_stores%s_%d_rows%s", words, stores,
             loading ? "_loading" : "", rows, shifted ? "_shifted" : "");
    snprintf(row, sizeof row, "%d,%d,%d,%d,%d", words, stores, loading, rows,
             rows + (shifted ? LONGER : 0));
    double completed =
        value_in("docs/runs/completed-strips.csv", row) / ((double)rows * rows * 4 / SECTOR_SIZE);
    return recorded("h200", name) - completed * sim_device_find("h200")->timing.l2_part_eviction;
}

// A line of the strips in a row that starts within a sector, in the mean over where that is: requests, sectors of these, sectors
// that have several, and parts of those.
struct strip_line {
    double requests, sectors, shared, parts;
};

static struct strip_line strip_line(int words)
{
    enum { SECTOR_WORDS = SECTOR_SIZE / 4, LAST = LINE_SIZE / 4 - 1, STARTS = SECTOR_WORDS - 1 };
    struct strip_line sum = {0};
    for (int start = 1; start <= STARTS; start++) {
        sum.requests += 1.0 / STARTS * ((LAST + start) / words - start / words + 1);
        for (int at = start; at <= LAST + start; at += SECTOR_WORDS) {
            int strips = (at + SECTOR_WORDS - 1) / words - at / words + 1;
            sum.sectors += 1.0 / STARTS * strips;
            sum.shared += 1.0 / STARTS * (strips > 1);
            sum.parts += 1.0 / STARTS * (strips > 1) * strips;
        }
    }
    return sum;
}

// By how much longer it takes than its way into the L2, where another part is there: stores alone.
static double strip_longer(int words, int stores, int rows)
{
    const struct sim_timing *t = &sim_device_find("h200")->timing;
    const struct strip_line line = strip_line(words);
    double cycles =
        LINE_SECTORS *
        (8 * strip_cycles(words, stores, 0, rows, 1) - strip_cycles(words, stores, 0, rows, 0)) / 7;
    return cycles - line.sectors * t->l2_rewrite_sector - line.requests * t->l2_part_line;
}

// By how much longer a line takes whose sectors others share, and each of these, before what its parts take is no part of that.
static double split(void)
{
    const struct sim_timing *t = &sim_device_find("h200")->timing;
    double sum = 0;
    for (int words = 8; words <= 32; words *= 2) {
        const struct strip_line line = strip_line(words);
        for (int i = 0; i < 4; i++)
            sum += (strip_longer(words, i % 2 ? 4 : 1, i / 2 ? 8192 : 4096) +
                    line.parts * t->l2_part_line) /
                   (1 + line.shared);
    }
    return sum / (3 * 4);
}

// Many small parts are held up no longer than what they take; single words not at all.
TEST(strips_are_held_up_by_lines_and_sectors_less_by_parts, .times = 6 * 4)
{
    const int words = 1 << _i / 4, stores = _i % 2 ? 4 : 1, rows = _i / 2 % 2 ? 8192 : 4096;
    const struct sim_device *device = sim_device_find("h200");
    const struct strip_line line = strip_line(words);
    double measured = strip_longer(words, stores, rows),
           model = held_up(device, line.shared, line.parts),
           all = line.sectors * device->timing.l2_rewrite_sector +
                 line.requests * device->timing.l2_part_line + model;
    ck_assert_msg(fabs(model - measured) < 0.1 * all, "%d words: %g of %g, not %g", words, model,
                  all, measured);
}

// By how much longer a sector that DRAM brings takes the L2 than one that it has, beside stores of 1, 2 and 4 words.
static double missed_sector(void)
{
    enum { CASES = 3 * 8 };
    double sum = 0;
    for (int i = 0; i < CASES; i++) {
        const int words = 1 << i / 8, stores = i / 4 % 2 ? 4 : 1, rows = i / 2 % 2 ? 8192 : 4096,
                  shifted = i % 2;
        sum += strip_cycles(words, stores, 1, rows, shifted) -
               strip_cycles(words, stores, 0, rows, shifted) -
               sim_device_find("h200")->timing.l2_load_turn / LINE_SECTORS;
    }
    return sum / CASES;
}

// Beside parts of 8 whole lines a store, which note bytes of a line for each four sectors, it is a fourth of that. (Beside those of
// 2 and 4, which note as many, it is two thirds and more, but DRAM is nearly as busy as the L2.)
TEST(what_dram_brings_takes_less_beside_parts_of_whole_lines, .times = 2)
{
    const struct sim_timing *t = &sim_device_find("h200")->timing;
    char alone[40], loading[40];
    snprintf(alone, sizeof alone, "combs_8_teeth_%d_rows", _i ? 8192 : 4096);
    snprintf(loading, sizeof loading, "combs_8_teeth_loading_%d_rows", _i ? 8192 : 4096);
    double longer =
        recorded("h200", loading) - recorded("h200", alone) - t->l2_load_turn / LINE_SECTORS;
    ck_assert_double_eq_tol(longer, t->l2_missed_sector / LINE_SECTORS, 0.15);
}

TEST(rates_are_the_recorded_ones, .times = RECORDED_GPUS)
{
    const char *gpu = recorded_gpus[_i];
    const struct sim_device *device = sim_device_find(gpu);
    const struct sim_timing *t = &device->timing;
    NEAR(tag, recorded(gpu, "l1_load_32_lines_spread") / 32, 2);
    NEAR(load_packet, recorded(gpu, "l2_load_32_lines_one") / 32, 2);
    NEAR(load_sector, recorded(gpu, "l2_load_1_lines_one") / 4, 2);
    NEAR(store_sector, recorded(gpu, "l2_store_1_lines_one") / 4, 2);
    double parts = recorded(gpu, "l2_store_32_lines_one");
    NEAR(store_part_line, (parts - recorded(gpu, "l2_store_2_parts_one")) / 16, 2);
    NEAR(store_part, parts / 32 - t->store_part_line, 2);
    double loads = recorded(gpu, "mix_4x32_lines_loaded_0x32_stored"),
           stores = recorded(gpu, "mix_0x32_lines_loaded_4x32_stored");
    NEAR(l2_load_packet, loads / 128, 2);
    NEAR(l2_store_packet, (recorded(gpu, "mix_4x32_lines_loaded_1x32_stored") - loads) / 32, 2);
    double whole = (recorded(gpu, "mix_4x32_lines_loaded_1x4_stored") - loads) / 4;
    NEAR(l2_store_more, (whole - t->l2_store_packet) / 3, 5);
    NEAR(l2_load_turn, (recorded(gpu, "mix_4x32_lines_loaded_4x32_stored") - stores) / 128, 2);
    NEAR(l2_read_sector, recorded(gpu, "l2_load_1_lines_all") / 4, 2);
    NEAR(l2_write_sector, recorded(gpu, "l2_store_1_lines_all") / 4, 2);
    NEAR(l2_rewrite_sector, recorded(gpu, "l2_sweep_16_bytes_0_behind") / 16, 2);
    double one_more = recorded(gpu, "l2_sweep_4_bytes_4_behind") -
                      recorded(gpu, "l2_sweep_4_bytes_0_behind") - t->l2_rewrite_sector;
    NEAR(l2_part_line, one_more / 2, 2);
    double unfinished =
        recorded(gpu, "l2_unfinished_1024_lines") - recorded(gpu, "l2_unfinished_128_lines");
    NEAR(l2_part_eviction, unfinished / (strcmp(gpu, "h200") == 0 ? 0.52 : 0.63), 2);
    double lone =
        lone_eviction(1, 0) + lone_eviction(1, 1) + lone_eviction(2, 0) + lone_eviction(2, 1);
    NEAR(l2_lone_eviction, lone / 4, 2);
    NEAR(atomic_pass, 1 / recorded(gpu, "atomics_1_words_4_bytes_apart"), 2);
    NEAR(dram_split_line, dram_split_line(device), 2);
    // Of an H200 alone: the other's L2 is as much slower as it is with parts.
    double slower = t->l2_part_line / sim_device_find("h200")->timing.l2_part_line;
    ck_assert_double_eq_tol(t->l2_split / t->l2_part_line, SPLIT_PARTS, 0.05 * SPLIT_PARTS);
    NEAR(l2_split, slower * split(), 2);
    NEAR(l2_missed_sector, slower * missed_sector(), 2);
    NEAR(l2_fast_pace, recorded(gpu, "pace_l2_8_blocks_fast"), 2);
    NEAR(stores_ahead, (sectors_ahead(gpu, 8) + sectors_ahead(gpu, 32)) / 2, 5);
    NEAR(dram_behind, bytes_behind(gpu), 2);
    RECORDED(dram_read_gbs, "dram_read", 2);
    RECORDED(dram_write_gbs, "dram_write", 2);
    RECORDED(dram_copy_gbs, "dram_copy", 2);
    for (int i = 0; i < 4; i++) {
        double read = chunk_ns(gpu, "read", SECTOR_SIZE << i),
               write = chunk_ns(gpu, "written", SECTOR_SIZE << i);
        ck_assert_double_eq_tol(t->dram_read_chunk[i], fmax(0, read), 0.0002);
        ck_assert_double_eq_tol(t->dram_write_chunk[i], write, 0.0003);
    }
    ck_assert(recorded(gpu, "turns_of_4_warps_8_blocks_older_first") > 0.9);
    ck_assert(recorded(gpu, "issue_of_4_warps_8_blocks_older_first") > 0.9);
    RECORDED(shared_queue, "shared_load_queue", 3);
    RECORDED(shared_queue, "shared_store_queue", 3);
    RECORDED(global_queue, "global_load_queue", 3);
    RECORDED(global_queue, "global_store_queue", 3);
    RECORDED(shared_interval.of_warp, "shared_load_interval_1_warps", 1);
    RECORDED(shared_interval.of_warp, "shared_store_interval_1_warps", 1);
    RECORDED(shared_interval.of_scheduler, "shared_load_interval_2_warps", 1);
    RECORDED(shared_interval.of_scheduler, "shared_store_interval_2_warps", 1);
    RECORDED(global_interval.of_warp, "global_load_interval_1_warps", 1);
    RECORDED(global_interval.of_scheduler, "global_load_interval_2_warps", 1);
}

// Words of 32 rows that L1 has: the passes over its banks that are counted are the cycles for which an H200's shared requests wait
// for them. It was not recorded of an H100. (The model adds the time in which lines are looked up.)
TEST(passes_over_l1s_banks_are_as_long_as_recorded)
{
    static const unsigned row_words[] = {32, 33, 36, 40, 48, 10007, 10008, 10016};
    for (size_t i = 0; i < sizeof row_words / sizeof *row_words; i++) {
        char name[64];
        struct access access = {.mask = ALL_LANES, .size = 4};
        for (unsigned l = 0; l < LANES; l++)
            access.address[l] = (uint64_t)l * row_words[i] * 4;
        access_classify(&access);
        snprintf(name, sizeof name, "unit_l1_load_rows_of_%u_words", row_words[i]);
        ck_assert_double_eq_tol(recorded("h200", name) / access_wavefronts(&access), 1, 0.03);
    }
}

// As the loads that give the intervals; of an H100 that was not recorded.
TEST(stores_follow_each_other_as_soon_as_loads)
{
    const char *gpu = "h200";
    const struct sim_timing *t = &sim_device_find(gpu)->timing;
    RECORDED(global_interval.of_warp, "global_store_interval_1_warps", 1);
    RECORDED(global_interval.of_scheduler, "global_store_interval_2_warps", 1);
}

// The cycles in which the latencies of loads beside such stores lie, but for the first and the last tenth, as if they were
// as many everywhere.
static double width_beside(const char *gpu, int warps, int lines)
{
    char least[64], most[64];
    snprintf(least, sizeof least, "l2_load_beside_%d_warps_%d_lines_1_tenths", warps, lines);
    snprintf(most, sizeof most, "l2_load_beside_%d_warps_%d_lines_9_tenths", warps, lines);
    return (recorded(gpu, most) - recorded(gpu, least)) / 0.8;
}

TEST(loads_are_as_unlike_as_the_recorded_ones, .times = RECORDED_GPUS)
{
    static const struct {
        int warps, lines;
    } beside[] = {{31, 8}, {2, 32}, {8, 32}, {31, 32}};
    enum { CASES = sizeof beside / sizeof *beside };
    const char *gpu = recorded_gpus[_i];
    const struct sim_timing *t = &sim_device_find(gpu)->timing;
    double alone = width_beside(gpu, 0, 1), sum = 0;
    NEAR(l2_spread, alone, 2);
    for (int i = 0; i < CASES; i++) {
        char name[64];
        snprintf(name, sizeof name, "l2_load_beside_%d_warps_%d_lines_5_tenths", beside[i].warps,
                 beside[i].lines);
        double waited =
            recorded(gpu, name) - recorded(gpu, "l2_load_beside_0_warps_1_lines_5_tenths");
        sum += (width_beside(gpu, beside[i].warps, beside[i].lines) - alone) / waited;
    }
    NEAR(l2_wait_spread, sum / CASES, 2);
}

// Copies of which few blocks run at a time: how much longer a block takes than alone, in cycles, is what its slowest of
// eight warps waits longer.
TEST(the_queue_at_dram_is_the_recorded_one, .times = RECORDED_GPUS)
{
    enum { WARPS = 8 };
    const char *gpu = recorded_gpus[_i];
    const struct sim_device *device = sim_device_find(gpu);
    double roof = recorded(gpu, "dram_copy"), slowest = 0, sum = 0, alone_cycles = 0,
           alone_waits = 0;
    for (int i = 2; i <= WARPS; i++)
        slowest += 1.0 / i;
    for (int blocks = 1; blocks <= 5; blocks++) {
        char name[64];
        snprintf(name, sizeof name, "dram_copy_%d_blocks", blocks);
        double gbs = recorded(gpu, name), load = gbs / roof,
               cycles = 2 * 4096.0 * blocks / gbs * device->sms * device->sm_clock_mhz * 1e-3,
               waits = load / sqrt(1 - load) * (1 + slowest / 2);
        if (blocks > 1)
            sum += (cycles - alone_cycles) / (waits - alone_waits) / 4;
        else
            alone_cycles = cycles, alone_waits = waits;
    }
    ck_assert_double_eq_tol(device->timing.dram_queue, sum, 0.1 * sum);
}

// What the load/store unit does is a rule of the model: a cycle for each wavefront, and requests of both kinds in the order
// in which they come: a global one, too, waits for all shared ones that the unit has taken on before.
TEST(the_units_rules_are_the_recorded_ones, .times = RECORDED_GPUS)
{
    static const char *const turns[] = {"turns_1_ways_1_lines", "turns_1_ways_32_lines",
                                        "turns_32_ways_1_lines", "turns_32_ways_32_lines",
                                        "turns_8_ways_8_lines"};
    const char *gpu = recorded_gpus[_i];
    const struct sim_timing *t = &sim_device_find(gpu)->timing;
    double shared = recorded(gpu, "shared_load_beside_shared_loads");
    char name[64];
    ck_assert_double_gt(shared, t->shared_queue * t->schedulers * 32);
    ck_assert_double_eq_tol(recorded(gpu, "l1_load_beside_shared_loads"), shared, 0.05 * shared);
    for (int ways = 1; ways <= 32; ways *= 2) {
        snprintf(name, sizeof name, "shared_load_%d_ways", ways);
        ck_assert_double_eq_tol(recorded(gpu, name), ways, 0.01 * ways);
        snprintf(name, sizeof name, "shared_store_%d_ways", ways);
        ck_assert_double_eq_tol(recorded(gpu, name), ways, 0.01 * ways);
    }
    ck_assert_double_eq_tol(recorded(gpu, "shared_load_16_bytes"), 4, 0.04);
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        ck_assert_double_eq_tol(recorded(gpu, turns[i]), 1, 0.03);
}

// They wait behind what loads of shared memory wait behind, and for as long.
TEST(special_registers_wait_as_shared_loads_do, .times = RECORDED_GPUS)
{
    static const char *const others[] = {"shared_loads", "dram_stores"};
    const char *gpu = recorded_gpus[_i];
    char name[64];
    uint8_t turns[MACHINE_UNITS];
    machine_unit_turns((const uint64_t[2]){S2R}, turns);
    ck_assert_int_eq(turns[LOAD_STORE_UNIT], 1);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        snprintf(name, sizeof name, "shared_load_beside_%s", others[i]);
        double shared = recorded(gpu, name);
        snprintf(name, sizeof name, "special_register_beside_%s", others[i]);
        ck_assert_double_eq_tol(recorded(gpu, name), shared, 0.05 * shared);
    }
}

// Of tiles of 32 x 32, down columns of `tiles` in rows of so many words (tests/micro/late.cu), the share of the sectors at
// their edges to whose set of two places two other lines come until the tile beside has stored the rest, on average: the
// L2 has a place for 8 of its lines.
static double two_others_come(const struct sim_device *device, double launches_apart)
{
    const double LINES = 32 * 7 / 8., LINE = 128, LINES_A_PLACE = 8, PLACES = 2;
    double others =
        PLACES * LINES * launches_apart / ((double)device->l2_bytes / LINE / LINES_A_PLACE);
    return 1 - exp(-others) * (1 + others);
}

static double edge_sectors(int tiles)
{
    static const int columns[][2] = {{313, 10007}, {32, 97855}, {128, 24463}, {1024, 3055}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (columns[i][0] == tiles)
            return (columns[i][1] - 1) / 32 * 32 * 7 / 8. * tiles;
    ck_abort_msg("no matrix has %d tiles in a column", tiles);
}

// What patches.csv says of the patches that warps store word by word: the lines of an SM, side by side, wait without being
// completed as long as there is room for them; those below each other are completed by chance long before.
TEST(lines_side_by_side_have_room)
{
    char line[160], gpu[16], order[16];
    int words, loads, resident, threads, along = 0, down = 0;
    double stored, completed;
    FILE *record = fopen("docs/runs/patches.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (sscanf(line, "%15[^,],%15[^,],%d,%d,%d,%d,%lf,%lf", gpu, order, &words, &loads,
                   &resident, &threads, &stored, &completed) != 8)
            continue;
        const struct sim_device *device = sim_device_find(gpu);
        int is_down = strcmp(order, "down") == 0, lines = is_down ? 32 : words;
        double share = completed / 8388608, wait = resident * threads / 32. * lines,
               room = (double)device->l2_bytes / 128 / 8 / device->sms;
        if (!is_down && wait < room)
            ck_assert_msg(share < 0.03, "%s", line);
        if (is_down && wait > room / 2)
            ck_assert_msg(share > 0.03, "%s", line);
        along += !is_down && wait < room;
        down += is_down && wait > room / 2;
    }
    fclose(record);
    ck_assert_int_eq(along, 26);
    ck_assert_int_eq(down, 28);
}

// As docs/simulated_device.md says: within a quarter in most, and never far.
TEST(sectors_are_completed_where_two_others_come)
{
    char line[160], gpu[16], name[80];
    int tiles, resident, cycles, cases = 0, near = 0;
    double sectors;
    FILE *record = fopen("docs/runs/late-stores.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (sscanf(line, "%15[^,],%d,%d,%d,%lf", gpu, &tiles, &resident, &cycles, &sectors) != 5)
            continue;
        snprintf(name, sizeof name, "late_%d_tiles_%d_blocks_%d_cycles_apart", tiles, resident,
                 cycles);
        double ratio = sectors / edge_sectors(tiles) /
                       two_others_come(sim_device_find(gpu), recorded(gpu, name));
        ck_assert_msg(ratio > 0.4 && ratio < 1.3, "%s of %s: %g", name, gpu, ratio);
        near += fabs(ratio - 1) <= 0.25;
        cases++;
    }
    fclose(record);
    ck_assert_int_eq(cases, 42);
    ck_assert_int_eq(near, 32);
}
