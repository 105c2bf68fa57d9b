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
    uint32_t left;                  // a bit for each line of a store that left with another one
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

// How far somebody came who looks at them in the order in which they will be served.
struct request_cursor {
    unsigned turn, seen[MAX_SCHEDULERS];
};

static inline struct request_cursor requests_begin(const struct requests *requests)
{
    return (struct request_cursor){.turn = requests->turn};
}

// The next one, or NULL after the last.
static inline struct request *requests_next(const struct requests *requests,
                                            struct request_cursor *at)
{
    for (unsigned i = 0; i < requests->schedulers; i++) {
        unsigned s = (at->turn + i) % requests->schedulers;
        if (at->seen[s] == requests->count[s])
            continue;
        at->turn = (s + 1) % requests->schedulers;
        unsigned place = (requests->first[s] + at->seen[s]++) % requests->room;
        return &requests->items[s * requests->room + place];
    }
    return NULL;
}

// Takes the one whose turn it is, if there is any. Returns whether there was.
static inline int requests_take_turn(struct requests *requests, struct request *taken)
{
    struct request_cursor at = requests_begin(requests);
    const struct request *next = requests_next(requests, &at);
    if (!next)
        return 0;
    unsigned scheduler = (unsigned)(next - requests->items) / requests->room;
    *taken = *next;
    requests->first[scheduler] = (requests->first[scheduler] + 1) % requests->room;
    requests->count[scheduler]--;
    requests->turn = at.turn;
    return 1;
}

static inline void requests_add_last(struct requests *requests, unsigned scheduler,
                                     const struct request *request)
{
    unsigned place = (requests->first[scheduler] + requests->count[scheduler]++) % requests->room;
    requests->items[scheduler * requests->room + place] = *request;
}

#endif
