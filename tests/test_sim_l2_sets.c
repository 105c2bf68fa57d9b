// What an L2 still has of lines that are loaded and stored again and again, against what GPUs counted.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/sim_devices.h"
#include "sim/count/l2.h"
#include "sim/count/l2_sets.h"

#include "suites.h"

PROGRAM(sim_l2_sets, .seconds = 120)

// As tests/micro/capacity.cu has it: a block of 32 warps an SM, a pass of all of them after the other.
enum { SMS = 132, PASSES = 3, WARPS = 32, WARP_LINES = 4, PITCH_LINES = 513, DOWN = 8192 };
enum { LOADED, STORED, STREAMED, KINDS };

static const uint64_t origin = UINT64_C(0x7f0000000000);

// A row of docs/runs/l2-capacity.csv, in sectors of all passes.
struct row {
    char gpu[8], order[8];
    unsigned lines[KINDS], words;
    double read, written, completed;
};

static uint64_t address_of(const struct row *row, int kind, unsigned pass, unsigned sm,
                           unsigned line)
{
    uint64_t number = (uint64_t)sm * row->lines[kind] + line;
    if (kind == STREAMED)
        number += (uint64_t)pass * SMS * row->lines[kind];
    else if (row->order[0] == 'd')
        number = number % DOWN * PITCH_LINES + number / DOWN;
    return origin + ((uint64_t)kind << 30) + number * LINE_SIZE;
}

// A warp's access to four lines, 16 bytes a lane; or to a word of each of their sectors.
static void note(struct l2_accesses *accesses, struct l2_log *log, const struct row *row, int kind,
                 unsigned pass, unsigned sm, unsigned first)
{
    int is_words = kind == STORED && row->words;
    struct access access = {.size = is_words ? 4 : 16};
    for (unsigned l = 0; l < LANES; l++) {
        unsigned part = l % (LANES / WARP_LINES), line = first + l / (LANES / WARP_LINES);
        access.address[l] =
            address_of(row, kind, pass, sm, line) +
            (is_words ? part % LINE_SECTORS * SECTOR_SIZE + pass * 4 : part * access.size);
        access.mask |= is_words && part >= LINE_SECTORS ? 0 : lane_bit[l];
    }
    access_classify(&access);
    l2_note(accesses, log, &access, first / WARP_LINES % WARPS, (uint32_t)kind, kind == STORED);
}

static void go_through(struct l2_accesses *accesses, struct l2_log *log, const struct row *row)
{
    unsigned most = 0;
    for (int kind = 0; kind < KINDS; kind++)
        most = row->lines[kind] > most ? row->lines[kind] : most;
    for (unsigned block = 0; block < PASSES * SMS; block++) {
        l2_begin_block(log);
        for (unsigned first = 0; first < most; first += WARP_LINES)
            for (int kind = 0; kind < KINDS; kind++)
                if (first < row->lines[kind])
                    note(accesses, log, row, kind, block / SMS, block % SMS, first);
    }
}

// Shares of what is loaded that DRAM reads, and of what is stored that it writes.
struct shares {
    double read, written;
};

// What DRAM reads to complete sectors that were stored in part was counted, too: it is none of the loads'.
static struct shares counted(const struct row *row)
{
    enum { COUNTED_PASSES = 8 };
    const double of_lines = COUNTED_PASSES * SMS * LINE_SECTORS,
                 loaded = row->lines[LOADED] * of_lines, stored = row->lines[STORED] * of_lines,
                 streamed = row->lines[STREAMED] * of_lines;
    return (struct shares){loaded > 0 ? fmax(0, row->read - row->completed - streamed) / loaded : 0,
                           stored > 0 ? row->written / stored : 0};
}

static struct shares simulated(const struct row *row)
{
    const struct sim_device *device = sim_device_find(row->gpu);
    ck_assert_int_eq(device->sms, SMS);
    struct l2 *l2 = l2_open(device->l2_bytes, device->l2_partitions, 2, 1, origin);
    struct l2_log log = {0};
    struct l2_accesses *accesses = l2 ? l2_begin(l2, PASSES * SMS, KINDS) : NULL;
    ck_assert_ptr_nonnull(accesses);
    go_through(accesses, &log, row);
    l2_commit(accesses, &log, 0);
    const struct l2_outcome *o =
        l2_end(l2, &(struct l2_order){.spread = 1, .running = SMS, .sms = SMS, .fast = 1});
    ck_assert_ptr_nonnull(o);
    const struct l2_hits *loads = &o->of_instruction[LOADED];
    double stored = (double)row->lines[STORED] * LINE_SIZE * SMS * PASSES;
    struct shares shares = {loads->sectors ? 1 - (double)loads->hits / loads->sectors : 0,
                            stored > 0 ? o->write_bytes / stored : 0};
    l2_free(l2);
    return shares;
}

// Of the rows so far: the sum of the squares of what the model has more, and how many there are.
struct errors {
    double squares;
    unsigned count;
};

static void add(struct errors *errors, double model, double gpu, double bound, const char *line)
{
    ck_assert_msg(fabs(model - gpu) < bound, "%g, not %g: %s", model, gpu, line);
    errors->squares += (model - gpu) * (model - gpu);
    errors->count++;
}

static double mean(const struct errors *errors, unsigned count)
{
    ck_assert_uint_eq(errors->count, count);
    return sqrt(errors->squares / count);
}

// What is loaded again and again, and nothing else, fills more of the L2 on a GPU than here, where copies take as much of it
// as all else: these rows are not held to a bound of their own.
TEST(as_much_is_read_and_written_again_as_gpus_count)
{
    enum { LOADING = 2 * 28, STORING = 2 * 44 };
    struct errors reads = {0}, writes = {0};
    struct row row;
    char line[256];
    FILE *record = fopen("docs/runs/l2-capacity.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(line, sizeof line, record)) {
        if (sscanf(line, "%7[^,],%7[^,],%u,%u,%u,%u,%lf,%lf,%lf", row.gpu, row.order,
                   &row.lines[LOADED], &row.lines[STORED], &row.words, &row.lines[STREAMED],
                   &row.read, &row.written, &row.completed) != 9)
            continue;
        struct shares gpu = counted(&row), model = simulated(&row);
        if (row.lines[LOADED])
            add(&reads, model.read, gpu.read, row.lines[STORED] || row.lines[STREAMED] ? 0.5 : 1,
                line);
        if (row.lines[STORED])
            add(&writes, model.written, gpu.written, 0.4, line);
    }
    fclose(record);
    ck_assert_double_lt(mean(&reads, LOADING), 0.17);
    ck_assert_double_lt(mean(&writes, STORING), 0.11);
}

// What launches do, by tests/micro/partitions.cu: SMs that are near the homes of the lines, far from them, or any, load or store
// some sectors of each, of so many lines side by side of each `pitch`. Of the SMs those near one partition may do nothing.
struct lines {
    char who[8], what[8];
    unsigned width, pitch, count, sectors;
    uint64_t first;
    int idle[2];
};

static uint64_t number_of(const struct lines *lines, unsigned line)
{
    return lines->first + line / lines->width * lines->pitch + line % lines->width;
}

static void note_line(struct l2_accesses *accesses, struct l2_log *log, const struct lines *lines,
                      unsigned line)
{
    enum { WORD = 16 };
    struct access access = {.size = WORD};
    for (unsigned l = 0; l < LINE_SIZE / WORD; l++) {
        access.address[l] = origin + number_of(lines, line) * LINE_SIZE + l * WORD;
        if (lines->sectors >> l * WORD / SECTOR_SIZE & 1)
            access.mask |= lane_bit[l];
    }
    access_classify(&access);
    l2_note(accesses, log, &access, 0, 0, strcmp(lines->what, "stores") == 0);
}

// What an SM comes to, whose warps go through a group of 32 lines each after the other: one in so many turns is its own.
static void take_turns(struct l2_accesses *accesses, struct l2_log *log, const struct lines *lines,
                       unsigned near, unsigned turn, unsigned turns)
{
    enum { AT_ONCE = 32 * WARPS };
    const struct l2_sets sets = {.partitions = 2};
    const int is_any = strcmp(lines->who, "any") == 0, is_near = strcmp(lines->who, "near") == 0;
    for (unsigned first = turn * AT_ONCE; first < lines->count; first += turns * AT_ONCE)
        for (unsigned line = first; line < first + AT_ONCE && line < lines->count; line++)
            if (is_any || (l2_sets_home(&sets, number_of(lines, line)) == near) == is_near)
                note_line(accesses, log, lines, line);
}

// A block an SM.
static const struct l2_outcome *launch(struct l2 *l2, const struct lines *lines)
{
    const struct l2_sets sets = {.partitions = 2};
    const int is_any = strcmp(lines->who, "any") == 0;
    struct l2_log log = {0};
    struct l2_accesses *accesses = l2_begin(l2, SMS, 1);
    ck_assert_ptr_nonnull(accesses);
    unsigned number[2] = {0};
    for (unsigned sm = 0; sm < SMS; sm++) {
        unsigned near = l2_sets_near(&sets, sm), of_near = number[near]++;
        l2_begin_block(&log);
        if (!lines->idle[near])
            take_turns(accesses, &log, lines, near, is_any ? sm : of_near, is_any ? SMS : SMS / 2);
    }
    ck_assert(number[0] == SMS / 2 && number[1] == SMS / 2); // as on the GPUs
    l2_commit(accesses, &log, 0);
    const struct l2_outcome *outcome =
        l2_end(l2, &(struct l2_order){.spread = 1, .running = SMS, .sms = SMS, .fast = 1});
    ck_assert_ptr_nonnull(outcome);
    return outcome;
}

static struct l2 *open_l2(const struct sim_device *device)
{
    struct l2 *l2 = l2_open(device->l2_bytes, device->l2_partitions, 2, 1, origin);
    ck_assert(l2 && l2_follow(l2, 1));
    return l2;
}

// What fills the L2 to such a share falls into its sets as evenly as on a GPU: lines side by side evenly, others by chance. As
// many are dirty, and what is far takes as much room.
TEST(lines_share_sets_as_on_gpus)
{
    enum { READS = 2 * 49, STORES = 2 * 14, PERCENT = 100, ALL = 15 };
    struct errors reads = {0}, first_writes = {0}, writes = {0};
    char text[256], gpu[8];
    FILE *record = fopen("docs/runs/l2-partitions.csv", "r");
    ck_assert_ptr_nonnull(record);
    while (fgets(text, sizeof text, record)) {
        struct lines lines = {.sectors = ALL};
        unsigned percent;
        double asked, read_1, read, written_1, written;
        if (sscanf(text, "%7[^,],%7[^,],%7[^,],%u,%u,%u,%lf,%lf,%lf,%*f,%lf,%lf", gpu, lines.who,
                   lines.what, &lines.width, &lines.pitch, &percent, &asked, &read_1, &read,
                   &written_1, &written) != 11 ||
            strcmp(lines.what, "sectors") == 0)
            continue;
        const struct sim_device *device = sim_device_find(gpu);
        ck_assert_ptr_nonnull(device);
        lines.count = (unsigned)(device->l2_bytes / LINE_SIZE * percent / PERCENT);
        struct l2 *l2 = open_l2(device);
        double first = launch(l2, &lines)->write_bytes / SECTOR_SIZE;
        const struct l2_outcome *second = launch(l2, &lines);
        if (strcmp(lines.what, "stores") == 0) {
            add(&first_writes, first / asked, written_1 / asked, 0.05, text);
            add(&writes, second->write_bytes / SECTOR_SIZE / asked, written / asked, 0.3, text);
        } else {
            add(&reads, second->read_bytes / SECTOR_SIZE / asked, read / asked, 0.35, text);
        }
        l2_free(l2);
    }
    fclose(record);
    ck_assert_double_lt(mean(&reads, READS), 0.08);
    ck_assert_double_lt(mean(&first_writes, STORES), 0.02);
    ck_assert_double_lt(mean(&writes, STORES), 0.1);
}

// A copy has the sectors that its line's home fetched together, where only one was asked for: when the home has lost them.
TEST(a_copy_is_of_what_is_fetched_together)
{
    enum { FIRST = 1, SECOND = 2, THIRD = 4, ALL = 15, COUNT = 1 << 17, MORE = 1 << 20 };
    struct l2 *l2 = open_l2(sim_device_find("h200"));
    struct lines far = {"far", "loads", 1, 1, COUNT, FIRST, 0, {0, 1}},
                 others = {"near", "loads", 1, 1, MORE, ALL, COUNT, {1, 0}};
    const double both = 2. * SECTOR_SIZE * COUNT / 2; // halves of the lines are far
    ck_assert_double_gt(launch(l2, &far)->read_bytes, 0.95 * both);
    launch(l2, &others);
    far.sectors = SECOND;
    ck_assert_double_lt(launch(l2, &far)->read_bytes, 0.01 * both);
    far.sectors = THIRD;
    ck_assert_double_gt(launch(l2, &far)->read_bytes, 0.95 * both);
    l2_free(l2);
}
