// How far off a run's predictions are on the whole: a row a run, then one for all of a group's.
#ifndef TALLIES_H
#define TALLIES_H

#include "facts/comparison.h"
#include "show/report.h"

enum {
    LARGE_N = 4096, // smaller matrices fit in the L2, and launching is most of the time
    ERRORS = 5
};

// The errors of a run, or of all of a group.
struct tally {
    const char *group, *device;
    size_t n; // 0: of all
    struct {
        int count;
        double sum, worst; // of the absolute errors; the largest, with its sign
    } errors[ERRORS];
    int pairs, ordered, limiters,
        wrong_limiters; // pairs of steps, and those in the order of their times
};

// Adds a step that was recorded and predicted.
void tally_pair(struct tally *tally, const struct pair *pair);

// Prints them; runs of a group follow each other.
void put_tallies(const struct report *report, const struct tally *tallies, int count);

// "H100" of "NVIDIA H100 80GB HBM3": where it begins, and its length.
int short_name(const char *device, const char **name);

#endif
