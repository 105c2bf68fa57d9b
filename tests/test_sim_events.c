// The timing model's events come in their order.
#include <stdbool.h>
#include <stdlib.h>

#include "sim/time/events.h"
#include "suites.h"

PROGRAM(sim_events)

static bool comes_before(const struct event *a, const struct event *b)
{
    if (a->time != b->time || a->rank != b->rank)
        return a->time < b->time || (a->time == b->time && a->rank < b->rank);
    return a->what < b->what;
}

// Whatever the order in which they are pushed, also between pops: by their times, or where these are equal by their ranks, and
// then by that order.
TEST(events_come_by_their_times, .times = 20)
{
    enum { MOST = 200, TIMES = 8, RANKS = 3, ROUNDS = 5000 };
    struct events events;
    ck_assert(events_open(&events, MOST));
    srand((unsigned)_i);
    double now = 0;
    unsigned pushed = 0;
    bool seen[ROUNDS] = {false};
    for (int i = 0; i < ROUNDS || events.count; i++) {
        if (i < ROUNDS && events.count < MOST && (rand() % 3 || !events.count)) {
            events_push(&events, now + rand() % TIMES, (uint32_t)(rand() % RANKS), pushed++);
            continue;
        }
        struct event event = events_pop(&events);
        for (size_t k = 0; k < events.count; k++)
            ck_assert(comes_before(&event, &events.heap[k]));
        now = event.time;
        ck_assert(!seen[event.what]);
        seen[event.what] = true;
    }
    events_close(&events);
}
