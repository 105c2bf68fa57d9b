// The requests that wait in a load/store unit.
#ifndef SIM_REQUESTS_H
#define SIM_REQUESTS_H

#include <stddef.h>
#include <stdint.h>

#include "sim/exec/trace.h"

struct request {
    unsigned warp;
    const struct trace_item *item;
    const struct trace_line *lines; // the item's first one
    // What unit_serve() sets:
    unsigned passes; // that it had so far, where it has a turn for each
    double done;     // when what those brought is there
    double stored;   // when the unit is done with what it stores to global memory
};

enum { MAX_SCHEDULERS = 4 };

// A ring of requests for each scheduler. Those of a scheduler are served in their order, the schedulers in turns.
struct requests {
    struct request *items; // [schedulers][room]
    unsigned schedulers, room;
    unsigned first[MAX_SCHEDULERS], count[MAX_SCHEDULERS];
    unsigned turn; // the scheduler that is next, if it has any
};

// Takes the one whose turn it is, if there is any. Returns whether there was.
static inline int requests_take_turn(struct requests *requests, struct request *taken)
{
    for (unsigned i = 0; i < requests->schedulers; i++) {
        unsigned s = (requests->turn + i) % requests->schedulers;
        if (!requests->count[s])
            continue;
        *taken = requests->items[s * requests->room + requests->first[s]];
        requests->first[s] = (requests->first[s] + 1) % requests->room;
        requests->count[s]--;
        requests->turn = (s + 1) % requests->schedulers;
        return 1;
    }
    return 0;
}

static inline void requests_add_last(struct requests *requests, unsigned scheduler,
                                     const struct request *request)
{
    unsigned place = (requests->first[scheduler] + requests->count[scheduler]++) % requests->room;
    requests->items[scheduler * requests->room + place] = *request;
}

#endif
