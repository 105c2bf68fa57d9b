#include "sim/time/joined_stores.h"

#include <math.h>

#include "sim/count/access.h"
#include "sim/count/line_hash.h"
#include "sim/ptx/module.h"

enum { MOST_LINES = LANES * MAX_VECTOR }; // of a request
enum { WHOLE_LINE = (1 << LINE_SECTORS) - 1 };

// Whether two warps that store to the line side by side come at different times: so many of the lines are as that is likely,
// the same in every run.
static int falls_apart(const struct hierarchy *memory, uint64_t line)
{
    return (double)(uint32_t)(line_hash(line) >> 32) < memory->share->warps_apart * 0x1p32;
}

// The line's place, or that of the one that was stored to least recently.
static struct waiting_line *place_of(struct waiting_stores *waiting, uint64_t number)
{
    struct waiting_line *oldest = waiting->lines;
    for (struct waiting_line *l = waiting->lines; l < waiting->lines + WAITING_LINES; l++) {
        if (l->used && l->stored.line.number == number)
            return l;
        if (l->used < oldest->used)
            oldest = l;
    }
    return oldest;
}

static int still_waits(const struct waiting_line *line)
{
    return line->used && !line->has_left;
}

static int joins(const struct hierarchy *memory, const struct waiting_line *waiting, unsigned warp,
                 const struct trace_line *line)
{
    return still_waits(waiting) && waiting->stored.line.number == line->number &&
           (waiting->warp == warp || !falls_apart(memory, line->number));
}

// Lets what waits at a place leave, for another line. Returns how many do: 1 or none.
static unsigned leave(struct waiting_line *line, struct stored_line *leaving)
{
    unsigned left = (unsigned)still_waits(line);
    if (left)
        *leaving = line->stored;
    *line = (struct waiting_line){0};
    return left;
}

// A line of a store comes. Returns how many leave for it: those that have to, and itself if it is whole, as nothing can join it.
static unsigned add(struct hierarchy *memory, struct waiting_stores *waiting,
                    const struct request *store, const struct trace_line *line,
                    struct stored_line *leaving)
{
    struct waiting_line *place = place_of(waiting, line->number);
    unsigned left = 0;
    if (!joins(memory, place, store->warp, line))
        left = leave(place, leaving);
    hierarchy_join(memory, &place->stored, store->item->in, line);
    place->warp = store->warp;
    place->used = ++waiting->now;
    if (place->stored.line.whole == WHOLE_LINE) {
        leaving[left++] = place->stored;
        place->has_left = 1;
    }
    return left;
}

static unsigned leave_all(struct waiting_stores *waiting, struct stored_line *leaving)
{
    unsigned left = 0;
    for (unsigned i = 0; i < WAITING_LINES; i++)
        left += leave(&waiting->lines[i], &leaving[left]);
    return left;
}

// Whether other stores may find the lines still waiting: not where there are too many.
static int may_be_joined(const struct hierarchy *memory, const struct trace_line *lines,
                         unsigned count)
{
    return count <= WAITING_LINES && !memory->t->replays && !is_local_line(lines);
}

double joined_stores_add(struct hierarchy *memory, struct waiting_stores *waiting,
                         const struct request *store, const struct trace_line *lines,
                         unsigned count, double start)
{
    struct stored_line leaving[MOST_LINES + WAITING_LINES];
    int may_join = may_be_joined(memory, lines, count);
    waiting->last = count;
    unsigned left = count > WAITING_LINES ? leave_all(waiting, leaving) : 0;
    for (unsigned i = 0; i < count; i++) {
        if (may_join) {
            left += add(memory, waiting, store, &lines[i], &leaving[left]);
            continue;
        }
        leaving[left] = (struct stored_line){0};
        hierarchy_join(memory, &leaving[left++], store->item->in, &lines[i]);
    }
    return hierarchy_store(memory, leaving, left, start);
}

void joined_stores_leave(struct hierarchy *memory, struct waiting_stores *waiting, double from,
                         double to)
{
    const double SECTORS_A_CYCLE = 2;
    double time = from + WAIT_CYCLES + WAIT_CYCLES_A_LINE * waiting->last;
    while (time < to) {
        struct waiting_line *oldest = NULL;
        for (struct waiting_line *l = waiting->lines; l < waiting->lines + WAITING_LINES; l++)
            if (still_waits(l) && (!oldest || l->used < oldest->used))
                oldest = l;
        struct stored_line leaving;
        if (!oldest || !leave(oldest, &leaving))
            return;
        const double busy = memory->busy[SIM_GLOBAL_PIPE];
        hierarchy_store(memory, &leaving, 1, time);
        double cycles = ceil(__builtin_popcount(leaving.line.sectors) / SECTORS_A_CYCLE);
        memory->busy[SIM_GLOBAL_PIPE] = busy + cycles;
        time += cycles;
    }
}
