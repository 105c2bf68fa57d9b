// A number that is as expected within some percent.
#ifndef NEAR_H
#define NEAR_H

#include <check.h>
#include <math.h>

static inline void assert_near(double found, double expected, double percent, const char *what)
{
    ck_assert_msg(fabs(found - expected) <= percent / 100 * fabs(expected),
                  "%s: %g, expected %g within %g %%", what, found, expected, percent);
}

#endif
