// Every number that a run has of a step: its key in the JSON, its name, its unit, and whether more of it
// is better or worse. The one place that says so.
#ifndef QUANTITY_H
#define QUANTITY_H

#include "facts/format.h"
#include "facts/profile.h"

// The metrics and counts of profile.h follow in their order.
enum quantity {
    TIME_MS,
    BANDWIDTH_GBS,
    REGISTERS,    // a thread
    SHARED_BYTES, // a block
    FIRST_METRIC,
    FIRST_COUNT = FIRST_METRIC + METRICS,
    QUANTITIES = FIRST_COUNT + COUNTS
};

enum unit { MILLISECONDS, GB_PER_SECOND, PERCENT, PLAIN, BYTES, EVENTS };

enum sense {
    NEUTRAL,        // no goal in itself
    LESS_IS_BETTER, //
    MORE_IS_BETTER, //
    ENOUGH_IS_GOOD, // more is better up to LOW_OCCUPANCY (reading.h), and no goal in itself beyond
};

// In percent of the value: what the median time of the same program differs by from run to run.
enum { NOISE_OF_TIME = 3 };

const char *quantity_key(enum quantity quantity);
const char *quantity_label(enum quantity quantity); // the panel's name, or a count's key
enum unit quantity_unit(enum quantity quantity);
enum sense quantity_sense(enum quantity quantity);

// Whether the size of the matrix decides it: of two sizes, the two values are not comparable.
int quantity_grows_with_n(enum quantity quantity);

enum verdict {
    NOT_COMPARED, // a value is missing, or the two cannot be compared
    SAME,         // but for the noise of measuring, if it is measured at all
    BETTER,
    WORSE,
    CHANGED, // for better or worse is not for this number to say
};

// "same", "better", "worse", "changed" or "not compared". Static strings.
const char *verdict_name(enum verdict verdict);

// What going from one value to another means, by the quantity's sense.
enum verdict quantity_judge(enum quantity quantity, double from, double to);

// The value with its unit; and a difference of two, with its sign, percentages in points ("" for less
// than they show).
void quantity_format(char text[FORMAT_SIZE], enum quantity quantity, double number,
                     const struct style *style);
void quantity_format_change(char text[FORMAT_SIZE], enum quantity quantity, double change,
                            const struct style *style);

#endif
