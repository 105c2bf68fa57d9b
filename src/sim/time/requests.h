// The requests that wait in a load/store unit, the oldest first: a ring.
#ifndef SIM_REQUESTS_H
#define SIM_REQUESTS_H

#include <stdint.h>

#include "sim/exec/trace.h"

struct request {
    unsigned warp;
    const struct trace_item *item;
    const struct trace_line *lines; // the item's first one
    uint32_t left;                  // a bit for each line of a store that left with another one
    // What unit_serve() sets:
    unsigned passes; // that it had so far, where it has a turn for each
    double done;     // when what those brought is there
    double stored;   // when the unit is done with what it stores to global memory
};

struct requests {
    struct request *items;
    unsigned first, count, capacity;
};

// Number `i` from the oldest on.
static inline struct request *requests_at(const struct requests *requests, unsigned i)
{
    return &requests->items[(requests->first + i) % requests->capacity];
}

static inline struct request requests_take_first(struct requests *requests)
{
    struct request first = *requests_at(requests, 0);
    requests->first = (requests->first + 1) % requests->capacity;
    requests->count--;
    return first;
}

static inline void requests_add_last(struct requests *requests, const struct request *request)
{
    *requests_at(requests, requests->count++) = *request;
}

#endif
