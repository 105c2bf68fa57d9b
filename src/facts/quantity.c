#include "facts/quantity.h"

#include "advice/reading.h"

#include <math.h>
#include <stdio.h>

struct quantity_row {
    const char *label;
    enum unit unit;
    enum sense sense;
    double noise; // percent of the value
    int grows_with_n;
};

// Sectors per request are neutral, because wider loads raise them at full efficiency; so are requests,
// useful bytes and branches, which are part of the work.
static const struct quantity_row rows[FIRST_COUNT] = {
    [TIME_MS] = {"Duration", MILLISECONDS, LESS_IS_BETTER, NOISE_OF_TIME, 1},
    [BANDWIDTH_GBS] = {"Bandwidth (useful bytes)", GB_PER_SECOND, MORE_IS_BETTER, NOISE_OF_TIME, 0},
    [REGISTERS] = {"Registers/Thread", PLAIN, NEUTRAL, 0, 0},
    [SHARED_BYTES] = {"Shared Memory/Block", BYTES, NEUTRAL, 0, 0},
    [FIRST_METRIC + GLD_EFFICIENCY] = {"Global Load Efficiency", PERCENT, MORE_IS_BETTER, 0, 0},
    [FIRST_METRIC + GST_EFFICIENCY] = {"Global Store Efficiency", PERCENT, MORE_IS_BETTER, 0, 0},
    [FIRST_METRIC +
        GLD_TRANSACTIONS_PER_REQUEST] = {"Global Load Sectors/Request", PLAIN, NEUTRAL, 0, 0},
    [FIRST_METRIC +
        GST_TRANSACTIONS_PER_REQUEST] = {"Global Store Sectors/Request", PLAIN, NEUTRAL, 0, 0},
    [FIRST_METRIC +
        LOCAL_MEMORY_OVERHEAD] = {"Local Memory Overhead", PERCENT, LESS_IS_BETTER, 0, 0},
    [FIRST_METRIC +
        DRAM_UTILIZATION] = {"DRAM Utilization", PERCENT, MORE_IS_BETTER, NOISE_OF_TIME, 0},
    [FIRST_METRIC +
        DRAM_THROUGHPUT_GBS] = {"DRAM Throughput", GB_PER_SECOND, MORE_IS_BETTER, NOISE_OF_TIME, 0},
    [FIRST_METRIC +
        BRANCH_DIVERGENCE_OVERHEAD] = {"Branch Divergence Overhead", PERCENT, LESS_IS_BETTER, 0, 0},
    [FIRST_METRIC +
        TOTAL_REPLAY_OVERHEAD] = {"Total Replay Overhead", PERCENT, LESS_IS_BETTER, 0, 0},
    [FIRST_METRIC +
        SHARED_REPLAY_OVERHEAD] = {"Shared Memory Replay Overhead", PERCENT, LESS_IS_BETTER, 0, 0},
    [FIRST_METRIC +
        GLOBAL_REPLAY_OVERHEAD] = {"Global Memory Replay Overhead", PERCENT, LESS_IS_BETTER, 0, 0},
    [FIRST_METRIC +
        ACHIEVED_OCCUPANCY] = {"Achieved Occupancy", PERCENT, ENOUGH_IS_GOOD, NOISE_OF_TIME, 0},
    [FIRST_METRIC +
        THEORETICAL_OCCUPANCY] = {"Theoretical Occupancy", PERCENT, ENOUGH_IS_GOOD, 0, 0},
};

// What the counters of two launches of one kernel differ by.
static const double noise_of_counters = 0.5;

static const enum sense count_senses[COUNTS] = {
    [INST_EXECUTED] = LESS_IS_BETTER,        [GLOBAL_LOAD_SECTORS] = LESS_IS_BETTER,
    [GLOBAL_STORE_SECTORS] = LESS_IS_BETTER, [GLOBAL_TAGS] = LESS_IS_BETTER,
    [SHARED_WAVEFRONTS] = LESS_IS_BETTER,    [LOCAL_SECTORS] = LESS_IS_BETTER,
    [DIVERGENT_BRANCHES] = LESS_IS_BETTER,   [DRAM_READ_BYTES] = LESS_IS_BETTER,
    [DRAM_WRITE_BYTES] = LESS_IS_BETTER,
};

static struct quantity_row row_of(enum quantity quantity)
{
    if (quantity < FIRST_COUNT)
        return rows[quantity];
    enum count count = quantity - FIRST_COUNT;
    return (struct quantity_row){count_key(count), EVENTS, count_senses[count], noise_of_counters,
                                 1};
}

const char *quantity_key(enum quantity quantity)
{
    static const char *const keys[FIRST_METRIC] = {"time_ms", "bandwidth_gbs", "registers",
                                                   "shared_bytes"};
    return quantity < FIRST_METRIC  ? keys[quantity]
           : quantity < FIRST_COUNT ? metric_key(quantity - FIRST_METRIC)
                                    : count_key(quantity - FIRST_COUNT);
}

const char *quantity_label(enum quantity quantity)
{
    return row_of(quantity).label;
}

enum unit quantity_unit(enum quantity quantity)
{
    return row_of(quantity).unit;
}

enum sense quantity_sense(enum quantity quantity)
{
    return row_of(quantity).sense;
}

int quantity_grows_with_n(enum quantity quantity)
{
    return row_of(quantity).grows_with_n;
}

// Whether a change would print as 0.0 points.
static bool is_unseen(enum unit unit, double change)
{
    return unit == PERCENT && fabs(change) < 0.05;
}

enum verdict quantity_judge(enum quantity quantity, double from, double to)
{
    struct quantity_row row = row_of(quantity);
    double change = fabs(to - from);
    if (is_unseen(row.unit, change) || change <= row.noise / 100 * fmax(fabs(from), fabs(to)))
        return SAME;
    if (row.sense == NEUTRAL ||
        (row.sense == ENOUGH_IS_GOOD && from >= LOW_OCCUPANCY && to >= LOW_OCCUPANCY))
        return CHANGED;
    return (to > from) == (row.sense != LESS_IS_BETTER) ? BETTER : WORSE;
}

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {[SAME] = "same",
                                        [BETTER] = "better",
                                        [WORSE] = "worse",
                                        [NOT_COMPARED] = "not compared",
                                        [CHANGED] = "changed"};
    return names[verdict];
}

void quantity_format(char text[FORMAT_SIZE], enum quantity quantity, double number,
                     const struct style *style)
{
    char digits[FORMAT_SIZE];
    switch (quantity_unit(quantity)) {
    case MILLISECONDS:
        format_duration(text, number, style);
        break;
    case GB_PER_SECOND:
        format_number(digits, number);
        snprintf(text, FORMAT_SIZE, "%.40s GB/s", digits);
        break;
    case PERCENT:
        format_percent(text, number);
        break;
    case PLAIN:
        format_number(text, number);
        break;
    case BYTES:
        format_bytes(text, (size_t)number);
        break;
    case EVENTS:
        snprintf(text, FORMAT_SIZE, "%.0f", number);
        break;
    }
}

void quantity_format_change(char text[FORMAT_SIZE], enum quantity quantity, double change,
                            const struct style *style)
{
    if (quantity_unit(quantity) == PERCENT) {
        snprintf(text, FORMAT_SIZE, "%+.1f", change);
        if (is_unseen(PERCENT, change))
            *text = '\0';
        return;
    }
    char size[FORMAT_SIZE];
    quantity_format(size, quantity, fabs(change), style);
    snprintf(text, FORMAT_SIZE, "%s%.60s", change < 0 ? "-" : "+", size);
}
