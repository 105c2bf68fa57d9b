#include "sim/time/waits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 256 };

struct wait_cycles {
    struct wait wait;
    double cycles, marked[MARKS];
    uint32_t next; // of the same instruction: its place + 1
};

int waits_open(struct waits *waits, const struct module *module)
{
    *waits = (struct waits){.instruction_count = module->instruction_count};
    waits->first = calloc(module->instruction_count + 1, sizeof *waits->first);
    return waits->first != NULL;
}

void waits_close(struct waits *waits)
{
    free(waits->first);
    free(waits->list);
}

void waits_reset(struct waits *waits)
{
    memset(waits->first, 0, waits->instruction_count * sizeof *waits->first);
    waits->count = waits->sms = 0;
}

static int is_same(const struct wait *a, const struct wait *b)
{
    return a->in == b->in && a->cause == b->cause && a->reason == b->reason;
}

// Its place; NULL when no memory is left for one.
static struct wait_cycles *find(struct waits *waits, const struct wait *wait)
{
    uint32_t *place = &waits->first[wait->in->index];
    for (; *place; place = &waits->list[*place - 1].next)
        if (is_same(&waits->list[*place - 1].wait, wait))
            return &waits->list[*place - 1];
    if (waits->count == waits->capacity) {
        uint32_t capacity = waits->capacity ? 2 * waits->capacity : FIRST_CAPACITY;
        void *larger = realloc(waits->list, capacity * sizeof *waits->list);
        if (!larger)
            return NULL;
        waits->list = larger;
        waits->capacity = capacity;
        return find(waits, wait); // the places moved
    }
    struct wait_cycles *added = &waits->list[waits->count++];
    *added = (struct wait_cycles){.wait = *wait};
    *place = waits->count;
    return added;
}

void waits_add(struct waits *waits, const struct wait *wait, double cycles)
{
    struct wait_cycles *found = find(waits, wait);
    if (found)
        found->cycles += cycles;
    else
        waits->is_broken = 1;
}

void waits_mark(struct waits *waits, enum waits_mark mark)
{
    for (uint32_t i = 0; i < waits->count; i++)
        waits->list[i].marked[mark] = waits->list[i].cycles;
}

void waits_end_sm(struct waits *waits, double rounds)
{
    waits->sms++;
    for (uint32_t i = 0; i < waits->count && rounds > 0; i++) {
        struct wait_cycles *w = &waits->list[i];
        w->cycles += rounds * (w->marked[STEADY_ENDS] - w->marked[STEADY_BEGINS]);
    }
}

void waits_sample(const struct waits *waits, const struct module *module,
                  struct stall_samples *samples)
{
    for (uint32_t i = 0; i < waits->count; i++) {
        const struct wait_cycles *w = &waits->list[i];
        uint64_t cycles = (uint64_t)llround(w->cycles / waits->sms);
        if (cycles == 0)
            continue;
        const struct instruction *in = w->wait.in, *cause = w->wait.cause;
        const char *file = module_file(module, in->file);
        stall_samples_add(samples, file, in->line, w->wait.reason, cycles);
        if (cause)
            stall_samples_add_cause(samples, file, in->line, w->wait.reason,
                                    module_file(module, cause->file), cause->line, cycles);
    }
}
