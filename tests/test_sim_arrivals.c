// How far apart warps come to their stores, against what GPUs measured.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/count/access.h"
#include "sim/exec/trace.h"
#include "sim/ptx/module.h"
#include "sim/time/arrivals.h"
#include "sim/time/dram_time.h"

#include "recorded.h"
#include "suites.h"

PROGRAM(sim_arrivals)

// What a warp does: 's'tores, 'l'oads, meets others at a 'b'arrier. It loads all from a line of its own, or of 256 bytes that it
// shares with one of the next warps, or all from the same one. The launch is valid until the next one.
enum loads { OWN, TWO_LINES, SAME };
static struct launch *launch_of(const char *does, uint32_t warps, enum loads loads)
{
    enum { MOST = 64 };
    static const struct instruction barrier = {.op = OP_BARRIER}, load = {.is_load = 1},
                                    store = {0};
    static struct trace_item items[LANES][MOST];
    static struct trace_line lines[LANES];
    static struct warp_trace all[LANES];
    static struct block_trace block;
    static struct trace trace;
    static struct launch launch;
    for (uint32_t w = 0; w < warps; w++) {
        uint32_t count = 0;
        for (const char *what = does; *what; what++)
            items[w][count++] = (struct trace_item){.in = *what == 'b'   ? &barrier
                                                          : *what == 's' ? &store
                                                                         : &load,
                                                    .first_line = w,
                                                    .lines = *what != 'b'};
        lines[w].number = loads == OWN ? 2 * w : loads == TWO_LINES ? w : 0;
        all[w] = (struct warp_trace){.items = items[w], .count = count, .executed = count};
    }
    block = (struct block_trace){.warps = all, .lines = lines};
    trace = (struct trace){.block_count = 1, .warps = warps, .blocks = &block};
    launch = (struct launch){.trace = &trace};
    return &launch;
}

// So many stores, after a load.
static const char *stores(unsigned count, int have_met)
{
    static char does[64];
    snprintf(does, sizeof does, "l%s%.*s", have_met ? "b" : "", (int)count,
             "ssssssssssssssssssssssssssssssss");
    return does;
}

// Of 8 warps that wait for exponential times the last comes this many means after the first: 1 + 1/2 + ... + 1/7.
static const double first_to_last_of_8 = 2.592857;

// Of tiles of 32 words, a warp each, of blocks that do not loop, and have not met.
TEST(warps_are_as_far_apart_as_gpus_measure, .times = 2)
{
    static const char *const gpus[] = {"h200", "h100"};
    for (unsigned count = 1; count <= 16; count *= 2) {
        char name[64];
        snprintf(name, sizeof name, "open_8_warps_%u_stores_apart", count);
        const struct launch *launch = launch_of(stores(count, 0), 8, TWO_LINES);
        double lives = recorded(gpus[_i], name),
               model = first_to_last_of_8 * warp_time_apart(launch, 1, 1, 1);
        ck_assert_msg(fabs(model - lives) < 0.12, "%g, not %g: %s", model, lives, name);
    }
}

// Tiles of which only the warps of a block share sectors (tests/micro/own_sectors.cu).
static const char *const own_tiles[] = {"64x16_words_256",  "64x32_words_256",  "64x64_words_256",
                                        "128x8_words_128",  "128x32_words_128", "128x8_words_256",
                                        "128x32_words_256", "256x8_words_256",  "256x32_words_256",
                                        "128x32_words_1024"};
enum { OWN_TILES = sizeof own_tiles / sizeof *own_tiles };

// Two warps that passed on what they loaded, of tiles in which they share sectors.
TEST(warps_that_met_are_together)
{
    for (size_t i = 0; i < OWN_TILES; i++) {
        char name[80];
        snprintf(name, sizeof name, "own_%s_threads_met_columns_apart", own_tiles[i]);
        double lives = recorded("h200", name),
               model = warp_time_apart(launch_of("lbs", 8, OWN), 1, 1, 1);
        ck_assert_msg(lives > 0.4 * model && lives < 2.5 * model, "%s: %g", name, lives);
    }
}

TEST(who_meets_in_each_round_does_not_fall_further_apart)
{
    double once = warp_time_apart(launch_of("ls", 8, OWN), 1, 1, 1),
           rounds = warp_time_apart(launch_of("lsls", 8, OWN), 1, 2, 1),
           met = warp_time_apart(launch_of("lbslbs", 8, OWN), 1, 2, 1);
    ck_assert_double_eq_tol(rounds, once / sqrt(2), 1e-9);
    ck_assert_double_eq_tol(met, warp_time_apart(launch_of("lbs", 8, OWN), 1, 1, 1) / 2, 1e-9);
}

// What warps store first, after they loaded words of lines of their own, or some that all ask for (docs/runs/warps-apart.csv): how
// far apart they come, as shares of their blocks' lives, and what does not join, of what could.
struct first_stores {
    unsigned words, warps, stores;
    char loads[16], where[8];
    double sectors, ns, lives, apart;
};

// The next row; 0 after the last.
static int next_row(FILE *record, struct first_stores *row)
{
    enum { SMS = 132, SM_WARPS = 64, SECTOR_WORDS = 8, SHIFT = 3 };
    char line[256], name[96];
    do {
        if (!fgets(line, sizeof line, record))
            return 0;
    } while (sscanf(line, "%u,%u,%u,%15[^,],%7[^,],%*u,%lf,%*u,%lf", &row->words, &row->warps,
                    &row->stores, row->loads, row->where, &row->sectors, &row->ns) != 7);
    snprintf(name, sizeof name, "apart_%u_words_%u_warps_%u_stores_%s_%s_shifted", row->words,
             row->warps, row->stores, row->loads, row->where);
    const double n = strcmp(row->where, "dram") == 0 ? 10240 : 1024,
                 blocks = n * n / LANES / row->warps / row->stores,
                 running = fmin(blocks, SMS * fmin(32, SM_WARPS / row->warps)),
                 whole = n * n / SECTOR_WORDS, parts = n * n / row->words;
    row->lives = row->ns / (4 * n * n / recorded("h200", name)) * blocks / running;
    double most = 0; // sectors that its parts are in, of one after the other
    for (unsigned first = SHIFT, left = SECTOR_WORDS; left--; first += row->words)
        most += (first % SECTOR_WORDS + row->words - 1) / SECTOR_WORDS + 1;
    row->apart = (row->sectors - whole) / (parts * most / SECTOR_WORDS - whole);
    return 1;
}

TEST(first_stores_are_as_far_apart_as_what_is_loaded)
{
    enum { ALL = 80 };
    struct first_stores row;
    unsigned rows = 0, own = 0;
    FILE *record = fopen("docs/runs/warps-apart.csv", "r");
    ck_assert_ptr_nonnull(record);
    for (; next_row(record, &row); rows++) {
        const int from_dram = strcmp(row.where, "dram") == 0,
                  are_own = strstr(row.loads, "rows") != NULL,
                  are_beside = strcmp(row.loads, "beside") == 0;
        if (!are_own && !are_beside)
            continue;
        const enum loads loads = are_own ? OWN : row.words == LANES ? TWO_LINES : SAME;
        const struct launch *launch = launch_of(stores(row.stores, 0), row.warps, loads);
        double lives = warp_time_apart(launch, 1, 1, from_dram),
               apart = warps_apart(launch, from_dram);
        char of[64];
        snprintf(of, sizeof of, "%u words, %u x %u, %s, %s", row.words, row.warps, row.stores,
                 row.loads, row.where);
        if (from_dram && are_own) {
            ck_assert_msg(row.lives > 0.65 * lives && row.lives < 1.5 * lives, "%s: %g, not %g", of,
                          lives, row.lives);
            ck_assert_msg(fabs(apart - row.apart) < 0.15, "%s: %g, not %g", of, apart, row.apart);
            own++;
        } else {
            double most = from_dram ? 0.05 : 0.04;
            ck_assert_msg(fabs(lives - row.lives) < most, "%s: %g, not %g", of, lives, row.lives);
        }
    }
    fclose(record);
    ck_assert_uint_eq(rows, ALL);
    ck_assert_uint_eq(own, ALL / 4);
}

// Two warps of a block that only stores share sectors.
TEST(warps_that_load_nothing_are_as_far_apart_as_in_the_mean)
{
    double sum = 0;
    for (size_t i = 0; i < OWN_TILES; i++) {
        char name[80];
        snprintf(name, sizeof name, "own_%s_threads_write_columns_apart", own_tiles[i]);
        sum += recorded("h200", name);
    }
    ck_assert_double_eq_tol(warp_time_apart(launch_of("ss", 8, OWN), 1, 1, 1), sum / OWN_TILES,
                            0.02);
}

// Loops that wait for DRAM in each round, or for the L2 where all fits, and for nothing else.
TEST(rounds_fall_apart_as_a_walk_does)
{
    const struct sim_device *device = sim_device_find("h200");
    for (int rounds = 256; rounds <= 1024; rounds *= 4) {
        static const char *const who[] = {"warps", "blocks"};
        for (int i = 0; i < 2; i++) {
            char each[64], apart[64];
            snprintf(each, sizeof each, "rounds_lines_%d_rounds_1_waves_each", rounds);
            snprintf(apart, sizeof apart, "rounds_lines_%d_rounds_1_waves_%s_apart", rounds,
                     who[i]);
            double ns = recorded("h200", apart) * recorded("h200", each),
                   model =
                       walk_cycles(&device->timing, rounds, 1, 0) / (device->sm_clock_mhz * 1e-3);
            ck_assert_msg(ns > model && ns < 1.9 * model, "%s: %g ns, not %g", apart, model, ns);
        }
    }
    double l2_ns = recorded("h200", "rounds_lines_64_rounds_1_waves_warps_apart") *
                   recorded("h200", "rounds_lines_64_rounds_1_waves_each"),
           of_l2 = walk_cycles(&device->timing, 64, 0, 0) / (device->sm_clock_mhz * 1e-3);
    ck_assert_msg(l2_ns > of_l2 / 1.5 && l2_ns < of_l2 * 1.5, "%g ns, not %g", of_l2, l2_ns);
    double some = walk_cycles(&device->timing, 100, 0.5, 200);
    ck_assert(walk_cycles(&device->timing, 1, 1, 200) == 0);
    ck_assert(walk_cycles(&device->timing, 100, 0, 200) < some / 3);
    ck_assert(walk_cycles(&device->timing, 100, 1, 200) > 1.3 * some);
    ck_assert(walk_cycles(&device->timing, 100, 0.5, 0) < some / 1.3);
}

// Blocks that the L2 limits are as far apart, of their lives, however many rounds they have.
TEST(blocks_with_paces_of_their_own_are_as_far_apart_as_gpus_measure)
{
    for (int rounds = 4; rounds <= 1024; rounds *= 4) {
        char name[64];
        snprintf(name, sizeof name, "rounds_scattered_%d_rounds_1_waves_blocks_apart", rounds);
        ck_assert_double_eq_tol(recorded("h200", name) / rounds, paces_apart(1), 0.009);
    }
}

// How far so many blocks an SM that share sectors are apart in the mean over three shapes, to what the model has.
static double apart_as_modelled(int blocks)
{
    enum { ROUNDS = 32, SMS = 132, SHAPES = 3 };
    const double running = (double)SMS * blocks,
                 rounds = meetings_apart(running, SMS, ROUNDS) / running * ROUNDS;
    double sum = 0;
    for (int rows = 12; rows <= 20; rows += 4) {
        char name[64];
        snprintf(name, sizeof name, "panels_%d_rows_%d_blocks_sharing_apart", rows, blocks);
        sum += recorded("h200", name);
    }
    return sum / SHAPES / rounds;
}

// Of many rounds that DRAM limits how far two blocks' lives are apart in the mean, if they are spread as errors are, from what
// a tenth is below the mean and another above it.
static double lives_apart(const char *gpu, int blocks)
{
    const double TENTHS = 2.563, MEAN_DIFFERENCE = 1.128; // of normal distributions, in deviations
    char fast[64], slow[64];
    snprintf(fast, sizeof fast, "pace_dram_%d_blocks_fast", blocks);
    snprintf(slow, sizeof slow, "pace_dram_%d_blocks_slow", blocks);
    return (recorded(gpu, slow) - recorded(gpu, fast)) / TENTHS * MEAN_DIFFERENCE;
}

TEST(blocks_that_meet_in_each_round_are_as_far_apart_as_gpus_measure)
{
    ck_assert_double_eq_tol(apart_as_modelled(1), 0.6, 0.1);
    for (int blocks = 2; blocks <= 8; blocks *= 2)
        ck_assert_double_eq_tol(apart_as_modelled(blocks), 1, 0.2);
}

TEST(lives_of_many_rounds_are_as_unlike_as_gpus_measure, .times = RECORDED_GPUS)
{
    enum { ROUNDS = 400, SMS = 132 };
    for (int blocks = 1; blocks <= 4; blocks *= 2) {
        const double running = (double)SMS * blocks;
        ck_assert_double_eq_tol(lives_apart(recorded_gpus[_i], blocks),
                                meetings_apart(running, SMS, ROUNDS) / running, 0.003);
    }
}

// How unlike the lives of two blocks are that wait for such a share of them, in launches, as measured and as modelled.
static void assert_unlike(const char *name, double waiting, int have_met, double requests,
                          double least, double most)
{
    char running[80], unlike[80];
    snprintf(running, sizeof running, "%s_running", name);
    snprintf(unlike, sizeof unlike, "%s_unlike", name);
    double model = launches_apart(recorded("h200", running), 1, waiting, have_met, requests),
           measured = recorded("h200", unlike);
    ck_assert_msg(measured > least * model && measured < most * model, "%s: %g, not %g", name,
                  model, measured);
}

// Of tiles that blocks copy, one each. What they wait, of their lives, is what find_waiting() of predict.c had of these kernels
// when 0.69 and 0.87 were found. Tiles of 128 words or more, and blocks of 1024 threads, are left out, whose lives are more alike.
enum { TILES = 12 };
TEST(lives_are_as_unlike_as_gpus_measure, .times = 2 * TILES)
{
    static const struct {
        int width, height, threads;
        double waiting[2]; // unmet, met
    } tiles[TILES] = {{16, 16, 256, {0.333, 0.186}}, {16, 64, 256, {0.631, 0.569}},
                      {32, 32, 32, {0.625, 0.588}},  {32, 32, 64, {0.671, 0.596}},
                      {32, 32, 128, {0.668, 0.589}}, {32, 32, 256, {0.635, 0.556}},
                      {32, 64, 256, {0.632, 0.577}}, {32, 128, 256, {0.661, 0.6}},
                      {64, 32, 128, {0.67, 0.566}},  {64, 32, 256, {0.6, 0.524}},
                      {64, 64, 128, {0.636, 0.582}}, {64, 64, 256, {0.655, 0.563}}};
    const double LINE_WORDS = LINE_SIZE / 4.;
    const int width = tiles[_i / 2].width, height = tiles[_i / 2].height, met = _i % 2,
              of_warp = width < LANES ? width : LANES;
    char name[64];
    snprintf(name, sizeof name, "lives_%dx%d_words_%d_threads%s", width, height,
             tiles[_i / 2].threads, met ? "_met" : "");
    // What a warp has of a row that starts anywhere lies in so many lines, in the mean: each is loaded and stored.
    const double lines = 1 + (of_warp - 1) / LINE_WORDS,
                 requests = 2 * height * (width / of_warp) * lines;
    assert_unlike(name, tiles[_i / 2].waiting[met], met, requests, 0.75, 1.35);
}

// The same of warps that store single words of many rows and more, for which the L2 takes longer than DRAM.
enum { STRIPS = 12 };
TEST(lives_are_as_unlike_where_the_l2_limits, .times = STRIPS)
{
    enum { WARPS = 8 };
    static const struct {
        int words, stores;
        double waiting;
    } strips[STRIPS] = {{1, 1, 0.398},  {1, 4, 0.481},  {1, 16, 0.48}, {2, 1, 0.366},
                        {2, 4, 0.483},  {2, 16, 0.505}, {4, 1, 0.452}, {4, 4, 0.549},
                        {4, 16, 0.597}, {8, 1, 0.44},   {8, 4, 0.625}, {8, 16, 0.682}};
    const int words = strips[_i].words, stores = strips[_i].stores;
    const double LINE_WORDS = LINE_SIZE / 4., lines = 1 + (words - 1) / LINE_WORDS,
                 requests = WARPS * stores * (2 + LANES / words * lines);
    char name[64];
    snprintf(name, sizeof name, "lives_strips_%d_words_%d_stores", words, stores);
    assert_unlike(name, strips[_i].waiting, 0, requests, 0.65, 2.5);
}

// Of copies of tiles in which two warps share sectors, down the columns: how much longer a line takes than where they do not, in
// cycles of all SMs, without what is completed, by how far apart they come and how many parts do not join
// (docs/runs/own-sectors.csv).
TEST(warps_lose_the_more_the_further_apart_they_come)
{
    enum { COUNTED = 10, LINES = 3195392, WORDS = 79 * 128, SMS = 132, NEAR_PARTS = 2 };
    const struct sim_device *device = sim_device_find("h200");
    const struct l2_outcome a_line = {.split_lines = 1,
                                      .far_split_lines = 1,
                                      .far_split_sectors = 1,
                                      .far_split_parts = NEAR_PARTS};
    const double far = far_split_cycles(device, &a_line);
    char line[256], name[96];
    unsigned width, height, threads, requests, rows = 0;
    double completed, squares = 0;
    FILE *record = fopen("docs/runs/own-sectors.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (sscanf(line, "h200,%u,%u,%u,copy,columns,%u,%lf", &width, &height, &threads, &requests,
                   &completed) != 5)
            continue;
        static const char *const what[] = {"aligned", "shifted", "apart", "resident"};
        double of[4];
        for (int i = 0; i < 4; i++) {
            snprintf(name, sizeof name, "own_%ux%u_words_%u_threads_copy_columns_%s", width, height,
                     threads, what[i]);
            of[i] = recorded("h200", name);
        }
        const double matrix = 4e-9 * WORDS * WORDS * device->sm_clock_mhz * 1e6,
                     blocks = (double)((WORDS + width - 1) / width) * (WORDS / height),
                     cycles = matrix / of[1], apart = of[2] * cycles * of[3] * SMS / blocks;
        double lost = (cycles - matrix / of[0]) * SMS / LINES -
                      device->timing.l2_part_eviction * completed / LINES,
               model = far * warps_lose((double)requests / LINES - 1, apart);
        ck_assert_msg(fabs(model - lost) < 1.1, "%g, not %g: %s", model, lost, line);
        squares += (model - lost) * (model - lost);
        rows++;
    }
    fclose(record);
    ck_assert_uint_eq(rows, COUNTED);
    ck_assert(sqrt(squares / rows) < 0.5);
}

// As where blocks that copy what the L2 holds move as much of the most that they do; and only where what DRAM moves is not the
// limit.
TEST(sms_have_own_paces_where_something_is_busy, .times = 2)
{
    static const char *const gpus[] = {"h200", "h100"};
    double moved[4], most = 0;
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "pace_l2_%d_blocks", 1 << i);
        moved[i] = recorded(gpus[_i], name);
        most = fmax(most, moved[i]);
    }
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "pace_l2_%d_blocks_fast", 1 << i);
        int are_unlike = recorded(gpus[_i], name) < 0.85;
        if (i != 1) // which lies between
            ck_assert_int_eq(have_own_paces(moved[i] / most, 0, 0), are_unlike);
    }
    ck_assert(have_own_paces(0.8, 0.7, 0.95));
    ck_assert(!have_own_paces(0.8, 0.7, 0.8));
    ck_assert(!have_own_paces(0.93, 0.95, 0.95));
}

TEST(stores_after_meeting_are_found)
{
    ck_assert(!stores_after_meeting(launch_of("lsss", 1, SAME)));
    ck_assert(!stores_after_meeting(launch_of("lsb", 1, SAME)));
    ck_assert(!stores_after_meeting(launch_of("lsbl", 1, SAME)));
    ck_assert(stores_after_meeting(launch_of("lsbls", 1, SAME)));
}

// Parts join the less the more a block stores after its warps met, but never less than where they did not; and all do where these
// store twice at most, unless DRAM brings each a line of its own.
TEST(parts_join_less_the_more_a_block_stores)
{
    const double unmet = warps_apart(launch_of("lssssssss", 4, SAME), 1);
    ck_assert(unmet > 0.6 && unmet < 0.92);
    ck_assert(warps_apart(launch_of("ls", 4, SAME), 1) == 0 &&
              warps_apart(launch_of("lss", 4, SAME), 1) == 0);
    ck_assert_double_eq_tol(warps_apart(launch_of("ls", 4, OWN), 1), 0.85, 1e-9);
    ck_assert_double_eq_tol(warps_apart(launch_of("ls", 4, OWN), 0.5), 0.85 / 2, 1e-9);
    ck_assert(warps_apart(launch_of("lsss", 4, SAME), 1) > 0 &&
              warps_apart(launch_of("lsss", 4, SAME), 1) <
                  warps_apart(launch_of("lssss", 4, SAME), 1));
    double before = 0;
    for (uint32_t warps = 1; warps <= LANES; warps *= 2) {
        double met = warps_apart(launch_of("lbssssssss", warps, SAME), 1);
        ck_assert(met > before && met < 0.86);
        before = met;
    }
    ck_assert(before > 0.7);
    ck_assert(warps_apart(launch_of("lbssb", 4, SAME), 1) ==
              warps_apart(launch_of("lbss", 4, SAME), 1));
    ck_assert_double_eq_tol(warps_apart(launch_of("ssssbssss", 4, SAME), 1),
                            (warps_apart(launch_of("lssss", 4, SAME), 1) +
                             warps_apart(launch_of("lbssss", 4, SAME), 1)) /
                                2,
                            1e-9);
}

// As GPUs count: what of the requests of tiles, two a line, did not join (docs/runs/own-sectors.csv), whether warps have met or
// not.
TEST(as_many_parts_join_as_gpus_count)
{
    enum { COUNTED = 60, LINES = 3195392 };
    char line[256], what[8], order[8];
    unsigned width, height, threads, requests, rows = 0;
    FILE *record = fopen("docs/runs/own-sectors.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (sscanf(line, "h200,%u,%u,%u,%7[^,],%7[^,],%u", &width, &height, &threads, what, order,
                   &requests) != 6)
            continue;
        int have_met = strcmp(what, "met") == 0;
        double counted = (double)requests / LINES - 1,
               model = warps_apart(
                   launch_of(stores(width * height / threads, have_met), threads / LANES, SAME), 1);
        ck_assert_msg(fabs(model - counted) < (have_met ? 0.13 : 0.26), "%g: %s", model, line);
        rows++;
    }
    fclose(record);
    ck_assert_uint_eq(rows, COUNTED);
}

// A warp whose trace has four barriers, and that went on as long again, unseen.
TEST(barriers_are_counted_with_what_was_not_traced, .times = 2)
{
    enum { BARRIERS = 4, ITEMS = 2 * BARRIERS };
    const struct instruction barrier = {.op = OP_BARRIER}, other = {.op = OP_MOVE};
    struct trace_item items[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        items[i] = (struct trace_item){.in = i % 2 ? &barrier : &other};
    struct warp_trace warp = {
        .items = items, .count = ITEMS, .executed = _i == 0 ? ITEMS : 2 * ITEMS};
    struct block_trace block = {.warps = &warp};
    struct trace trace = {.block_count = 1, .warps = 1, .blocks = &block};
    struct launch launch = {.trace = &trace};
    int met = _i == 0 ? BARRIERS : 2 * BARRIERS;
    ck_assert(meets_in_each_round(&launch, met));
    ck_assert(!meets_in_each_round(&launch, met + 1));
}
