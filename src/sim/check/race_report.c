#include "sim/check/race_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/check/fault.h"
#include "sim/check/races.h"

// Whether an instruction does what the other one of a race did.
static int could_be_other(const struct instruction *in, enum space space, const char *did)
{
    const char *does = in->op == OP_LOAD                               ? "read"
                       : in->op == OP_STORE || in->op == OP_COPY_ASYNC ? "wrote"
                       : in->op == OP_ATOMIC                           ? "executed an atomic on"
                                                                       : "";
    return (in->space == space || in->space == GENERIC) && strcmp(did, does) == 0;
}

// " in line 17": of the other access of a race, of which the shadow keeps no line, where the kernel has
// one line alone that it can be; else nothing.
static void other_line_text(const struct launch *launch, enum space space, const char *did,
                            char *text, size_t size)
{
    const struct function *kernel = launch->kernel;
    uint32_t line = 0;
    *text = '\0';
    for (size_t i = 0; i < kernel->length; i++) {
        const struct instruction *in = &kernel->code[i];
        if (!could_be_other(in, space, did))
            continue;
        uint32_t here = in->outer_line ? in->outer_line : in->line;
        if (line && here != line)
            return;
        line = here;
    }
    if (line && kernel->frame_total == kernel->frame_size) // it calls nothing that could do it
        snprintf(text, size, " in line %" PRIu32, line);
}

// Two threads of a block write one word: where that may be an index that has left its row, how long the row is.
static void row_text(const struct launch *launch, uint64_t one, uint64_t other, char *text,
                     size_t size)
{
    int64_t columns = launch->threads[0];
    int64_t x = (int64_t)(one % launch->threads_per_block) % columns,
            y = (int64_t)(one % launch->threads_per_block) / columns,
            other_x = (int64_t)(other % launch->threads_per_block) % columns,
            other_y = (int64_t)(other % launch->threads_per_block) / columns;
    int64_t rows = other_y - y, length = rows ? (x - other_x) / rows : 0;
    *text = '\0';
    if (length < 1 || length >= columns || length * rows != x - other_x)
        return;
    snprintf(text, size,
             ". Does an index leave its row? In rows of %" PRId64 " elements [0][%" PRId64
             "] is [1][0], and the block is %" PRId64 " threads wide",
             length, length, columns);
}

void race_report(struct warp *warp, const struct instruction *in, int lane, enum space space,
                 uint64_t address, unsigned size, const struct race *race)
{
    const struct launch *launch = warp->block->launch;
    char other[128], line[32], row[160] = "", text[448];
    // The number is known modulo 2^27: the highest that is not after the last thread that ran.
    uint64_t me = warp->block->number * launch->threads_per_block;
    uint64_t thread = (me & ~(uint64_t)OWNER_MASK) | race->other;
    if (race->other_is_known)
        thread_text(launch, thread, other, sizeof other);
    else
        snprintf(other, sizeof other, "%s",
                 race->is_same_block ? "another thread of the block" : "a thread of another block");
    other_line_text(launch, space, race->other_did, line, sizeof line);
    if (race->other_is_known && race->is_same_block && space == SHARED && !in->is_load &&
        strcmp(race->other_did, "wrote") == 0)
        row_text(launch, me + warp->number * LANES + (unsigned)lane, thread, row, sizeof row);
    snprintf(text, sizeof text, "%s %s the same word%s, with no barrier between the two%s", other,
             race->other_did, line, row);
    fault_access(warp, in, lane, FAULT_RACE, address, size, space, text);
}
