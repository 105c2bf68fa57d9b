#include "sim/time/joined_stores.h"

#include "sim/count/access.h"
#include "sim/ptx/module.h"

// The lines that wait to leave when a store comes: its own, and behind them those of the requests after it.
struct waiting {
    const struct instruction *in; // the store's
    struct stored_line *lines;
    unsigned own, warp;
    uint64_t others[WAITING_LINES];
    unsigned other_count;
};

// Where a line is among the store's own, or how many these are.
static unsigned find_own(const struct waiting *waiting, uint64_t number)
{
    unsigned i = 0;
    while (i < waiting->own && waiting->lines[i].line.number != number)
        i++;
    return i;
}

static void note_other(struct waiting *waiting, uint64_t number)
{
    for (unsigned i = 0; i < waiting->other_count; i++)
        if (waiting->others[i] == number)
            return;
    if (waiting->other_count < WAITING_LINES)
        waiting->others[waiting->other_count++] = number;
}

// Whether two warps that store to the line side by side come at different times: so many of the lines are as that is likely,
// the same in every run.
static int falls_apart(const struct hierarchy *memory, uint64_t line)
{
    return (double)(uint32_t)(line_hash(line) >> 32) < memory->share->warps_apart * 0x1p32;
}

// A later request's line: it joins the store's, if that is among the last that came.
static int joins(struct hierarchy *memory, struct waiting *waiting, const struct request *next,
                 const struct trace_line *line)
{
    unsigned at = find_own(waiting, line->number);
    if (at == waiting->own || waiting->own - at + waiting->other_count > WAITING_LINES ||
        (next->warp != waiting->warp && falls_apart(memory, line->number))) {
        note_other(waiting, line->number);
        return 0;
    }
    hierarchy_join(memory, &waiting->lines[at], waiting->in, next->item->in, line);
    return 1;
}

// Whether other stores may find the lines still waiting, and gain by it.
static int may_be_joined(const struct hierarchy *memory, const struct trace_line *lines,
                         unsigned count)
{
    enum { WHOLE_LINE = (1 << LINE_SECTORS) - 1 };
    int gains = 0;
    for (unsigned i = 0; i < count; i++)
        gains |= lines[i].whole != WHOLE_LINE;
    return gains && count <= MOST_OWN_LINES && !memory->t->replays && !is_local_line(lines);
}

static void join_all(struct hierarchy *memory, const struct requests *behind,
                     struct waiting *waiting)
{
    struct request_cursor at = requests_begin(behind);
    struct request *next;
    while (waiting->other_count < WAITING_LINES && (next = requests_next(behind, &at))) {
        const struct trace_item *item = next->item;
        if (item->in->is_load || item->in->is_atomic) // they do not wait among what is stored
            continue;
        for (unsigned i = 0; i < item->lines && i < LANES; i++)
            if (!(next->left >> i & 1) && joins(memory, waiting, next, &next->lines[i]))
                next->left |= 1u << i;
    }
}

unsigned joined_stores(struct hierarchy *memory, const struct requests *behind,
                       const struct request *store, const struct trace_line *lines, unsigned count,
                       struct stored_line *stored)
{
    struct waiting waiting = {.in = store->item->in, .lines = stored, .warp = store->warp};
    for (unsigned i = 0; i < count; i++) {
        if (i < LANES && store->left >> i & 1)
            continue;
        stored[waiting.own] = (struct stored_line){0};
        hierarchy_join(memory, &stored[waiting.own++], waiting.in, waiting.in, &lines[i]);
    }
    if (may_be_joined(memory, lines, count))
        join_all(memory, behind, &waiting);
    return waiting.own;
}
