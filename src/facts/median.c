#include "facts/median.h"

#include <math.h>
#include <stdlib.h>

static int compare_floats(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// The largest k for which no more than half of what the confidence leaves falls to fewer than k faster ones of
// `count`: of as many tosses, fewer than k heads. 0 where there is none.
static int interval_rank(int count)
{
    double left = (1 - MEDIAN_CONFIDENCE / 100.0) / 2, fewer = 0;
    int k = 0;
    for (;; k++) {
        fewer +=
            exp(lgamma(count + 1.0) - lgamma(k + 1.0) - lgamma(count - k + 1.0) - count * log(2));
        if (fewer > left)
            return k;
    }
}

struct timing timing_of(float *ms, int count)
{
    qsort(ms, (size_t)count, sizeof *ms, compare_floats);
    int rank = interval_rank(count);
    return (struct timing){.median_ms = (ms[(count - 1) / 2] + ms[count / 2]) / 2,
                           .min_ms = ms[0],
                           .max_ms = ms[count - 1],
                           .low_ms = rank > 0 ? ms[rank - 1] : 0,
                           .high_ms = rank > 0 ? ms[count - rank] : 0,
                           .launches = count};
}

bool timing_has_interval(const struct timing *timing)
{
    return timing->low_ms > 0;
}

bool timing_has_too_few(const struct timing *timing)
{
    return timing->launches > 0 && timing->launches < MEDIAN_LAUNCHES;
}
