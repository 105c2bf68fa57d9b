#include "sim/time/load_store_unit.h"

#include <math.h>
#include <stdlib.h>

#include "sim/ptx/module.h"

enum request_kind unit_kind_of(const struct trace_item *item)
{
    return item->lines ? GLOBAL_REQUEST : SHARED_REQUEST;
}

static int is_store(const struct trace_item *item)
{
    return !item->in->is_load && !item->in->is_atomic;
}

// What is stored, or copied to shared memory, waits among what goes there, too (*_beside_*_queue in the microbenchmarks);
// atomics are taken to wait as loads do.
static int needs_room(const struct trace_item *item, enum request_kind kind)
{
    return unit_kind_of(item) == kind ||
           (kind == SHARED_REQUEST && (is_store(item) || item->in->op == OP_COPY_ASYNC));
}

// Of which kind the scheduler has no room for the request, or REQUEST_KINDS.
static enum request_kind missing_room(const struct load_store_unit *unit,
                                      const struct trace_item *item, unsigned scheduler)
{
    for (int kind = REQUEST_KINDS - 1; kind >= 0; kind--) {
        const struct room *room = &unit->rooms[kind];
        if (needs_room(item, (enum request_kind)kind) && room->taken[scheduler] == room->size)
            return (enum request_kind)kind;
    }
    return REQUEST_KINDS;
}

int unit_open(struct load_store_unit *unit, struct hierarchy *memory, unsigned warps,
              unsigned block_warps, const uint32_t *began)
{
    const struct sim_timing *t = memory->t;
    *unit = (struct load_store_unit){.memory = memory,
                                     .t = t,
                                     .warps = warps,
                                     .block_warps = block_warps,
                                     .began = began,
                                     .serve_at = INFINITY};
    unsigned schedulers = unit->requests.schedulers = (unsigned)t->schedulers;
    for (int kind = 0; kind < REQUEST_KINDS; kind++) {
        struct room *room = &unit->rooms[kind];
        room->size = (unsigned)(kind == SHARED_REQUEST ? t->shared_queue : t->global_queue);
        if (t->replays) // no queue: each warp's instruction is issued again in its turn
            room->size = warps / schedulers + 1;
        unit->requests.room += room->size;
    }
    unit->requests.items =
        calloc((size_t)schedulers * unit->requests.room, sizeof *unit->requests.items);
    unit->awaiting = calloc(warps, sizeof *unit->awaiting);
    unit->next_of_warp = calloc(warps, sizeof *unit->next_of_warp);
    return unit->requests.items && unit->awaiting && unit->next_of_warp;
}

void unit_close(struct load_store_unit *unit)
{
    free(unit->requests.items);
    free(unit->awaiting);
    free(unit->next_of_warp);
}

double unit_next(const struct load_store_unit *unit, unsigned warp)
{
    return fmax(unit->next_of_warp[warp], unit->next_of_scheduler[scheduler_of(unit->t, warp)]);
}

static const struct issue_interval *interval_after(const struct sim_timing *t,
                                                   const struct trace_item *item)
{
    return unit_kind_of(item) == SHARED_REQUEST ? &t->shared_interval : &t->global_interval;
}

enum request_kind unit_take(struct load_store_unit *unit, const struct request *request, double now)
{
    const struct trace_item *item = request->item;
    unsigned scheduler = scheduler_of(unit->t, request->warp);
    enum request_kind missing = missing_room(unit, item, scheduler);
    if (missing != REQUEST_KINDS) {
        unit->awaiting[request->warp] = item;
        unit->waiting_warps[scheduler]++;
        return missing;
    }
    for (int kind = 0; kind < REQUEST_KINDS; kind++)
        unit->rooms[kind].taken[scheduler] += (unsigned)needs_room(item, (enum request_kind)kind);
    const struct issue_interval *interval = interval_after(unit->t, item);
    unit->next_of_warp[request->warp] = now + interval->of_warp;
    unit->next_of_scheduler[scheduler] = now + interval->of_scheduler;
    requests_add_last(&unit->requests, scheduler, request);
    unit->serve_at = fmin(unit->serve_at, now);
    return REQUEST_KINDS;
}

// The part of the request that it is the turn of: on Fermi and Kepler one line or one pass over the
// banks, because the scheduler issues the instruction again for each; all of it since Maxwell.
static struct trace_item next_part(const struct load_store_unit *unit,
                                   const struct request *request)
{
    struct trace_item part = *request->item;
    if (unit->t->replays) {
        part.lines = part.lines > request->passes;
        part.passes = 1;
        part.wavefronts = part.wavefronts > request->passes;
    }
    return part;
}

// Sends a part's lines to the memory behind the unit, which is busy with them as long as it returns.
static double serve_lines(struct load_store_unit *unit, struct request *request,
                          const struct trace_item *part, double now)
{
    const struct trace_line *lines = request->lines + (unit->t->replays ? request->passes : 0);
    double service;
    unit->memory->warp = request->warp;
    if (!is_store(part)) {
        double done = hierarchy_load(unit->memory, part, lines, now, &service);
        request->done = fmax(request->done, done);
    } else {
        service = joined_stores_add(unit->memory, &unit->waiting, request, lines, part->lines, now);
        request->stored = now + service;
    }
    return service;
}

// Serves the request, or a part of it. Returns for how long the unit is busy with it.
static double serve(struct load_store_unit *unit, struct request *request, double now)
{
    struct trace_item part = next_part(unit, request);
    double service = part.lines ? serve_lines(unit, request, &part, now) : 0;
    if (part.wavefronts) {
        service += part.wavefronts;
        unit->memory->busy[SIM_SHARED_PIPE] += part.wavefronts;
        request->done = fmax(request->done, now + part.wavefronts - 1 + unit->t->shared_latency);
    }
    // A register is there then: who uses it waits for its latency (machine_code.h).
    request->done = fmax(request->done, now);
    request->passes++;
    return service;
}

static int is_served(const struct load_store_unit *unit, const struct request *request)
{
    const struct trace_item *item = request->item;
    unsigned passes = item->lines > item->wavefronts ? item->lines : item->wavefronts;
    return !unit->t->replays || request->passes >= passes;
}

static int began_before(const struct load_store_unit *unit, unsigned warp, unsigned other)
{
    return unit->began[warp / unit->block_warps] < unit->began[other / unit->block_warps];
}

// Of the scheduler's warps that wait for that kind of room and find all that they need, one of the block that began first; of
// that block's, the next after the one that got room last.
static unsigned first_waiting(const struct load_store_unit *unit, enum request_kind kind,
                              unsigned scheduler)
{
    unsigned first = NO_WARP, turn = unit->rooms[kind].turn[scheduler];
    for (unsigned i = 1; i <= unit->warps; i++) {
        unsigned warp = (turn + i) % unit->warps;
        const struct trace_item *item = unit->awaiting[warp];
        if (!item || scheduler_of(unit->t, warp) != scheduler || !needs_room(item, kind) ||
            missing_room(unit, item, scheduler) != REQUEST_KINDS)
            continue;
        if (first == NO_WARP || began_before(unit, warp, first))
            first = warp;
    }
    return first;
}

unsigned unit_give_room(struct load_store_unit *unit, const struct request *served,
                        enum request_kind kind)
{
    unsigned scheduler = scheduler_of(unit->t, served->warp);
    int may_wake = needs_room(served->item, kind) && unit->waiting_warps[scheduler];
    unsigned warp = may_wake ? first_waiting(unit, kind, scheduler) : NO_WARP;
    if (warp == NO_WARP)
        return NO_WARP;
    unit->rooms[kind].turn[scheduler] = warp;
    unit->waiting_warps[scheduler]--;
    unit->awaiting[warp] = NULL;
    return warp;
}

static void leave_rooms(struct load_store_unit *unit, const struct request *served)
{
    unsigned scheduler = scheduler_of(unit->t, served->warp);
    for (int kind = 0; kind < REQUEST_KINDS; kind++)
        unit->rooms[kind].taken[scheduler] -=
            (unsigned)needs_room(served->item, (enum request_kind)kind);
}

int unit_serve(struct load_store_unit *unit, double now, struct request *served)
{
    unit->serve_at = INFINITY;
    if (unit->free > now) {
        unit->serve_at = unit->free;
        return 0;
    }
    if (!requests_take_turn(&unit->requests, served))
        return 0;
    joined_stores_leave(unit->memory, &unit->waiting, unit->free, now);
    unit->serve_at = unit->free = now + serve(unit, served, now);
    if (!is_served(unit, served)) {
        requests_add_last(&unit->requests, scheduler_of(unit->t, served->warp), served);
        return 0;
    }
    leave_rooms(unit, served);
    return 1;
}

void unit_rest(struct load_store_unit *unit)
{
    joined_stores_leave(unit->memory, &unit->waiting, unit->free, INFINITY);
}
