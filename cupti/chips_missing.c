// Stands in for chips.c in a program without CUPTI: no chip is known.
#include "measure/chips.h"

#include <stdio.h>

static const char why_not[] =
    "this program has no CUPTI, which knows the chips\n"
    "Install the CUDA toolkit with CUPTI, 12.6 update 2 or newer, and build again.";

const char *const *chip_names(size_t *count)
{
    *count = 0;
    return NULL;
}

const char *chip_of_device(int ordinal)
{
    (void)ordinal;
    return NULL;
}

struct chip *chip_open(const char *name, char *why, size_t size)
{
    (void)name;
    snprintf(why, size, "%s", why_not);
    return NULL;
}

bool chip_counts(struct chip *chip, const char *expression, char *names, size_t size)
{
    (void)chip;
    (void)expression;
    snprintf(names, size, "%s", why_not);
    return false;
}

void chip_close(struct chip *chip)
{
    (void)chip;
}
