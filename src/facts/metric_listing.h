// The list behind `./run metrics`: every metric the kit knows by name, and whether a chip has it.
#ifndef METRIC_LISTING_H
#define METRIC_LISTING_H

#include "facts/value.h"

enum listing_group { IN_PANEL, COUNTED_EVENT, BY_NAME, LISTING_GROUPS };

enum presence { PRESENCE_UNKNOWN, ABSENT, PRESENT };

struct listed_metric {
    enum listing_group group;
    const char *name;    // nvprof's, or the kit's key where nvprof had none
    const char *formula; // the kit's definition, or NULL
    const char *cupti;   // CUPTI expression with alternatives, or NULL
    const char *note;    // what changed since nvprof; "" for nothing
    enum presence presence;
    char detail[512]; // PRESENT: CUPTI's names on this chip; ABSENT: what is missing
};

enum { MAX_LISTED = 128 };

struct metric_listing {
    const char *chip; // NULL: none was given, and there is no GPU
    int count;
    struct listed_metric metrics[MAX_LISTED];
};

#endif
