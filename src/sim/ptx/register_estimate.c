// How many 32-bit registers a thread needs: an estimate, for the occupancy, where there is no machine
// code to say what ptxas took (base/cubin.h).
//
// A PTX register is assigned once and there is no end of them; the machine needs one for every
// value that is still wanted. So: the most values that are alive at one instruction, from the
// first write to the last read in the order of the text, and through a whole loop for what comes
// into it from before.
#include "sim/ptx/loader.h"

enum { RESERVED = 4 }; // the stack pointer and what ptxas keeps for itself

struct life {
    uint32_t first, last; // instructions; last < first: never written
    uint32_t words;
};

static void touch(struct life *lives, slot at, uint32_t i, unsigned width, int writes)
{
    if (at == NO_SLOT)
        return;
    struct life *life = &lives[at / SLOT_BYTES];
    if (writes && life->words == 0) {
        life->first = i;
        life->words = width == 8 ? 2 : 1;
    }
    life->last = i;
}

// Whether the result is nothing but an operand from constant memory, a literal or a predicate.
static int needs_no_register(const struct instruction *in)
{
    return in->op == OP_SETP || in->machine_cost == 0;
}

static void find_lives(const struct loader *loader, struct life *lives)
{
    for (uint32_t i = 0; i < loader->length; i++) {
        const struct instruction *in = &loader->code[i];
        touch(lives, in->a, i, 0, 0);
        touch(lives, in->b, i, 0, 0);
        touch(lives, in->c, i, 0, 0);
        touch(lives, in->members, i, 0, 0);
        for (unsigned k = 0; k < in->vector && in->vector > 1; k++)
            touch(lives, in->v[k], i, in->width_d, in->is_load);
        if (!needs_no_register(in))
            touch(lives, in->d, i, in->width_d, 1);
    }
}

static void extend_through_loops(const struct loader *loader, struct life *lives, size_t count)
{
    for (uint32_t i = 0; i < loader->length; i++) {
        const struct instruction *in = &loader->code[i];
        if (in->op != OP_BRANCH || in->target > in)
            continue;
        uint32_t start = (uint32_t)(in->target - loader->code);
        for (size_t k = 0; k < count; k++)
            if (lives[k].words && lives[k].first < start && lives[k].last >= start &&
                lives[k].last < i)
                lives[k].last = i;
    }
}

void estimate_registers(struct loader *loader)
{
    struct function *function = loader->function;
    size_t count = function->frame_size / SLOT_BYTES + 1;
    struct life *lives = load_take(loader, count * sizeof *lives);
    // How many words begin and end to be alive at each instruction.
    uint32_t *begins = load_take(loader, (loader->length + 1) * sizeof *begins);
    uint32_t *ends = load_take(loader, (loader->length + 1) * sizeof *ends);
    find_lives(loader, lives);
    extend_through_loops(loader, lives, count);
    for (size_t k = 0; k < count; k++) {
        if (lives[k].words) {
            begins[lives[k].first] += lives[k].words;
            ends[lives[k].last] += lives[k].words;
        }
    }
    uint32_t alive = 0, most = 0;
    for (uint32_t i = 0; i < loader->length; i++) {
        alive += begins[i];
        most = alive > most ? alive : most;
        alive -= ends[i];
    }
    most += RESERVED;
    if (function->max_registers && most > function->max_registers)
        most = function->max_registers; // ptxas spills the rest
    function->registers = (int)most;
}
