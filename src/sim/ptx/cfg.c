// Reconvergence: threads that a branch separates go on together at its immediate post-dominator,
// the first place that all of them must come to.
//
// Post-dominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001), on
// the control flow read backwards from the function's end.

#include "sim/ptx/loader.h"

// An instruction in the control flow.
struct node {
    uint32_t edges_in;       // where its predecessors start in the list
    uint32_t predecessors;   // how many
    uint32_t order;          // in the post-order of the backward walk; 0: not reached
    uint32_t post_dominator; // a node; UINT32_MAX: none yet
};

struct flow {
    struct loader *loader;
    uint32_t length;
    struct node *nodes; // by the instructions' numbers
    uint32_t *edges;    // predecessors, node by node
    uint32_t *walk;     // nodes by post-order
    uint32_t walked;
};

static int leaves(const struct instruction *in)
{
    return in->op == OP_BRANCH || in->op == OP_RETURN || in->op == OP_EXIT || in->op == OP_TRAP ||
           in->op == OP_JUMP_TABLE;
}

static int ends_path(const struct instruction *in)
{
    return in->guard == NO_SLOT && leaves(in);
}

// Successor number `i` of an instruction, as an instruction's number; UINT32_MAX after the last.
static uint32_t successor(const struct loader *loader, uint32_t at, size_t i)
{
    const struct instruction *code = loader->code, *in = &code[at];
    if (at == loader->length - 1)
        return UINT32_MAX;
    if (!ends_path(in)) {
        if (i == 0)
            return at + 1;
        i--;
    }
    if (!leaves(in))
        return UINT32_MAX;
    if (in->op == OP_JUMP_TABLE)
        return i < in->table->count ? (uint32_t)(in->table->targets[i] - code) : UINT32_MAX;
    if (i > 0)
        return UINT32_MAX;
    return in->op == OP_BRANCH ? (uint32_t)(in->target - code) : loader->length - 1;
}

static void link_predecessors(struct flow *flow)
{
    uint32_t total = 0, to;
    for (uint32_t n = 0; n < flow->length; n++)
        for (size_t i = 0; (to = successor(flow->loader, n, i)) != UINT32_MAX; i++)
            flow->nodes[to].predecessors++;
    for (uint32_t n = 0; n < flow->length; n++) {
        flow->nodes[n].edges_in = total;
        total += flow->nodes[n].predecessors;
        flow->nodes[n].predecessors = 0;
    }
    flow->edges = load_take(flow->loader, (total + 1) * sizeof *flow->edges);
    for (uint32_t n = 0; n < flow->length; n++)
        for (size_t i = 0; (to = successor(flow->loader, n, i)) != UINT32_MAX; i++)
            flow->edges[flow->nodes[to].edges_in + flow->nodes[to].predecessors++] = n;
}

// Numbers the nodes from which the end can be reached, in post-order from 1.
static void walk_backwards(struct flow *flow)
{
    struct loader *loader = flow->loader;
    uint32_t *stack = load_take(loader, (flow->length + 1) * sizeof *stack), depth = 0;
    uint32_t *next = load_take(loader, (flow->length + 1) * sizeof *next);
    char *seen = load_take(loader, flow->length + 1);
    flow->walk = load_take(loader, (flow->length + 1) * sizeof *flow->walk);
    stack[depth++] = flow->length - 1;
    seen[flow->length - 1] = 1;
    while (depth) {
        uint32_t n = stack[depth - 1];
        if (next[n] < flow->nodes[n].predecessors) {
            uint32_t from = flow->edges[flow->nodes[n].edges_in + next[n]++];
            if (!seen[from]) {
                seen[from] = 1;
                stack[depth++] = from;
            }
        } else {
            flow->nodes[n].order = ++flow->walked;
            flow->walk[flow->walked] = n;
            depth--;
        }
    }
}

static uint32_t intersect(const struct node *nodes, uint32_t a, uint32_t b)
{
    while (a != b) {
        while (nodes[a].order < nodes[b].order)
            a = nodes[a].post_dominator;
        while (nodes[b].order < nodes[a].order)
            b = nodes[b].post_dominator;
    }
    return a;
}

static void find_post_dominators(struct flow *flow)
{
    struct node *nodes = flow->nodes;
    for (uint32_t n = 0; n < flow->length; n++)
        nodes[n].post_dominator = UINT32_MAX;
    nodes[flow->length - 1].post_dominator = flow->length - 1;
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t i = flow->walked - 1; i >= 1; i--) {
            uint32_t n = flow->walk[i], best = UINT32_MAX, to;
            for (size_t k = 0; (to = successor(flow->loader, n, k)) != UINT32_MAX; k++)
                if (nodes[to].post_dominator != UINT32_MAX)
                    best = best == UINT32_MAX ? to : intersect(nodes, best, to);
            changed |= best != nodes[n].post_dominator;
            nodes[n].post_dominator = best;
        }
    }
}

void find_reconvergence(struct loader *loader)
{
    struct flow flow = {.loader = loader, .length = loader->length};
    flow.nodes = load_take(loader, flow.length * sizeof *flow.nodes);
    link_predecessors(&flow);
    walk_backwards(&flow);
    find_post_dominators(&flow);
    for (uint32_t at = 0; at < flow.length; at++) {
        struct instruction *in = &loader->code[at];
        if (!leaves(in))
            continue;
        uint32_t meet = flow.nodes[at].post_dominator;
        if (meet == UINT32_MAX) // it never ends: its threads would meet at the end
            meet = flow.length - 1;
        in->reconverge = &loader->code[meet];
        if (in->op == OP_RETURN)
            in->target = &loader->code[flow.length - 1];
    }
}
