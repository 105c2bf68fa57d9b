#include "sim/exec/warp.h"

#include "sim/check/fault.h"
#include "sim/check/poison.h"
#include "sim/exec/execute.h"
#include "sim/exec/trace.h"

static const struct instruction *end_of(const struct function *function)
{
    return function->code + function->length - 1;
}

static struct path path_to(const struct instruction *next, const struct instruction *reconverge,
                           uint32_t mask)
{
    return (struct path){.next = next, .reconverge = reconverge, .mask = mask};
}

static struct frame *top_frame(struct warp *warp)
{
    return &warp->frames[warp->frame_count - 1];
}

void warp_start(struct warp *warp, const struct function *function, uint32_t population)
{
    warp->now = path_to(function->code, NULL, population);
    warp->registers = warp->frames_memory;
    warp->frames_left = warp->block->launch->frame_bytes - function->frame_size;
    warp->state = WARP_READY;
    warp->population = warp->live = population;
    warp->executed = 0;
    warp->interval = warp->barrier_interval = warp->sync_interval = 0;
    warp->fence_interval = warp->released_interval = 0;
    warp->has_acquired = 0;
    warp->depth = 0;
    warp->frames[0] = (struct frame){.function = function};
    warp->frame_count = 1;
    fill_block_constants(warp, function);
}

static void leave_frame(struct warp *warp)
{
    warp->frames_left += top_frame(warp)->function->frame_size;
    warp->frame_count--;
    warp->registers -= top_frame(warp)->function->frame_size;
}

// Goes on with the path below; lanes that exited meanwhile are gone. When a call's last lanes
// exited, its frame goes too.
static void pop_path(struct warp *warp)
{
    do {
        if (warp->depth == 0) {
            warp->state = WARP_DONE;
            return;
        }
        warp->now = warp->paths[--warp->depth];
        warp->now.mask &= warp->live;
        while (warp->frame_count > 1 && warp->depth < top_frame(warp)->depth)
            leave_frame(warp);
    } while (warp->now.mask == 0);
}

static int push_path(struct warp *warp, const struct instruction *in, struct path path)
{
    if (warp->depth == MAX_PATHS) {
        fault_raise(warp, in, 0, FAULT_STACK, "the threads diverged more than %d levels deep",
                    MAX_PATHS);
        return 0;
    }
    warp->paths[warp->depth++] = path;
    return 1;
}

// The lanes in `taken` go to the branch's target, the others on to the next instruction; all meet
// again at the branch's reconvergence point. A path that starts there need not be kept.
void execute_branch(struct warp *warp, const struct instruction *in, uint32_t taken)
{
    const struct instruction *meet = in->reconverge, *below = in + 1;
    uint32_t staying = warp->now.mask & ~taken;
    warp->block->counters[in->index].taken++;
    if (staying == 0) {
        warp->now.next = in->target;
        return;
    }
    warp->block->counters[in->index].divergent++;
    if (meet != warp->now.reconverge &&
        !push_path(warp, in, path_to(meet, warp->now.reconverge, warp->now.mask)))
        return;
    if (in->target == meet) {
        warp->now = path_to(below, meet, staying);
    } else if (below == meet) {
        warp->now = path_to(in->target, meet, taken);
    } else if (push_path(warp, in, path_to(in->target, meet, taken))) {
        warp->now = path_to(below, meet, staying);
    }
}

// brx.idx: peels off one target after another; those that are left go to the last.
void execute_jump_table(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const struct jump_table *table = in->table;
    const u32 *index = lanes_at(warp, in->a);
    const struct instruction *meet = in->reconverge;
    uint32_t left = mask;
    int pushed = 0;
    if (mask != warp->now.mask) {
        fault_raise(warp, in, 0, FAULT_TRAP, "a guarded jump table is not supported");
        return;
    }
    struct path outer = warp->now;
    while (left) {
        int lane = __builtin_ctz(left);
        uint32_t same = 0;
        for (int l = 0; l < LANES; l++)
            if (left & lane_bit[l] && index[l] == index[lane])
                same |= lane_bit[l];
        if (index[lane] >= table->count) {
            fault_raise(warp, in, lane, FAULT_TRAP, "the jump table has no entry %u", index[lane]);
            return;
        }
        const struct instruction *target = table->targets[index[lane]];
        if (same == outer.mask) {
            warp->now.next = target;
            return;
        }
        if (!pushed++) {
            warp->block->counters[in->index].divergent++;
            if (meet != outer.reconverge &&
                !push_path(warp, in, path_to(meet, outer.reconverge, outer.mask)))
                return;
        }
        left &= ~same;
        if (!push_path(warp, in, path_to(target, meet, same)))
            return;
    }
    pop_path(warp);
}

// Every return goes to the function's last instruction, where its threads meet.
void execute_return(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    if (mask == warp->now.mask)
        warp->now.next = end_of(top_frame(warp)->function);
    else
        execute_branch(warp, in, mask);
}

void execute_exit(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    (void)in;
    warp->live &= ~mask;
    warp->now.mask &= ~mask;
    if (warp->now.mask == 0)
        pop_path(warp);
}

// Copies an argument in, from the caller's register or local memory to the callee's at `inner`; or a result out.
static void pass(struct warp *warp, const struct argument *outer, char *registers,
                 uint64_t outer_local, uint64_t inner, uint64_t size, int is_result, uint32_t mask)
{
    FOR_LANES(l, mask) {
        char *local = warp->local + (uint64_t)l * warp->block->launch->local_bytes;
        char *at = local + outer_local + outer->offset;
        uint64_t bytes = size;
        if (outer->from != NO_SLOT) {
            at = registers + outer->from + (size_t)l * outer->width;
            bytes = size < outer->width ? size : outer->width;
        }
        memmove(is_result ? at : local + inner, is_result ? local + inner : at, bytes);
    }
}

void execute_call(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const struct call *call = in->call;
    if (call->builtin != NO_BUILTIN) {
        (call->builtin == PRINT ? execute_print : execute_assert)(warp, in, mask);
        return;
    }
    const struct function *caller = top_frame(warp)->function, *callee = call->function;
    uint64_t base = top_frame(warp)->local_base,
             local = base + (caller->local_size + 15u) / 16 * 16;
    if (warp->frame_count == MAX_FRAMES || warp->frames_left < callee->frame_size ||
        local + callee->local_size > warp->block->launch->local_bytes) {
        fault_raise(warp, in, __builtin_ctz(mask), FAULT_STACK, "calls are nested too deeply");
        return;
    }
    if (!push_path(warp, in, warp->now))
        return;
    for (int i = 0; i < call->argument_count; i++)
        pass(warp, &call->arguments[i], warp->registers, base, local + callee->params[i].offset,
             callee->params[i].size, 0, mask);
    warp->frames[warp->frame_count++] =
        (struct frame){.function = callee, .call = call, .local_base = local, .depth = warp->depth};
    warp->registers += caller->frame_size;
    warp->frames_left -= callee->frame_size;
    warp->now = path_to(callee->code, NULL, mask);
    fill_constants(warp, callee);
}

// The last instruction of every function: the kernel's threads end, a call's go back.
void execute_end(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    if (warp->frame_count == 1) {
        execute_exit(warp, in, mask);
        return;
    }
    const struct frame callee = *top_frame(warp);
    const struct variable *result = &callee.function->result;
    leave_frame(warp);
    if (callee.call->result_count)
        pass(warp, &callee.call->results[0], warp->registers, top_frame(warp)->local_base,
             callee.local_base + result->offset, result->size, 1, mask);
    pop_path(warp);
}

void execute_trap(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    fault_raise(warp, in, __builtin_ctz(mask), FAULT_TRAP, "the kernel stopped itself");
}

void execute_nothing(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    (void)warp, (void)in, (void)mask;
}

void execute_fence(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    (void)in, (void)mask;
    warp_fence(warp);
}

// Whether threads that come here have nothing left to do but to exit.
static int is_exit(const struct instruction *in)
{
    return in->op == OP_EXIT || in->op == OP_END || (in->op == OP_RETURN && in->guard == NO_SLOT);
}

static void not_yet_executed(struct warp *warp, const struct instruction *in)
{
    warp->executed--;
    warp->block->counters[in->index].executed--;
}

// A path of `missing` lanes that branched off and waits for its turn may end before the instruction:
// it goes first, and this one comes to the instruction again afterwards. Returns 0 when there is none.
static int let_another_go(struct warp *warp, const struct instruction *in, uint32_t missing)
{
    for (size_t i = warp->depth; i-- > top_frame(warp)->depth;) {
        struct path other = warp->paths[i], here = warp->now;
        other.mask &= warp->live;
        if (!(other.mask & missing) || other.mask & here.mask || other.waits ||
            other.next->op == OP_BARRIER)
            continue;
        here.next = in;
        here.waits = 1;
        warp->paths[i].mask = 0;
        if (i == warp->depth - 1) // two may take turns for long
            warp->depth--;
        if (!push_path(warp, in, here))
            return 0;
        warp->now = other;
        not_yet_executed(warp, in);
        return 1;
    }
    return 0;
}

// A path that waits at the same instruction goes on with this one. Returns 0 when there is none.
static int join_another(struct warp *warp, const struct instruction *in)
{
    for (size_t i = warp->depth; i-- > top_frame(warp)->depth;) {
        struct path *other = &warp->paths[i];
        if (!other->waits || !(other->mask & warp->live) || other->next != in ||
            other->reconverge != warp->now.reconverge)
            continue;
        warp->now.mask |= other->mask & warp->live;
        warp->now.next = in;
        other->mask = 0;
        not_yet_executed(warp, in);
        return 1;
    }
    return 0;
}

// Whether the path waits at a __syncwarp() with that mask.
static int waits_with(const struct warp *warp, const struct path *path, u32 named)
{
    uint32_t lanes = path->mask & warp->live;
    return path->waits && lanes && path->next->op == OP_WARP_BARRIER &&
           ((const u32 *)lanes_at(warp, path->next->members))[__builtin_ctz(lanes)] == named;
}

// The __syncwarp() that lanes wait at for each other need not be one line: of this mask, lets all go on, if none is
// missing. Returns 0 when some are.
static int let_pass(struct warp *warp, const struct instruction *in, uint32_t mask,
                    uint32_t missing)
{
    u32 named = ((const u32 *)lanes_at(warp, in->members))[__builtin_ctz(mask)];
    size_t first = top_frame(warp)->depth;
    for (size_t i = first; i < warp->depth; i++)
        if (waits_with(warp, &warp->paths[i], named))
            missing &= ~warp->paths[i].mask;
    for (size_t i = first; i < warp->depth && !missing; i++)
        if (waits_with(warp, &warp->paths[i], named)) {
            warp->paths[i].waits = 0;
            warp->paths[i].next++;
        }
    return !missing;
}

// Of the lanes in `missing`, those that wait to go on where the kernel ends: they exit.
static void let_exit(struct warp *warp, uint32_t missing)
{
    size_t of_kernel = warp->frame_count > 1 ? warp->frames[1].depth : warp->depth;
    for (size_t i = warp->depth; i-- > 0;) {
        uint32_t waiting = warp->paths[i].mask & missing;
        missing &= ~waiting;
        if (i < of_kernel && is_exit(warp->paths[i].next))
            warp->live &= ~waiting;
    }
}

// All lanes that the executing ones name. Raises a fault of one that does not name itself.
static uint32_t named_lanes(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const u32 *members = lanes_at(warp, in->members);
    uint32_t named = 0;
    FOR_LANES(l, mask) {
        named |= members[l];
        if (members[l] & lane_bit[l] || !warp->block->launch->checks)
            continue;
        fault_raise(warp, in, l, FAULT_LANES,
                    "lane %d of the warp executes it, but the mask 0x%08x does not name it", l,
                    members[l]);
        return 0;
    }
    return named;
}

// Since compute capability 7.0 the lanes that such an instruction names wait for each other; those
// that have exited count no more. Of a function's __syncwarp() only those that were called with it do: others
// may have a call of their own on the way.
int warp_meet(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    warp->now.waits = 0;
    if (in->members == NO_SLOT)
        return 1;
    uint32_t named = named_lanes(warp, in, mask), missing = named & warp->live & ~mask;
    if (in->op == OP_WARP_BARRIER && warp->frame_count > 1)
        missing &= warp->paths[top_frame(warp)->depth - 1].mask;
    if (!missing)
        return !warp->block->failed;
    if (join_another(warp, in))
        return 0;
    if (in->op == OP_WARP_BARRIER && let_pass(warp, in, mask, missing))
        return 1;
    if (let_another_go(warp, in, missing))
        return 0;
    let_exit(warp, missing & ~warp->now.mask);
    missing &= warp->live;
    if (!missing || !warp->block->launch->checks)
        return 1;
    fault_raise(warp, in, __builtin_ctz(mask), FAULT_LANES,
                "lane %d of the warp executes it, but lane %d, which the mask 0x%08x names, does "
                "not execute it with it (the lanes 0x%08x do not)",
                __builtin_ctz(mask), __builtin_ctz(missing), named, missing);
    return 0;
}

void execute_warp_barrier(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    if (warp_meet(warp, in, mask))
        warp->sync_interval = ++warp->interval;
}

// A barrier waits for all threads that have not exited, as it does since compute capability 7.0
// (bar in the PTX manual); before, a warp's lanes all counted.
void execute_barrier(struct warp *warp, const struct instruction *in, uint32_t mask)
{
    const struct launch *launch = warp->block->launch;
    warp->now.waits = 0;
    if (warp->live & ~mask) {
        if (let_another_go(warp, in, warp->live & ~mask))
            return;
        let_exit(warp, warp->live & ~mask);
    }
    uint32_t missing = warp->live & ~mask;
    if (launch->checks && missing) {
        fault_raise(warp, in, __builtin_ctz(mask), FAULT_BARRIER,
                    "thread %u of the block waits at a barrier that thread %u of its warp does not "
                    "reach with it: is it in an `if`, or behind a return?",
                    warp->number * LANES + (unsigned)__builtin_ctz(mask),
                    warp->number * LANES + (unsigned)__builtin_ctz(missing));
        return;
    }
    warp->barrier = *(const u32 *)lanes_at(warp, in->a);
    warp->barrier_threads = in->b == NO_SLOT ? 0 : *(const u32 *)lanes_at(warp, in->b);
    warp->waits = in;
    warp->voters = mask;
    warp->votes = 0;
    if (in->c != NO_SLOT)
        warp->votes = (*predicate_at(warp, in->c) ^ (in->negate ? ALL_LANES : 0)) & mask;
    warp->state = WARP_AT_BARRIER;
}

static execute_fn *const executors[] = {
#define INSTRUCTION(op, spelling, modifiers, decode, execute) [OP_##op] = execute,
#define VARIANT(op, execute) [OP_##op] = execute,
#include "sim/ptx/opcodes.h"
};

static void watch(struct warp *warp, const struct instruction *in)
{
    if (warp->trace)
        trace_instruction(warp->block->launch->trace, warp->trace, in);
    if (warp->poison)
        poison_step(warp, in);
}

void warp_run(struct warp *warp, uint64_t quantum)
{
    struct instruction_counters *counters = warp->block->counters;
    const int *failed = &warp->block->failed;
    const uint64_t stop = warp->executed + quantum;
    while (warp->state == WARP_READY && warp->executed < stop && !*failed) {
        const struct instruction *in = warp->now.next;
        if (in == warp->now.reconverge) {
            pop_path(warp);
            continue;
        }
        warp->now.next = in + 1;
        warp->executed++;
        counters[in->index].executed++;
        if (warp->is_watched)
            watch(warp, in);
        uint32_t mask = warp->now.mask;
        if (in->guard != NO_SLOT) {
            uint32_t guard = *predicate_at(warp, in->guard);
            mask &= in->guard_negated ? ~guard : guard;
        }
        if (mask)
            executors[in->op](warp, in, mask);
    }
}
