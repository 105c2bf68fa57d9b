#include "sim/time/multiprocessor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/state/launch.h"
#include "sim/time/events.h"
#include "sim/time/load_store_unit.h"
#include "sim/time/reorder.h"
#include "sim/time/schedulers.h"
#include "sim/time/scoreboards.h"
#include "sim/time/warp_registers.h"

// How a warp waits for room for a request, and for what it brings.
static const struct {
    enum stall_reason throttle, scoreboard;
} of_kind[REQUEST_KINDS] = {{STALL_MIO_THROTTLE, STALL_SHORT_SCOREBOARD},
                            {STALL_LG_THROTTLE, STALL_LONG_SCOREBOARD}};

struct resident_warp {
    const struct warp_trace *trace;
    uint32_t *order; // of its items; see reorder.h
    uint32_t at;
    unsigned slot; // its block's
    int has_started;
    int waits_for_served; // until one of its requests is served
    unsigned requests;    // that were not served yet
    unsigned copies;      // of these, asynchronous ones
    double copied;        // when the last one that was served is there
    double stored;        // when the unit is done with its last store
    double last_store;    // when it issued the last one to global memory
    struct warp_registers registers;
    struct warp_scoreboards scoreboards;

    // Where somebody asks for waits:
    const struct instruction *last_request, *last_copy;
    struct wait wait; // what it does
    double since;     // from when on
};

struct resident_block {
    const struct block_trace *trace;
    unsigned live, arrived; // warps; of these, at the barrier
    double last_arrival;
    double begun; // when it was launched
};

struct sm {
    const struct sm_work *work;
    const struct sim_timing *t;
    struct hierarchy memory;
    struct resident_warp *warps;
    unsigned warp_count;
    struct resident_block *blocks;
    uint32_t *began; // by slot: how many blocks were before the one that is there
    double *ready;   // of all registers of all warps
    struct producer *producers;
    struct waits *waits; // NULL: nobody asks
    uint32_t *orders;
    // When warps can go on, and (from warp_count on) slots may take their next blocks.
    struct events events;
    struct schedulers schedulers;
    struct load_store_unit unit;
    double barrier_free, ends_free;
    uint32_t launched;
    unsigned active; // warps
    double now, last_change, warp_cycles, active_cycles, items;
    double until_stored, stored_warps; // cycles, of all warps that stored there, and how many did
    struct steady_part steady;
};

const char sm_no_memory[] = "no memory left for the timing model: close other programs";

static void step(struct sm *sm, unsigned number);

static double later(double a, double b)
{
    return a > b ? a : b;
}

// A scheduler issues for the warps of the block that began first among those that can go on (issue_of_*_older_first in the
// microbenchmarks).
static void push(struct sm *sm, double time, unsigned what)
{
    events_push(&sm->events, time, what < sm->warp_count ? sm->began[sm->warps[what].slot] : 0,
                what);
}

// Brings the warps' cycles up to now.
static void count_cycles(struct sm *sm)
{
    double passed = sm->now - sm->last_change;
    sm->warp_cycles += sm->active * passed;
    sm->active_cycles += sm->active ? passed : 0;
    sm->last_change = sm->now;
}

static struct snapshot take_snapshot(struct sm *sm)
{
    count_cycles(sm);
    const struct l2_requests *requests = &sm->memory.requests;
    struct snapshot s = {
        .time = sm->now,
        .warp_cycles = sm->warp_cycles,
        .active_cycles = sm->active_cycles,
        .done = {.sectors = requests->load_sectors + requests->stores, .items = sm->items}};
    hierarchy_busy(&sm->memory, sm->now, s.busy);
    s.busy[SIM_BLOCK_LAUNCH] -=
        later(0, sm->ends_free - sm->now); // of ends that are still to be told
    return s;
}

// The steady part begins, or ends.
static void mark(struct sm *sm, struct snapshot *snapshot, enum waits_mark which)
{
    *snapshot = take_snapshot(sm);
    if (sm->waits)
        waits_mark(sm->waits, which);
}

static void change_active(struct sm *sm, int by)
{
    count_cycles(sm);
    sm->active += (unsigned)by;
}

// Starts the next block in a slot at `time`.
static void launch_block(struct sm *sm, unsigned slot, double time)
{
    const struct sm_work *work = sm->work;
    if (sm->launched == work->trace->block_count)
        return;
    if (sm->launched == work->resident) // from here on the SMs have fallen out of step
        sm->memory.is_together = 0;
    if (steady_begins(sm->launched, work->resident))
        mark(sm, &sm->steady.from, STEADY_BEGINS);
    if (steady_ends(sm->launched, work->trace->block_count, work->resident))
        mark(sm, &sm->steady.to, STEADY_ENDS);
    sm->began[slot] = sm->launched;
    const struct block_trace *trace = &work->trace->blocks[sm->launched++];
    unsigned warps = work->trace->warps;
    sm->blocks[slot] = (struct resident_block){.trace = trace, .live = warps, .begun = time};
    for (unsigned w = 0; w < warps; w++) {
        struct resident_warp *warp = &sm->warps[slot * warps + w];
        uint32_t *order = warp->order;
        struct warp_registers registers = warp->registers;
        *warp = (struct resident_warp){
            .trace = &trace->warps[w], .order = order, .slot = slot, .registers = registers};
        memset(registers.ready, 0, work->frame_slots * sizeof *registers.ready);
        reorder(work->launch, warp->trace, order);
        push(sm, time + sm->t->warp_launch * w, slot * warps + w);
    }
}

// The warp did that until then, since what it did before.
static void spend(struct sm *sm, struct resident_warp *warp, struct wait wait, double until)
{
    if (until > warp->since) {
        waits_add(sm->waits, &wait, until - warp->since);
        warp->since = until;
    }
}

// What the warp waits for, as long as it does, before the instruction.
static struct wait wait_before(const struct resident_warp *warp, const struct instruction *in)
{
    if (in->op == OP_COPY_WAIT)
        return (struct wait){in, warp->last_copy, STALL_LONG_SCOREBOARD};
    struct producer last = last_producer(&warp->registers, in);
    return (struct wait){in, last.in, last.reason};
}

static int asks_memory(const struct trace_item *item)
{
    return item->lines || item->wavefronts;
}

static int is_arithmetic(const struct trace_item *item)
{
    return !asks_memory(item) && item->in->op != OP_BARRIER && item->in->op != OP_COPY_WAIT;
}

// The item that a warp comes to next, and what is known of it.
struct next {
    unsigned warp, scheduler;
    const struct trace_item *item;
    struct machine_cost cost; // of an execution
    int asks_unit;            // it goes to the load/store unit now
};

// Whether it reads a special register, and other requests of the scheduler are before it now: that goes through the load/store unit
// as what shared memory is asked for (special_register_beside_* in the microbenchmarks), and takes none of its time.
static int queues_for_register(const struct sm *sm, const struct next *next)
{
    return is_arithmetic(next->item) && !sm->t->replays &&
           (sm->unit.requests.count[next->scheduler] || sm->unit.waiting_warps[next->scheduler]) &&
           needs_unit(&next->cost, LOAD_STORE_UNIT);
}

static struct next next_of(const struct sm *sm, unsigned number, const struct trace_item *item)
{
    struct next next = {.warp = number,
                        .scheduler = scheduler_of(sm->t, number),
                        .item = item,
                        .cost = machine_cost_of(sm->work->launch, item->in)};
    next.asks_unit = asks_memory(item) || queues_for_register(sm, &next);
    return next;
}

// When the warp may issue its next item, as far as its operands go. Where there is no machine code, which has warps wait for
// predicates, arithmetic waits longer for its guard.
static double item_ready(const struct sm *sm, const struct next *next)
{
    const struct instruction *in = next->item->in;
    const struct warp_registers *registers = &sm->warps[next->warp].registers;
    double ready = operands_ready(registers, in);
    if (in->guard == NO_SLOT || !is_arithmetic(next->item) || next->cost.stalls > 0 ||
        next->cost.instructions == 0)
        return ready;
    return later(ready, register_ready(registers, in->guard) + sm->t->predicate_latency -
                            sm->t->alu_latency);
}

// Whether the unit brings what the instruction results in.
static int brings_result(const struct trace_item *item)
{
    return item->in->is_load || item->in->is_atomic || !asks_memory(item);
}

// The warp's request is served: its result is known, and who waited for that goes on.
static void finish(struct sm *sm, const struct request *request)
{
    struct resident_warp *warp = &sm->warps[request->warp];
    const struct instruction *in = request->item->in;
    warp->requests--;
    scoreboards_discount(&warp->scoreboards, sm->work->launch, in, sm->now, request->done);
    warp->stored = later(warp->stored, request->stored);
    if (in->op == OP_COPY_ASYNC) {
        warp->copies--;
        warp->copied = later(warp->copied, request->done);
    } else if (brings_result(request->item)) {
        set_ready(&warp->registers, in, request->done);
    }
    if (warp->waits_for_served) {
        warp->waits_for_served = 0;
        push(sm, warp->at == warp->trace->count ? sm->unit.free : sm->now, request->warp);
    }
}

// The unit serves a request; the warps that get its room go on.
static void run_unit(struct sm *sm)
{
    struct request served;
    if (!unit_serve(&sm->unit, sm->now, &served))
        return;
    finish(sm, &served);
    for (int kind = REQUEST_KINDS - 1; kind >= 0; kind--) {
        unsigned next = unit_give_room(&sm->unit, &served, (enum request_kind)kind);
        if (next != NO_WARP)
            step(sm, next);
    }
}

// The unit takes on a request, or the warp waits for room. Returns whether it did.
static int take_on(struct sm *sm, const struct next *next)
{
    struct resident_warp *warp = &sm->warps[next->warp];
    const struct trace_item *item = next->item;
    enum request_kind kind = unit_kind_of(item);
    const struct trace_line *lines =
        item->lines ? sm->blocks[warp->slot].trace->lines + item->first_line : NULL;
    struct request request = {.warp = next->warp, .item = item, .lines = lines};
    enum request_kind missing = unit_take(&sm->unit, &request, sm->now);
    if (missing != REQUEST_KINDS) {
        warp->wait = (struct wait){item->in, NULL, of_kind[missing].throttle};
        return 0;
    }
    const struct instruction *in = item->in;
    warp->requests++;
    if (asks_memory(item))
        warp->last_request = in;
    if (item->lines && !brings_result(item) && in->space != LOCAL)
        warp->last_store = sm->now;
    scoreboards_count(&warp->scoreboards, sm->work->launch, in, of_kind[kind].scoreboard);
    if (in->op == OP_COPY_ASYNC) {
        warp->copies++;
        warp->last_copy = in;
    } else if (brings_result(item)) {
        set_ready(&warp->registers, in, INFINITY);
        if (sm->waits)
            set_producer(&warp->registers, in, (struct producer){in, of_kind[kind].scoreboard});
    }
    return 1;
}

// What the warp comes to next, or NULL.
static const struct trace_item *next_item(const struct resident_warp *warp)
{
    return warp->at < warp->trace->count ? &warp->trace->items[warp->order[warp->at]] : NULL;
}

// The warp is done with its item.
static void go_on(struct sm *sm, struct resident_warp *warp)
{
    warp->at++;
    sm->items++;
}

static void release_barrier(struct sm *sm, unsigned slot)
{
    struct resident_block *block = &sm->blocks[slot];
    unsigned warps = sm->work->trace->warps;
    block->arrived = 0;
    for (unsigned w = 0; w < warps; w++) {
        struct resident_warp *warp = &sm->warps[slot * warps + w];
        const struct trace_item *item = next_item(warp);
        if (!item || item->in->op != OP_BARRIER)
            continue;
        go_on(sm, warp);
        push(sm, block->last_arrival + sm->t->barrier_latency, slot * warps + w);
    }
}

static void arrive(struct sm *sm, unsigned slot)
{
    struct resident_block *block = &sm->blocks[slot];
    sm->barrier_free = later(sm->barrier_free, sm->now) + sm->t->barrier_warp;
    block->last_arrival = later(block->last_arrival, sm->barrier_free);
    if (++block->arrived == block->live)
        release_barrier(sm, slot);
}

// The GPU's block scheduler is told of the ends of blocks one after the other, and has another one take the slot.
static void end_block(struct sm *sm, unsigned slot)
{
    double interval = sm->t->block_interval * sm->work->memory.busy_sms,
           told = later(sm->now, sm->ends_free);
    sm->ends_free = told + interval;
    sm->memory.busy[SIM_BLOCK_LAUNCH] += interval;
    push(sm, told + sm->t->block_turnaround, sm->warp_count + slot);
}

static void end_warp(struct sm *sm, unsigned number)
{
    struct resident_warp *warp = &sm->warps[number];
    struct resident_block *block = &sm->blocks[warp->slot];
    if (sm->waits)
        warp->wait = (struct wait){warp->trace->items[warp->trace->count - 1].in,
                                   warp->last_request, STALL_DRAIN};
    if (warp->requests) {
        warp->waits_for_served = 1;
        return;
    }
    if (warp->stored > sm->now) { // it drains
        push(sm, warp->stored, number);
        return;
    }
    change_active(sm, -1);
    if (warp->last_store > 0) {
        sm->until_stored += warp->last_store - block->begun;
        sm->stored_warps++;
    }
    if (--block->live == 0)
        end_block(sm, warp->slot);
    else if (block->arrived == block->live)
        release_barrier(sm, warp->slot);
}

// From `begin` on the warp issues the instruction, and waits as its machine code has it.
static void spend_cost(struct sm *sm, struct resident_warp *warp, const struct instruction *in,
                       const struct machine_cost *cost, double begin)
{
    spend(sm, warp, (struct wait){in, NULL, STALL_SELECTED}, begin + cost->instructions);
    spend(sm, warp, (struct wait){in, NULL, STALL_WAIT}, begin + cost->stalls);
    spend(sm, warp, (struct wait){in, in, STALL_SHORT_SCOREBOARD},
          begin + cost->stalls + cost->waits);
}

// The same after it has waited for its operands.
static void note_issue(struct sm *sm, struct resident_warp *warp, const struct instruction *in,
                       const struct machine_cost *cost, double begin)
{
    spend(sm, warp, wait_before(warp, in), begin);
    spend_cost(sm, warp, in, cost, begin);
    set_producer(&warp->registers, in, (struct producer){NULL, STALL_WAIT});
}

// When the warp knows where it goes on after the instruction of that cost, which it has issued at `time`.
static double resolve_branches(struct sm *sm, struct resident_warp *warp,
                               const struct instruction *in, const struct machine_cost *cost,
                               double time)
{
    const struct sim_timing *t = sm->t;
    double until = time + cost->taken * t->branch_taken + cost->passed * t->branch_passed +
                   cost->back * t->branch_back + cost->meetings * t->branch_meeting;
    if (sm->waits)
        spend(sm, warp, (struct wait){in, NULL, STALL_BRANCH_RESOLVE}, until);
    return until;
}

// When what arithmetic of that cost, issued until `time`, results in may be used, which needs what is there at `ready`: where
// the machine code is known it has the next instruction wait as long as that takes.
static double result_ready(const struct sm *sm, const struct machine_cost *cost, double ready,
                           double time)
{
    if (cost->instructions == 0)
        return ready;
    return cost->stalls > 0 ? time : time - 1 + sm->t->alu_latency;
}

// The warp's scheduler issues so many instructions, and its units get what they are for.
static void take_slots(struct sm *sm, const struct next *next, double slots)
{
    scheduler_issue(&sm->schedulers, next->scheduler, sm->now, slots, next->cost.of_unit);
    sm->memory.busy[SIM_ISSUE] += slots / sm->t->schedulers;
}

// Whether the warp goes on at `time` with an item that takes no slot, as ptxas made nothing of it, and whose operands are there.
// If so, the two become that item and its cost.
static int follows(const struct sm *sm, const struct resident_warp *warp, double time,
                   const struct trace_item **item, struct machine_cost *cost)
{
    *item = next_item(warp);
    if (!*item || !is_arithmetic(*item))
        return 0;
    *cost = machine_cost_of(sm->work->launch, (*item)->in);
    return cost->instructions == 0 && operands_ready(&warp->registers, (*item)->in) <= time;
}

// Issues arithmetic, and what follows it and takes no slot of its own.
static void issue(struct sm *sm, const struct next *next)
{
    struct resident_warp *warp = &sm->warps[next->warp];
    const struct trace_item *item = next->item;
    struct machine_cost cost = next->cost;
    double time = sm->now;
    take_slots(sm, next, cost.instructions);
    do {
        const double begin = time, operands = operands_ready(&warp->registers, item->in);
        time = begin + later(cost.instructions, cost.stalls + cost.waits);
        if (sm->waits)
            note_issue(sm, warp, item->in, &cost, begin);
        set_ready(&warp->registers, item->in, result_ready(sm, &cost, operands, time));
        time = resolve_branches(sm, warp, item->in, &cost, time);
        go_on(sm, warp);
    } while (follows(sm, warp, time, &item, &cost));
    push(sm, time, next->warp);
}

// When what is ready then may be issued, as a warp's requests are some cycles apart.
static double after_last_request(struct sm *sm, const struct next *next, double ready)
{
    double free = next->asks_unit ? sm->unit.next_of_warp[next->warp] : 0;
    if (sm->waits && free > later(ready, sm->now))
        spend(sm, &sm->warps[next->warp], (struct wait){next->item->in, NULL, STALL_WAIT}, free);
    return later(ready, free);
}

// When the scheduler, which is free at `ready`, may issue the item, as its units are free; notes what the warp waits for then.
static double after_units(struct sm *sm, const struct next *next, double ready)
{
    struct resident_warp *warp = &sm->warps[next->warp];
    enum machine_unit last;
    double free = scheduler_units_free(&sm->schedulers, next->scheduler, &next->cost, &last);
    if (free <= later(ready, sm->now))
        return ready;
    if (sm->waits)
        spend(sm, warp, warp->wait, ready);
    warp->wait.reason = is_bank(last) ? STALL_DISPATCH : STALL_MATH_PIPE_THROTTLE;
    return free;
}

// Whether the warp has to wait before its next item, and for what.
static int waits(struct sm *sm, const struct next *next)
{
    struct resident_warp *warp = &sm->warps[next->warp];
    const struct instruction *in = next->item->in;
    double ready = item_ready(sm, next);
    if (in->op == OP_COPY_WAIT)
        ready = later(ready, warp->copies ? INFINITY : warp->copied);
    if (sm->waits)
        warp->wait = wait_before(warp, in);
    const struct scoreboard *board;
    double counted = scoreboards_done(&warp->scoreboards, sm->work->launch, in, &board);
    if (counted > ready) {
        ready = counted;
        warp->wait = (struct wait){in, board->latest, board->reason};
    }
    if (isinf(ready)) {
        warp->waits_for_served = 1;
        return 1;
    }
    if (sm->waits && ready > sm->now)
        spend(sm, warp, warp->wait, ready);
    ready = after_last_request(sm, next, ready);
    warp->wait = (struct wait){in, NULL, STALL_NOT_SELECTED};
    ready = after_units(sm, next, later(ready, sm->schedulers.free[next->scheduler]));
    if (next->asks_unit)
        ready = later(ready, unit_next(&sm->unit, next->warp));
    if (ready > sm->now)
        push(sm, ready, next->warp);
    return ready > sm->now;
}

// What a warp at a barrier comes to next, where a GPU has it wait: ptxas moves arithmetic up, before the barrier.
static const struct instruction *after_barrier(const struct resident_warp *warp)
{
    const struct trace_item *item = &warp->trace->items[warp->order[warp->at]];
    for (uint32_t at = warp->at + 1; at < warp->trace->count; at++) {
        item = &warp->trace->items[warp->order[at]];
        if (!is_arithmetic(item) || item->in->op == OP_BRANCH)
            break;
    }
    return item->in;
}

// Issues what the load/store unit has taken on, a barrier or a wait for copies.
static void issue_other(struct sm *sm, const struct next *next)
{
    struct resident_warp *warp = &sm->warps[next->warp];
    const struct trace_item *item = next->item;
    const struct machine_cost *cost = &next->cost;
    const double slots = later(1, cost->instructions);
    take_slots(sm, next, slots);
    if (sm->waits)
        spend(sm, warp, (struct wait){item->in, NULL, STALL_SELECTED}, sm->now + slots);
    if (item->in->op == OP_BARRIER) {
        warp->wait = (struct wait){after_barrier(warp), item->in, STALL_BARRIER};
        arrive(sm, warp->slot);
        return;
    }
    go_on(sm, warp);
    if (asks_memory(item))
        scoreboards_await(&warp->scoreboards, sm->work->launch, item->in);
    if (sm->waits)
        spend_cost(sm, warp, item->in, cost, sm->now);
    double until = sm->now + later(1, cost->stalls + cost->waits);
    push(sm, resolve_branches(sm, warp, item->in, cost, until), next->warp);
}

// One event: the warp does what it comes to at this moment.
static void step(struct sm *sm, unsigned number)
{
    struct resident_warp *warp = &sm->warps[number];
    if (!warp->has_started) {
        warp->has_started = 1;
        warp->since = sm->now;
        change_active(sm, 1);
    }
    if (sm->waits)
        spend(sm, warp, warp->wait, sm->now);
    const struct trace_item *item = next_item(warp);
    if (!item) {
        end_warp(sm, number);
        return;
    }
    const struct next next = next_of(sm, number, item);
    if (waits(sm, &next))
        return;
    if (is_arithmetic(item) && !next.asks_unit)
        issue(sm, &next);
    else if (!next.asks_unit || take_on(sm, &next))
        issue_other(sm, &next);
}

// Items of the warp that has most.
static size_t longest_trace(const struct trace *trace)
{
    size_t longest = 0;
    for (uint32_t i = 0; i < trace->block_count; i++)
        for (uint32_t w = 0; w < trace->warps; w++)
            longest = trace->blocks[i].warps[w].count > longest ? trace->blocks[i].warps[w].count
                                                                : longest;
    return longest;
}

static int open_sm(struct sm *sm)
{
    const struct sm_work *work = sm->work;
    size_t warps = (size_t)work->resident * work->trace->warps,
           longest = longest_trace(work->trace);
    sm->warp_count = (unsigned)warps;
    int has_memory = hierarchy_open(&sm->memory, &work->memory);
    sm->warps = calloc(warps, sizeof *sm->warps);
    sm->blocks = calloc(work->resident, sizeof *sm->blocks);
    sm->began = calloc(work->resident, sizeof *sm->began);
    sm->ready = calloc(warps * work->frame_slots + 1, sizeof *sm->ready);
    if (sm->waits)
        sm->producers = calloc(warps * work->frame_slots + 1, sizeof *sm->producers);
    sm->orders = calloc(warps * longest + 1, sizeof *sm->orders);
    int has_events = events_open(&sm->events, warps + work->resident);
    int has_unit = unit_open(&sm->unit, &sm->memory, sm->warp_count, work->trace->warps, sm->began);
    if (!has_memory || !has_unit || !has_events || !sm->warps || !sm->blocks || !sm->began ||
        !sm->ready || !sm->orders || (sm->waits && !sm->producers))
        return 0;
    for (size_t i = 0; i < warps; i++) {
        sm->warps[i].registers =
            (struct warp_registers){sm->ready + i * work->frame_slots,
                                    sm->waits ? sm->producers + i * work->frame_slots : NULL};
        sm->warps[i].order = sm->orders + i * longest;
    }
    return 1;
}

static void close_sm(struct sm *sm)
{
    hierarchy_close(&sm->memory);
    unit_close(&sm->unit);
    free(sm->warps);
    free(sm->blocks);
    free(sm->began);
    free(sm->ready);
    free(sm->producers);
    free(sm->orders);
    events_close(&sm->events);
}

// When an empty SM gets the block: the first warps as fast as they start, the others more slowly.
static double filled_at(const struct sm *sm, unsigned block)
{
    enum { FIRST_WARPS = 32 };
    double warps = (double)block * sm->work->trace->warps, first = fmin(warps, FIRST_WARPS);
    return later(block * sm->t->block_filling,
                 first * sm->t->warp_launch + (warps - first) * sm->t->warp_filling);
}

static void run(struct sm *sm)
{
    for (unsigned slot = 0; slot < sm->work->resident; slot++)
        launch_block(sm, slot, filled_at(sm, slot));
    while (sm->events.count || !isinf(sm->unit.serve_at)) {
        if (sm->events.count == 0 || sm->unit.serve_at <= sm->events.heap[0].time) {
            sm->now = later(sm->now, sm->unit.serve_at);
            run_unit(sm);
            continue;
        }
        struct event event = events_pop(&sm->events);
        sm->now = event.time;
        if (event.what < sm->warp_count)
            step(sm, event.what);
        else
            launch_block(sm, event.what - sm->warp_count, sm->now);
    }
    unit_rest(&sm->unit);
}

static void conclude(struct sm *sm, struct sm_outcome *outcome)
{
    const struct sm_work *work = sm->work;
    const struct steady_part all = {.to = take_snapshot(sm)};
    double rounds = steady_rounds(&sm->steady, &all.to, &work->done, work->blocks,
                                  work->trace->block_count, work->resident);
    const struct steady_part *part = rounds > 0 ? &sm->steady : &all;
    if (sm->waits)
        waits_end_sm(sm->waits, rounds);
    steady_means(part, &outcome->active, &outcome->active_warps, outcome->busy);
    outcome->cycles = sm->now + rounds * (part->to.time - part->from.time);
    outcome->requests = sm->memory.requests;
    outcome->until_stored = sm->stored_warps > 0 ? sm->until_stored / sm->stored_warps : 0;
}

void sm_last(struct sm_outcome *sm, double cycles)
{
    double longer = later(sm->cycles, cycles);
    for (int i = 0; i < SIM_RESOURCES; i++)
        sm->busy[i] *= sm->cycles / longer;
    sm->active *= sm->cycles / longer;
    sm->cycles = longer;
}

void sm_go_on(struct sm_outcome *sm, const struct sm_outcome *like, double cycles)
{
    double share = cycles / (sm->cycles + cycles), active = like->active * share;
    sm_last(sm, sm->cycles + cycles);
    for (int i = 0; i < SIM_RESOURCES; i++)
        sm->busy[i] += like->busy[i] * share;
    sm->active_warps = (sm->active_warps * sm->active + like->active_warps * active) /
                       later(sm->active + active, 1e-9);
    sm->active += active;
}

void sm_hold(struct sm_outcome *sm, enum sim_resource part, double busy)
{
    sm_last(sm, busy);
    sm->busy[part] = busy / sm->cycles;
}

const char *sm_simulate(const struct sm_work *work, struct sm_outcome *outcome)
{
    struct sm sm = {.work = work,
                    .t = &work->memory.device->timing,
                    .waits = work->waits,
                    .schedulers = {.device = work->memory.device}};
    const char *why = sm_no_memory;
    if (open_sm(&sm)) {
        run(&sm);
        conclude(&sm, outcome);
        int is_over = sm.active == 0 && sm.launched == work->trace->block_count;
        why = is_over ? NULL : "the timing model came to no end of this kernel's warps";
    }
    close_sm(&sm);
    return why;
}
