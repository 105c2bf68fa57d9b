// An SM's load/store unit. It serves one request after the other, shared and global ones, and reads of special registers that
// find others before them, which are taken to be shared ones: those of a scheduler in the order in which its warps issued them
// (*_beside_shared_loads in the microbenchmarks), the schedulers in turns. It has room for some of each kind for each
// scheduler, and what is stored, or copied to shared memory, needs some of both: in all, 15 stores and shared requests wait,
// or 15 stores and loads, but 24 loads and shared requests (*_beside_*_queue; 30 may here), and 12 to 20 copies, beside
// whatever. A scheduler hands one over every few cycles (*_interval_*): of two warps each has one in turn. Where there is no
// room, the next goes to a warp of the block that began first among those that find all they need (turns_of_*_older_first),
// and among that block's to each in its turn: so few warps' stores lie between two of a warp (turns_of_*), and DRAM completes
// as few sectors as it does (completed-sectors.csv). On an H200 requests of shared memory overtake some 18 of global memory
// (stores_before_*); here they do not.
#ifndef SIM_LOAD_STORE_UNIT_H
#define SIM_LOAD_STORE_UNIT_H

#include <limits.h>

#include "sim/time/hierarchy.h"
#include "sim/time/joined_stores.h"
#include "sim/time/requests.h"

enum request_kind { SHARED_REQUEST, GLOBAL_REQUEST, REQUEST_KINDS };

#define NO_WARP UINT_MAX

// For `size` requests of each scheduler.
struct room {
    unsigned size, taken[MAX_SCHEDULERS];
    unsigned turn[MAX_SCHEDULERS]; // the warp that got the last room
};

struct load_store_unit {
    struct hierarchy *memory;
    const struct sim_timing *t;
    struct requests requests;
    struct waiting_stores waiting;
    struct room rooms[REQUEST_KINDS];
    unsigned warps, block_warps;
    const uint32_t *began; // by slot: how many blocks the SM had begun before the one that is there
    const struct trace_item **awaiting; // by warp: the request for which it waits for room, or NULL
    unsigned waiting_warps[MAX_SCHEDULERS];
    double *next_of_warp; // when it may issue one at the earliest
    double next_of_scheduler[MAX_SCHEDULERS];
    double free;     // until when it is busy
    double serve_at; // when it looks again; INFINITY: when it gets a request
};

static inline unsigned scheduler_of(const struct sim_timing *t, unsigned warp)
{
    return warp % (unsigned)t->schedulers;
}

enum request_kind unit_kind_of(const struct trace_item *item);

// For an SM with so many warps, in blocks of so many, in front of that memory, which must be open, as `began` must stay.
// Returns 0 when no memory is left. Close it in any case.
int unit_open(struct load_store_unit *unit, struct hierarchy *memory, unsigned warps,
              unsigned block_warps, const uint32_t *began);
void unit_close(struct load_store_unit *unit);

// When the warp may issue its next request at the earliest.
double unit_next(const struct load_store_unit *unit, unsigned warp);

// Takes on a request and returns REQUEST_KINDS, or of which kind there is no room: then its warp waits for unit_give_room().
enum request_kind unit_take(struct load_store_unit *unit, const struct request *request,
                            double now);

// Serves the next request, if there is one and the unit is free. Returns whether one is served to its end: that one.
int unit_serve(struct load_store_unit *unit, double now, struct request *served);

// The warp that waits no more because of the room of that kind that a served request left, and may take it now, or NO_WARP.
// To be called after each for GLOBAL_REQUEST, whose warp may need the other room, too, and then for SHARED_REQUEST.
unsigned unit_give_room(struct load_store_unit *unit, const struct request *served,
                        enum request_kind kind);

// After the last one: what still waits to leave does.
void unit_rest(struct load_store_unit *unit);

#endif
