// What happens when: a heap, the earliest first; of those at the same time the ones of the lowest rank, in the order
// they came.
#ifndef SIM_EVENTS_H
#define SIM_EVENTS_H

#include <stddef.h>
#include <stdint.h>

struct event {
    double time;     // cycles
    uint64_t number; // how many were pushed before it
    uint32_t rank;   // 0 is first
    unsigned what;   // the caller's
};

struct events {
    struct event *heap; // [count], the earliest one first
    size_t count;
    uint64_t pushed;
};

// For at most so many at a time. Returns 0 when no memory is left. Close it in any case.
int events_open(struct events *events, size_t most);
void events_close(struct events *events);

// Adds one at that time, in cycles. There must be fewer than `most`.
void events_push(struct events *events, double time, uint32_t rank, unsigned what);

// Takes the earliest one; there must be one.
struct event events_pop(struct events *events);

#endif
