// What the warps of SMs wait for while their time is simulated: cycles by the instruction that comes next, the reason
// and the instruction that causes it.
#ifndef SIM_WAITS_H
#define SIM_WAITS_H

#include "facts/stall_samples.h"
#include "sim/ptx/module.h"

struct wait {
    const struct instruction *in;    // that comes next
    const struct instruction *cause; // what it waits for; NULL: nothing that is one instruction's
    enum stall_reason reason;
};

struct waits {
    struct wait_cycles *list;
    uint32_t count, capacity;
    uint32_t *first; // by instruction: the place of its first in the list, + 1
    uint32_t instruction_count, sms;
    int is_broken; // no memory was left for all
};

// For instructions of a module. Returns 0 when no memory is left; close it in any case.
int waits_open(struct waits *waits, const struct module *module);
void waits_close(struct waits *waits);

// From now on counts anew.
void waits_reset(struct waits *waits);

// Adds warps' cycles.
void waits_add(struct waits *waits, const struct wait *wait, double cycles);

// What comes between the two marks is the steady part, which goes on for so many rounds more as the SM ends.
enum waits_mark { STEADY_BEGINS, STEADY_ENDS, MARKS };
void waits_mark(struct waits *waits, enum waits_mark mark);
void waits_end_sm(struct waits *waits, double rounds);

// Adds them all to samples by source lines, one for each cycle of an SM's, in the mean.
void waits_sample(const struct waits *waits, const struct module *module,
                  struct stall_samples *samples);

#endif
