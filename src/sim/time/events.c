#include "sim/time/events.h"

#include <stdlib.h>

int events_open(struct events *events, size_t most)
{
    *events = (struct events){.heap = calloc(most, sizeof *events->heap)};
    return events->heap != NULL;
}

void events_close(struct events *events)
{
    free(events->heap);
}

static int is_before(const struct event *a, const struct event *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    return a->rank < b->rank || (a->rank == b->rank && a->number < b->number);
}

void events_push(struct events *events, double time, uint32_t rank, unsigned what)
{
    struct event *heap = events->heap, event = {time, events->pushed++, rank, what};
    size_t i = events->count++;
    for (; i > 0 && is_before(&event, &heap[(i - 1) / 2]); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = event;
}

struct event events_pop(struct events *events)
{
    struct event *heap = events->heap, first = heap[0], last = heap[--events->count];
    size_t i = 0;
    for (size_t child; (child = 2 * i + 1) < events->count; i = child) {
        if (child + 1 < events->count && is_before(&heap[child + 1], &heap[child]))
            child++;
        if (!is_before(&heap[child], &last))
            break;
        heap[i] = heap[child];
    }
    heap[i] = last;
    return first;
}
