// The median of launches, and how well they tell it: nothing is taken for granted of how times are distributed, which
// have tails, steps and two modes.
//
// A launch is as likely faster than the true median as slower, so how many of n are faster is binomial, and the true
// median lies between the k-th fastest and the k-th slowest with a probability that follows from n and k alone
// (H. A. David, H. N. Nagaraja, Order Statistics, 3rd edition, Wiley 2003, section 7.1; for times of programs, J.-Y. Le
// Boudec, Performance Evaluation of Computer and Communication Systems, EPFL Press 2010, section 2.2). It counts on
// launches that do not lean on each other: what lasts for a whole run, as another clock, it does not see.
#ifndef MEDIAN_H
#define MEDIAN_H

#include <stdbool.h>

// The interval holds the true median this often, in percent; and the fewest launches that have one.
enum { MEDIAN_CONFIDENCE = 95, MEDIAN_LAUNCHES = 6 };

// Milliseconds of single launches.
struct timing {
    double median_ms, min_ms, max_ms;
    int launches;           // 0: nothing is known but perhaps the median
    double low_ms, high_ms; // between which the true median lies; 0: not known
};

// What the times of `count` launches (1 or more, which get sorted) say.
struct timing timing_of(float *ms, int count);

// Whether the interval is known.
bool timing_has_interval(const struct timing *timing);

// Whether launches were timed, and too few of them to have an interval.
bool timing_has_too_few(const struct timing *timing);

#endif
