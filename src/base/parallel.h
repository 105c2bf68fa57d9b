// Work on the host, spread over all cores that this process may use.
#ifndef PARALLEL_H
#define PARALLEL_H

#include <stddef.h>

enum { MAX_WORKERS = 64 };

// One worker's share: the items first <= i < last. `worker` is 0 <= worker < MAX_WORKERS, a
// different one for each call that runs at the same time.
typedef void parallel_work(void *context, size_t first, size_t last, int worker);

// Splits `count` items evenly among the cores and returns when all are done. A thread that cannot
// be started costs time only: its share runs on the calling thread.
void parallel_for(size_t count, parallel_work *work, void *context);

#endif
