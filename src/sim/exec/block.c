#include "sim/exec/block.h"

#include "sim/check/endless.h"
#include "sim/check/fault.h"
#include "sim/check/poison.h"
#include "sim/exec/trace.h"
#include "sim/exec/warp.h"

// A warp runs this many instructions before the next one gets a turn, so that threads that wait
// for another warp of their block without a barrier do not wait for ever.
enum { QUANTUM = 1 << 16 };

static void start_warps(struct block *block)
{
    const struct launch *launch = block->launch;
    for (uint32_t i = 0; i < launch->warps_per_block; i++) {
        uint32_t left = launch->threads_per_block - i * LANES;
        uint32_t population = left >= LANES ? ALL_LANES : lane_bit[left] - 1;
        warp_start(&block->warps[i], launch->kernel, population);
        block->warps[i].trace = block->trace ? &block->trace->warps[i] : NULL;
        poison_clear(&block->warps[i]);
    }
    block->running = launch->warps_per_block;
}

static void clear_shared(struct block *block)
{
    const struct launch *launch = block->launch;
    size_t words = (launch->shared_size + 3) / 4;
    if (!launch->checks || words == 0)
        return;
    memset(block->shared_shadow.state, WORD_LIVE, words);
    memset(block->shared_shadow.owner, 0, words * sizeof *block->shared_shadow.owner);
    memset(block->shared_shadow.interval, 0, words * sizeof *block->shared_shadow.interval);
    if (launch->shared_size % 4)
        block->shared_shadow.state[words - 1] =
            (uint8_t)(WORD_LIVE | launch->shared_size % 4 << WORD_TAIL_SHIFT);
}

// Whether the warps that wait at this warp's barrier are all that it needs.
static int is_complete(const struct block *block, const struct warp *warp)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < block->launch->warps_per_block; i++) {
        const struct warp *other = &block->warps[i];
        waiting += other->state == WARP_AT_BARRIER && other->barrier == warp->barrier;
    }
    if (warp->barrier_threads)
        return waiting * LANES >= warp->barrier_threads;
    return waiting == block->running;
}

static int waits_at(const struct warp *warp, uint32_t barrier)
{
    return warp->state == WARP_AT_BARRIER && warp->barrier == barrier;
}

// What bar.red gives to every thread of the barrier.
static void put_results(struct block *block, uint32_t barrier)
{
    unsigned holds = 0, all = 0;
    for (uint32_t i = 0; i < block->launch->warps_per_block; i++) {
        const struct warp *warp = &block->warps[i];
        if (!waits_at(warp, barrier) || warp->waits->d == NO_SLOT)
            continue;
        holds += (unsigned)__builtin_popcount(warp->votes);
        all += (unsigned)__builtin_popcount(warp->voters);
    }
    for (uint32_t i = 0; i < block->launch->warps_per_block; i++) {
        struct warp *warp = &block->warps[i];
        const struct instruction *in = warp->waits;
        if (!waits_at(warp, barrier) || in->d == NO_SLOT)
            continue;
        u32 count[LANES];
        for (int l = 0; l < LANES; l++)
            count[l] = holds;
        uint32_t *d = lanes_at(warp, in->d);
        if (in->barrier_result == BARRIER_COUNT)
            put_u32(d, count, warp->voters);
        else
            *d =
                (*d & ~warp->voters) |
                ((in->barrier_result == BARRIER_AND ? holds == all : holds > 0) ? warp->voters : 0);
    }
}

static void release(struct block *block, uint32_t barrier)
{
    put_results(block, barrier);
    for (uint32_t i = 0; i < block->launch->warps_per_block; i++) {
        struct warp *warp = &block->warps[i];
        if (!waits_at(warp, barrier))
            continue;
        warp->state = WARP_READY;
        warp->barrier_interval = warp->sync_interval = ++warp->interval;
        warp->has_acquired = 0;
    }
}

static struct warp *find_warp(struct block *block, enum warp_state state)
{
    for (uint32_t i = 0; i < block->launch->warps_per_block; i++)
        if (block->warps[i].state == state)
            return &block->warps[i];
    return NULL;
}

// Lets the warps go whose barrier is complete: warps that have ended are not waited for. Raises a
// fault when nobody can go on.
static void settle_barriers(struct block *block)
{
    struct warp *waiting = find_warp(block, WARP_AT_BARRIER);
    if (!waiting)
        return;
    int released = 0;
    for (uint32_t i = 0; i < block->launch->warps_per_block; i++) {
        struct warp *warp = &block->warps[i];
        if (warp->state == WARP_AT_BARRIER && is_complete(block, warp)) {
            release(block, warp->barrier);
            released = 1;
        }
    }
    if (released) {
        block->barriers++;
        endless_check(waiting, waiting->waits);
    } else if (!find_warp(block, WARP_READY))
        fault_raise(waiting, waiting->waits, __builtin_ctz(waiting->live), FAULT_DEADLOCK,
                    "the threads of the block wait at different barriers");
}

static void take_turn(struct block *block, struct warp *warp)
{
    block->idle -= warp->executed; // so that the sum is the instructions of this turn; one that
    warp_run(warp, QUANTUM);       // reaches further begins the sum anew: see endless_note()
    block->idle += warp->executed;
    if (warp->state == WARP_DONE) {
        block->running--;
        block->idle = block->polls = block->barriers = 0;
    }
}

// What the block did.
static void tell_trace(const struct block *block)
{
    const struct launch *launch = block->launch;
    uint64_t executed = 0;
    if (!launch->trace)
        return;
    for (uint32_t i = 0; i < launch->warps_per_block; i++)
        executed += block->warps[i].executed;
    const struct l2_log *log = &block->l2_log;
    trace_end_block(launch->trace, block->number, executed, (uint64_t)log->loads + log->stores);
}

void block_run(struct block *block, uint64_t number)
{
    const struct launch *launch = block->launch;
    block->number = number;
    block->index[0] = (uint32_t)(number % launch->grid[0]);
    block->index[1] = (uint32_t)(number / launch->grid[0] % launch->grid[1]);
    block->index[2] = (uint32_t)(number / launch->grid[0] / launch->grid[1]);
    block->waiting.happened = 0;
    block->trace = trace_of_block(launch->trace, number);
    l2_begin_block(&block->l2_log);
    block->idle = block->polls = block->barriers = 0;
    clear_shared(block);
    start_warps(block);
    while (block->running && !block->failed && launch_wants(launch, number)) {
        for (uint32_t i = 0; i < launch->warps_per_block && !block->failed; i++) {
            struct warp *warp = &block->warps[i];
            if (warp->state != WARP_READY)
                continue;
            take_turn(block, warp);
            endless_check(warp, warp->now.next);
        }
        if (!block->failed)
            settle_barriers(block);
    }
    tell_trace(block);
    fault_settle(block);
}
