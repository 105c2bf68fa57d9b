#include "sim/ptx/predicated_branches.h"

// A branch over so few instructions makes predicates of them.
enum { SHORT_BRANCH = 14 };

static int is_short(const struct instruction *in)
{
    return in->op == OP_BRANCH && in->target > in && in->target - in <= SHORT_BRANCH;
}

int jumps_over_jump(const struct instruction *in)
{
    const struct instruction *jump = in + 1;
    return in->op == OP_BRANCH && in->guard != NO_SLOT && in->target == in + 2 &&
           jump->op == OP_BRANCH && jump->guard == NO_SLOT && !is_short(jump);
}

// Whether what it jumps over stores to global memory what it loads from shared.
static int jumps_over_copy(const struct instruction *branch)
{
    int loads = 0, stores = 0;
    for (const struct instruction *in = branch + 1; in < branch->target; in++) {
        loads |= in->op == OP_LOAD && in->space == SHARED;
        stores |= in->op == OP_STORE && in->space == GLOBAL;
    }
    return loads && stores;
}

int becomes_predicate(const struct instruction *in)
{
    return is_short(in) && !jumps_over_jump(in) && !jumps_over_copy(in);
}

int becomes_exit(const struct instruction *in)
{
    return in->op == OP_BRANCH && in->target > in && in->target->op == OP_RETURN &&
           in->target->guard == NO_SLOT;
}
