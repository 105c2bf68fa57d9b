#define _GNU_SOURCE // sched_getaffinity
#include "base/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>

struct share {
    parallel_work *work;
    void *context;
    size_t first, last;
    int worker;
    pthread_t thread;
    bool started;
};

static int cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    int available = CPU_COUNT(&set);
    return available < MAX_WORKERS ? available : MAX_WORKERS;
}

static void *run_share(void *argument)
{
    struct share *share = argument;
    share->work(share->context, share->first, share->last, share->worker);
    return NULL;
}

void parallel_for(size_t count, parallel_work *work, void *context)
{
    struct share shares[MAX_WORKERS];
    size_t workers = (size_t)cores();
    if (workers > count)
        workers = count;

    for (size_t i = 0; i < workers; i++) {
        shares[i] = (struct share){.work = work,
                                   .context = context,
                                   .first = count / workers * i + count % workers * i / workers,
                                   .worker = (int)i};
        if (i > 0)
            shares[i - 1].last = shares[i].first;
        if (i + 1 == workers)
            shares[i].last = count;
    }
    for (size_t i = 1; i < workers; i++)
        shares[i].started = !pthread_create(&shares[i].thread, NULL, run_share, &shares[i]);
    for (size_t i = 0; i < workers; i++)
        if (!shares[i].started)
            run_share(&shares[i]);
    for (size_t i = 1; i < workers; i++)
        if (shares[i].started)
            pthread_join(shares[i].thread, NULL);
}
