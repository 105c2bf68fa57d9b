#include <stdlib.h>

#include "sim/check/claims.h"
#include "sim/check/poison.h"
#include "sim/exec/block.h"
#include "sim/exec/warp.h"
#include "sim/ptx/align_up.h"

enum { MAX_CHUNK = 4096, CHUNKS_A_WORKER = 16 };

struct worker {
    struct launch *launch;
    struct block block;
    uint64_t chunk; // blocks it takes at a time
    pthread_t thread;
    int has_thread;
    void *memory[9]; // what worker_close() frees
};

static void worker_close(struct worker *worker)
{
    for (size_t i = 0; i < sizeof worker->memory / sizeof *worker->memory; i++)
        free(worker->memory[i]);
    free(worker->block.l2_log.items);
}

static void *take(struct worker *worker, int which, uint64_t count, uint64_t size)
{
    if (size && count > (SIZE_MAX - 64) / size)
        return NULL;
    uint64_t bytes = (count * size + 63) / 64 * 64 + 64;
    void *memory = aligned_alloc(64, bytes);
    if (memory)
        memset(memory, 0, bytes);
    return worker->memory[which] = memory;
}

static int worker_open(struct worker *worker, struct launch *launch)
{
    struct block *block = &worker->block;
    uint64_t warps = launch->warps_per_block, words = launch->shared_size / 4 + 1;
    worker->launch = launch;
    block->launch = launch;
    block->warps = take(worker, 0, warps, sizeof *block->warps);
    char *frames = take(worker, 1, warps, launch->frame_bytes);
    char *local = take(worker, 2, warps * LANES, launch->local_bytes);
    block->counters = take(worker, 3, launch->module->instruction_count, sizeof *block->counters);
    block->shared = take(worker, 4, launch->shared_size + 16, 1);
    block->shared_shadow.owner = take(worker, 5, words, sizeof(uint32_t) + sizeof(uint16_t));
    block->shared_shadow.state = take(worker, 6, words, 1);
    block->shared_shadow.byte_owner =
        take(worker, 7, 4 * words, sizeof(uint32_t) + sizeof(uint16_t));
    size_t poison_bytes = align_up(poison_size(launch->frame_bytes, launch->local_bytes), 64);
    int has_poison = launch->checks && launch->kernel->has_shuffles;
    char *poison = take(worker, 8, has_poison ? warps : 0, poison_bytes);
    for (size_t i = 0; i < sizeof worker->memory / sizeof *worker->memory; i++)
        if (!worker->memory[i])
            return 0;
    block->shared_shadow.interval = (uint16_t *)(block->shared_shadow.owner + words);
    block->shared_shadow.byte_interval = (uint16_t *)(block->shared_shadow.byte_owner + 4 * words);
    for (uint64_t i = 0; i < warps; i++) {
        struct warp *warp = &block->warps[i];
        warp->block = block;
        warp->number = (unsigned)i;
        warp->frames_memory = warp->registers = frames + i * launch->frame_bytes;
        warp->poison = has_poison ? (void *)(poison + i * poison_bytes) : NULL;
        warp->local = local + i * LANES * launch->local_bytes;
        warp->frame_count = 1;
        fill_constants(warp, launch->kernel);
    }
    return 1;
}

// Runs the blocks first .. end - 1. Returns 0 when one failed: those after it are not wanted any
// more.
static int run_chunk(struct worker *worker, uint64_t first, uint64_t end)
{
    struct launch *launch = worker->launch;
    for (uint64_t i = first; i < end; i++) {
        if (!launch_wants(launch, i))
            return 0;
        block_run(&worker->block, i);
        if (worker->block.failed)
            return 0;
    }
    if (launch->l2_accesses)
        l2_commit(launch->l2_accesses, &worker->block.l2_log, first);
    return 1;
}

static void *worker_run(void *argument)
{
    struct worker *worker = argument;
    struct launch *launch = worker->launch;
    for (;;) {
        uint64_t first = atomic_fetch_add(&launch->next_block, worker->chunk);
        if (first >= launch->block_count)
            return NULL;
        uint64_t left = launch->block_count - first;
        if (!run_chunk(worker, first, first + (left < worker->chunk ? left : worker->chunk)))
            return NULL;
    }
}

static void add_counters(struct launch *launch, const struct instruction_counters *of_worker)
{
    for (uint32_t i = 0; i < launch->module->instruction_count; i++) {
        struct instruction_counters *sum = &launch->counters[i];
        const struct instruction_counters *c = &of_worker[i];
        sum->executed += c->executed;
        sum->requests += c->requests;
        sum->sectors += c->sectors;
        sum->bytes += c->bytes;
        sum->tags += c->tags;
        sum->ideal_sectors += c->ideal_sectors;
        sum->shared_requests += c->shared_requests;
        sum->wavefronts += c->wavefronts;
        sum->shared_bytes += c->shared_bytes;
        sum->ideal_wavefronts += c->ideal_wavefronts;
        sum->local_sectors += c->local_sectors;
        sum->divergent += c->divergent;
        sum->taken += c->taken;
    }
}

static uint64_t chunk_size(const struct launch *launch, unsigned threads)
{
    // Long runs of neighbouring blocks: workers that write the same cache lines slow each other.
    uint64_t chunk = launch->block_count / ((uint64_t)threads * CHUNKS_A_WORKER);
    return chunk < 1 ? 1 : chunk > MAX_CHUNK ? MAX_CHUNK : chunk;
}

int launch_run(struct launch *launch, unsigned threads)
{
    if (threads > launch->block_count)
        threads = (unsigned)launch->block_count;
    // The same results whatever the number of threads; a watcher is shown accesses in order, and once.
    if (launch->kernel->order_matters || launch->kernel->orders_blocks || launch->watcher)
        threads = 1;
    launch->is_shared_out = launch->checks && threads > 1;
    struct worker *workers = calloc(threads, sizeof *workers);
    if (!workers)
        return 0;
    int opened = 1;
    for (unsigned i = 0; i < threads && opened; i++) {
        opened = worker_open(&workers[i], launch);
        workers[i].chunk = chunk_size(launch, threads);
        workers[i].block.worker = (uint16_t)(i + 1);
    }
    for (unsigned i = 1; i < threads && opened; i++)
        workers[i].has_thread =
            pthread_create(&workers[i].thread, NULL, worker_run, &workers[i]) == 0;
    if (opened)
        worker_run(&workers[0]); // and does the others' work where a thread could not be made
    for (unsigned i = 0; i < threads; i++) {
        if (workers[i].has_thread)
            pthread_join(workers[i].thread, NULL);
        if (opened)
            add_counters(launch, workers[i].block.counters);
        worker_close(&workers[i]);
    }
    free(workers);
    if (launch->is_shared_out && !claims_agree())
        atomic_store(&launch->is_dependent, 1);
    return opened;
}
