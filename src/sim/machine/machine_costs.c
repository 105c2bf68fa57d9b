#include "sim/machine/machine_costs.h"

// So many more executions of a machine instruction.
static void add_cost(struct machine_cost *cost, const struct machine_instruction *in, double times)
{
    cost->instructions += times;
    for (int unit = 0; unit < MACHINE_UNITS; unit++)
        cost->of_unit[unit] += in->turns[unit] * times;
    cost->waits += in->waited * times;
    if (in->kind == MACHINE_MEETING)
        cost->meetings += times;
    // How long a warp waits after these is not in the code.
    cost->stalls +=
        (in->kind == MACHINE_BRANCH || in->kind == MACHINE_MEETING ? 1 : in->stall) * times;
}

// So many more executions of a branch, number `i` of the code, of which so many were taken.
static void add_branch_cost(struct machine_cost *cost, const struct machine_instruction *in,
                            uint32_t i, double times, double taken)
{
    if (in->target <= i) {
        cost->back += times;
        return;
    }
    cost->taken += taken;
    cost->passed += times - taken;
}

static void divide_cost(struct machine_cost *cost, double executed)
{
    if (executed == 0)
        return;
    cost->instructions /= executed;
    cost->taken /= executed;
    cost->passed /= executed;
    cost->back /= executed;
    cost->meetings /= executed;
    cost->stalls /= executed;
    cost->waits /= executed;
    for (int unit = 0; unit < MACHINE_UNITS; unit++)
        cost->of_unit[unit] /= executed;
}

// The PTX instruction that the machine instruction, of a block that is executed so often by all warps, counts for: the
// one that it was made of; in a loop, only if that is executed as often, and else `other`, as loops' traces may be cut;
// elsewhere the first, if its own was never executed.
static uint32_t origin_of(const struct machine_executions *e, const struct ptx_count *counts,
                          const struct machine_instruction *in, double times, uint32_t other)
{
    uint64_t executed = in->from == NOWHERE ? 0 : counts[in->from].executed;
    if (times > e->warps)
        return (double)executed > times * (1 - 1e-6) ? in->from : other;
    return executed ? in->from : 0;
}

// Adds what a block's instructions take to what they count for. Returns what the last one counts for.
static uint32_t add_block(const struct machine_executions *e, uint32_t b,
                          const struct ptx_count *counts, uint32_t origin,
                          struct machine_counts *result)
{
    const struct machine_block *block = &e->code->blocks[b];
    const double times = e->blocks[b];
    for (uint32_t i = block->end; i-- > block->first;) // the block's first
        origin = origin_of(e, counts, &e->code->code[i], times, origin);
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct machine_instruction *in = &e->code->code[i];
        origin = origin_of(e, counts, in, times, origin);
        result->instructions += times;
        add_cost(&result->costs[origin], in, times);
        if (in->kind != MACHINE_BRANCH)
            continue;
        result->branches += times;
        add_branch_cost(&result->costs[origin], in, i, times, e->taken[b]);
    }
    return origin;
}

void machine_costs_sum(const struct machine_executions *e, const struct ptx_count *counts,
                       uint32_t length, struct machine_counts *result)
{
    uint32_t origin = 0;
    for (uint32_t b = 0; b < e->code->block_count; b++)
        if (e->code->blocks[b].is_reached && e->blocks[b] > 0)
            origin = add_block(e, b, counts, origin, result);
    for (uint32_t i = 0; i < length; i++)
        divide_cost(&result->costs[i], (double)counts[i].executed);
}
